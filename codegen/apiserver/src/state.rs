//! Everything that a server knows.

use crate::clock::Clock;
use crate::random::Random;
use crate::registry::{Registry, definitions, namespaces};
use crate::store::{Key, Resource, Saved, Storage, Store};
use crate::testing::Simulation;
use crate::{lifecycle, meta};
use crdgen_core::value::Value;
use std::collections::BTreeSet;
use std::io;
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

/// Saves the state of a server.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    storage: Arc<Mutex<Box<dyn Storage>>>,
    /// Why the last change was not saved. From then on the server answers nothing, so that no client sees what may be lost.
    failed: Option<String>,
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
    /// Whether there are the controllers of kube-controller-manager: garbage collection, and the deletion of namespaces.
    pub(crate) has_manager: bool,
    /// Where everything is saved.
    pub(crate) keeper: Option<Keeper>,
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
            has_manager: true,
            keeper: None,
            work: Vec::new(),
            simulations: BTreeSet::new(),
        }
    }

    /// The state that was saved. `None` if nothing was.
    pub(crate) fn load(storage: &mut dyn Storage) -> io::Result<Option<State>> {
        let Some(saved) = storage.load()? else { return Ok(None) };
        let wrong = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        // A request that ran twice may have saved an earlier state of the generator than others, so it starts anew.
        let mut state = State::new(Random::new(saved.random ^ saved.revision.rotate_left(32)).next());
        state.store = Store::load(&saved).map_err(wrong)?;
        let resource = definitions();
        let crds = state.store.objects(&resource, "").map(|(key, _)| key.name.clone());
        state.work = crds.map(Work::Definition).collect();
        Ok(Some(state))
    }

    /// Saves everything now, and each change from now on.
    pub(crate) fn keep_in(&mut self, storage: Box<dyn Storage>) -> io::Result<()> {
        self.store.start_saving();
        self.keeper = Some(Keeper { storage: Arc::new(Mutex::new(storage)), failed: None });
        self.save().map_err(io::Error::other)
    }

    /// Saves what changed.
    ///
    /// # Errors
    /// Fails with the reason if it may be lost, and always after that.
    pub(crate) fn save(&mut self) -> Result<(), String> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        if let Some(why) = &keeper.failed {
            return Err(why.clone());
        }
        let objects = self.store.take_unsaved();
        if objects.is_empty() {
            return Ok(());
        }
        let saved = Saved { revision: self.store.revision(), random: self.random.state(), objects };
        let mut storage = keeper.storage.lock().unwrap_or_else(PoisonError::into_inner);
        let result = storage.save(&saved).map_err(|why| format!("the server cannot save its objects: {why}"));
        drop(storage);
        keeper.failed = result.clone().err();
        result
    }

    /// Why the server answers nothing any more.
    pub(crate) fn failed(&self) -> Option<&str> {
        self.keeper.as_ref()?.failed.as_deref()
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
