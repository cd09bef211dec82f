//! Fields that the schema does not list.

use crate::diag::codes::object::UNKNOWN_FIELD;
use crate::diag::{Diag, Level};
use crate::nearest::did_you_mean;
use crate::path::{Path, Step};

/// How many fields of an object get a suggestion, and from how many names. More suggestions do not help, and would take
/// long.
const MOST_FIELDS: usize = 20;
const MOST_NAMES: usize = 500;

/// Who decides which fields there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// The schema of a CRD.
    Crd,
    /// Kubernetes: metadata, and its own kinds.
    Kubernetes,
}

impl Owner {
    fn help(self) -> &'static str {
        match self {
            Owner::Crd => "remove it, or add it to the schema of the CRD",
            Owner::Kubernetes => "remove it. Kubernetes does not have this field here",
        }
    }
}

/// An unknown field that was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The path of the field, as the server prints it.
    pub field: String,
    /// The steps to the field in the object that was sent.
    pub steps: Vec<Step>,
    /// The known names that are most similar, or other help.
    pub help: Option<String>,
}

impl Unknown {
    /// The unknown field `name` of the value at the path. `known` are the fields that the value may have, and `others`
    /// were found before.
    pub(super) fn new<'a>(
        path: &Path<'_>,
        name: &str,
        owner: Owner,
        known: impl Iterator<Item = &'a str>,
        others: usize,
    ) -> Unknown {
        let at = path.child(name);
        let near = if others < MOST_FIELDS { did_you_mean(name, known.take(MOST_NAMES)) } else { None };
        let help = Some(near.unwrap_or_else(|| owner.help().to_owned()));
        Unknown { field: at.to_string(), steps: at.steps(), help }
    }

    /// Converts the field to a diagnostic. The level is an error if the server validates fields strictly, otherwise a
    /// warning.
    pub fn diag(self, level: Level) -> Diag {
        let Unknown { field, steps, help } = self;
        Diag { field, steps, help, ..Diag::own(&UNKNOWN_FIELD, level, &Path::ROOT, "unknown field") }
    }
}

/// Sorts the fields in the order in which the server reports them.
pub(super) fn sorted(mut all: Vec<Unknown>) -> Vec<Unknown> {
    all.sort_by(|a, b| a.field.cmp(&b.field));
    all
}
