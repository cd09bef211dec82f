//! Decides which errors of the new side prove a change.

use std::cell::{OnceCell, RefCell};

use crdgen_core::diag::Diag;
use crdgen_core::value::Value;

use crate::side::{Answer, Side};

/// The errors that a search looks for: those that are not there without the change, although all other changes are.
pub(crate) struct Wanted<'w> {
    /// Whether an error can be one of the change, by its place.
    may_be: &'w dyn Fn(&Diag) -> bool,
    /// Makes the new side without the change.
    without: &'w dyn Fn() -> Without<'w>,
    made: OnceCell<Without<'w>>,
    /// The first request that fails because of the change, but without it fails, too, because of other changes.
    second: RefCell<Option<Second>>,
}

/// The new side without a change.
pub(crate) enum Without<'w> {
    /// There is no other change.
    Old,
    /// It has the other changes.
    Others(Box<Side>),
    /// It cannot be made. Then an error is one of the change if its kind says so.
    Unknown(&'w dyn Fn(&Diag) -> bool),
}

impl Without<'_> {
    pub(crate) fn of(side: Side) -> Self {
        Without::Others(Box::new(side))
    }
}

/// A request that also fails because of other changes, with what the new side answered.
#[derive(Clone)]
pub(crate) struct Second {
    pub(crate) asked: Asked,
    pub(crate) found: Found,
    /// How many objects had been tried.
    pub(crate) tried: usize,
}

/// What a side is asked for.
#[derive(Clone)]
pub(crate) enum Asked {
    /// To create an object.
    Create(Value),
    /// To update the first object to the second one.
    Update(Value, Value),
}

impl Asked {
    fn of(&self, side: &Side, version: &str) -> Answer {
        match self {
            Asked::Create(object) => side.create(version, object),
            Asked::Update(before, after) => side.update(version, before, after),
        }
    }
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
    pub(crate) fn new(may_be: &'w dyn Fn(&Diag) -> bool, without: &'w dyn Fn() -> Without<'w>) -> Wanted<'w> {
        Wanted { may_be, without, made: OnceCell::new(), second: RefCell::default() }
    }

    /// Returns what an answer of the new side to a request proves. `None` if it is nothing about the change.
    pub(crate) fn found(
        &self,
        answer: Answer,
        version: &str,
        asked: impl FnOnce() -> Asked,
    ) -> Option<Found> {
        let Answer { mut errors, is_of_status, .. } = answer;
        let mut first = errors.iter().position(self.may_be)?;
        let mut is_alone = true;
        match self.made.get_or_init(self.without) {
            Without::Old => {}
            Without::Unknown(is_of) => first = errors.iter().position(is_of)?,
            Without::Others(without) => {
                let others = asked().of(without, version).errors;
                is_alone = others.is_empty();
                first = errors.iter().position(|it| (self.may_be)(it) && !others.contains(it))?;
            }
        }
        errors[..=first].rotate_right(1);
        Some(Found { errors, is_of_status, is_alone })
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
