//! What a build has spent so far. A few small files could otherwise make any number of large objects.

use super::MAX_NAME;
use crdgen_core::json_patch::{Copied, NotApplied, Patch};
use crdgen_core::value::Value;

/// How often a build may visit one of its objects to change it.
const MAX_VISITS: usize = 1_000_000;

/// How many bytes patches, labels and annotations may add to the objects of a build.
const MAX_BYTES: usize = 128 << 20;

#[derive(Default)]
pub(super) struct Spent {
    visits: usize,
    bytes: usize,
    /// Whether something was too much, so that no other program should try it.
    pub(super) is_exceeded: bool,
    /// What the steps of JSON patches copy.
    copied: Copied,
}

/// Too much is spent.
#[derive(Debug, thiserror::Error)]
pub(super) enum TooMuch {
    #[error("its components and patches change its objects more than {MAX_VISITS} times")]
    Visits,
    #[error("its patches, labels and annotations add more than {} MiB to its objects", MAX_BYTES >> 20)]
    Bytes,
    #[error("with `namePrefix` and `nameSuffix`, a name has more than {MAX_NAME} characters")]
    Name,
}

impl Spent {
    /// Visits objects.
    pub(super) fn visit(&mut self, objects: usize) -> Result<(), TooMuch> {
        self.visits = self.visits.saturating_add(objects);
        self.checked(self.visits <= MAX_VISITS, TooMuch::Visits)
    }

    /// Adds a value of so many bytes to each of some objects.
    pub(super) fn add(&mut self, objects: usize, bytes: usize) -> Result<(), TooMuch> {
        self.bytes = self.bytes.saturating_add(objects.saturating_mul(bytes));
        self.checked(self.bytes <= MAX_BYTES, TooMuch::Bytes)
    }

    /// Gives an object a longer name.
    pub(super) fn name(&mut self, name: &str) -> Result<(), TooMuch> {
        self.checked(name.len() <= MAX_NAME, TooMuch::Name)
    }

    /// Applies a step of a JSON patch.
    pub(super) fn step(&mut self, step: &Patch, document: &mut Value) -> Result<(), NotApplied> {
        let done = step.apply(document, &mut self.copied);
        self.is_exceeded |= self.copied.is_exceeded();
        done
    }

    fn checked(&mut self, is_within: bool, why: TooMuch) -> Result<(), TooMuch> {
        self.is_exceeded |= !is_within;
        if is_within { Ok(()) } else { Err(why) }
    }
}
