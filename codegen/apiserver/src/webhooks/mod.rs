//! Webhooks: which calls a request needs, and how they are made.
//!
//! Requests run under one lock, and a call may take long. So a request asks for the answers of webhooks that it needs, and ends
//! without having changed anything if one is missing. Then the calls are made without the lock, and the request runs once more
//! from its start, on the state of then. If an object has changed meanwhile, the review differs, and the webhook is called again.
//! CRDs are checked in the same way (`definitions`).

mod answers;
mod body;
mod caller;
mod conversion;
mod definitions;
mod endpoint;
mod failure;
#[cfg(feature = "http")]
mod https;
mod reviewer;

pub(crate) use answers::{Outcome, Wanted, waiting};
pub(crate) use caller::Caller;
pub(crate) use conversion::unreadable;
pub(crate) use definitions::Checked;
pub(crate) use endpoint::Endpoint;
pub use reviewer::Reviewer;

use answers::Answers;
use crdgen_core::value::Value;
use definitions::Checks;
use std::cell::RefCell;
use std::sync::Arc;

/// What a request has asked webhooks, and their answers.
#[derive(Debug, Default)]
pub(crate) struct Hooks {
    answers: RefCell<Answers>,
    checks: RefCell<Checks>,
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
        self.answers.borrow().is_waiting() || self.checks.borrow().is_waiting()
    }

    /// What the server makes of a CRD that replaces `live`. `None` if it must be checked first.
    pub(crate) fn checked(&self, object: &Value, live: Option<&Value>) -> Option<Arc<Checked>> {
        self.checks.borrow_mut().checked(object, live)
    }

    /// Checks the CRD that the request waits for. Returns whether there is one.
    pub(crate) fn check(&self) -> bool {
        self.checks.borrow_mut().check()
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
