//! What Kubernetes' own controllers do: they collect garbage, empty namespaces, and serve CRDs. They run until nothing is left
//! to do, before the request that started them is answered. So no test has to wait for them.

mod aggregation;
mod client;
mod contents;
mod definitions;
mod garbage;
mod namespaces;
mod quotas;
mod workloads;

use crate::lifecycle::{self, keeps};
use crate::meta;
use crate::registry;
use crate::state::{State, Work};
use crate::store::{Key, Resource};
use crate::webhooks::Hooks;
use client::{Client, Controller, Not};
use crdgen_core::value::Value;
pub(crate) use quotas::with_status;

/// How many seconds pass until the controllers try again what webhooks have not allowed, if nothing changes.
const PATIENCE: i64 = 10;

/// Does all work that does not wait for webhooks, and returns the rest. What they do not allow is tried again after the next change, or after some time.
#[must_use]
pub(crate) fn settle(state: &mut State, hooks: &Hooks) -> Vec<Work> {
    let mut later = Vec::new();
    while !state.work.is_empty() {
        for work in std::mem::take(&mut state.work) {
            match settle_one(state, hooks, &work) {
                Ok(()) => {}
                Err(Not::Yet) => later.push(work),
                Err(Not::Allowed) => {
                    state.tried_again = state.clock.seconds() + PATIENCE;
                    state.denied.push(work);
                }
            }
        }
    }
    later
}

fn settle_one(state: &mut State, hooks: &Hooks, work: &Work) -> Result<(), Not> {
    let client = |controller| Client { hooks, controller };
    let collector = client(Controller::GarbageCollector);
    match work {
        Work::Definition(name) => definitions::settle(state, name),
        Work::Namespace(name) => {
            if state.has_manager {
                contents::settle(state, hooks, name)?;
            }
        }
        Work::Deleting { resource, key } if *resource == registry::namespaces() => {
            if state.has_manager {
                namespaces::empty(state, client(Controller::Namespaces), &key.name)?;
            }
        }
        Work::Deleting { resource, key } => {
            if *resource == registry::definitions() {
                definitions::empty(state, &key.name);
            }
            if state.has_manager {
                garbage::deleting(state, collector, resource, key)?;
            }
        }
        Work::Owned { resource, key } => {
            if state.has_manager {
                garbage::owned(state, collector, resource, key)?;
            }
        }
        Work::ClusterRoles => {
            if state.has_manager {
                aggregation::settle(state, client(Controller::RoleAggregation))?;
            }
        }
        Work::Quotas(namespace) => quotas::settle(state, namespace),
        Work::Simulate { simulation, key } => workloads::simulate(state, *simulation, key),
        Work::Removed { resource, object } => {
            if state.has_manager {
                garbage::removed(state, object);
            }
            waiting(state, resource, meta::text(object, "namespace"));
            if *resource == registry::definitions() {
                definitions::settle(state, meta::text(object, "name"));
            }
        }
    }
    Ok(())
}

/// Looks once more at the namespace and the CRD that wait until an object is gone.
fn waiting(state: &mut State, resource: &Resource, namespace: &str) {
    let of_crd = (registry::definitions(), Key::new("", &resource.to_string()));
    for (resource, key) in [(registry::namespaces(), Key::new("", namespace)), of_crd] {
        if state.store.get(&resource, &key).is_some_and(|found| meta::is_deleting(found)) {
            state.work.push(Work::Deleting { resource, key });
        }
    }
}

/// Sets what shows that an object is being deleted.
pub(crate) fn mark(resource: &Resource, object: &mut Value) {
    if *resource == registry::definitions() {
        definitions::mark(object);
    } else if *resource == registry::namespaces() {
        namespaces::mark(object);
    }
}

/// Deletes an object as a client does, in the background.
fn delete(state: &mut State, resource: &Resource, key: &Key) {
    let Some(live) = state.store.get(resource, key).cloned() else { return };
    let grace = lifecycle::grace(resource, &live, None);
    if meta::finalizers(&live).is_empty() && !keeps(resource, &live) && grace.is_none() {
        let last = lifecycle::last_of_pod(resource, &live, &state.clock);
        state.delete(resource, &live, last);
        return;
    }
    if meta::is_deleting(&live) {
        return;
    }
    let mut object = Value::clone(&live);
    lifecycle::mark_deleted(&mut object, &state.clock, grace.unwrap_or_default());
    mark(resource, &mut object);
    state.put(resource, object);
}
