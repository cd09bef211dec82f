//! Why a case fails.

use crdgen_kinds::objects::Refusal;
use std::fmt;

/// The reason why an object was not converted.
const NO_WEBHOOK: &str = "a webhook converts objects between the versions of this kind, and crdgen does not call it. To test what your \
                          Rust types declare, pass their package with --types";

/// The keys of expectations.
pub(super) const EXPECTED: &str = "expected";
pub(super) const ERROR: &str = "expectedError";
pub(super) const STATUS_ERROR: &str = "expectedStatusError";
pub(super) const WARNINGS: &str = "expectedWarnings";
pub(super) const PRUNED: &str = "expectedPruned";
pub(super) const COLUMNS: &str = "expectedColumns";

/// The reason why a case failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The expected and the actual result.
    pub why: String,
    /// The expectation with which the case would pass: a key of the case, and its value. Lists and columns are JSON.
    pub actual: Option<(&'static str, String)>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl From<Refusal> for Failure {
    fn from(why: Refusal) -> Failure {
        match why {
            Refusal::Conversion(_) => NO_WEBHOOK.to_owned().into(),
            why => why.to_string().into(),
        }
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Failure {
        Failure { why, actual: None }
    }
}
