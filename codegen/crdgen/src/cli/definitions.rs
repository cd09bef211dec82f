//! The definitions in files.

pub(crate) use crdgen_core::documents::{Definitions, Group, is_definition, place};

use super::inputs::Source;
use crate::Error;

/// An error for the first thing in a source that a server rejects: the CRDs were accepted before.
pub(crate) fn expect_accepted(read: &mut Definitions, source: &Source, unions: bool) -> Result<(), Error> {
    match read.rejected(unions) {
        Some(diag) => Err(Error::Document { name: source.name.clone(), diag: Box::new(diag.clone()) }),
        None => Ok(()),
    }
}
