//! What the controllers and nodes of a cluster make of workloads, if a test wants it.

use crate::meta::{self, map};
use crate::state::State;
use crate::store::{Key, Resource};
use crate::testing::Simulation;
use crdgen_core::value::{Map, Value};

/// Sets the status of a workload, unless it has been set for its generation.
pub(super) fn simulate(state: &mut State, simulation: Simulation, key: &Key) {
    let (group, plural) = simulation.resource();
    let resource = Resource::new(group, plural);
    let Some(live) = state.store.get(&resource, key).cloned() else { return };
    if meta::is_deleting(&live) {
        return;
    }
    let now = state.clock.now();
    let of_spec = |name: &str| live.get("spec").and_then(|spec| spec.get(name)?.as_int());
    let generation = live.get("metadata").and_then(|metadata| metadata.get("generation")?.as_int());
    let generation = generation.unwrap_or(1);
    let of_status = |name: &str| live.get("status").and_then(|status| status.get(name));
    let is_done = match simulation {
        Simulation::JobsSucceed | Simulation::JobsFail => of_status("conditions").is_some(),
        Simulation::PodsRun => of_status("phase").and_then(Value::as_str) != Some("Pending"),
        _ => of_status("observedGeneration").and_then(Value::as_int) == Some(generation),
    };
    if is_done {
        return;
    }
    let condition = |ty: &str, reason: &str, message: &str| {
        let texts = [("type", ty), ("status", "True"), ("reason", reason), ("message", message)];
        let times = [("lastTransitionTime", now.as_str())];
        let texts = texts.into_iter().chain(times).filter(|(_, text)| !text.is_empty());
        Value::Map(texts.map(|(name, text)| (name, Value::from(text))).collect())
    };
    let replicas = of_spec("replicas").unwrap_or(1);
    let numbers = |names: &[&str], number: i64| {
        let names = names.iter().filter(|_| number > 0);
        names.map(|&name| (name.to_owned(), Value::Int(number))).collect::<Map<Value>>()
    };
    let mut status = match simulation {
        Simulation::DeploymentsBecomeReady => {
            let names = ["replicas", "updatedReplicas", "readyReplicas", "availableReplicas"];
            let mut status = numbers(&names, replicas);
            let available = "Deployment has minimum availability.";
            let name = meta::text(&live, "name");
            let progressed = format!("Deployment \"{name}\" has successfully progressed.");
            let mut conditions = [
                condition("Available", "MinimumReplicasAvailable", available),
                condition("Progressing", "NewReplicaSetAvailable", &progressed),
            ];
            for condition in conditions.iter_mut().filter_map(Value::as_map_mut) {
                condition.insert("lastUpdateTime", Value::from(now.as_str()));
            }
            status.insert("conditions", Value::List(conditions.to_vec()));
            status
        }
        Simulation::StatefulSetsBecomeReady => {
            let names = ["readyReplicas", "currentReplicas", "updatedReplicas"];
            let mut status = numbers(&names, replicas);
            // Go writes these also if they are 0.
            status.insert("replicas", Value::Int(replicas));
            status.insert("availableReplicas", Value::Int(replicas));
            status
        }
        Simulation::DaemonSetsBecomeReady => {
            let names = [
                "currentNumberScheduled",
                "desiredNumberScheduled",
                "numberReady",
                "updatedNumberScheduled",
                "numberAvailable",
            ];
            let mut status = numbers(&names, 1);
            status.insert("numberMisscheduled", Value::Int(0));
            status
        }
        Simulation::JobsSucceed => {
            let mut status = numbers(&["succeeded"], of_spec("completions").unwrap_or(1));
            status.insert("startTime", Value::from(now.as_str()));
            status.insert("completionTime", Value::from(now.as_str()));
            let message = "Reached expected number of succeeded pods";
            let conditions =
                ["SuccessCriteriaMet", "Complete"].map(|ty| condition(ty, "CompletionsReached", message));
            status.insert("conditions", Value::List(conditions.to_vec()));
            status
        }
        Simulation::JobsFail => {
            let mut status = numbers(&["failed"], 1 + of_spec("backoffLimit").unwrap_or(6));
            status.insert("startTime", Value::from(now.as_str()));
            let message = "Job has reached the specified backoff limit";
            let conditions =
                ["FailureTarget", "Failed"].map(|ty| condition(ty, "BackoffLimitExceeded", message));
            status.insert("conditions", Value::List(conditions.to_vec()));
            status
        }
        Simulation::PodsRun => {
            let mut status = Map::new();
            status.insert("phase", Value::from("Running"));
            status.insert("startTime", Value::from(now.as_str()));
            let conditions = ["PodScheduled", "Initialized", "ContainersReady", "Ready"];
            status.insert("conditions", Value::List(conditions.map(|ty| condition(ty, "", "")).to_vec()));
            let containers = live.get("spec").and_then(|spec| spec.get("containers")?.as_list());
            let running = |container: &Value| {
                let text = |name: &str| Value::from(container.text(name));
                map([
                    ("name", text("name")),
                    ("image", text("image")),
                    ("imageID", "".into()),
                    ("ready", true.into()),
                    ("started", true.into()),
                    ("restartCount", Value::Int(0)),
                    ("state", map([("running", map([("startedAt", now.as_str().into())]))])),
                ])
            };
            let containers = containers.unwrap_or_default().iter().map(running).collect();
            status.insert("containerStatuses", Value::List(containers));
            status
        }
    };
    if !matches!(simulation, Simulation::JobsSucceed | Simulation::JobsFail | Simulation::PodsRun) {
        status.insert("observedGeneration", Value::Int(generation));
    }
    let mut object = Value::clone(&live);
    if let Value::Map(map) = &mut object {
        map.insert("status", Value::Map(status));
    }
    state.put(&resource, object);
}
