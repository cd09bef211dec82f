//! The two forms in which `type` is allowed inside a junctor: an `anyOf` of integer and string, alone or as the first
//! schema of an `allOf`.

use super::keeps_notes;
use crate::ir::{Additional, Extensions, Items, Keyword, Schema, Type};
use crate::server::Server;

/// Returns whether a schema has the form `anyOf: [{type: integer}, {type: string}]`.
pub fn is_any_of_form(schema: &Schema, server: Server) -> bool {
    is_pair(&schema.limits.any_of, server)
}

/// Returns whether a schema has the form `allOf: [{anyOf: [{type: integer}, {type: string}]}, …]`.
pub fn is_all_of_form(schema: &Schema, server: Server) -> bool {
    schema.limits.all_of.first().is_some_and(|first| is_pair(&first.limits.any_of, server))
}

fn is_pair(any_of: &[Schema], server: Server) -> bool {
    let has_only = |schema, ty| has_only_type(schema, Some(&ty), server);
    matches!(any_of, [a, b] if has_only(a, Type::Integer) && has_only(b, Type::String))
}

/// Whether a node only has the type `wanted`, and no other keyword that a structural schema keeps.
pub(super) fn has_only_type(schema: &Schema, wanted: Option<&Type>, server: Server) -> bool {
    let Schema {
        ty,
        nullable,
        title,
        description,
        default,
        example: _,       // see `keeps_notes`
        external_docs: _, // see `keeps_notes`
        properties,
        items,
        additional_properties,
        ext,
        rules,
        limits,
        foreign: _, // rejected before
        empty,
    } = schema;
    // The server's structural form keeps these even if they are empty.
    const LISTS_AND_MAPS: &[Keyword] =
        &[Keyword::Properties, Keyword::Required, Keyword::ListMapKeys, Keyword::Validations];
    ty.as_ref() == wanted
        && !LISTS_AND_MAPS.iter().any(|keyword| empty.has(*keyword))
        && !nullable
        && title.is_empty()
        && description.is_empty()
        && default.is_none()
        && !keeps_notes(schema, server)
        && properties.is_empty()
        && match items {
            Some(Items::Many(all)) => all.is_empty(),
            Some(Items::One(_)) => false,
            None => true,
        }
        // Inside a junctor, the server's structural form does not keep `false`.
        && matches!(additional_properties, None | Some(Additional::Allow(false)))
        && *ext == Extensions::default()
        && rules.is_empty()
        && *limits == Default::default()
}
