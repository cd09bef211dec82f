//! Decides which errors of the new side prove a change.

use std::cell::RefCell;

use crdgen_core::diag::Diag;

use crate::causes::{Cause, Effect};
use crate::side::{Answer, Asked};

/// The errors that a search looks for: those that are not there without the change, although all other changes are.
pub(crate) struct Wanted<'w> {
    /// Whether an error can be one of the change, by its place.
    may_be: &'w dyn Fn(&Diag) -> bool,
    /// Finds out which errors the change causes. `None` if there is no other change.
    cause: Option<Cause<'w>>,
    /// The first request that fails because of the change, but without it fails, too, because of other changes.
    second: RefCell<Option<Second>>,
}

/// A request that also fails because of other changes, with what the new side answered.
#[derive(Clone)]
pub(crate) struct Second {
    pub(crate) asked: Asked,
    pub(crate) found: Found,
    /// How many objects had been tried.
    pub(crate) tried: usize,
}

/// The errors of an answer, the wanted one at the start.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) errors: Vec<Diag>,
    /// Whether it is the answer to a write of the status.
    pub(crate) is_of_status: bool,
    /// Whether nothing but the change rejects the request.
    pub(crate) is_alone: bool,
}

impl<'w> Wanted<'w> {
    pub(crate) fn new(may_be: &'w dyn Fn(&Diag) -> bool, cause: Option<Cause<'w>>) -> Wanted<'w> {
        Wanted { may_be, cause, second: RefCell::default() }
    }

    /// Returns what an answer of the new side to a request proves. `None` if it is nothing about the change.
    pub(crate) fn found(&self, answer: &Answer, asked: impl FnOnce() -> Asked) -> Option<Found> {
        let Answer { errors, is_of_status, .. } = answer;
        let first = errors.iter().position(self.may_be)?;
        let Effect { first, is_alone } = match &self.cause {
            None => Effect { first, is_alone: true },
            Some(cause) => cause.effect(errors, self.may_be, asked)?,
        };
        let mut errors = errors.clone();
        errors[..=first].rotate_right(1);
        Some(Found { errors, is_of_status: *is_of_status, is_alone })
    }

    /// Keeps a request that also fails because of other changes, unless there is one already. Returns one that does not.
    pub(crate) fn alone(&self, found: Found, tried: usize, asked: impl FnOnce() -> Asked) -> Option<Found> {
        if found.is_alone {
            return Some(found);
        }
        self.second.borrow_mut().get_or_insert_with(|| Second { asked: asked(), found, tried });
        None
    }

    /// How many objects had been tried when the first request was found that also fails because of other changes.
    pub(crate) fn second_at(&self) -> Option<usize> {
        self.second.borrow().as_ref().map(|second| second.tried)
    }

    pub(crate) fn take_second(&self) -> Option<Second> {
        self.second.borrow_mut().take()
    }
}
