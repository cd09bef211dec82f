//! The changes of a resource, oldest first.

use super::Object;
use std::collections::VecDeque;
use std::sync::Arc;

/// A change of an object.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) revision: u64,
    /// The object after the change. If it was removed, its last state with the revision of the removal.
    pub(crate) object: Arc<Object>,
    pub(crate) change: Change,
    /// How much memory its objects take, about.
    pub(crate) bytes: usize,
}

/// What happened to an object.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// It was created, or changed if there is an object before.
    Put { before: Option<Arc<Object>> },
    /// It was removed.
    Removed { before: Arc<Object> },
}

impl Event {
    /// The object before the change.
    pub(crate) fn before(&self) -> Option<&Arc<Object>> {
        match &self.change {
            Change::Put { before } => before.as_ref(),
            Change::Removed { before } => Some(before),
        }
    }

    /// The object after the change. `None` if it was removed.
    pub(crate) fn after(&self) -> Option<&Arc<Object>> {
        match &self.change {
            Change::Put { .. } => Some(&self.object),
            Change::Removed { .. } => None,
        }
    }
}

/// Changes that are not forgotten yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    events: VecDeque<Event>,
    bytes: usize,
    /// The revision of the last change that is forgotten.
    forgotten: u64,
}

impl Log {
    pub(super) fn push(&mut self, event: Event) {
        self.bytes += event.bytes;
        self.events.push_back(event);
    }

    /// Forgets the changes after a revision.
    pub(super) fn take_back(&mut self, revision: u64) {
        while self.events.back().is_some_and(|event| event.revision > revision) {
            self.bytes -= self.events.pop_back().map_or(0, |event| event.bytes);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    /// How much memory all objects take, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The revision of the oldest change that is not forgotten.
    pub(super) fn oldest(&self) -> Option<u64> {
        self.events.front().map(|event| event.revision)
    }

    /// Forgets the oldest change.
    pub(super) fn forget_oldest(&mut self) {
        if let Some(event) = self.events.pop_front() {
            self.bytes -= event.bytes;
            self.forgotten = event.revision;
        }
    }

    pub(super) fn compact(&mut self) {
        let last = self.events.back().map_or(self.forgotten, |event| event.revision);
        self.forget(last);
    }

    /// Forgets everything before a revision.
    pub(super) fn forget(&mut self, revision: u64) {
        (self.bytes, self.forgotten) = (0, revision);
        self.events.clear();
    }

    pub(super) fn forgotten(&self) -> u64 {
        self.forgotten
    }

    pub(super) fn after(&self, revision: u64) -> impl DoubleEndedIterator<Item = &Event> {
        let start = self.events.partition_point(|event| event.revision <= revision);
        self.events.range(start..)
    }
}
