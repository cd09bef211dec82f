//! The changes of a resource, oldest first.

use crdgen_core::value::Value;
use std::collections::VecDeque;
use std::sync::Arc;

/// A change of an object.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) revision: u64,
    /// The object after the change. If it was removed, its last state with the revision of the removal.
    pub(crate) object: Arc<Value>,
    pub(crate) change: Change,
}

/// What happened to an object.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// It was created, or changed if there is an object before.
    Put { before: Option<Arc<Value>> },
    /// It was removed.
    Removed { before: Arc<Value> },
}

impl Event {
    /// The object before the change.
    pub(crate) fn before(&self) -> Option<&Arc<Value>> {
        match &self.change {
            Change::Put { before } => before.as_ref(),
            Change::Removed { before } => Some(before),
        }
    }

    /// The object after the change. `None` if it was removed.
    pub(crate) fn after(&self) -> Option<&Arc<Value>> {
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
    /// The revision of the last change that is forgotten.
    forgotten: u64,
}

impl Log {
    pub(super) fn push(&mut self, event: Event, most: usize) {
        self.events.push_back(event);
        while self.events.len() > most {
            self.forgotten = self.events.pop_front().map_or(self.forgotten, |event| event.revision);
        }
    }

    pub(super) fn compact(&mut self) {
        self.forgotten = self.events.back().map_or(self.forgotten, |event| event.revision);
        self.events.clear();
    }

    /// Forgets everything before a revision.
    pub(super) fn forget(&mut self, revision: u64) {
        self.events.clear();
        self.forgotten = revision;
    }

    pub(super) fn forgotten(&self) -> u64 {
        self.forgotten
    }

    pub(super) fn after(&self, revision: u64) -> impl DoubleEndedIterator<Item = &Event> {
        let start = self.events.partition_point(|event| event.revision <= revision);
        self.events.range(start..)
    }
}
