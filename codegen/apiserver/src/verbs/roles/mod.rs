//! What the server does with the objects of single kinds, besides what it does with all.

mod definitions;
mod permissions;
mod pods;
mod services;
mod signing;

use super::Call;
use crate::meta;
use crate::registry::{Role, Subresource};
use crate::status::Failure;
use crdgen_core::object::write::{NOW, UID};
use crdgen_core::value::{Map, Value};

/// Changes and checks the new object, before it is stored.
pub(super) fn after(call: &mut Call<'_>, object: &mut Value, live: Option<&Value>) -> Result<(), Failure> {
    match call.kind.role {
        Role::Definition => return definitions::definition(call, object, live),
        Role::Namespace => {
            if call.subresource == Some(Subresource::Finalize) {
                return Ok(());
            }
            // Only the subresource changes the finalizers.
            if let Some(live) = live {
                let spec = live.get("spec").cloned();
                if let (Value::Map(map), Some(spec)) = (&mut *object, spec) {
                    map.insert("spec", spec);
                }
            }
        }
        Role::Pod => pods::pod(call.subresource, object, live),
        Role::Service => services::service(call, object, live)?,
        Role::Signing => signing::signing(call, object, live),
        Role::Permissions => permissions::role(call, object, live)?,
        Role::PermissionBinding => permissions::binding(call, object, live)?,
        Role::Binding | Role::Custom | Role::Review | Role::Stored => {}
    }
    Ok(())
}

/// Replaces the placeholders for the uid and the time of a new object, once they are known.
pub(super) fn stamped(call: &Call<'_>, object: &mut Value) {
    if !call.kind.has_code() {
        return;
    }
    let (uid, time) =
        (meta::text(object, "uid").to_owned(), meta::text(object, "creationTimestamp").to_owned());
    let conditions =
        object.as_map_mut().and_then(|map| map.get_mut("status")?.as_map_mut()?.get_mut("conditions"));
    if let Some(Value::List(conditions)) = conditions {
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

/// The label, the finalizer and the phase of a namespace.
pub(crate) fn namespace(object: &mut Value) {
    let name = meta::text(object, "name").to_owned();
    let is_deleting = meta::is_deleting(object);
    let Value::Map(map) = object else { return };
    let metadata = map.entry_or_insert_with("metadata", || Value::Map(Map::new()));
    if let Value::Map(metadata) = metadata
        && let Value::Map(labels) = metadata.entry_or_insert_with("labels", || Value::Map(Map::new()))
    {
        labels.insert("kubernetes.io/metadata.name", Value::from(name));
    }
    if !is_deleting {
        map.entry_or_insert_with("spec", || meta::map([("finalizers", vec!["kubernetes"].into())]));
        map.entry_or_insert_with("status", || meta::map([("phase", "Active".into())]));
    }
}
