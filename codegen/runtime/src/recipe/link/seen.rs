//! The types that were linked before, so that a type that occurs many times is read only twice.

use super::{Id, Linked};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Where a type occurs, as far as this changes its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) id: Id,
    /// Whether the type is inside a list or map.
    pub(super) is_repeated: bool,
}

/// The types that were linked before. What a type that occurs only once has become is not kept, because with each of the
/// types around it, the same nodes would be kept once more.
#[derive(Debug)]
pub(super) struct Seen {
    types: HashMap<Place, Option<Again>>,
    /// How many more nodes may be kept.
    budget: usize,
}

/// What a type has become.
#[derive(Clone, Debug)]
pub(super) struct Again {
    pub(super) linked: Linked,
    /// The number of nodes in its schema.
    pub(super) nodes: usize,
    /// How many types are inside of each other in it.
    pub(super) height: usize,
    /// Whether a part of its schema is only a replacement.
    pub(super) is_unknown: bool,
    /// Whether linking it reported mistakes.
    pub(super) has_mistakes: bool,
}

impl Seen {
    pub(super) fn new(budget: usize) -> Seen {
        Seen { types: HashMap::new(), budget }
    }

    /// Returns what a type has become, if this is known. A type with mistakes is linked again, so that they are reported at
    /// each place, unless there are `enough` mistakes already.
    pub(super) fn get(&self, place: Place, enough: bool) -> Option<Again> {
        self.types.get(&place)?.as_ref().filter(|it| enough || !it.has_mistakes).cloned()
    }

    /// Notes that a type was linked. If it was linked before, calls `again` for what to keep.
    pub(super) fn add(&mut self, place: Place, again: impl FnOnce() -> Again) {
        match self.types.entry(place) {
            Entry::Vacant(entry) => {
                entry.insert(None);
            }
            Entry::Occupied(mut entry) if entry.get().is_none() && self.budget > 0 => {
                let again = again();
                self.budget = self.budget.saturating_sub(again.nodes);
                entry.insert(Some(again));
            }
            Entry::Occupied(_) => {}
        }
    }
}
