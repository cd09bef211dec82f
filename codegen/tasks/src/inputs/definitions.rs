//! The CRDs in what is read.

use crdgen_core::documents::Definitions;
use crdgen_core::ir::Names;
use crdgen_core::listed;

use super::{HERE, Notes, Source, names, piped};
use crdgen_files::{Error, source};
use std::path::Path;

/// Whether a name is one of a kind: the kind itself, its plural, singular or a short name.
pub fn is_named(own: &Names, name: &str) -> bool {
    let Names { kind, plural, singular, short_names, .. } = own;
    let names = [kind, plural, singular].into_iter().chain(short_names);
    names.into_iter().any(|own| !own.is_empty() && own.eq_ignore_ascii_case(name))
}

/// Returns an error for the first thing in a source that a server rejects, because these CRDs were accepted before. Unions are no
/// error, although servers do not know them.
pub fn expect_accepted(read: &mut Definitions, source: &Source) -> Result<(), Error> {
    read.allow_unions();
    match read.rejected() {
        Some(finding) => Err(Error::document(&source.name, finding.place, finding.diag.clone())),
        None => Ok(()),
    }
}

/// The error for paths without a CRD.
pub fn no_definition(paths: &[String]) -> Error {
    let here = [HERE.to_owned()];
    let is_here = paths.is_empty() && matches!(piped(Notes::default()), Ok(None));
    let read = if is_here { &here } else { paths };
    let has_types =
        |path: &&String| source::is_rust(Path::new(path)) || source::may_have_kinds(Path::new(path));
    let help = read.iter().find(has_types).map(|path| {
        format!(". To use the CRDs of its Rust types, write them with `crdgen emit {path}`, or pipe them in")
    });
    Error::Nothing(format!("no CustomResourceDefinition in {}{}", names(paths), help.unwrap_or_default()))
}

/// The error for inputs with kinds, but without the wanted one.
pub fn no_such_kind(wanted: &str, place: &str, known: &[String]) -> Error {
    /// How many kinds are listed at most.
    const NAMED: usize = 20;
    if known.is_empty() {
        return Error::Nothing(format!("no kind {wanted} in {place}"));
    }
    let named = listed::first(known.iter(), NAMED);
    Error::Nothing(format!("no kind {wanted} in {place}; there are: {named}"))
}
