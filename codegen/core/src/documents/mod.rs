//! CRDs and objects in texts, as their authors wrote them, with diagnostics at their places.

mod binary;
mod definitions;
mod edit;
mod exceptions;
mod expression;
mod group;
mod keys;
mod objects;

pub use crate::finding::{Finding, fingerprint};
pub use definitions::{Definition, Definitions, Named};
pub use edit::{Fixed, end_of_lines, fixed};
pub use exceptions::{Comment, Day, Exception, exceptions};
pub use expression::of_expression;
pub use group::{Group, Part, groups};
pub use objects::{Manifest, objects};

use crate::diag::{BadValue, Code, Diag, codes};
use crate::path::Step;
use crate::span::{Locate, Place};
use crate::value::Value;
use crate::yaml::Document;

/// Returns the place of a diagnostic about the value at the end of the steps.
pub fn place(document: &Document, steps: &[Step], diag: &Diag) -> Option<Place> {
    if is_about_key(steps, diag) {
        return document.locate_key(steps);
    }
    let inside = diag.inside.clone().and_then(|range| document.locate_inside(steps, range));
    inside.or_else(|| document.locate(steps))
}

/// Whether the diagnostic is about the key and not its value: an unknown field, or the name of a label or annotation.
fn is_about_key(steps: &[Step], diag: &Diag) -> bool {
    let is = |code: &Code| *diag.code == *code;
    let is_name = || match (steps.last(), &diag.bad) {
        (Some(Step::Key(key)), Some(BadValue::Plain(Value::Str(bad)))) => key.eq_ignore_ascii_case(bad),
        _ => false,
    };
    is(&codes::crd::UNKNOWN_FIELD)
        || is(&codes::object::UNKNOWN_FIELD)
        || (is(&codes::crd::LABEL) || is(&codes::crd::ANNOTATION)) && is_name()
}

/// Returns the finding for a diagnostic. `to_object` are the steps to the object that the diagnostic is about.
pub fn finding(
    document: &Document,
    to_object: &[Step],
    object: String,
    in_crd: bool,
    mut diag: Diag,
) -> Finding {
    let steps: Vec<Step> = to_object.iter().chain(&diag.steps).cloned().collect();
    keys::explain(document, &steps, in_crd, &mut diag);
    Finding { place: place(document, &steps, &diag), ..Finding::new(object, None, diag) }
}

/// Returns whether a value is a part of a CRD: it has a name, but nothing that identifies a kind. No server can create it, so
/// it is a patch for a CRD.
pub fn is_part_of_definition(value: &Value) -> bool {
    let has_name = || value.get("metadata")?.get("name")?.as_str().filter(|name| !name.is_empty());
    let spec = value.get("spec");
    let is_empty = |key: &&str| spec.and_then(|spec| spec.get(key)).is_none();
    is_definition(value)
        && has_name().is_some()
        && spec.is_none_or(|spec| spec.as_map().is_some())
        && ["group", "names", "scope"].iter().all(is_empty)
}

/// Returns whether the value has the kind of a CRD.
pub fn is_definition(value: &Value) -> bool {
    value.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition")
}

/// The name of an object. Empty if it has none.
fn name_of(value: &Value) -> &str {
    value.get("metadata").and_then(|metadata| metadata.get("name")?.as_str()).unwrap_or_default()
}
