//! A namespace that is deleted takes its contents with it.

use super::client::{Client, Deletion, Not, both};
use super::delete;
use crate::lifecycle::has_finalizers_in_spec;
use crate::registry::{Subresource, namespaces};
use crate::state::State;
use crate::store::{Key, Resource};
use crdgen_core::value::{Map, Value};
use std::sync::Arc;

/// Sets the phase of a namespace that is being deleted.
pub(super) fn mark(object: &mut Value) {
    let Value::Map(map) = object else { return };
    if let Value::Map(status) = map.entry_or_insert_with("status", || Value::Map(Map::new())) {
        status.insert("phase", "Terminating".into());
    }
}

/// Deletes the contents of a namespace, and finishes it once it is empty.
pub(super) fn empty(state: &mut State, client: Client<'_>, name: &str) -> Result<(), Not> {
    let key = Key::new("", name);
    let Some(live) = state.store.get(&namespaces(), &key).cloned() else { return Ok(()) };
    let resources: Vec<_> =
        state.registry.kinds().filter(|kind| kind.namespaced).map(|kind| kind.resource.clone()).collect();
    let (mut is_empty, mut done) = (true, Ok(()));
    for resource in resources {
        // The first object that stays ends the deletion of those of its kind.
        done = both(done, empty_of(state, client, &resource, name));
        is_empty &= state.store.objects(&resource, name).next().is_none();
    }
    done?;
    if is_empty && has_finalizers_in_spec(&live) {
        let mut object = Value::clone(&live);
        if let Some(Value::Map(spec)) = object.as_map_mut().and_then(|map| map.get_mut("spec")) {
            spec.remove("finalizers");
        }
        let finalize = Some(Subresource::Finalize);
        let object = client.ask_to_update(state, &namespaces(), &live, object, finalize)?;
        state.replace(&namespaces(), object);
    }
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
