//! What the observer of a webhook gets: enough for metrics, traces and logs.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A request that was answered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answered {
    /// The kind of the review: `ConversionReview` or `AdmissionReview`. Empty if the request is not a review.
    pub review: String,
    /// The status of the response.
    pub status: u16,
    /// The length of the request's body.
    pub request_bytes: usize,
    /// The length of the response's body.
    pub response_bytes: usize,
    /// The time from the head of the request to the answer.
    pub elapsed: Duration,
    /// The error, if the answer is not a review.
    pub error: Option<String>,
}

/// The function that is called for each of them.
#[derive(Clone)]
pub(super) struct Observer(pub(super) Arc<dyn Fn(&Answered) + Send + Sync>);

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}
