//! Where the data of a new volume comes from: claims have it in two fields.

use super::values::at;
use crate::object::access;
use crate::value::Value;

/// Drops what the old field cannot say, and copies what one of the two fields says into the other.
pub(super) fn complete_sources(claim: &mut Value, live: Option<&Value>) {
    const OLD: [&str; 2] = ["spec", "dataSource"];
    const NEW: [&str; 2] = ["spec", "dataSourceRef"];
    let find = |claim: &Value, path: &[&str]| at(claim, path).filter(|it| !it.is_null()).cloned();
    // Sources in other namespaces are off by default.
    if find(claim, &NEW).is_some_and(|source| !source.text("namespace").is_empty()) {
        remove(claim, NEW[1]);
    }
    let is_used = live.is_some_and(|live| find(live, &OLD).or(find(live, &NEW)).is_some());
    let (mut old, new) = (find(claim, &OLD), find(claim, &NEW));
    if !is_used && new.is_none() && !old.as_ref().is_some_and(is_claim_or_snapshot) {
        remove(claim, OLD[1]);
        old = None;
    }
    // Updates copy nothing, but that comes from the stored object, which is complete.
    let (from, to) = match (&old, &new) {
        (Some(old), None) => (old, NEW),
        (None, Some(new)) => (new, OLD),
        _ => return,
    };
    if live.is_some() && !is_used {
        return;
    }
    let mut source = from.clone();
    if let Value::Map(map) = &mut source {
        map.remove("namespace");
        // The new field leaves out an empty group.
        if to == NEW && map.get("apiGroup").is_some_and(Value::is_null) {
            map.remove("apiGroup");
        }
        if to == OLD {
            map.entry_or_insert_with("apiGroup", || Value::Null);
        }
    }
    _ = access::set_nested(claim, &to, source);
}

fn remove(claim: &mut Value, name: &str) {
    let spec = claim.as_map_mut().and_then(|claim| claim.get_mut("spec"));
    spec.and_then(Value::as_map_mut).map(|spec| spec.remove(name));
}

/// Before there was the new field, there were no other sources.
fn is_claim_or_snapshot(source: &Value) -> bool {
    matches!(
        (source.text("kind"), source.text("apiGroup")),
        ("PersistentVolumeClaim", "") | ("VolumeSnapshot", "snapshot.storage.k8s.io")
    )
}
