//! Required fields that are null: the server first drops them, and then reports that they are missing.

use crate::diag::Diag;
use crate::diag::codes::object::REQUIRED;
use crate::path::Step;
use std::collections::BTreeSet;

/// Explains this in the help of an error about one of these fields.
pub(super) fn explain(diag: &mut Diag, nulls: &BTreeSet<Vec<Step>>) {
    if *diag.code == REQUIRED
        && nulls.contains(&diag.steps)
        && let Some(Step::Key(name)) = diag.steps.last()
    {
        diag.help = Some(format!("the server treats null like a missing field: give `{name}` a value"));
    }
}
