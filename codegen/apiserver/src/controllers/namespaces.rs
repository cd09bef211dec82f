//! A namespace that is deleted takes its contents with it.

use super::client::{Client, Deletion, Not, both};
use super::contents::written;
use super::delete;
use crate::lifecycle::has_finalizers_in_spec;
use crate::meta::{self, map};
use crate::registry::{Subresource, namespaces};
use crate::state::State;
use crate::store::{Key, Object, Resource};
use crdgen_core::value::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sets the phase of a namespace that is being deleted.
pub(super) fn mark(object: &mut Value) {
    if let Value::Map(map) = &mut *object
        && let Value::Map(status) = map.entry_or_insert_with("status", || Value::Map(Map::new()))
    {
        status.insert("phase", "Terminating".into());
    }
    // The code of the server for namespaces does not set it.
    meta::set(object, "deletionGracePeriodSeconds", None);
}

/// Deletes the contents of a namespace, and finishes it once it is empty.
pub(super) fn empty(state: &mut State, client: Client<'_>, name: &str) -> Result<(), Not> {
    let key = Key::new("", name);
    let Some(live) = state.store.get(&namespaces(), &key).cloned() else { return Ok(()) };
    let resources: Vec<_> =
        state.registry.kinds().filter(|kind| kind.namespaced).map(|kind| kind.resource.clone()).collect();
    let (mut remaining, mut done) = (Remaining::default(), Ok(()));
    for resource in resources {
        // The first object that stays ends the deletion of those of its kind.
        done = both(done, empty_of(state, client, &resource, name));
        remaining.add(state, &resource, name);
    }
    done?;
    if !remaining.is_empty() {
        return report(state, client, &live, &remaining);
    }
    if has_finalizers_in_spec(&live) {
        let mut object = Value::clone(&live);
        if let Some(Value::Map(spec)) = object.as_map_mut().and_then(|map| map.get_mut("spec")) {
            spec.remove("finalizers");
        }
        let finalize = Some(Subresource::Finalize);
        let object = client.ask_to_write(state, &namespaces(), Some(&live), object, finalize)?;
        state.replace(&namespaces(), object);
    }
    Ok(())
}

/// What is left in a namespace.
#[derive(Debug, Default)]
struct Remaining {
    /// How many objects there are of each resource.
    objects: Vec<String>,
    /// How many objects have each finalizer.
    finalizers: BTreeMap<String, usize>,
}

impl Remaining {
    fn add(&mut self, state: &State, resource: &Resource, namespace: &str) {
        let mut count = 0;
        for (_, object) in state.store.objects(resource, namespace) {
            count += 1;
            for finalizer in meta::finalizers(object) {
                *self.finalizers.entry(finalizer.to_owned()).or_default() += 1;
            }
        }
        if count > 0 {
            let Resource { group, plural } = resource;
            self.objects.push(format!("{plural}.{group} has {count} resource instances"));
        }
    }

    fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The types of the conditions, with their status, their reasons and their messages.
    fn conditions(&self) -> [(&'static str, &'static str, &'static str, String); 5] {
        let mut objects = self.objects.clone();
        objects.sort_unstable();
        let mut finalizers: Vec<String> = self
            .finalizers
            .iter()
            .map(|(name, count)| format!("{name} in {count} resource instances"))
            .collect();
        finalizers.sort_unstable();
        let of_finalizers = if finalizers.is_empty() {
            ("False", "ContentHasNoFinalizers", "All content-preserving finalizers finished".to_owned())
        } else {
            let list = finalizers.join(", ");
            let message = format!("Some content in the namespace has finalizers remaining: {list}");
            ("True", "SomeFinalizersRemain", message)
        };
        let fine = |ty, reason, message: &str| (ty, "False", reason, message.to_owned());
        let (status, reason, message) = of_finalizers;
        [
            fine(
                "NamespaceDeletionDiscoveryFailure",
                "ResourcesDiscovered",
                "All resources successfully discovered",
            ),
            fine(
                "NamespaceDeletionGroupVersionParsingFailure",
                "ParsedGroupVersions",
                "All legacy kube types successfully parsed",
            ),
            fine(
                "NamespaceDeletionContentFailure",
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization",
            ),
            (
                "NamespaceContentRemaining",
                "True",
                "SomeResourcesRemain",
                format!("Some resources are remaining: {}", objects.join(", ")),
            ),
            ("NamespaceFinalizersRemaining", status, reason, message),
        ]
    }
}

/// Writes conditions that say why a namespace is still there.
fn report(
    state: &mut State,
    client: Client<'_>,
    live: &Arc<Object>,
    remaining: &Remaining,
) -> Result<(), Not> {
    let now = state.clock.now();
    let old = live.get("status").and_then(|it| it.get("conditions")?.as_list()).unwrap_or_default();
    let condition = |(ty, status, reason, message): (&str, &str, &str, String)| {
        let before = old.iter().find(|old| old.text("type") == ty && old.text("status") == status);
        let time = before.map_or(now.as_str(), |before| before.text("lastTransitionTime"));
        map([
            ("lastTransitionTime", time.into()),
            ("message", message.into()),
            ("reason", reason.into()),
            ("status", status.into()),
            ("type", ty.into()),
        ])
    };
    let conditions: Vec<Value> = remaining.conditions().into_iter().map(condition).collect();
    if old == conditions {
        return Ok(());
    }
    let mut object = Value::clone(live);
    meta::set_at(&mut object, &["status", "conditions"], Value::List(conditions));
    let Some(object) = written(state, &namespaces(), object, Some(live), Some(Subresource::Status)) else {
        return Err(Not::Allowed);
    };
    let object = client.ask_to_write(state, &namespaces(), Some(live), object, Some(Subresource::Status))?;
    state.replace(&namespaces(), object);
    Ok(())
}

/// Deletes the objects of a kind in a namespace.
fn empty_of(state: &mut State, client: Client<'_>, resource: &Resource, name: &str) -> Result<(), Not> {
    let objects: Vec<_> =
        state.store.objects(resource, name).map(|(key, live)| (key.clone(), Arc::clone(live))).collect();
    for (key, live) in objects {
        client.ask_to_delete(state, resource, &live, Deletion::OfAll)?;
        delete(state, resource, &key);
    }
    Ok(())
}
