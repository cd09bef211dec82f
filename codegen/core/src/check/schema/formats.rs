//! Warnings of the server about schemas it accepts: formats that it does not know and therefore does
//! not check, and sets of things that are no scalars.

use super::presence::any_schema;
use crate::go;
use crate::ir::{Schema, Type};
use crate::object::format;
use std::collections::BTreeSet;

pub use crate::object::format::KUBE_DEFAULT;

/// The formats which a server of version 1.`minor` does not know, in the order of the schema.
pub fn unrecognized_formats(schema: &Schema, minor: u32) -> Vec<&str> {
    let mut out = Vec::new();
    any_schema(schema, &mut |s| {
        if !s.limits.format.is_empty() && !format::is_supported(&s.limits.format, s.ty.as_ref(), minor) {
            out.push(s.limits.format.as_str());
        }
        false
    });
    out
}

/// The warnings about sets of objects or arrays, sorted, each once.
pub fn set_warnings<'s>(schemas: impl Iterator<Item = &'s Schema>) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for schema in schemas {
        any_schema(schema, &mut |s| {
            if s.ext.list_type.as_deref() == Some("set")
                && let Some(ty @ (Type::Object | Type::Array)) = s.item().and_then(|i| i.ty.as_ref())
            {
                let ty = go::quote(ty.as_str());
                out.insert(format!(
                    "x-kubernetes-list-type: set for items of type {ty} is not supported by server-side apply or \
                     CEL validation rules"
                ));
            }
            false
        });
    }
    out
}
