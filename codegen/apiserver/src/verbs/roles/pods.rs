//! What the subresources of pods change.

use crate::meta;
use crate::registry::Subresource;
use crdgen_core::value::Value;

/// The subresources of pods change only a part of the spec.
pub(super) fn pod(subresource: Option<Subresource>, object: &mut Value, live: Option<&Value>) {
    let Some(live) = live else { return end_at_once(object) };
    let part: &[&str] = match subresource {
        Some(Subresource::EphemeralContainers) => &["ephemeralContainers"],
        Some(Subresource::Resize) => &["containers", "initContainers", "resources"],
        _ => return,
    };
    let Some(mut spec) = live.get("spec").cloned() else { return };
    if let Value::Map(spec) = &mut spec {
        for name in part {
            match object.get("spec").and_then(|spec| spec.get(name)) {
                Some(value) => drop(spec.insert(*name, value.clone())),
                None => drop(spec.remove(name)),
            }
        }
    }
    let managed = object.get("metadata").and_then(|metadata| metadata.get("managedFields")).cloned();
    let mut changed = live.clone();
    if let Value::Map(map) = &mut changed {
        map.insert("spec", spec);
    }
    meta::set(&mut changed, "managedFields", managed);
    let generation = object.get("metadata").and_then(|metadata| metadata.get("generation")).cloned();
    meta::set(&mut changed, "generation", generation);
    *object = changed;
}

/// Pods with a negative time to end get one second.
fn end_at_once(object: &mut Value) {
    let spec = object.as_map_mut().and_then(|map| map.get_mut("spec"));
    let grace = spec.and_then(|spec| spec.as_map_mut()?.get_mut("terminationGracePeriodSeconds"));
    if let Some(grace) = grace.filter(|grace| grace.as_int().is_some_and(|seconds| seconds < 0)) {
        *grace = Value::Int(1);
    }
}
