//! How runs end, and the errors that several commands share.

use crate::input;
use crdgen::__cli::files::Shown;
use crdgen::Error;
use crdgen_core::listed;

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

/// The error for paths without a CRD.
pub(crate) fn no_definition(paths: &[String]) -> Error {
    Error::Nothing(format!("no CustomResourceDefinition in {}", input::names(paths)))
}

/// The error for sources without a kind.
pub(crate) fn no_kind(sources: &std::path::Path) -> Error {
    Error::Nothing(format!("no kind in {}: no type derives CustomResource", sources.shown()))
}

/// The error for sources with kinds, but without the wanted one.
pub(crate) fn no_such_kind(wanted: &str, place: &str, known: &[String]) -> Error {
    /// How many kinds are listed at most.
    const NAMED: usize = 20;
    if known.is_empty() {
        return Error::Nothing(format!("no kind {wanted} in {place}"));
    }
    let named = listed::first(known.iter(), NAMED);
    Error::Nothing(format!("no kind {wanted} in {place}; there are: {named}"))
}
