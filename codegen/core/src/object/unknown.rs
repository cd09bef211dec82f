//! Fields that the schema does not know.

use crate::diag::codes::object::UNKNOWN_FIELD;
use crate::diag::{Diag, Level};
use crate::path::{Path, Step};

/// A field that was unknown and dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its path, as the server prints it.
    pub field: String,
    /// The steps to it in the object that was sent.
    pub steps: Vec<Step>,
}

impl Unknown {
    pub(super) fn at(path: &Path<'_>) -> Unknown {
        Unknown { field: path.to_string(), steps: path.steps() }
    }

    /// As a finding: an error if the server validates fields strictly, else a warning.
    pub fn diag(self, level: Level) -> Diag {
        let Unknown { field, steps } = self;
        Diag { field, steps, ..Diag::own(&UNKNOWN_FIELD, level, &Path::ROOT, "unknown field") }
    }
}

/// In the order in which the server reports them.
pub(super) fn sorted(mut all: Vec<Unknown>) -> Vec<Unknown> {
    all.sort_by(|a, b| a.field.cmp(&b.field));
    all
}
