//! When an answer is of no use any more. The client then has an error already, so the work must end.

use super::NoReview;
use std::time::Instant;

/// The time until which an answer is useful.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until(Option<Instant>);

impl Until {
    pub(super) const NEVER: Until = Until(None);

    #[cfg(feature = "serve")]
    pub(super) fn at(time: Option<Instant>) -> Until {
        Until(time)
    }

    pub(super) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    pub(super) fn check(self) -> Result<(), NoReview> {
        if self.is_over() { Err(NoReview::other("the review takes too long")) } else { Ok(()) }
    }
}
