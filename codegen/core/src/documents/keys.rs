//! Keys without quotes that YAML reads as booleans or numbers: a field that is written `on` is called `true`.

use crate::check::lints::Lints;
use crate::diag::{Diag, codes};
use crate::path::Step;
use crate::yaml::Document;
use crate::yaml::resolve::{Scalar, plain};

/// Adds help to a diagnostic if a key on its path needs quotes. `in_crd` means that the document is a CRD.
pub(super) fn explain(document: &Document, steps: &[Step], in_crd: bool, diag: &mut Diag) {
    // A lint reports such keys already.
    if Lints::known().any(|code| code == diag.code) {
        return;
    }
    let Some((key, written)) = misread(document, steps) else {
        return explain_missing(document, steps, diag);
    };
    let quotes = quotes(written, &key);
    let is_unknown = *diag.code == codes::crd::UNKNOWN_FIELD || *diag.code == codes::object::UNKNOWN_FIELD;
    diag.help = Some(match diag.help.take() {
        _ if is_unknown && steps.last() == Some(&Step::Key(key)) => quotes,
        // In the schema, the field has the name that YAML reads.
        help => {
            let there = if in_crd { "" } else { " (in the CRD too, if it has this field)" };
            help.map_or_else(String::new, |help| help + "\n") + &quotes + there
        }
    });
}

/// The same for a required field that is missing because YAML reads its key as another value.
fn explain_missing(document: &Document, steps: &[Step], diag: &mut Diag) {
    let Some((Step::Key(name), above)) = steps.split_last().filter(|_| *diag.code == codes::object::REQUIRED)
    else {
        return;
    };
    let Scalar::Bool(read) = plain(name) else { return };
    let read = read.to_string();
    let other: Vec<Step> = above.iter().cloned().chain([Step::Key(read.clone())]).collect();
    if let Some(written) = document.key_as_written(&other).filter(|written| written == name) {
        diag.help = Some(quotes(written, &read));
    }
}

/// The last key on the path that YAML does not read as a string, with its spelling in the document.
fn misread<'d>(document: &'d Document, steps: &[Step]) -> Option<(String, &'d str)> {
    (0..steps.len()).rev().find_map(|at| match &steps[at] {
        // Without quotes, such a key reads back as the same value.
        Step::Key(name) if plain(name) != Scalar::Str => {
            Some((name.clone(), document.key_as_written(&steps[..=at])?))
        }
        Step::Key(_) | Step::Index(_) => None,
    })
}

fn quotes(written: &str, key: &str) -> String {
    format!("YAML reads the key `{written}` as `{key}`: put it in quotes")
}
