//! Required fields that are null: the server first drops them, and then reports that they are missing.

use crate::diag::Diag;
use crate::diag::codes::object::REQUIRED;
use crate::path::Step;
use std::collections::BTreeSet;

/// The field that generators leave empty.
const SPEC: &str = "spec";

/// Explains this in the help of an error about one of these fields.
pub(super) fn explain(diag: &mut Diag, nulls: &BTreeSet<Vec<Step>>) {
    if *diag.code == REQUIRED
        && nulls.contains(&diag.steps)
        && let Some(Step::Key(name)) = diag.steps.last()
    {
        let mut help = format!("the server treats null like a missing field: give `{name}` a value");
        if diag.steps.len() == 1 && name == SPEC {
            help.push_str(". Samples that generators write have an empty `spec:`, for you to fill in: add fields, or write `spec: {}` if no field is required");
        }
        diag.help = Some(help);
    }
}
