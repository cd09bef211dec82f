//! A namespace that is deleted takes its contents with it.

use super::delete;
use crate::lifecycle::has_finalizers_in_spec;
use crate::registry::namespaces;
use crate::state::State;
use crate::store::Key;
use crdgen_core::value::{Map, Value};

/// Sets the phase of a namespace that is being deleted.
pub(super) fn mark(object: &mut Value) {
    let Value::Map(map) = object else { return };
    if let Value::Map(status) = map.entry_or_insert_with("status", || Value::Map(Map::new())) {
        status.insert("phase", "Terminating".into());
    }
}

/// Deletes the contents of a namespace, and finishes it once it is empty.
pub(super) fn empty(state: &mut State, name: &str) {
    let key = Key::new("", name);
    let Some(live) = state.store.get(&namespaces(), &key).cloned() else { return };
    let resources: Vec<_> =
        state.registry.kinds().filter(|kind| kind.namespaced).map(|kind| kind.resource.clone()).collect();
    let mut is_empty = true;
    for resource in resources {
        let keys: Vec<Key> = state.store.objects(&resource, name).map(|(key, _)| key.clone()).collect();
        for key in keys {
            delete(state, &resource, &key);
            is_empty &= state.store.get(&resource, &key).is_none();
        }
    }
    if is_empty && has_finalizers_in_spec(&live) {
        let mut object = Value::clone(&live);
        if let Some(Value::Map(spec)) = object.as_map_mut().and_then(|map| map.get_mut("spec")) {
            spec.remove("finalizers");
        }
        state.replace(&namespaces(), object);
    }
}
