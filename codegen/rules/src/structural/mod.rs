//! Structural schemas: whether a schema can be converted to one, and whether it follows the rules for them.
//!
//! The model has one type [`Schema`] for all positions, so nothing is converted here. The walk knows whether it is
//! inside a junctor, where structure is forbidden.

mod completeness;
mod convert;
mod field_path;
mod int_or_string;
mod invariants;
mod junctors;
mod metadata;

pub use convert::{NotStructural, convertible};
pub use field_path::{BadPath, Brackets, FieldPath, field_path};
pub use int_or_string::{is_all_of_form, is_any_of_form};

use crate::diag::Diags;
use crate::ir::{Schema, Type};
use crate::path::Path;
use crate::server::Server;
use crate::walk;

/// The position of a node. Messages and the rules for the root depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

/// Returns the violations of the rules for structural schemas, sorted by their text as the server sorts them. The
/// schema must be [`convertible`].
pub fn validate(path: &Path<'_>, schema: &Schema, server: Server) -> Diags {
    let mut out = Diags::new();
    invariants::check(schema, Level::Root, path, server, &mut out);
    completeness::check(schema, path, &mut out);
    out.sort_by_cached_key(|d| d.text());
    out
}

/// Returns whether a schema is structural.
pub fn is_structural(schema: &Schema, server: Server) -> bool {
    convertible(schema).is_ok() && validate(&Path::ROOT, schema, server).is_empty()
}

/// Whether the structural form of a schema has `example` or `externalDocs`. Before 1.36 the server drops both during
/// the conversion, so forms that allow no other keywords still allow these.
fn keeps_notes(schema: &Schema, server: Server) -> bool {
    (schema.example.is_some() || schema.external_docs.is_some()) && !server.is_before(36)
}

/// Returns whether a schema contains an unknown type anywhere.
pub fn has_invalid_types(schema: &Schema) -> bool {
    walk::any_schema(schema, &mut |s| matches!(s.ty, Some(Type::Other(_))))
}
