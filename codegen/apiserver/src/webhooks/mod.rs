//! Webhooks: which calls a request needs, and how they are made.
//!
//! Requests run under one lock, and a call may take long. So a request asks for the answers of webhooks that it needs, and ends
//! without having changed anything if one is missing. Then the calls are made without the lock, and the request runs once more
//! from its start, on the state of then. If an object has changed meanwhile, the review differs, and the webhook is called again.
//! What takes long without webhooks is computed in the same way (`jobs`).

mod answers;
mod body;
mod caller;
mod conversion;
mod endpoint;
mod failure;
#[cfg(feature = "http")]
mod https;
mod jobs;
mod reviewer;

pub(crate) use answers::{Outcome, Wanted, waiting};
pub(crate) use caller::Caller;
pub(crate) use conversion::unreadable;
pub(crate) use endpoint::Endpoint;
pub(crate) use jobs::{Checked, Own, Sent, Writing};
pub use reviewer::Reviewer;

use answers::Answers;
use crdgen_core::value::Value;
use jobs::Jobs;
use std::cell::RefCell;

/// What a request has asked webhooks, and their answers.
#[derive(Debug, Default)]
pub(crate) struct Hooks {
    answers: RefCell<Answers>,
    definitions: RefCell<Jobs<Sent>>,
    writes: RefCell<Jobs<Writing>>,
    own: RefCell<Jobs<Own>>,
    caller: Caller,
}

impl Hooks {
    pub(crate) fn new(caller: Caller) -> Hooks {
        Hooks { caller, ..Hooks::default() }
    }

    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Whether the request must wait for answers. Then it must not change anything.
    pub(crate) fn is_waiting(&self) -> bool {
        self.answers.borrow().is_waiting()
            || self.definitions.borrow().is_waiting()
            || self.writes.borrow().is_waiting()
            || self.own.borrow().is_waiting()
    }

    /// Computes what the request waits for. Returns whether there is something.
    pub(crate) fn compute(&self) -> bool {
        let done = [self.work::<Sent>(), self.work::<Writing>(), self.work::<Own>()];
        done.contains(&true)
    }

    /// The answer to a review, and the uid that the review has got. `None` if the webhook must be asked first.
    pub(crate) fn review(&self, endpoint: &Endpoint, review: &Value) -> (String, Option<Outcome>) {
        self.answers.borrow_mut().reviewed(endpoint, review)
    }

    /// The calls to make.
    pub(crate) fn wanted(&self) -> Vec<Wanted> {
        self.answers.borrow_mut().take_wanted()
    }

    /// Makes calls, all at once as far as they do not depend on each other.
    pub(crate) async fn call(&mut self, wanted: Vec<Wanted>) {
        let outcomes = self.caller.clone().call_all(wanted).await;
        self.answers.get_mut().add(outcomes);
    }

    /// Forgets all answers.
    pub(crate) fn forget(&self) {
        self.answers.take();
    }
}
