//! What the API server would answer when objects are written: what `crdgen validate` decides.
//!
//! [`ObjectChecker`] checks objects against the CRDs that [`Kinds`](crate::kinds::Kinds) has found, as updates of those in [`Olds`].
//!
//! **Unstable**: any release may change what is in this module.

mod because;
mod builtin;
mod checker;
mod identity;
mod of_cluster;
mod old;
mod policies;
mod repeated;
mod result;
mod tally;

pub use checker::{CheckOptions, CheckedObject, ObjectChecker, Validity};
pub use identity::Identity;
pub use old::Olds;
pub use policies::Policies;
pub use repeated::Repeated;
pub use result::{WriteChange, WriteResult};
pub use tally::Tally;

use glob::Pattern;

use crate::inputs;

/// A part of an object that is written alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subresource {
    /// The status: an update of the old object, or the first status if there is none.
    Status,
    /// The number of replicas in the object.
    Scale,
}

/// How to treat unknown and duplicate fields, as kubectl's `--validate`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FieldValidation {
    /// As errors.
    #[default]
    Strict,
    /// As warnings.
    Warn,
    /// Accept them silently.
    Ignore,
}

/// How to report something that may be a mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Severity {
    /// As errors.
    Error,
    /// As warnings.
    #[default]
    Warn,
    /// Only count them.
    Ignore,
}

/// How to report objects whose kind has no CRD, by group.
#[derive(Clone, Default)]
pub struct Missings {
    /// The first group that matches decides.
    pub of_groups: Vec<(Pattern, Severity)>,
    /// For all other groups.
    pub others: Severity,
}

impl Missings {
    fn of(&self, group: &str, kind: &str) -> Severity {
        let found = self.of_groups.iter().find(|(pattern, _)| inputs::is_for(pattern, group, kind));
        found.map_or(self.others, |(_, how)| *how)
    }
}
