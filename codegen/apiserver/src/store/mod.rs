//! What the server stores: objects, one counter of revisions, and the changes that watches still get.

mod lines;
mod log;
mod object;
mod page;
mod save;
mod watches;

pub(crate) use lines::{Line, LineKey, Lines, bytes};
pub(crate) use log::{Change, Event};
pub(crate) use object::Object;
pub(crate) use page::Token;
pub(crate) use save::{Corrupt, Unsaved};
pub use save::{Saved, Storage};
pub(crate) use watches::{Entry, Initial, Taken, WatchId, Woken};

use crate::json_patch::nodes;
use crate::meta;
use crdgen_core::json;
use crdgen_core::value::Value;
use log::Log;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Bound;
use std::sync::Arc;
use std::task::Waker;
use watches::{Sees, Watches};

/// A resource, in all versions: its group and its plural name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Resource {
    pub(crate) group: Arc<str>,
    pub(crate) plural: Arc<str>,
}

impl Resource {
    pub(crate) fn new(group: &str, plural: &str) -> Resource {
        Resource { group: group.into(), plural: plural.into() }
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::status::qualified(&self.plural, &self.group))
    }
}

/// The name of an object among those of its resource. Objects without a namespace have an empty one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) namespace: String,
    pub(crate) name: String,
}

impl Key {
    pub(crate) fn new(namespace: &str, name: &str) -> Key {
        Key { namespace: namespace.to_owned(), name: name.to_owned() }
    }
}

/// An object and its resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) resource: Resource,
    pub(crate) key: Key,
}

/// The objects of one resource.
#[derive(Clone, Debug, Default)]
struct Table {
    objects: BTreeMap<Key, Arc<Object>>,
    log: Log,
}

/// The objects of all resources.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    revision: u64,
    /// The changes up to this revision are forgotten, also those of resources without objects.
    forgotten: u64,
    tables: BTreeMap<Resource, Table>,
    /// The objects that refer to an owner, by its uid.
    dependents: BTreeSet<(String, Place)>,
    /// The greatest number of changes that a resource keeps for watches.
    most_changes: usize,
    /// How much memory the objects in the changes of all resources may take, about.
    most_bytes: usize,
    watches: Watches,
    /// The objects that changed since they were last saved, if they are saved at all.
    unsaved: Option<Unsaved>,
    /// The last revision that watches see. With a storage, later ones are not saved yet.
    shown: u64,
}

/// The number of changes of a resource that watches can still get.
pub(crate) const MOST_CHANGES: usize = 10_000;

/// How much memory the objects in all changes take that watches can still get, about.
const MOST_BYTES: usize = 64 << 20;

/// How much memory an object takes, about: small values, such as the names in managed fields, take many times their text.
fn memory(object: &Value) -> usize {
    const EACH: usize = 64;
    json::length(object) + EACH * nodes(object)
}

impl Store {
    pub(crate) fn new() -> Store {
        Store {
            revision: 1,
            forgotten: 0,
            tables: BTreeMap::new(),
            dependents: BTreeSet::new(),
            most_changes: MOST_CHANGES,
            most_bytes: MOST_BYTES,
            watches: Watches::default(),
            unsaved: None,
            shown: 0,
        }
    }

    /// Notes from now on what has to be saved. All objects so far have to be, unless they come from a storage.
    pub(crate) fn start_saving(&mut self) {
        if self.unsaved.is_none() {
            self.unsaved = Some(self.all());
        }
    }

    /// Takes the objects that have to be saved.
    pub(crate) fn take_unsaved(&mut self) -> Unsaved {
        self.unsaved.as_mut().map(std::mem::take).unwrap_or_default()
    }

    pub(crate) fn has_unsaved(&self) -> bool {
        self.unsaved.as_ref().is_some_and(|unsaved| !unsaved.is_empty())
    }

    /// Shows watches the changes up to a revision, which are saved.
    pub(crate) fn show(&mut self, revision: u64, changes: &Unsaved) {
        self.shown = revision;
        let resources: BTreeSet<&Resource> = changes.0.keys().map(|place| &place.resource).collect();
        resources.into_iter().for_each(|resource| self.watches.wake(resource));
    }

    /// Wakes all watches, so that they see that they are over.
    pub(crate) fn wake_watches(&mut self) {
        self.watches.wake_all();
    }

    /// Takes the tasks to wake, without the lock of the store.
    pub(crate) fn take_woken(&mut self) -> Woken {
        std::mem::take(&mut self.watches.woken)
    }

    fn all(&self) -> Unsaved {
        let of_table = |(resource, table): (&Resource, &Table)| {
            let place = |key: &Key| Place { resource: resource.clone(), key: key.clone() };
            table
                .objects
                .iter()
                .map(|(key, object)| (place(key), [None, Some(Arc::clone(object))]))
                .collect::<Vec<_>>()
        };
        Unsaved(self.tables.iter().flat_map(of_table).collect())
    }

    /// A store with what was saved. Its watches begin at the saved revision. Fails with what is wrong.
    pub(crate) fn load(saved: &Saved) -> Result<Store, Corrupt> {
        let mut store = Store { unsaved: Some(Unsaved::default()), ..Store::new() };
        for (path, text) in &saved.objects {
            let place = Place::of_path(path).ok_or_else(|| Corrupt::Name(path.clone()))?;
            let text = text.as_deref().unwrap_or_default();
            let object =
                json::read_own(text.as_bytes()).map_err(|why| Corrupt::Object { path: path.clone(), why })?;
            let Place { resource, key } = &place;
            if key.namespace != meta::text(&object, "namespace") || key.name != meta::text(&object, "name") {
                return Err(Corrupt::OtherName(path.clone()));
            }
            for owner in meta::owners(&object) {
                store.dependents.insert((owner.text("uid").to_owned(), place.clone()));
            }
            let table = store.tables.entry(resource.clone()).or_default();
            table.objects.insert(key.clone(), Arc::new(object.into()));
        }
        store.revision = saved.revision.max(store.revision);
        store.forgotten = store.revision;
        Ok(store)
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    pub(crate) fn get(&self, resource: &Resource, key: &Key) -> Option<&Arc<Object>> {
        self.tables.get(resource)?.objects.get(key)
    }

    /// The objects of a resource, in one namespace or, if it is empty, in all.
    pub(crate) fn objects<'s>(
        &'s self,
        resource: &Resource,
        namespace: &'s str,
    ) -> impl Iterator<Item = (&'s Key, &'s Arc<Object>)> {
        self.objects_after(resource, namespace, None)
    }

    /// The objects of a resource after one of them, in one namespace or, if it is empty, in all.
    pub(crate) fn objects_after<'s>(
        &'s self,
        resource: &Resource,
        namespace: &'s str,
        last: Option<&Key>,
    ) -> impl Iterator<Item = (&'s Key, &'s Arc<Object>)> {
        let objects = self.tables.get(resource).map(|table| &table.objects);
        let first = Key::new(namespace, "");
        let start = match last {
            // A token that a client wrote may be of an object before the namespace.
            Some(last) if *last >= first => Bound::Excluded(last.clone()),
            _ => Bound::Included(first),
        };
        objects
            .into_iter()
            .flat_map(move |objects| objects.range((start.clone(), Bound::Unbounded)))
            .take_while(move |(key, _)| namespace.is_empty() || key.namespace == namespace)
    }

    /// The objects that refer to an owner.
    pub(crate) fn dependents(&self, uid: &str) -> Vec<Place> {
        let start = (uid.to_owned(), Place { resource: Resource::new("", ""), key: Key::new("", "") });
        self.dependents
            .range(start..)
            .take_while(|(of, _)| of == uid)
            .map(|(_, place)| place.clone())
            .collect()
    }

    /// Stores an object, which gets the next revision.
    pub(crate) fn put(&mut self, resource: &Resource, mut object: Value) -> Arc<Object> {
        self.revision += 1;
        meta::set(&mut object, "resourceVersion", Some(self.revision.to_string().into()));
        let key = Key::new(meta::text(&object, "namespace"), meta::text(&object, "name"));
        let object = Arc::new(Object::from(object));
        let place = Place { resource: resource.clone(), key: key.clone() };
        let before = self.get(resource, &key).cloned();
        if let Some(before) = &before {
            self.forget_owners(before, &place);
        }
        for owner in meta::owners(&object) {
            self.dependents.insert((owner.text("uid").to_owned(), place.clone()));
        }
        if let Some(unsaved) = &mut self.unsaved {
            unsaved.add(place, before.clone(), Some(Arc::clone(&object)));
        }
        let table = self.tables.entry(resource.clone()).or_default();
        table.objects.insert(key, Arc::clone(&object));
        let (change, bytes) = (Change::Put { before }, memory(&object));
        self.record(resource, Event { revision: self.revision, object: Arc::clone(&object), change, bytes });
        object
    }

    /// Removes an object. Watches get it with the next revision.
    pub(crate) fn remove(&mut self, resource: &Resource, key: &Key) -> Option<Arc<Object>> {
        let before = self.tables.get_mut(resource)?.objects.remove(key)?;
        let place = Place { resource: resource.clone(), key: key.clone() };
        self.forget_owners(&before, &place);
        if let Some(unsaved) = &mut self.unsaved {
            unsaved.add(place, Some(Arc::clone(&before)), None);
        }
        self.revision += 1;
        let mut object = Value::clone(&before);
        meta::set(&mut object, "resourceVersion", Some(self.revision.to_string().into()));
        let object = Arc::new(Object::from(object));
        // Two copies of the object.
        let (change, bytes) = (Change::Removed { before }, 2 * memory(&object));
        self.record(resource, Event { revision: self.revision, object: Arc::clone(&object), change, bytes });
        Some(object)
    }

    fn forget_owners(&mut self, object: &Value, place: &Place) {
        for owner in meta::owners(object) {
            self.dependents.remove(&(owner.text("uid").to_owned(), place.clone()));
        }
    }

    fn record(&mut self, resource: &Resource, event: Event) {
        self.watches.wake_waiting();
        let (most, bytes) = (self.most_changes, event.bytes);
        if let Some(table) = self.tables.get_mut(resource) {
            table.log.push(event);
            if table.log.len() > most {
                table.log.forget_oldest();
            }
        }
        let sees = if self.unsaved.is_none() { Sees::AtOnce } else { Sees::OnceSaved };
        self.watches.changed(resource, sees);
        let mut all: usize = self.tables.values().map(|table| table.log.bytes()).sum();
        // The change itself stays, for the watches that wait for it.
        while all > self.most_bytes.max(bytes) {
            let logs = self.tables.values_mut().map(|table| &mut table.log);
            let Some(log) = logs.filter(|log| log.len() > 0).min_by_key(|log| log.oldest()) else { return };
            all -= log.bytes();
            log.forget_oldest();
            all += log.bytes();
        }
    }

    /// Forgets the changes of a resource so far, as a server does after some minutes.
    pub(crate) fn compact(&mut self) {
        self.forgotten = self.revision;
        self.tables.values_mut().for_each(|table| table.log.compact());
        self.watches.wake_all();
    }

    /// The changes of a resource after a revision. `None` if they are forgotten.
    #[cfg(test)]
    pub(crate) fn changes(&self, resource: &Resource, after: u64) -> Option<impl Iterator<Item = &Event>> {
        let log = self.tables.get(resource).map(|table| &table.log);
        if self.forgotten_of(log) > after {
            return None;
        }
        Some(log.into_iter().flat_map(move |log| log.after(after)))
    }

    /// The objects of a resource, for watches that begin now.
    pub(crate) fn initial(&mut self, resource: &Resource) -> Initial {
        let (watches, tables) = (&mut self.watches, &self.tables);
        watches.initial(resource, self.revision, || {
            tables.get(resource).map(|table| table.objects.values().cloned().collect()).unwrap_or_default()
        })
    }

    /// Starts a watch of the changes after a revision. If there are objects to begin with, it gets them first.
    pub(crate) fn start_watch(
        &mut self,
        resource: &Resource,
        position: u64,
        initial: Option<Initial>,
    ) -> WatchId {
        self.watches.start(resource, position, self.revision, initial)
    }

    /// Takes what a watch gets next.
    pub(crate) fn take(&mut self, resource: &Resource, watch: WatchId, waker: &Waker) -> Taken {
        let log = self.tables.get(resource).map(|table| &table.log);
        let forgotten = self.forgotten_of(log);
        let shown = self.shown();
        self.watches.take(resource, watch, log, forgotten..=shown, waker)
    }

    /// The last revision that watches see.
    pub(crate) fn shown(&self) -> u64 {
        if self.unsaved.is_some() { self.shown } else { self.revision }
    }

    /// The revision of the last change of a resource that is forgotten.
    fn forgotten_of(&self, log: Option<&Log>) -> u64 {
        log.map_or(0, Log::forgotten).max(self.forgotten)
    }

    /// Wakes a task once anything changes.
    pub(crate) fn wait_for_any(&mut self, waker: &Waker) {
        self.watches.wait_for_any(waker);
    }

    /// Forgets a watch that its client has left.
    pub(crate) fn end_watch(&mut self, resource: &Resource, watch: WatchId) {
        self.watches.end(resource, watch);
    }

    /// The objects of a resource as they were at a revision. `None` if that is forgotten.
    pub(crate) fn at(&self, resource: &Resource, revision: u64) -> Option<BTreeMap<Key, Arc<Object>>> {
        let table = self.tables.get(resource);
        if self.forgotten_of(table.map(|table| &table.log)) > revision {
            return None;
        }
        let Some(table) = table else { return Some(BTreeMap::new()) };
        let mut objects = table.objects.clone();
        for event in table.log.after(revision).rev() {
            let key = Key::new(meta::text(&event.object, "namespace"), meta::text(&event.object, "name"));
            match event.before() {
                Some(before) => objects.insert(key, Arc::clone(before)),
                None => objects.remove(&key),
            };
        }
        Some(objects)
    }

    /// Takes back changes that are not saved, which no client has seen: those in `taken`, and those since then. Returns the places of what
    /// had changed.
    pub(crate) fn take_back(&mut self, taken: Unsaved) -> BTreeSet<Place> {
        let later = self.take_unsaved();
        let mut changed = BTreeSet::new();
        for (place, [before, _]) in later.0.into_iter().chain(taken.0) {
            if let Some(now) = self.get(&place.resource, &place.key).cloned() {
                self.forget_owners(&now, &place);
            }
            let table = self.tables.entry(place.resource.clone()).or_default();
            table.objects.remove(&place.key);
            if let Some(before) = before {
                for owner in meta::owners(&before) {
                    self.dependents.insert((owner.text("uid").to_owned(), place.clone()));
                }
                table.objects.insert(place.key.clone(), before);
            }
            changed.insert(place);
        }
        self.revision = self.shown;
        self.tables.values_mut().for_each(|table| table.log.take_back(self.shown));
        changed
    }

    /// Takes the objects and revisions of an earlier copy. Watches end, because their changes are gone.
    pub(crate) fn restore(&mut self, copy: &Store) {
        let revision = self.revision.max(copy.revision) + 1;
        let mut watches = std::mem::take(&mut self.watches);
        watches.wake_all();
        watches.wake_waiting();
        let unsaved = self.unsaved.take().map(|mut unsaved| {
            // Whatever is there now is gone, unless the copy has it.
            self.all().0.into_iter().for_each(|(place, [_, now])| unsaved.add(place, now, None));
            copy.all().0.into_iter().for_each(|(place, [_, after])| unsaved.add(place, None, after));
            unsaved
        });
        let copy = copy.clone();
        *self = Store { revision, forgotten: revision, watches, unsaved, shown: self.shown, ..copy };
        self.tables.values_mut().for_each(|table| table.log.forget(revision));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, owner: &str) -> Value {
        let owners = if owner.is_empty() {
            String::new()
        } else {
            format!(r#""ownerReferences":[{{"uid":"{owner}"}}],"#)
        };
        let text = format!(r#"{{"metadata":{{{owners}"name":"{name}","namespace":"d"}}}}"#);
        json::read(text.as_bytes()).expect("JSON")
    }

    fn names(objects: &BTreeMap<Key, Arc<Object>>) -> Vec<&str> {
        objects.keys().map(|key| key.name.as_str()).collect()
    }

    #[test]
    fn keeps_the_objects_of_earlier_revisions_until_it_forgets_them() {
        let mut store = Store::new();
        let resource = Resource::new("g", "things");
        store.put(&resource, object("a", ""));
        let first = store.revision();
        store.put(&resource, object("b", ""));
        store.remove(&resource, &Key::new("d", "a"));
        let at =
            |store: &Store, revision| store.at(&resource, revision).map(|objects| names(&objects).join(","));
        assert_eq!(at(&store, first).as_deref(), Some("a"));
        assert_eq!(at(&store, first + 1).as_deref(), Some("a,b"));
        assert_eq!(at(&store, store.revision()).as_deref(), Some("b"));
        assert_eq!(store.changes(&resource, first).map(Iterator::count), Some(2));
        store.compact();
        assert_eq!(at(&store, first), None);
        assert!(store.changes(&resource, first).is_none());
        assert_eq!(store.changes(&resource, store.revision()).map(Iterator::count), Some(0));
    }

    #[test]
    fn forgets_the_oldest_changes_if_they_are_large() {
        let mut store = Store { most_bytes: 5000, ..Store::new() };
        let (first, second) = (Resource::new("g", "things"), Resource::new("g", "others"));
        store.put(&second, object("a", ""));
        let start = store.revision();
        for _ in 0..100 {
            store.put(&first, object("a", ""));
        }
        assert!(store.changes(&first, start).is_none() && store.changes(&second, 1).is_none());
        let kept = store.changes(&first, store.revision() - 5).map(Iterator::count);
        assert_eq!(kept, Some(5));
        // A large object reaches its watches.
        store.put(&first, object(&"a".repeat(10_000), ""));
        assert_eq!(store.changes(&first, store.revision() - 1).map(Iterator::count), Some(1));
        assert!(store.changes(&first, store.revision() - 2).is_none());
    }

    #[test]
    fn finds_the_dependents_of_an_owner() {
        let mut store = Store::new();
        let resource = Resource::new("g", "things");
        store.put(&resource, object("a", "u1"));
        store.put(&resource, object("b", "u1"));
        store.put(&resource, object("b", "u2"));
        let found =
            |store: &Store, uid| store.dependents(uid).into_iter().map(|p| p.key.name).collect::<Vec<_>>();
        assert_eq!(found(&store, "u1"), ["a"]);
        assert_eq!(found(&store, "u2"), ["b"]);
        store.remove(&resource, &Key::new("d", "a"));
        assert!(found(&store, "u1").is_empty());
    }

    #[test]
    fn never_goes_back_to_an_earlier_revision() {
        let mut store = Store::new();
        let resource = Resource::new("g", "things");
        store.put(&resource, object("a", ""));
        let copy = store.clone();
        store.put(&resource, object("b", ""));
        let last = store.revision();
        store.restore(&copy);
        assert!(store.revision() > last);
        assert!(store.get(&resource, &Key::new("d", "b")).is_none());
        assert!(store.changes(&resource, last).is_none());
    }

    #[test]
    fn a_restored_copy_saves_what_was_removed_before() {
        let resource = Resource::new("", "things");
        let mut store = Store::new();
        let copy = store.clone();
        store.put(&resource, object("a", ""));
        store.start_saving();
        store.take_unsaved();
        store.remove(&resource, &Key::new("d", "a"));
        store.restore(&copy);
        let unsaved: Vec<bool> =
            store.take_unsaved().0.into_values().map(|[_, after]| after.is_none()).collect();
        assert_eq!(unsaved, [true]);
    }
}
