//! Asks both sides about objects.

use crdgen_core::value::Value;

use super::{Proved, Search};
use crate::side::{Asked, Side};
use crate::wanted::{Found, Wanted};

impl Search<'_> {
    /// Tries an object: counts it, and returns what it proves.
    pub(super) fn proof_of(&mut self, object: &Value, wanted: &Wanted<'_>) -> Option<Proved> {
        self.count(object);
        self.proof(object, wanted)
    }

    /// What an object proves, if only the new side rejects it, and only because of the change.
    pub(super) fn proof(&self, object: &Value, wanted: &Wanted<'_>) -> Option<Proved> {
        let found = self.flips(object, wanted).and_then(|found| self.alone(object, found, wanted))?;
        Some(self.proved(object.clone(), found, wanted))
    }

    pub(super) fn alone(&self, object: &Value, found: Found, wanted: &Wanted<'_>) -> Option<Found> {
        wanted.alone(found, self.tried, || Asked::Create(object.clone()))
    }

    /// The errors with which only the new side rejects an object, if one is wanted.
    pub(super) fn flips(&self, object: &Value, wanted: &Wanted<'_>) -> Option<Found> {
        if !self.old.create(self.version, object).is_fine() {
            return None;
        }
        self.rejects(object, wanted)
    }

    /// The errors of the new side, if one is wanted.
    pub(super) fn rejects(&self, object: &Value, wanted: &Wanted<'_>) -> Option<Found> {
        let answer = self.new.create(self.version, object);
        let asked = || Asked::Create(object.clone());
        wanted.found(&answer, asked).filter(|_| self.was_accepted(&asked()))
    }

    /// Whether the version of the old CRD accepts a request, if objects of another version are searched.
    pub(super) fn was_accepted(&self, asked: &Asked) -> bool {
        self.was.is_none_or(|was| was.answer(self.version, asked).errors.is_empty())
    }

    /// The errors with which only the new side rejects an edit, if one is wanted, and only because of the change.
    pub(super) fn update_flips(&self, before: &Value, after: &Value, wanted: &Wanted<'_>) -> Option<Found> {
        let is_stored = |side: &Side, object: &Value| side.create(self.version, object).errors.is_empty();
        let found = self.update_fails(before, after, wanted)?;
        let is_edit = is_stored(self.old, before)
            && is_stored(self.new, before)
            && self.old.update(self.version, before, after).is_fine();
        let found = Some(found).filter(|_| is_edit)?;
        wanted.alone(found, self.tried, || Asked::Update(before.clone(), after.clone()))
    }

    /// The errors with which the new side rejects an update, if one is wanted.
    pub(super) fn update_fails(&self, before: &Value, after: &Value, wanted: &Wanted<'_>) -> Option<Found> {
        let answer = self.new.update(self.version, before, after);
        let asked = || Asked::Update(before.clone(), after.clone());
        wanted.found(&answer, asked).filter(|_| self.was_accepted(&asked()))
    }
}
