//! What a build has spent so far. A few small files could otherwise make any number of large objects.

use crdgen_core::json_patch::Copied;

/// How often a build may visit one of its objects to change it.
const MAX_VISITS: usize = 1_000_000;

/// How many bytes patches, labels and annotations may add to the objects of a build.
const MAX_BYTES: usize = 128 << 20;

#[derive(Default)]
pub(super) struct Spent {
    visits: usize,
    bytes: usize,
    /// What the steps of JSON patches copy.
    pub(super) copied: Copied,
}

/// Too much is spent.
#[derive(Debug, thiserror::Error)]
pub(super) enum TooMuch {
    #[error("its components and patches change its objects more than {MAX_VISITS} times")]
    Visits,
    #[error("its patches, labels and annotations add more than {} MiB to its objects", MAX_BYTES >> 20)]
    Bytes,
}

impl Spent {
    /// Visits objects.
    pub(super) fn visit(&mut self, objects: usize) -> Result<(), TooMuch> {
        self.visits = self.visits.saturating_add(objects);
        if self.visits > MAX_VISITS { Err(TooMuch::Visits) } else { Ok(()) }
    }

    /// Adds a value of so many bytes to each of some objects.
    pub(super) fn add(&mut self, objects: usize, bytes: usize) -> Result<(), TooMuch> {
        self.bytes = self.bytes.saturating_add(objects.saturating_mul(bytes));
        if self.bytes > MAX_BYTES { Err(TooMuch::Bytes) } else { Ok(()) }
    }
}
