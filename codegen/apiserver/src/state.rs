//! Everything that a server knows.

use crate::clock::Clock;
use crate::random::Random;
use crate::registry::{Registry, definitions, namespaces};
use crate::store::{Key, Resource, Store};
use crate::testing::Simulation;
use crate::{lifecycle, meta};
use crdgen_core::value::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A change that a controller has to look at.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// A CRD was created or changed.
    Definition(String),
    /// An object is being deleted, but something keeps it.
    Deleting { resource: Resource, key: Key },
    /// An object was removed.
    Removed { resource: Resource, object: Arc<Value> },
    /// An object with owners was stored.
    Owned { resource: Resource, key: Key },
    /// A workload was stored, and the test wants its status to be set.
    Simulate { simulation: Simulation, key: Key },
}

/// The state of a server, which requests and watches share.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<State>>);

impl Shared {
    pub(crate) fn new(state: State) -> Shared {
        Shared(Arc::new(Mutex::new(state)))
    }

    /// The state. A request that panicked leaves it as it is.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of a server.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) store: Store,
    pub(crate) registry: Registry,
    pub(crate) random: Random,
    pub(crate) clock: Clock,
    /// What the controllers still have to look at.
    pub(crate) work: Vec<Work>,
    /// What happens to workloads.
    pub(crate) simulations: BTreeSet<Simulation>,
}

impl State {
    /// The state of a server without objects.
    pub(crate) fn new(seed: u64) -> State {
        State {
            store: Store::new(),
            registry: Registry::new(),
            random: Random::new(seed),
            clock: Clock::Machine,
            work: Vec::new(),
            simulations: BTreeSet::new(),
        }
    }

    /// Sets what only the server sets in a new object.
    pub(crate) fn stamp(&mut self, object: &mut Value) {
        let uid = self.random.uid();
        meta::set(object, "uid", Some(uid.into()));
        meta::set(object, "creationTimestamp", Some(self.clock.now().into()));
    }

    /// Stores an object, and leaves work for the controllers.
    pub(crate) fn put(&mut self, resource: &Resource, object: Value) -> Arc<Value> {
        let stored = self.store.put(resource, object);
        if *resource == definitions() {
            self.work.push(Work::Definition(meta::text(&stored, "name").to_owned()));
        }
        let is_about = |simulation: &&Simulation| {
            let (group, plural) = simulation.resource();
            *resource.group == *group && *resource.plural == *plural
        };
        for &simulation in self.simulations.iter().filter(is_about) {
            let key = Key::new(meta::text(&stored, "namespace"), meta::text(&stored, "name"));
            self.work.push(Work::Simulate { simulation, key });
        }
        if !meta::owners(&stored).is_empty() {
            self.work.push(Work::Owned {
                resource: resource.clone(),
                key: Key::new(meta::text(&stored, "namespace"), meta::text(&stored, "name")),
            });
        }
        if meta::is_deleting(&stored) {
            self.work.push(Work::Deleting {
                resource: resource.clone(),
                key: Key::new(meta::text(&stored, "namespace"), meta::text(&stored, "name")),
            });
        }
        stored
    }

    /// Removes an object, and leaves work for the controllers.
    pub(crate) fn remove(&mut self, resource: &Resource, key: &Key) -> Option<Arc<Value>> {
        let removed = self.store.remove(resource, key)?;
        self.work.push(Work::Removed { resource: resource.clone(), object: Arc::clone(&removed) });
        Some(removed)
    }

    /// Stores a change of an object. An object that is being deleted goes once nothing keeps it.
    pub(crate) fn replace(&mut self, resource: &Resource, object: Value) -> Arc<Value> {
        let is_kept = !meta::finalizers(&object).is_empty()
            || *resource == namespaces() && lifecycle::has_finalizers_in_spec(&object);
        if meta::is_deleting(&object) && !is_kept {
            let key = Key::new(meta::text(&object, "namespace"), meta::text(&object, "name"));
            // The last change is part of what watches see.
            self.store.put(resource, object);
            if let Some(removed) = self.remove(resource, &key) {
                return removed;
            }
            return Arc::new(Value::Null);
        }
        self.put(resource, object)
    }
}
