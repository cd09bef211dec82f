//! The places of owned fields in files.

use crdgen_core::apply::library::path::{Path, PathElement};
use crdgen_core::diag::codes::object::OTHER_KIND;
use crdgen_core::diag::{Diag, Level};
use crdgen_core::documents::Manifest;
use crdgen_core::path::{Path as Field, Step};
use crdgen_core::span::Place;
use crdgen_core::value::Value;

/// Returns the steps to what a path names in an object. `None` if it is not there.
pub(super) fn steps(object: &Value, path: &Path) -> Option<Vec<Step>> {
    let mut at = object;
    let mut steps = Vec::with_capacity(path.0.len());
    for element in &path.0 {
        let step = match element {
            PathElement::Field(name) => Step::Key(name.to_string()),
            item => Step::Index(at.as_list()?.iter().position(|it| item.is_of(it))?),
        };
        at = at.at(std::slice::from_ref(&step))?;
        steps.push(step);
    }
    Some(steps)
}

/// The place of a value in the text of an object.
pub(super) fn place(manifest: &Manifest, steps: &[Step]) -> Option<Place> {
    let diag = Diag::own(&OTHER_KIND, Level::Note, &Field::ROOT, String::new());
    manifest.finding(Diag { steps: steps.to_vec(), ..diag }).place
}
