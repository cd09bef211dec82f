//! Evicts pods, if their disruption budget allows that.

use super::Call;
use super::delete::Options;
use crate::answer::Answer;
use crate::meta::{self, map};
use crate::request::{DryRun, IGNORES_UNREADABLE};
use crate::status::{Cause, Details, Failure, Field, Mistake};
use crate::store::{Object, Resource};
use crdgen_core::diag::Kind;
use crdgen_core::value::{Map, Value};
use crdgen_kubernetes::labels::of_labels;
use std::sync::Arc;

/// How many evictions may wait until the controller of budgets has seen them.
const MOST_DISRUPTED: usize = 2000;

impl Call<'_> {
    pub(super) fn evict(&mut self, sent: &Value) -> Result<Answer, Failure> {
        let name = &self.path.name;
        if meta::text(sent, "name") != name {
            return Err(Failure::bad_request("name in URL does not match name in Eviction object"));
        }
        let nothing = Value::default();
        let wants_unreadable = sent.get("deleteOptions").and_then(|it| it.get(IGNORES_UNREADABLE));
        if wants_unreadable == Some(&Value::Bool(true)) {
            let why = "true: can not be set for pod eviction, try after removing the option";
            let mistake =
                Mistake::new(Field::from("deleteOptions").child(IGNORES_UNREADABLE), Kind::Invalid, why);
            return Err(Failure::invalid_field("Eviction", "policy", name, mistake));
        }
        let in_query = self.request.query.dry_run;
        let options = Options::of_body(sent.get("deleteOptions").unwrap_or(&nothing), in_query)?;
        self.admit_action(name, sent)?;
        let live = self.live()?;
        if let Some(other) = options.other(&live) {
            return Err(Failure::conflict("Pod", "", name, &other.to_string()));
        }
        let phase = live.get("status").map_or("", |status| status.text("phase"));
        // These pods answer no requests.
        let is_idle = matches!(phase, "Failed" | "Pending" | "Succeeded") || meta::is_deleting(&live);
        if !is_idle {
            self.disrupt(&live, options.dry_run)?;
        }
        if options.dry_run == DryRun::All {
            return Ok(self.done());
        }
        let now = self.state.clock.now();
        let mut pod = Value::clone(&live);
        let evicted = map([
            ("type", "DisruptionTarget".into()),
            ("status", "True".into()),
            ("reason", "EvictionByEvictionAPI".into()),
            ("message", "Eviction API: evicting".into()),
        ]);
        meta::set_condition(&mut pod, evicted, &now);
        let resource = self.resource();
        let pod = self.encoded(&resource, pod);
        let pod = self.state.put(&resource, pod);
        let deletion = self.deletion(&pod, &options);
        self.delete_one(&pod, deletion, &options);
        Ok(self.done())
    }

    /// Counts a disruption in the budget of a pod, if it has one.
    fn disrupt(&mut self, pod: &Arc<Object>, dry_run: DryRun) -> Result<(), Failure> {
        let budgets = Resource::new("policy", "poddisruptionbudgets");
        let selects = |budget: &Value| {
            let selector = budget.get("spec").and_then(|spec| spec.get("selector"));
            // A budget without a selector is for no pod, and one with an empty selector for all.
            selector.is_some_and(|selector| of_labels(selector).is_none_or(|it| it.matches(pod)))
        };
        let found: Vec<Arc<Object>> = self
            .state
            .store
            .objects(&budgets, meta::text(pod, "namespace"))
            .filter(|(_, budget)| selects(budget))
            .map(|(_, budget)| Arc::clone(budget))
            .collect();
        let budget = match &found[..] {
            [] => return Ok(()),
            [one] => one,
            _ => {
                let why = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
                return Err(Failure::new(500, "", why));
            }
        };
        let Some(changed) = allowed(budget, pod, &self.state.clock.now())? else { return Ok(()) };
        if dry_run == DryRun::No {
            let changed = self.encoded(&budgets, changed);
            self.state.replace(&budgets, changed);
        }
        Ok(())
    }
}

/// The budget after a disruption. `None` if the pod does not count.
fn allowed(budget: &Value, pod: &Value, now: &str) -> Result<Option<Value>, Failure> {
    let (spec, status) = (budget.get("spec"), budget.get("status"));
    let number = |name: &str| status.and_then(|it| it.get(name)?.as_int()).unwrap_or_default();
    let (healthy, desired) = (number("currentHealthy"), number("desiredHealthy"));
    if !is_ready(pod) {
        let policy = spec.map_or("", |spec| spec.text("unhealthyPodEvictionPolicy"));
        if policy == "AlwaysAllow" || healthy >= desired && desired > 0 {
            return Ok(None);
        }
    }
    let name = meta::text(budget, "name");
    let begin = format!("The disruption budget {name}");
    let generation = budget.get("metadata").and_then(|it| it.get("generation")?.as_int()).unwrap_or_default();
    if number("observedGeneration") < generation {
        return Err(too_many(format!("{begin} is still being processed by the server."), 10));
    }
    let remaining = number("disruptionsAllowed");
    let disrupted = status.and_then(|it| it.get("disruptedPods")?.as_map().cloned()).unwrap_or_default();
    let forbidden = |why: &str, end: &str| {
        let mut failure = Failure::forbidden("poddisruptionbudget", "policy", name, why);
        let message = format!("{begin} does not allow evicting pods currently: {end}");
        if let Some(details) = &mut failure.details {
            details.causes.push(cause(message));
        }
        Err(failure)
    };
    if remaining < 0 {
        let why = "pdb disruptions allowed is negative";
        return forbidden(why, why);
    }
    if disrupted.len() > MOST_DISRUPTED {
        return forbidden(
            "DisruptedPods map too big - too many evictions not confirmed by PDB controller",
            "too many pending evictions not confirmed by PDB controller",
        );
    }
    if remaining == 0 {
        return Err(too_many(format!("{begin}{}", none_left(status, healthy, desired)), 0));
    }
    let mut changed = budget.clone();
    if let Some(Value::Map(status)) = changed.as_map_mut().and_then(|it| it.get_mut("status")) {
        let mut disrupted: Map<Value> = disrupted;
        disrupted.insert(meta::text(pod, "name"), now.into());
        status.insert("disruptedPods", Value::Map(disrupted));
        status.insert("disruptionsAllowed", Value::Int(remaining - 1));
    }
    if remaining == 1 {
        let condition = map([
            ("type", "DisruptionAllowed".into()),
            ("status", "False".into()),
            ("reason", "InsufficientPods".into()),
            ("message", "".into()),
            ("observedGeneration", Value::Int(number("observedGeneration"))),
        ]);
        meta::set_condition(&mut changed, condition, now);
    }
    Ok(Some(changed))
}

/// Why a budget allows no disruption.
fn none_left(status: Option<&Value>, healthy: i64, desired: i64) -> String {
    let conditions = status.and_then(|it| it.get("conditions")?.as_list()).unwrap_or_default();
    let refused = conditions
        .iter()
        .find(|it| it.text("type") == "DisruptionAllowed")
        .filter(|it| it.text("status") == "False" && !it.text("message").is_empty());
    match refused {
        Some(it) if it.text("reason") == "SyncFailed" => {
            let message = it.text("message");
            format!(" does not allow evicting pods currently because it failed sync: {message}")
        }
        _ if healthy <= desired => format!(" needs {desired} healthy pods and has {healthy} currently"),
        Some(it) => {
            let (reason, message) = (it.text("reason"), it.text("message"));
            format!(" does not allow evicting pods currently ({reason}): {message}")
        }
        None => " does not allow evicting pods currently".to_owned(),
    }
}

fn is_ready(pod: &Value) -> bool {
    let conditions = pod.get("status").and_then(|status| status.get("conditions")?.as_list());
    let is_ready = |it: &Value| it.text("type") == "Ready" && it.text("status") == "True";
    conditions.unwrap_or_default().iter().any(is_ready)
}

fn cause(message: String) -> Cause {
    Cause { reason: "DisruptionBudget".to_owned(), message, field: String::new() }
}

fn too_many(why: String, retry_after: u32) -> Failure {
    let message = "Cannot evict pod as it would violate the pod's disruption budget.";
    let details = Details { causes: vec![cause(why)], retry_after, ..Details::default() };
    Failure::new(429, "TooManyRequests", message).with(details)
}
