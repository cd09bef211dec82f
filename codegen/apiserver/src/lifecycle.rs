//! What keeps objects that are deleted.

use crate::clock::Clock;
use crate::meta;
use crate::registry::{definitions, namespaces};
use crate::store::Resource;
use crdgen_core::go::time::Time;
use crdgen_core::value::Value;

/// The finalizer of an object whose dependents go first.
pub(crate) const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an object whose dependents stay.
pub(crate) const ORPHAN: &str = "orphan";
/// The finalizer of a CRD whose objects go first.
pub(crate) const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// Whether the spec of a namespace has finalizers.
pub(crate) fn has_finalizers_in_spec(object: &Value) -> bool {
    let found = object.get("spec").and_then(|spec| spec.get("finalizers")?.as_list());
    found.is_some_and(|finalizers| !finalizers.is_empty())
}

/// Whether an object stays for a time when it is deleted, also without finalizers in its metadata.
pub(crate) fn keeps(resource: &Resource, object: &Value) -> bool {
    *resource == definitions() && !meta::is_deleting(object)
        || *resource == namespaces() && has_finalizers_in_spec(object)
}

/// How many seconds the containers of a pod get to end, if the pod stays so long. No node reports that they have ended, so the
/// pod stays until a client deletes it without a grace period. `None` if it goes at once, as everything else does.
pub(crate) fn grace(resource: &Resource, object: &Value, wanted: Option<i64>) -> Option<i64> {
    if !is_pods(resource) {
        return None;
    }
    let spec = |name: &str| object.get("spec").and_then(|spec| spec.get(name));
    let node = spec("nodeName").and_then(Value::as_str).unwrap_or_default();
    let phase = object.get("status").map_or("", |status| status.text("phase"));
    if node.is_empty() || matches!(phase, "Failed" | "Succeeded") {
        return None;
    }
    if meta::is_deleting(object) {
        // It can only become shorter.
        let pending = pending_grace(object);
        return Some(wanted.map_or(pending, |wanted| wanted.max(0).min(pending))).filter(|grace| *grace > 0);
    }
    let own = spec("terminationGracePeriodSeconds").and_then(Value::as_int);
    let grace = wanted.or(own).unwrap_or_default();
    match grace {
        0 => None,
        ..0 => Some(1),
        grace => Some(grace),
    }
}

/// The grace period that a pod has got.
pub(crate) fn pending_grace(object: &Value) -> i64 {
    let found =
        object.get("metadata").and_then(|metadata| metadata.get("deletionGracePeriodSeconds")?.as_int());
    found.unwrap_or_default()
}

/// A pod that goes at once, with the mark of its deletion. Servers store it before they remove it, so watches get an event with the
/// mark. Nothing else is stored before it goes.
pub(crate) fn last_of_pod(resource: &Resource, live: &Value, clock: &Clock) -> Option<Value> {
    let is_marked = meta::is_deleting(live) && pending_grace(live) == 0;
    if !is_pods(resource) || is_marked {
        return None;
    }
    let mut pod = live.clone();
    mark_deleted(&mut pod, clock, 0);
    Some(pod)
}

fn is_pods(resource: &Resource) -> bool {
    resource.group.is_empty() && *resource.plural == *"pods"
}

/// Marks an object that is being deleted. The first mark is a new generation, except for CRDs.
pub(crate) fn mark_deleted(object: &mut Value, clock: &Clock, grace: i64) {
    let generation = object.get("metadata").and_then(|metadata| metadata.get("generation")?.as_int());
    let counts = !meta::is_deleting(object) && object.text("kind") != "CustomResourceDefinition";
    if let Some(generation) = generation.filter(|_| counts) {
        meta::set(object, "generation", Some(Value::Int(generation + 1)));
    }
    let asked = match Time::parse(meta::text(object, "deletionTimestamp")) {
        Some(end) => end.seconds.saturating_sub(pending_grace(object)),
        None => clock.seconds(),
    };
    let time = Time { seconds: asked.saturating_add(grace), nanos: 0, offset: 0 }.rfc3339_nano();
    meta::set(object, "deletionTimestamp", Some(time.into()));
    meta::set(object, "deletionGracePeriodSeconds", Some(Value::Int(grace)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::json;

    #[test]
    fn only_finalizers_in_the_spec_of_a_namespace_count() {
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        assert!(has_finalizers_in_spec(&read(r#"{"spec":{"finalizers":["kubernetes"]}}"#)));
        assert!(!has_finalizers_in_spec(&read(r#"{"spec":{"finalizers":[]}}"#)));
        assert!(!has_finalizers_in_spec(&read(r#"{"metadata":{"finalizers":["x"]}}"#)));
    }
}
