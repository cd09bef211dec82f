//! The constraints that a schema may have for the metadata of a resource: only for its name and generateName, at the
//! root.

use super::{Level, keeps_notes};
use crate::diag::codes::schema as codes;
use crate::diag::{Diag, Diags};
use crate::ir::{Additional, Extensions, Items, Keyword, Schema, SchemaOf, Type};
use crate::path::Path;
use crate::server::Server;

/// Checks `properties.metadata` of a schema.
pub(super) fn check(
    metadata: &Schema,
    around: (SchemaOf, Level),
    path: &Path<'_>,
    server: Server,
    out: &mut Diags,
) {
    let (of, level) = around;
    if of.is_resource() && metadata.ty != Some(Type::Object) {
        out.push(
            Diag::invalid(&codes::META_TYPE, &path.child("type"), metadata.type_name(), "must be object")
                .help("write `type: object`"),
        );
    }
    if level == Level::Root && says_more_than_names(metadata, server) {
        out.push(
            Diag::forbidden(
                &codes::METADATA_RESTRICTED,
                path,
                "must not specify anything other than name and generateName, but metadata is implicitly specified",
            )
            .help("keep `type: object` and, if names are restricted, `properties.name` and `properties.generateName`"),
        );
    }
}

fn says_more_than_names(metadata: &Schema, server: Server) -> bool {
    let Schema {
        nullable,
        title,
        description,
        example: _,       // see `keeps_notes`
        external_docs: _, // see `keeps_notes`
        properties,
        items,
        additional_properties,
        ext,
        rules,
        limits,
        ty: _,
        default: _, // checked elsewhere
        foreign: _, // rejected before
        empty,
    } = metadata;
    let names = properties.keys().filter(|k| matches!(*k, "name" | "generateName")).count();
    // The server's structural form keeps these even if they are empty.
    const LISTS: &[Keyword] = &[Keyword::Required, Keyword::ListMapKeys, Keyword::Validations];
    *nullable
        || LISTS.iter().any(|keyword| empty.has(*keyword))
        || !title.is_empty()
        || !description.is_empty()
        || keeps_notes(metadata, server)
        || properties.len() != names
        || match items {
            Some(Items::One(_)) => true,
            Some(Items::Many(all)) => !all.is_empty(),
            None => false,
        }
        || match additional_properties {
            Some(Additional::Allow(_) | Additional::Schema(_)) => true,
            None => false,
        }
        || *ext != Extensions::default()
        || !rules.is_empty()
        || *limits != Default::default()
}
