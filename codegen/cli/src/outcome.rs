//! How runs end, and the errors that several commands share.

pub(crate) use crdgen_tasks::inputs::{no_definition, no_such_kind};
pub(crate) use crdgen_tasks::rust_types::no_kind;

/// How a run ended that was able to do its task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// There was nothing to report.
    #[default]
    Fine,
    /// There are findings that fail the run.
    Findings,
    /// There are errors in what the user asks about, which is not the same as a negative answer.
    Errors,
}

impl Outcome {
    /// The outcome of two parts of a run.
    pub(crate) fn and(self, other: Outcome) -> Outcome {
        if self == Outcome::Fine { other } else { self }
    }
}
