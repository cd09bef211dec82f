//! The numbers of pods of workloads.

use super::Mistakes;
use crate::checks::words::{invalid, negative};
use crdgen_core::value::Value;

/// The numbers in the status of a kind.
struct Numbers {
    /// None is negative.
    all: &'static [&'static str],
    /// None is more than `replicas`.
    parts: &'static [&'static str],
    /// What the server calls the number of pods that are ready, which those that are available are part of.
    ready: &'static str,
}

const DEPLOYMENT: Numbers = Numbers {
    all: &[
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount",
    ],
    parts: &["updatedReplicas", "readyReplicas", "availableReplicas"],
    ready: "readyReplicas",
};

const REPLICA_SET: Numbers = Numbers {
    all: &[
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration",
        "terminatingReplicas",
    ],
    parts: &["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
    ready: "readyReplicas",
};

const STATEFUL_SET: Numbers = Numbers {
    all: &[
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount",
    ],
    parts: &["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
    ready: "status.readyReplicas",
};

const DAEMON_SET: Numbers = Numbers {
    all: &[
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount",
    ],
    parts: &[],
    ready: "",
};

/// The mistakes in the status of a workload.
pub(super) fn mistakes(kind: &str, object: &Value, live: Option<&Value>) -> Mistakes {
    let numbers = match kind {
        "DaemonSet" => &DAEMON_SET,
        "Deployment" => &DEPLOYMENT,
        "StatefulSet" => &STATEFUL_SET,
        _ => &REPLICA_SET,
    };
    let found =
        |object: &Value, name: &str| object.get("status").and_then(|status| status.get(name)?.as_int());
    let number = |name: &str| found(object, name).unwrap_or_default();
    let field = |name: &str| format!("status.{name}");
    let all = numbers.all.iter().filter_map(|name| negative(field(name), Some(&Value::Int(number(name)))));
    let mut out: Mistakes = all.collect();
    let mut too_many = |name: &str, why: &str| out.push(invalid(field(name), &Value::Int(number(name)), why));
    for name in numbers.parts.iter().filter(|name| number(name) > number("replicas")) {
        too_many(name, "cannot be greater than status.replicas");
    }
    if !numbers.parts.is_empty() && number("availableReplicas") > number("readyReplicas") {
        too_many("availableReplicas", &format!("cannot be greater than {}", numbers.ready));
    }
    let count = "collisionCount";
    let had = live.and_then(|live| found(live, count)).filter(|_| numbers.all.contains(&count));
    if had.is_some_and(|had| found(object, count).is_none_or(|count| count < had)) {
        too_many(count, "cannot be decremented");
    }
    out
}
