//! Objects whose owners are gone go too.

use super::client::{Client, Deletion, Not, both};
use super::delete;
use crate::lifecycle::{FOREGROUND, ORPHAN};
use crate::meta;
use crate::state::{State, Work};
use crate::store::{Key, Object, Place, Resource};
use crdgen_core::GroupVersion;
use crdgen_core::value::Value;
use std::collections::HashSet;
use std::sync::Arc;

/// What is known about the owner of an object.
enum Owner {
    There(Place, Arc<Object>),
    Gone,
    /// The server does not serve the kind.
    Unknown,
}

fn find(state: &State, namespace: &str, reference: &Value) -> Owner {
    let api_version = reference.text("apiVersion");
    let group = GroupVersion::of(api_version).group;
    let kind = reference.text("kind");
    let found =
        state.registry.kinds().find(|it| &*it.resource.group == group && it.names.kind == kind).cloned();
    let Some(kind) = found else { return Owner::Unknown };
    let key = Key::new(if kind.namespaced { namespace } else { "" }, reference.text("name"));
    match state.store.get(&kind.resource, &key) {
        Some(object) if meta::text(object, "uid") == reference.text("uid") => {
            Owner::There(Place { resource: kind.resource.clone(), key }, Arc::clone(object))
        }
        _ => Owner::Gone,
    }
}

/// Looks at an object whose owners may be gone.
pub(super) fn owned(
    state: &mut State,
    client: Client<'_>,
    resource: &Resource,
    key: &Key,
) -> Result<(), Not> {
    let Some(object) = state.store.get(resource, key).cloned() else { return Ok(()) };
    let (mut remaining, mut gone, mut waiting) = (0, Vec::new(), Vec::new());
    for reference in meta::owners(&object) {
        let uid = reference.text("uid").to_owned();
        match find(state, &key.namespace, reference) {
            Owner::There(_, owner) if is_waiting(&owner) => waiting.push(uid),
            Owner::There(..) | Owner::Unknown => remaining += 1,
            Owner::Gone => gone.push(uid),
        }
    }
    if gone.is_empty() && waiting.is_empty() {
        return Ok(());
    }
    if remaining == 0 {
        if !meta::is_deleting(&object) {
            client.ask_to_delete(state, resource, &object, Deletion::OfOne)?;
        }
        delete(state, resource, key);
        return Ok(());
    }
    gone.append(&mut waiting);
    without_owners(state, client, resource, &object, &gone)
}

/// Whether the owner waits for its dependents.
fn is_waiting(owner: &Value) -> bool {
    meta::is_deleting(owner) && meta::finalizers(owner).contains(&FOREGROUND)
}

fn without_owners(
    state: &mut State,
    client: Client<'_>,
    resource: &Resource,
    live: &Arc<Object>,
    uids: &[String],
) -> Result<(), Not> {
    let uids: HashSet<&str> = uids.iter().map(String::as_str).collect();
    let kept: Vec<Value> = meta::owners(live)
        .iter()
        .filter(|reference| !uids.contains(reference.text("uid")))
        .cloned()
        .collect();
    let mut object = Value::clone(live);
    meta::set(&mut object, "ownerReferences", (!kept.is_empty()).then_some(Value::List(kept)));
    let object = client.ask_to_write(state, resource, Some(live), object, None)?;
    state.put(resource, object);
    Ok(())
}

/// Looks at the dependents of an object that is gone, and at its owners that wait.
pub(super) fn removed(state: &mut State, object: &Value) {
    for Place { resource, key } in state.store.dependents(meta::text(object, "uid")) {
        state.work.push(Work::Owned { resource, key });
    }
    for reference in meta::owners(object) {
        if let Owner::There(Place { resource, key }, owner) =
            find(state, meta::text(object, "namespace"), reference)
            && meta::is_deleting(&owner)
        {
            state.work.push(Work::Deleting { resource, key });
        }
    }
}

/// Does what an object that is being deleted waits for.
pub(super) fn deleting(
    state: &mut State,
    client: Client<'_>,
    resource: &Resource,
    key: &Key,
) -> Result<(), Not> {
    let Some(live) = state.store.get(resource, key).cloned() else { return Ok(()) };
    if !meta::is_deleting(&live) {
        return Ok(());
    }
    let finalizers = meta::finalizers(&live);
    let uid = meta::text(&live, "uid").to_owned();
    let mut dependents = Ok(());
    let done = if finalizers.contains(&ORPHAN) {
        for place in state.store.dependents(&uid) {
            if let Some(dependent) = state.store.get(&place.resource, &place.key).cloned() {
                let uids = std::slice::from_ref(&uid);
                let freed = without_owners(state, client, &place.resource, &dependent, uids);
                dependents = both(dependents, freed);
            }
        }
        dependents?;
        ORPHAN
    } else if finalizers.contains(&FOREGROUND) {
        for place in state.store.dependents(&uid) {
            dependents = both(dependents, owned(state, client, &place.resource, &place.key));
        }
        dependents?;
        let blocks = |place: &Place| {
            let dependent = state.store.get(&place.resource, &place.key);
            dependent.is_some_and(|dependent| {
                meta::owners(dependent).iter().any(|reference| {
                    reference.text("uid") == uid
                        && reference.get("blockOwnerDeletion").and_then(Value::as_bool) == Some(true)
                })
            })
        };
        if state.store.dependents(&uid).iter().any(blocks) {
            return Ok(());
        }
        FOREGROUND
    } else {
        return Ok(());
    };
    let kept = finalizers.iter().filter(|name| **name != done).map(|name| (*name).to_owned()).collect();
    let mut object = Value::clone(&live);
    meta::set_finalizers(&mut object, kept);
    let object = client.ask_to_write(state, resource, Some(&live), object, None)?;
    state.replace(resource, object);
    Ok(())
}
