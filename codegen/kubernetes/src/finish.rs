//! What the server sets in an object or drops from it once it is decoded and has its defaults.

use crate::kinds::{Role, Row, Subresource};
use crate::meta;
use crate::services::{self, NotGiven, Used};
use crdgen_core::object::write::{NOW, UID};
use crdgen_core::value::{Map, Value};

/// What the server knows besides the objects of a write.
#[derive(Debug)]
pub struct Around<'a> {
    /// The name of who writes.
    pub user: &'a str,
    /// The groups of who writes.
    pub groups: &'a [String],
    /// The uid of who writes, or an empty text.
    pub uid: &'a str,
    /// The time.
    pub now: &'a str,
    /// What other services have.
    pub used: &'a Used,
    /// A random number, for the addresses and the ports of services.
    pub random: u64,
}

/// Changes an object as the server's code does after it is decoded and has its defaults.
///
/// # Errors
/// Fails if a service does not get what it needs.
pub fn finish(
    row: &Row,
    subresource: Option<Subresource>,
    object: &mut Value,
    live: Option<&Value>,
    around: &Around<'_>,
) -> Result<(), NotGiven> {
    note_taints(object, around.now);
    match (row.role, subresource) {
        (Role::Namespace, Some(Subresource::Finalize)) | (Role::Service, Some(Subresource::Status)) => {}
        (Role::Namespace, _) => {
            label(object);
            // Only the subresource changes the finalizers.
            let spec = live.and_then(|live| live.get("spec")).cloned();
            if let (Value::Map(map), Some(spec)) = (&mut *object, spec) {
                map.insert("spec", spec);
            }
        }
        (Role::Pod, _) => pod(subresource, object, live),
        (Role::Service, _) => services::give(object, live, around.used, around.random)?,
        (Role::Signing, _) => {
            if subresource == Some(Subresource::Status) {
                keep_decisions(object, live);
            }
            signing(object, live, around);
        }
        (
            Role::Binding
            | Role::Component
            | Role::Custom
            | Role::Definition
            | Role::PermissionBinding
            | Role::Permissions
            | Role::Review
            | Role::Stored,
            _,
        ) => {}
    }
    Ok(())
}

/// A taint of devices without a time begins now.
fn note_taints(object: &mut Value, now: &str) {
    let spec = object.as_map_mut().and_then(|object| object.get_mut("spec")).and_then(Value::as_map_mut);
    let Some(spec) = spec else { return };
    let note = |taint: &mut Value| {
        if let Some(Value::Str(time)) = taint.as_map_mut().and_then(|taint| taint.get_mut("timeAdded"))
            && time == NOW
        {
            *time = now.into();
        }
    };
    spec.get_mut("taint").into_iter().for_each(note);
    if let Some(Value::List(devices)) = spec.get_mut("devices") {
        let taints = devices.iter_mut().filter_map(|device| device.as_map_mut()?.get_mut("taints"));
        for taints in taints {
            if let Value::List(taints) = taints {
                taints.iter_mut().for_each(note);
            }
        }
    }
}

/// The subresources of pods change only a part of the spec.
fn pod(subresource: Option<Subresource>, object: &mut Value, live: Option<&Value>) {
    let Some(live) = live else { return end_at_once(object) };
    let part: &[&str] = match subresource {
        Some(Subresource::EphemeralContainers) => &["ephemeralContainers"],
        Some(Subresource::Resize) => &["containers", "initContainers", "resources"],
        _ => return,
    };
    let Some(mut spec) = live.get("spec").cloned() else { return };
    if let Value::Map(spec) = &mut spec {
        for name in part {
            let new = object.get("spec").and_then(|spec| spec.get(name));
            let new = match subresource {
                Some(Subresource::Resize) if *name != "resources" => resized(new, spec.get(name)),
                _ => new.cloned(),
            };
            match new {
                Some(value) => drop(spec.insert(*name, value)),
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
    let counted = if changed.get("spec") == live.get("spec") { live } else { &*object };
    let generation = counted.get("metadata").and_then(|metadata| metadata.get("generation")).cloned();
    meta::set(&mut changed, "generation", generation);
    *object = changed;
}

/// The containers of a pod with their new resources. Other containers are as they are, which is a mistake.
fn resized(new: Option<&Value>, old: Option<&Value>) -> Option<Value> {
    let [all, had] = [new, old].map(|list| list.and_then(Value::as_list).unwrap_or_default());
    let names =
        |list: &[Value]| -> Vec<Option<Value>> { list.iter().map(|it| it.get("name").cloned()).collect() };
    if names(all) != names(had) {
        return new.cloned();
    }
    let with_resources = |(new, old): (&Value, &Value)| {
        let mut out = old.clone();
        for part in ["resources", "resizePolicy"] {
            let out = out.as_map_mut();
            match new.get(part) {
                Some(value) => drop(out.map(|out| out.insert(part, value.clone()))),
                None => drop(out.map(|out| out.remove(part))),
            }
        }
        out
    };
    old.map(|_| Value::List(all.iter().zip(had).map(with_resources).collect()))
}

/// Pods with a negative time to end get one second.
fn end_at_once(object: &mut Value) {
    let spec = object.as_map_mut().and_then(|map| map.get_mut("spec"));
    let grace = spec.and_then(|spec| spec.as_map_mut()?.get_mut("terminationGracePeriodSeconds"));
    if let Some(grace) = grace.filter(|grace| grace.as_int().is_some_and(|seconds| seconds < 0)) {
        *grace = Value::Int(1);
    }
}

/// The conditions in a status.
fn conditions(object: &Value) -> &[Value] {
    object.get("status").and_then(|status| status.get("conditions")?.as_list()).unwrap_or_default()
}

fn conditions_mut(object: &mut Value) -> Option<&mut Vec<Value>> {
    let conditions = object.as_map_mut()?.get_mut("status")?.as_map_mut()?.get_mut("conditions")?;
    if let Value::List(conditions) = conditions { Some(conditions) } else { None }
}

/// The status keeps who has decided and when, unless the number of decisions changes, which is a mistake.
fn keep_decisions(object: &mut Value, live: Option<&Value>) {
    let old = live.map(conditions).unwrap_or_default();
    let Some(new) = conditions_mut(object) else { return };
    for ty in ["Approved", "Denied"] {
        let of_type = |condition: &&Value| condition.text("type") == ty;
        if new.iter().filter(of_type).count() != old.iter().filter(of_type).count() {
            continue;
        }
        let places = new.iter_mut().filter(|condition| condition.text("type") == ty);
        places.zip(old.iter().filter(of_type)).for_each(|(new, old)| *new = old.clone());
    }
}

/// A request for a certificate says who has sent it. Its conditions get times.
fn signing(object: &mut Value, live: Option<&Value>, around: &Around<'_>) {
    let Value::Map(map) = object else { return };
    let Some(live) = live else {
        if let Some(Value::Map(spec)) = map.get_mut("spec") {
            for name in ["extra", "uid"] {
                spec.remove(name);
            }
            spec.insert("username", around.user.into());
            spec.insert("groups", around.groups.to_vec().into());
            if !around.uid.is_empty() {
                spec.insert("uid", around.uid.into());
            }
        }
        map.insert("status", Value::Map(Map::new()));
        return;
    };
    let old = conditions(live);
    let Some(new) = conditions_mut(object) else { return };
    for condition in new.iter_mut() {
        let same = old.iter().find(|old| {
            ["type", "status"].iter().all(|name| old.get(name) == condition.get(name))
                && !old.text("lastTransitionTime").is_empty()
        });
        let since = same.map_or(around.now, |same| same.text("lastTransitionTime")).to_owned();
        for (name, time) in [("lastUpdateTime", around.now), ("lastTransitionTime", since.as_str())] {
            if condition.text(name).is_empty()
                && let Value::Map(condition) = &mut *condition
            {
                condition.insert(name, time.into());
            }
        }
    }
}

/// Replaces the placeholders for the uid and the time of a new object, once they are known.
pub fn stamped(object: &mut Value) {
    let (uid, time) =
        (meta::text(object, "uid").to_owned(), meta::text(object, "creationTimestamp").to_owned());
    if let Some(conditions) = conditions_mut(object) {
        for condition in conditions.iter_mut().filter_map(Value::as_map_mut) {
            if condition.get("lastTransitionTime").and_then(Value::as_str) == Some(NOW) {
                condition.insert("lastTransitionTime", Value::from(time.as_str()));
            }
        }
    }
    // Only the selectors and labels of jobs, and the status of volumes, have the others.
    for (path, value) in [
        (&["spec", "selector", "matchLabels", CONTROLLER][..], &uid),
        (&["spec", "template", "metadata", "labels", CONTROLLER], &uid),
        (&["spec", "template", "metadata", "labels", "controller-uid"], &uid),
        (&["metadata", "labels", CONTROLLER], &uid),
        (&["metadata", "labels", "controller-uid"], &uid),
        (&["status", "lastPhaseTransitionTime"], &time),
    ] {
        let found = path.iter().try_fold(&mut *object, |at, name| at.as_map_mut()?.get_mut(name));
        if let Some(found) = found
            && found.as_str().is_some_and(|text| [UID, NOW].contains(&text))
        {
            *found = Value::from(value.as_str());
        }
    }
}

const CONTROLLER: &str = "batch.kubernetes.io/controller-uid";

/// Sets the label of a namespace that has its name.
fn label(namespace: &mut Value) {
    let name = meta::text(namespace, "name").to_owned();
    let Value::Map(map) = namespace else { return };
    let metadata = map.entry_or_insert_with("metadata", || Value::Map(Map::new()));
    if let Value::Map(metadata) = metadata
        && let Value::Map(labels) = metadata.entry_or_insert_with("labels", || Value::Map(Map::new()))
    {
        labels.insert("kubernetes.io/metadata.name", Value::from(name));
    }
}

/// Sets the label, the finalizer and the phase of a namespace.
pub fn namespace(object: &mut Value) {
    label(object);
    let is_deleting = meta::is_deleting(object);
    let Value::Map(map) = object else { return };
    if !is_deleting {
        map.entry_or_insert_with("spec", || meta::map([("finalizers", vec!["kubernetes"].into())]));
        map.entry_or_insert_with("status", || meta::map([("phase", "Active".into())]));
    }
}
