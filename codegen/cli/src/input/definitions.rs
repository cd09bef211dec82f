//! The definitions in files.

pub(crate) use crdgen_core::documents::{Definitions, Group, Named, is_definition};

use crate::input::Source;
use crdgen::__cli::error;
use crdgen::Error;
use crdgen_core::diag::Diag;
use crdgen_core::ir::Names;
use crdgen_core::span::Place;

/// Whether a name is one of a kind: the kind itself, its plural, singular or a short name.
pub(crate) fn is_named(own: &Names, name: &str) -> bool {
    let Names { kind, plural, singular, short_names, .. } = own;
    let names = [kind, plural, singular].into_iter().chain(short_names);
    names.into_iter().any(|own| !own.is_empty() && own.eq_ignore_ascii_case(name))
}

/// Returns an error for the first thing in a source that a server rejects, because these CRDs were accepted before.
pub(crate) fn expect_accepted(read: &mut Definitions, source: &Source, unions: bool) -> Result<(), Error> {
    match read.rejected(unions) {
        Some(finding) => Err(broken(&source.name, finding.place, finding.diag.clone())),
        None => Ok(()),
    }
}

/// The error for a diagnostic of a text.
pub(crate) fn broken(name: &str, place: Option<Place>, diag: Diag) -> Error {
    Error::Document { name: format!("{name}{}", error::at(place)), diag: Box::new(diag) }
}
