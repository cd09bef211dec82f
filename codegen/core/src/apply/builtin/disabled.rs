//! The fields of features that are off by default. The server drops what clients send in them.

use super::values::at_mut;
use super::{BuiltIn, pods};
use crate::value::Value;

/// The fields of kinds.
const FIELDS: [(&str, &[&str]); 6] = [
    ("CronJob", &["spec", "jobTemplate", "spec", "scheduling"]),
    ("Job", &["spec", "scheduling"]),
    ("Lease", &["spec", "preferredHolder"]),
    ("Lease", &["spec", "strategy"]),
    ("ResourceSlice", &["spec", "partitionTypeAttribute"]),
    ("ResourceSlice", &["spec", "skipNodeOperations"]),
];

/// The fields of the items of lists and of the values of maps, by the path of what has them. `*` means all items or values.
const OF_ITEMS: [(&str, &[&str], &[&str]); 8] = [
    ("ResourceClaim", &["spec", "devices", "requests", "*", "exactly"], &["derivedAttributes"]),
    ("ResourceClaim", &["spec", "devices", "requests", "*", "firstAvailable", "*"], &["derivedAttributes"]),
    (
        "ResourceClaimTemplate",
        &["spec", "spec", "devices", "requests", "*", "exactly"],
        &["derivedAttributes"],
    ),
    (
        "ResourceClaimTemplate",
        &["spec", "spec", "devices", "requests", "*", "firstAvailable", "*"],
        &["derivedAttributes"],
    ),
    ("ResourceClaim", &["status", "allocation", "devices", "results", "*"], &["skipNodeOperations"]),
    (
        "ResourceSlice",
        &["spec", "devices", "*", "attributes", "*"],
        &["bools", "ints", "strings", "versions"],
    ),
    ("ResourceSlice", &["spec", "devices", "*", "consumesCounters", "*"], &["compatibilityGroups"]),
    ("ResourceSlice", &["spec", "devices", "*"], &["nodeAllocatableResources"]),
];

/// The fields of the specs of pods.
const OF_PODS: [&str; 2] = ["schedulingGroup", "evictionResponders"];

/// The fields of files in volumes: who owns them.
const OWNERS: [&str; 2] = ["defaultUser", "user"];

const CONTAINERS: [&str; 3] = ["containers", "initContainers", "ephemeralContainers"];

/// Removes the fields from an object.
pub(super) fn remove(of: BuiltIn, object: &mut Value) {
    for (kind, path) in FIELDS {
        if kind == of.kind() {
            remove_at(object, path);
        }
    }
    for (kind, path, names) in OF_ITEMS {
        if kind == of.kind() {
            remove_from(object, path, names);
        }
    }
    let Some(spec) = pods::spec(of.kind()).and_then(|path| at_mut(object, path)) else { return };
    for name in OF_PODS {
        remove_at(spec, &[name]);
    }
    for name in CONTAINERS {
        let Some(Value::List(containers)) = at_mut(spec, &[name]) else { continue };
        containers.iter_mut().for_each(of_container);
    }
    if let Some(Value::List(volumes)) = at_mut(spec, &["volumes"]) {
        volumes.iter_mut().for_each(of_volume);
    }
}

fn of_volume(volume: &mut Value) {
    remove_at(volume, &["emptyDir", "mode"]);
    for name in ["configMap", "downwardAPI", "projected", "secret"] {
        let Some(source) = at_mut(volume, &[name]) else { continue };
        of_files(source);
        let Some(Value::List(sources)) = at_mut(source, &["sources"]) else { continue };
        for source in sources.iter_mut().filter_map(Value::as_map_mut) {
            source.values_mut().for_each(of_files);
        }
    }
}

fn of_files(source: &mut Value) {
    OWNERS.into_iter().for_each(|name| remove_at(source, &[name]));
    if let Some(Value::List(items)) = at_mut(source, &["items"]) {
        items.iter_mut().for_each(|item| remove_at(item, &[OWNERS[1]]));
    }
}

fn of_container(container: &mut Value) {
    if let Some(Value::List(mounts)) = at_mut(container, &["volumeMounts"]) {
        mounts.iter_mut().for_each(|mount| remove_at(mount, &["bindMountOptions"]));
    }
    // Without the signal that stops a container, there may be nothing left.
    let Some(Value::Map(lifecycle)) = at_mut(container, &["lifecycle"]) else { return };
    if lifecycle.remove("stopSignal").is_some() && lifecycle.is_empty() {
        remove_at(container, &["lifecycle"]);
    }
}

/// Removes fields from everything at a path.
fn remove_from(at: &mut Value, path: &[&str], names: &[&str]) {
    match (path, at) {
        ([], Value::Map(map)) => names.iter().for_each(|name| drop(map.remove(name))),
        (["*", rest @ ..], Value::List(items)) => {
            items.iter_mut().for_each(|item| remove_from(item, rest, names));
        }
        (["*", rest @ ..], Value::Map(map)) => map.values_mut().for_each(|it| remove_from(it, rest, names)),
        ([first, rest @ ..], Value::Map(map)) => {
            map.get_mut(first).into_iter().for_each(|it| remove_from(it, rest, names));
        }
        _ => {}
    }
}

fn remove_at(object: &mut Value, path: &[&str]) {
    let [way @ .., last] = path else { return };
    at_mut(object, way).and_then(Value::as_map_mut).map(|map| map.remove(last));
}
