//! Everything that a server knows.

mod account;
mod keeper;

use crate::clock::Clock;
use crate::quota::quotas;
use crate::random::Random;
use crate::rbac::{Authorization, cluster_roles};
use crate::registry::{Registry, definitions, is_of_namespaces, namespaces};
use crate::store::{Corrupt, Key, Lines, Object, Resource, Saved, Storage, Store, Unsaved, Woken};
use crate::testing::Simulation;
use crate::tokens::Tokens;
use crate::{lifecycle, meta};
pub(crate) use account::{Sent, Unknown};
use crdgen_core::value::Value;
pub(crate) use keeper::Saving;
use keeper::{Keeper, NotSaved};
use std::collections::BTreeSet;
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A change that a controller has to look at.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// A CRD was created or changed.
    Definition(String),
    /// A namespace was stored, or has lost what each namespace has.
    Namespace(String),
    /// An object is being deleted, but something keeps it.
    Deleting { resource: Resource, key: Key },
    /// A cluster role was changed or removed. Others may collect its rules.
    ClusterRoles,
    /// A namespace with quotas has other objects than before.
    Quotas(String),
    /// An object was removed.
    Removed { resource: Resource, object: Arc<Object> },
    /// An object with owners was stored.
    Owned { resource: Resource, key: Key },
    /// A workload was stored, and the test wants its status to be set.
    Simulate { simulation: Simulation, key: Key },
}

/// The state of a server, which requests and watches share.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Inner>);

struct Inner {
    state: Arc<Mutex<State>>,
    lines: Lines,
    /// Saves everything, if it is saved at all.
    keeper: Option<Keeper>,
}

/// The state while it is locked. The tasks that it wakes have their turn when it is not locked any more.
pub(crate) struct Locked<'s> {
    // It goes before the tasks are woken.
    state: MutexGuard<'s, State>,
    woken: Woken,
}

impl Locked<'_> {
    fn new(state: &Mutex<State>) -> Locked<'_> {
        let state = state.lock().unwrap_or_else(PoisonError::into_inner);
        Locked { state, woken: Woken::default() }
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.woken = self.state.store.take_woken();
    }
}

impl Deref for Locked<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Shared {
    pub(crate) fn new(state: State) -> Shared {
        Shared::with(Arc::new(Mutex::new(state)), None)
    }

    /// The state, which is saved now, and after each change.
    pub(crate) fn kept_in(
        mut state: State,
        mut storage: Box<dyn Storage>,
        saving: Saving,
    ) -> io::Result<Shared> {
        state.store.start_saving();
        let (revision, random) = (state.store.revision(), state.random.state());
        let changes = state.store.take_unsaved();
        storage.save(&Saved { revision, random, objects: changes.written() })?;
        state.store.show(revision, &changes);
        let state = Arc::new(Mutex::new(state));
        let keeper = Keeper::start(Arc::clone(&state), storage, revision, saving)?;
        Ok(Shared::with(state, Some(keeper)))
    }

    fn with(state: Arc<Mutex<State>>, keeper: Option<Keeper>) -> Shared {
        Shared(Arc::new(Inner { state, lines: Lines::default(), keeper }))
    }

    /// The state. A request that panicked leaves it as it is.
    pub(crate) fn lock(&self) -> Locked<'_> {
        Locked::new(&self.0.state)
    }

    /// Why the server changes nothing any more. It does not wait for the lock.
    pub(crate) fn failed(&self) -> Option<NotSaved> {
        self.0.keeper.as_ref()?.failed()
    }

    /// Saves what a request has changed.
    pub(crate) fn save(&self, state: &State) {
        if let Some(keeper) = self.0.keeper.as_ref().filter(|_| state.store.has_unsaved()) {
            keeper.changed();
        }
    }

    /// Waits until everything up to a revision is saved.
    ///
    /// # Errors
    /// Fails with the reason if it may be lost.
    pub(crate) async fn saved(&self, revision: u64) -> Result<(), NotSaved> {
        match &self.0.keeper {
            Some(keeper) => keeper.saved(revision).await,
            None => Ok(()),
        }
    }

    /// Like [`Shared::saved`], and blocks the thread.
    pub(crate) fn block_until_saved(&self, revision: u64) -> Result<(), NotSaved> {
        self.0.keeper.as_ref().map_or(Ok(()), |keeper| keeper.block_until_saved(revision))
    }

    /// The lines that watches share.
    pub(crate) fn lines(&self) -> &Lines {
        &self.0.lines
    }
}

/// The state of a server.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) store: Store,
    pub(crate) registry: Registry,
    pub(crate) random: Random,
    pub(crate) clock: Clock,
    /// Makes the tokens of service accounts.
    pub(crate) tokens: Tokens,
    /// How the server decides who may do what.
    pub(crate) authorization: Authorization,
    /// Whether there are the controllers of kube-controller-manager: garbage collection, and the deletion of namespaces.
    pub(crate) has_manager: bool,
    /// Whether objects can only be created in namespaces that exist (the admission plugin NamespaceLifecycle).
    pub(crate) checks_namespaces: bool,
    /// What the controllers still have to look at.
    pub(crate) work: Vec<Work>,
    /// What webhooks have not allowed the controllers to do.
    pub(crate) denied: Vec<Work>,
    /// What the controllers have left to do, and what no request waits for any more.
    pub(crate) abandoned: Vec<Work>,
    /// When that is tried again, in seconds since 1970, even if nothing changes.
    pub(crate) tried_again: i64,
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
            tokens: Tokens::of_seed(seed),
            authorization: Authorization::default(),
            has_manager: true,
            checks_namespaces: true,
            work: Vec::new(),
            denied: Vec::new(),
            abandoned: Vec::new(),
            tried_again: 0,
            simulations: BTreeSet::new(),
        }
    }

    /// The state that was saved. `None` if nothing was.
    pub(crate) fn load(storage: &mut dyn Storage) -> io::Result<Option<State>> {
        let Some(saved) = storage.load()? else { return Ok(None) };
        let wrong = |why: Corrupt| io::Error::new(io::ErrorKind::InvalidData, why.to_string());
        // A request that ran twice may have saved an earlier state of the generator than others, so it starts anew.
        let mut state = State::new(Random::new(saved.random ^ saved.revision.rotate_left(32)).next());
        state.store = Store::load(&saved).map_err(wrong)?;
        let resource = definitions();
        let crds = state.store.objects(&resource, "").map(|(key, _)| Work::Definition(key.name.clone()));
        let all = namespaces();
        let namespaces = state.store.objects(&all, "").map(|(key, _)| Work::Namespace(key.name.clone()));
        state.work = crds.chain(namespaces).collect();
        Ok(Some(state))
    }

    /// Takes back changes that are not saved, also those that the controllers have begun.
    fn take_back(&mut self, taken: Unsaved) {
        let changed = self.store.take_back(taken);
        let crds = changed.into_iter().filter(|place| place.resource == definitions());
        self.work = crds.map(|place| Work::Definition(place.key.name)).collect();
        (self.denied, self.abandoned) = (Vec::new(), Vec::new());
    }

    /// Sets what only the server sets in a new object.
    pub(crate) fn stamp(&mut self, object: &mut Value) {
        let uid = self.random.uid();
        meta::set(object, "uid", Some(uid.into()));
        meta::set(object, "creationTimestamp", Some(self.clock.now().into()));
    }

    /// Stores an object, and leaves work for the controllers.
    pub(crate) fn put(&mut self, resource: &Resource, object: Value) -> Arc<Object> {
        let stored = self.store.put(resource, object);
        if *resource == definitions() {
            self.work.push(Work::Definition(meta::text(&stored, "name").to_owned()));
        }
        self.look_at(resource, &stored);
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
    pub(crate) fn remove(&mut self, resource: &Resource, key: &Key) -> Option<Arc<Object>> {
        let removed = self.store.remove(resource, key)?;
        self.look_at(resource, &removed);
        self.work.push(Work::Removed { resource: resource.clone(), object: Arc::clone(&removed) });
        Some(removed)
    }

    /// Leaves work for the controllers that look after objects with such a name, whether they are there or not.
    fn look_at(&mut self, resource: &Resource, object: &Value) {
        if *resource == cluster_roles() {
            self.work.push(Work::ClusterRoles);
        }
        let namespace = meta::text(object, "namespace");
        if self.has_manager && self.has_quotas(resource, namespace) {
            self.work.push(Work::Quotas(namespace.to_owned()));
        }
        if *resource == namespaces() {
            self.work.push(Work::Namespace(meta::text(object, "name").to_owned()));
        } else if is_of_namespaces(resource, meta::text(object, "name")) {
            self.work.push(Work::Namespace(meta::text(object, "namespace").to_owned()));
        }
    }

    /// Whether there are quotas that have to be looked at after a change in a namespace, and nothing has noted that yet.
    fn has_quotas(&self, resource: &Resource, namespace: &str) -> bool {
        let all = quotas();
        let is_noted = |work: &Work| matches!(work, Work::Quotas(noted) if noted == namespace);
        (*resource == all || !namespace.is_empty() && self.store.objects(&all, namespace).next().is_some())
            && !self.work.iter().any(is_noted)
    }

    /// Removes an object that nothing keeps, as its deletion does. `last` is how it is stored before, if it is.
    pub(crate) fn delete(&mut self, resource: &Resource, live: &Value, last: Option<Value>) {
        if let Some(last) = last {
            self.store.put(resource, last);
        }
        self.remove(resource, &Key::new(meta::text(live, "namespace"), meta::text(live, "name")));
    }

    /// Stores a change of an object. An object that is being deleted goes once nothing keeps it.
    pub(crate) fn replace(&mut self, resource: &Resource, object: Value) -> Arc<Object> {
        let is_kept = !meta::finalizers(&object).is_empty()
            || lifecycle::pending_grace(&object) > 0
            || *resource == namespaces() && lifecycle::has_finalizers_in_spec(&object);
        if meta::is_deleting(&object) && !is_kept {
            let key = Key::new(meta::text(&object, "namespace"), meta::text(&object, "name"));
            // The change itself is never stored: watches see the object as it was, and only the client that made the change sees it.
            self.remove(resource, &key);
            return Arc::new(object.into());
        }
        self.put(resource, object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Taken;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};

    /// Counts how often it is woken while the state is not locked.
    struct Free(Shared, AtomicUsize);

    impl Wake for Free {
        fn wake(self: Arc<Self>) {
            let is_free = self.0.0.state.try_lock().is_ok();
            self.1.fetch_add(usize::from(is_free), Ordering::Relaxed);
        }
    }

    #[test]
    fn tasks_are_woken_without_the_lock() {
        let shared = Shared::new(State::new(0));
        let free = Arc::new(Free(shared.clone(), AtomicUsize::new(0)));
        let waker = Waker::from(Arc::clone(&free));
        let resource = namespaces();
        let object = meta::map([("metadata", meta::map([("name", "a".into())]))]);
        for (round, change) in [
            |state: &mut State| drop(state.put(&namespaces(), meta::map([("a", Value::Int(1))]))),
            |state: &mut State| state.store.wake_watches(),
            |state: &mut State| state.store.compact(),
        ]
        .into_iter()
        .enumerate()
        {
            {
                let mut state = shared.lock();
                state.put(&resource, object.clone());
                let position = state.store.revision();
                let watch = state.store.start_watch(&resource, position, None);
                let taken = state.store.take(&resource, watch, &waker);
                assert!(matches!(taken, Taken::Nothing), "{taken:?}");
            }
            change(&mut shared.lock());
            assert_eq!(free.1.load(Ordering::Relaxed), round + 1);
            shared.lock().store.compact();
        }
    }
}
