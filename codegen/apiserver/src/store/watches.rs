//! Watches: what each of them still gets. The store knows them, so that it can end those whose clients do not read.

use super::{Event, Log, Object, Resource};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Weak};
use std::task::Waker;
use std::time::Duration;
use tokio::time::Instant;

/// The number of a watch among those of its store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WatchId(u64);

/// The objects that were there when a watch began. Watches that begin at the same revision share them.
pub(crate) type Initial = Arc<[Arc<Object>]>;

/// What a watch gets next.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// An object that was there when the watch began.
    Initial(Arc<Object>),
    /// All objects that were there have been taken.
    AllInitial,
    Change(Event),
}

/// What a watch has taken.
#[derive(Debug)]
pub(crate) enum Taken {
    Entries(Vec<Entry>),
    /// Nothing yet. The task is woken once there is more.
    Nothing,
    /// The changes that come next are forgotten.
    Forgotten,
    /// The watch is ended, because its client reads too slowly.
    CutOff,
}

/// How many entries a watch takes at once.
const AT_ONCE: usize = 16;
/// How many changes a client may be behind: the server has two channels of 100 events for each watch of custom resources.
const MOST_BEHIND: usize = 200;
/// How long a client may be that far behind. The server waits for 50 milliseconds; this machine may have more to do.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a watch is.
#[derive(Debug)]
struct Cursor {
    /// The revision of the last change that it has taken.
    position: u64,
    /// The objects that were there, and how many of them it has taken.
    initial: Option<(Initial, usize)>,
    /// The revision at its beginning. Later changes count for how far it is behind.
    begun: u64,
    behind: usize,
    /// Since when it is too far behind.
    slow_since: Option<Instant>,
    /// The task that waits for a change.
    waker: Option<Waker>,
}

impl Cursor {
    fn is_too_slow(&mut self, now: Instant) -> bool {
        if self.behind <= MOST_BEHIND {
            self.slow_since = None;
            return false;
        }
        now.duration_since(*self.slow_since.get_or_insert(now)) > PATIENCE
    }
}

/// The watches of a resource.
#[derive(Debug, Default)]
struct OfResource {
    cursors: BTreeMap<WatchId, Cursor>,
    /// The last initial objects, with their revision.
    initial: Option<(u64, Weak<[Arc<Object>]>)>,
}

/// Tasks that wait no longer. They are woken when this goes.
#[derive(Debug, Default)]
pub(crate) struct Woken(Vec<Waker>);

impl Drop for Woken {
    fn drop(&mut self) {
        self.0.drain(..).for_each(Waker::wake);
    }
}

impl Woken {
    pub(super) fn add(&mut self, wakers: impl IntoIterator<Item = Waker>) {
        self.0.extend(wakers);
    }
}

/// The watches of a store.
#[derive(Debug, Default)]
pub(super) struct Watches {
    last: u64,
    /// Tasks that wait for a change of any resource.
    waiting: Vec<Waker>,
    /// Tasks that wait no longer. Whoever has the lock of the store wakes them without it.
    pub(super) woken: Woken,
    by_resource: BTreeMap<Resource, OfResource>,
}

/// When watches see a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sees {
    AtOnce,
    /// Not before it is saved.
    OnceSaved,
}

/// A copy of a store has no watches.
impl Clone for Watches {
    fn clone(&self) -> Watches {
        Watches::default()
    }
}

impl Watches {
    /// The objects of a resource at a revision, which watches share.
    pub(super) fn initial(
        &mut self,
        resource: &Resource,
        revision: u64,
        objects: impl FnOnce() -> Initial,
    ) -> Initial {
        let watches = self.by_resource.entry(resource.clone()).or_default();
        let known = watches.initial.as_ref().filter(|(of, _)| *of == revision);
        if let Some(known) = known.and_then(|(_, objects)| objects.upgrade()) {
            return known;
        }
        let objects = objects();
        watches.initial = Some((revision, Arc::downgrade(&objects)));
        objects
    }

    pub(super) fn start(
        &mut self,
        resource: &Resource,
        position: u64,
        begun: u64,
        initial: Option<Initial>,
    ) -> WatchId {
        self.last += 1;
        let id = WatchId(self.last);
        let initial = initial.map(|objects| (objects, 0));
        let cursor = Cursor { position, initial, begun, behind: 0, slow_since: None, waker: None };
        self.by_resource.entry(resource.clone()).or_default().cursors.insert(id, cursor);
        id
    }

    pub(super) fn end(&mut self, resource: &Resource, id: WatchId) {
        if let Some(watches) = self.by_resource.get_mut(resource) {
            watches.cursors.remove(&id);
            if watches.cursors.is_empty() {
                self.by_resource.remove(resource);
            }
        }
    }

    /// Takes what a watch gets next. `revisions` are those of the last change that is forgotten, and of the last one to show.
    pub(super) fn take(
        &mut self,
        resource: &Resource,
        id: WatchId,
        log: Option<&Log>,
        revisions: RangeInclusive<u64>,
        waker: &Waker,
    ) -> Taken {
        let cursor = self.by_resource.get_mut(resource).and_then(|watches| watches.cursors.get_mut(&id));
        let Some(cursor) = cursor else { return Taken::CutOff };
        if let Some((objects, taken)) = &mut cursor.initial {
            let next = objects.iter().skip(*taken).take(AT_ONCE);
            let mut entries: Vec<Entry> = next.cloned().map(Entry::Initial).collect();
            *taken += entries.len();
            if *taken == objects.len() {
                entries.push(Entry::AllInitial);
                cursor.initial = None;
            }
            return Taken::Entries(entries);
        }
        let (forgotten, last) = revisions.into_inner();
        if forgotten > cursor.position {
            return Taken::Forgotten;
        }
        let changes = log.into_iter().flat_map(|log| log.after(cursor.position));
        let changes = changes.take_while(|change| change.revision <= last).take(AT_ONCE);
        let changes: Vec<Event> = changes.cloned().collect();
        let is_ahead = cursor.position > last;
        let Some(last) = changes.last() else {
            if is_ahead {
                // It does not get the changes until then.
                cursor.behind = 0;
            }
            cursor.waker = Some(waker.clone());
            return Taken::Nothing;
        };
        cursor.position = last.revision;
        let new = changes.iter().filter(|change| change.revision > cursor.begun).count();
        cursor.behind = cursor.behind.saturating_sub(new);
        if cursor.behind <= MOST_BEHIND {
            cursor.slow_since = None;
        }
        Taken::Entries(changes.into_iter().map(Entry::Change).collect())
    }

    /// Wakes a task once anything changes.
    pub(super) fn wait_for_any(&mut self, waker: &Waker) {
        if !self.waiting.iter().any(|it| it.will_wake(waker)) {
            self.waiting.push(waker.clone());
        }
    }

    /// Wakes the tasks that wait for a change of any resource.
    pub(super) fn wake_waiting(&mut self) {
        self.woken.add(self.waiting.drain(..));
    }

    /// Notes that a resource has changed, and ends watches that are too slow. Wakes the others if they may see the change.
    pub(super) fn changed(&mut self, resource: &Resource, sees: Sees) {
        let woken = &mut self.woken;
        let Some(watches) = self.by_resource.get_mut(resource) else { return };
        let now = Instant::now();
        watches.cursors.retain(|_, cursor| {
            cursor.behind += 1;
            match cursor.waker.take() {
                Some(waker) if sees == Sees::AtOnce => woken.add([waker]),
                Some(waker) => cursor.waker = Some(waker),
                None => return !cursor.is_too_slow(now),
            }
            true
        });
    }

    /// Wakes the watches of a resource.
    pub(super) fn wake(&mut self, resource: &Resource) {
        let cursors = self.by_resource.get_mut(resource).map(|watches| watches.cursors.values_mut());
        self.woken.add(cursors.into_iter().flatten().filter_map(|cursor| cursor.waker.take()));
    }

    /// Wakes all watches, because the changes that they wait for are forgotten.
    pub(super) fn wake_all(&mut self) {
        let cursors = self.by_resource.values_mut().flat_map(|watches| watches.cursors.values_mut());
        self.woken.add(cursors.filter_map(|cursor| cursor.waker.take()));
    }
}
