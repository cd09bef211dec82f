//! What policies decide about a request.

use super::cluster::Cluster;
use super::conditions::Condition;
use super::evaluate::{BUDGET, Evaluator, Given, Param, Seen, all};
use super::policy::{Binding, Policy};
use super::request::Request;
use super::select::{Bound, Selected, misconfigured, select};
use crdgen_core::cel::value::Val;
use crdgen_core::json;
use crdgen_core::value::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What policies decide.
#[derive(Clone, Debug, Default)]
pub struct Decided {
    /// Why the request is denied.
    pub denied: Option<Denied>,
    /// The warnings for the client.
    pub warnings: Vec<Said>,
    /// The audit annotations.
    pub annotations: BTreeMap<String, String>,
    /// The evaluations of all policies that concern the request.
    pub judged: Vec<Judged>,
}

/// Why a request is denied.
#[derive(Clone, Debug)]
pub struct Denied {
    /// The reason in the status.
    pub reason: String,
    /// The message, without the name of the object.
    pub said: Said,
}

/// What a policy says to the client.
#[derive(Clone, Debug)]
pub struct Said {
    /// The name of the policy.
    pub policy: String,
    /// The index of the validation, if it is one that says this.
    pub validation: Option<usize>,
    /// The text.
    pub text: String,
}

/// The evaluation of a policy with a parameter.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The name of the policy.
    pub policy: String,
    /// The namespace and name of the parameter.
    pub param: Option<String>,
    /// The conditions.
    pub conditions: Vec<Condition>,
    /// Whether the conditions are fulfilled, if there are any.
    pub matched: Option<bool>,
    /// Why they cannot be evaluated, if that denies the request.
    pub match_error: Option<String>,
    /// The validations, or one decision if none can be evaluated.
    pub decisions: Vec<Decision>,
    /// The audit annotations.
    pub annotations: Vec<Annotation>,
}

/// What a validation decides.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Whether it denies the request.
    pub denies: bool,
    /// Whether it cannot be evaluated.
    pub is_error: bool,
    /// The message.
    pub message: String,
    /// The reason in the status, if it denies.
    pub reason: String,
    /// What it costs. `None` if it is not evaluated to its end.
    pub cost: Option<u64>,
    /// What its message costs.
    pub message_cost: Option<u64>,
}

/// The value of an audit annotation.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The key, without the name of the policy.
    pub key: String,
    /// The value, if there is one, or why there is none.
    pub value: Result<Option<String>, String>,
    /// Whether the error denies the request.
    pub denies: bool,
    /// What it costs.
    pub cost: u64,
}

/// The longest message of an expression.
const LONGEST_MESSAGE: usize = 5 * 1024;
/// The longest value of an audit annotation.
const LONGEST_VALUE: usize = 10 * 1024;
/// How many failures an audit annotation has.
const MOST_FAILURES: usize = 50;

/// Returns what policies decide about a request. Those without a binding decide nothing.
pub fn decide(
    policies: &[&Policy],
    bindings: &[Binding],
    request: &Request<'_>,
    cluster: &dyn Cluster,
) -> Decided {
    let out = Decided::default();
    let mut all = Deciding {
        request,
        cluster,
        seen: BTreeMap::new(),
        out,
        values: BTreeMap::new(),
        failures: Vec::new(),
    };
    for selected in select(policies, bindings, request, cluster) {
        match selected {
            Selected::Misconfigured { policy, binding, why } => all.misconfigured(policy, binding, &why),
            Selected::Bound(bound) => all.bound(&bound),
        }
    }
    all.publish();
    all.out
}

struct Deciding<'d> {
    request: &'d Request<'d>,
    cluster: &'d dyn Cluster,
    /// What expressions read, by the versions that policies want.
    seen: BTreeMap<String, Rc<Result<Seen, String>>>,
    out: Decided,
    /// The values of audit annotations, by their keys.
    values: BTreeMap<String, Vec<String>>,
    /// The failures for the audit annotation, as JSON.
    failures: Vec<String>,
}

impl<'d> Deciding<'d> {
    /// What expressions read, in a version.
    fn seen(&mut self, version: &str) -> Rc<Result<Seen, String>> {
        if let Some(seen) = self.seen.get(version) {
            return Rc::clone(seen);
        }
        let namespace = || self.request.namespace(self.cluster).unwrap_or_default();
        let seen = (self.request.seen)(version).map(|seen| Seen { namespace: namespace(), ..seen });
        let seen = Rc::new(seen);
        self.seen.insert(version.to_owned(), Rc::clone(&seen));
        seen
    }

    /// A policy that cannot be used denies the request, unless it ignores failures.
    fn misconfigured(&mut self, policy: &Policy, binding: Option<&Binding>, why: &str) {
        if policy.ignores_failures {
            return;
        }
        self.deny(policy, binding, ("", None), &misconfigured(binding, why));
    }

    /// Only the first denial is reported. A validation that denies has an index.
    fn deny(
        &mut self,
        policy: &Policy,
        binding: Option<&Binding>,
        (reason, validation): (&str, Option<usize>),
        message: &str,
    ) {
        let by = match binding {
            Some(binding) => format!(" with binding '{}'", binding.name),
            None => String::new(),
        };
        let text = format!("ValidatingAdmissionPolicy '{}'{by} denied request: {message}", policy.name);
        let reason = if reason.is_empty() { "Invalid" } else { reason }.to_owned();
        let said = Said { policy: policy.name.clone(), validation, text };
        self.out.denied.get_or_insert(Denied { reason, said });
    }

    fn bound(&mut self, Bound { policy, binding, version, params }: &Bound<'_>) {
        let seen = self.seen(version);
        let seen = match &*seen {
            Ok(seen) => seen,
            Err(why) => {
                let why = format!("failed to convert object version: {why}");
                return self.misconfigured(policy, Some(binding), &why);
            }
        };
        for param in params {
            let judged = judge(policy, seen, param, self.cluster);
            for (index, decision) in judged.decisions.iter().enumerate().filter(|(_, it)| it.denies) {
                self.enforce(policy, binding, index, decision);
            }
            for annotation in &judged.annotations {
                match &annotation.value {
                    Ok(Some(value)) => {
                        let is_end = |end: &usize| value.is_char_boundary(*end);
                        let end = (0..=value.len().min(LONGEST_VALUE)).rev().find(is_end).unwrap_or_default();
                        let key = format!("{}/{}", policy.name, annotation.key);
                        let known = self.values.entry(key).or_default();
                        if !known.iter().any(|it| *it == value[..end]) {
                            known.push(value[..end].to_owned());
                        }
                    }
                    Err(why) if annotation.denies => self.deny(policy, Some(binding), ("", None), why),
                    Ok(None) | Err(_) => {}
                }
            }
            self.out.judged.push(Judged { param: param.shown(), ..judged });
        }
    }

    fn enforce(&mut self, policy: &Policy, binding: &Binding, index: usize, decision: &Decision) {
        let Decision { message, reason, .. } = decision;
        let validation = decision.cost.map(|_| index);
        for action in &binding.actions {
            match action.as_str() {
                "Deny" => self.deny(policy, Some(binding), (reason, validation), message),
                "Warn" => {
                    let text = format!(
                        "Validation failed for ValidatingAdmissionPolicy '{}' with binding '{}': {message}",
                        policy.name, binding.name
                    );
                    // Clients get each text once, and only what a header can have.
                    let is_known = self.out.warnings.iter().any(|said| said.text == text);
                    if !text.contains(char::is_control) && !is_known {
                        self.out.warnings.push(Said { policy: policy.name.clone(), validation, text });
                    }
                }
                _ => {
                    let text = |text: &str| json::to_html_safe(&text.into());
                    let actions = binding.actions.iter().map(|it| Value::from(it.as_str())).collect();
                    self.failures.push(format!(
                        r#"{{"message":{},"policy":{},"binding":{},"expressionIndex":{index},"validationActions":{}}}"#,
                        text(message),
                        text(&policy.name),
                        text(&binding.name),
                        json::to_string(&Value::List(actions)),
                    ));
                }
            }
        }
    }

    fn publish(&mut self) {
        for (key, values) in std::mem::take(&mut self.values) {
            self.out.annotations.insert(key, values.join(", "));
        }
        self.failures.truncate(MOST_FAILURES);
        if !self.failures.is_empty() {
            let key = "validation.policy.admission.k8s.io/validation_failure".to_owned();
            self.out.annotations.insert(key, format!("[{}]", self.failures.join(",")));
        }
    }
}

impl Policy {
    /// What cannot be evaluated denies the request, unless the policy ignores failures.
    fn failed(&self, message: String, cost: Option<u64>) -> Decision {
        let (denies, reason) = (!self.ignores_failures, String::new());
        Decision { denies, is_error: true, message, reason, cost, message_cost: None }
    }
}

/// The evaluation of a policy with a parameter.
fn judge(policy: &Policy, seen: &Seen, param: &Param, cluster: &dyn Cluster) -> Judged {
    let mut out = Judged { policy: policy.name.clone(), ..Judged::default() };
    let evaluator = || Evaluator::new(&policy.variables, seen, param, cluster);
    if !policy.conditions.is_empty() {
        match policy.conditions.are_fulfilled(&policy.variables, seen, param, cluster, &mut out.conditions) {
            Ok(matched) => out.matched = Some(matched),
            Err(_) if policy.ignores_failures => out.matched = Some(false),
            Err(why) => {
                out.matched = Some(false);
                out.match_error = Some(why.clone());
                out.decisions.push(policy.failed(why, None));
            }
        }
        if out.matched != Some(true) {
            return out;
        }
    }
    let mut budget = BUDGET;
    let given = all(evaluator(), policy.validations.iter().map(|it| Some(&it.expression)), &mut budget);
    let given = match given {
        Ok(given) => given,
        Err(why) => {
            out.decisions.push(policy.failed(why.to_owned(), None));
            return out;
        }
    };
    let expressions = policy.validations.iter().map(|it| it.message_expression.as_ref());
    let messages = all(evaluator().without_authority(), expressions, &mut budget);
    for (index, (validation, given)) in policy.validations.iter().zip(given).enumerate() {
        let Some(Given { value, cost }) = given else { continue };
        let message = messages.as_ref().map(|it| it.get(index).and_then(Option::as_ref));
        let message_cost = message.ok().flatten().map(|given| given.cost);
        let decision = match (value, message) {
            (Err(why), _) => policy.failed(why.text().to_owned(), Some(cost)),
            (Ok(_), Err(why)) => policy.failed(format!("failed messageExpression: {why}"), Some(cost)),
            (Ok(value), Ok(message)) => {
                let denies = !matches!(value, Val::Bool(true));
                let fallback = || match validation.message.as_str() {
                    "" => format!("failed expression: {}", validation.expression.text.trim()),
                    own => own.to_owned(),
                };
                let message = denies.then(|| message.and_then(own_message).unwrap_or_else(fallback));
                let reason = match validation.reason.as_str() {
                    _ if !denies => "",
                    "" => "Invalid",
                    reason => reason,
                };
                let (message, reason) = (message.unwrap_or_default(), reason.to_owned());
                Decision { denies, is_error: false, message, reason, cost: Some(cost), message_cost: None }
            }
        };
        out.decisions.push(Decision { message_cost, ..decision });
    }
    let given =
        all(evaluator().without_authority(), policy.annotations.iter().map(|(_, it)| Some(it)), &mut {
            BUDGET
        });
    match given {
        Err(why) => out.decisions = vec![policy.failed(why.to_owned(), None)],
        Ok(given) => {
            for ((key, _), given) in policy.annotations.iter().zip(given) {
                let Some(Given { value, cost }) = given else { continue };
                let value = match value {
                    Err(why) => Err(why.text().to_owned()),
                    Ok(Val::Str(text)) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
                    Ok(_) => Ok(None),
                };
                let denies = !policy.ignores_failures && value.is_err();
                out.annotations.push(Annotation { key: key.clone(), value, denies, cost });
            }
        }
    }
    out
}

/// The message of an expression, if it can be used.
fn own_message(given: &Given<'_>) -> Option<String> {
    let Ok(Val::Str(text)) = &given.value else { return None };
    let text = text.trim();
    let is_good = !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n');
    is_good.then(|| text.to_owned())
}
