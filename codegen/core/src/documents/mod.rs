//! Definitions and objects in texts: each as somebody wrote it, and what is wrong with it at its place.

mod definitions;
mod expression;
mod finding;
mod group;
mod keys;
mod objects;

pub use definitions::{Definition, Definitions, Named};
pub use expression::of_expression;
pub use finding::Finding;
pub use group::{Group, Part, groups};
pub use objects::{Manifest, objects};

use crate::diag::{Diag, codes};
use crate::path::Step;
use crate::span::{Locate, Place};
use crate::value::Value;
use crate::yaml::Document;

/// The place of a diagnostic about what the steps lead to.
pub fn place(document: &Document, steps: &[Step], diag: &Diag) -> Option<Place> {
    // An unknown field is wrong itself, whatever its value.
    if *diag.code == codes::crd::UNKNOWN_FIELD || *diag.code == codes::object::UNKNOWN_FIELD {
        return document.locate_key(steps);
    }
    let inside = diag.inside.clone().and_then(|range| document.locate_inside(steps, range));
    inside.or_else(|| document.locate(steps))
}

/// A diagnostic about an object that some steps lead to, at its place.
pub fn finding(
    document: &Document,
    to_object: &[Step],
    object: String,
    in_crd: bool,
    mut diag: Diag,
) -> Finding {
    let steps: Vec<Step> = to_object.iter().chain(&diag.steps).cloned().collect();
    keys::explain(document, &steps, in_crd, &mut diag);
    Finding { object, place: place(document, &steps, &diag), diag }
}

/// Whether it is a CRD, as far as it says.
pub fn is_definition(value: &Value) -> bool {
    value.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition")
}
