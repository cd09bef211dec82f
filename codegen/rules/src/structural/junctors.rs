//! Checks schemas inside `allOf`, `anyOf`, `oneOf` and `not`, which only restrict values and define no structure.

use crate::diag::codes::schema as codes;
use crate::diag::{Diag, Diags};
use crate::go::regexp;
use crate::ir::{Additional, Extensions, Junctors, Limits, Schema};
use crate::path::Path;

/// The junctors that are skipped, because they are one of the two forms of int-or-string.
#[derive(Clone, Copy, Default)]
pub(super) struct Skip {
    pub any_of: bool,
    pub first_all_of: bool,
}

/// Checks the junctors of a node, and its pattern.
pub(super) fn limits(limits: &Limits, skip: Skip, path: &Path<'_>, out: &mut Diags) {
    let branches = |name: &'static str, all: &[Schema], first: Skip, out: &mut Diags| {
        let path = path.child(name);
        for (i, branch) in all.iter().enumerate() {
            let skip = if i == 0 { first } else { Skip::default() };
            nested(branch, skip, &path.index(i), out);
        }
    };
    let Junctors { all_of, any_of, one_of, not } = limits.junctors();
    if !skip.any_of {
        branches("anyOf", any_of, Skip::default(), out);
    }
    branches("allOf", all_of, Skip { any_of: skip.first_all_of, first_all_of: false }, out);
    branches("oneOf", one_of, Skip::default(), out);
    if let Some(not) = not {
        nested(not, Skip::default(), &path.child("not"), out);
    }
    if !limits.pattern.is_empty()
        && let Err(error) = regexp::validate(&limits.pattern)
    {
        out.push(
            Diag::invalid(
                &codes::PATTERN,
                &path.child("pattern"),
                limits.pattern.as_str(),
                format!("must be a valid regular expression, but isn't: {error}"),
            )
            .help("patterns follow Go's regexp syntax (RE2), without look-around and back-references"),
        );
    }
}

fn nested(schema: &Schema, skip: Skip, path: &Path<'_>, out: &mut Diags) {
    let Schema {
        ty,
        nullable,
        title,
        description,
        default,
        properties,
        items: _,
        additional_properties,
        ext,
        rules,
        limits: own,
        example: _,
        external_docs: _, // the server does not check it
        foreign: _,       // rejected before
        empty: _,
    } = schema;
    limits(own, skip, path, out);
    if let Some(item) = schema.item() {
        nested(item, Skip::default(), &path.child("items"), out);
    }
    let under = path.child("properties");
    for (name, property) in properties.iter() {
        nested(property, Skip::default(), &under.key(name), out);
    }
    let Extensions {
        preserve_unknown_fields,
        embedded_resource,
        int_or_string,
        list_type,
        list_map_keys,
        map_type,
        unions: _, // the server does not know it
    } = ext;
    let says_additional = match additional_properties {
        Some(Additional::Schema(_) | Additional::Allow(true)) => true,
        Some(Additional::Allow(false)) | None => false,
    };
    let forbidden = [
        (ty.is_some(), "type", "must be empty to be structural"),
        (says_additional, "additionalProperties", "must be undefined to be structural"),
        (default.is_some(), "default", "must be undefined to be structural"),
        (!title.is_empty(), "title", "must be empty to be structural"),
        (!description.is_empty(), "description", "must be empty to be structural"),
        (*nullable, "nullable", "must be false to be structural"),
        (
            *preserve_unknown_fields == Some(true),
            "x-kubernetes-preserve-unknown-fields",
            "must be false to be structural",
        ),
        (*embedded_resource, "x-kubernetes-embedded-resource", "must be false to be structural"),
        (*int_or_string, "x-kubernetes-int-or-string", "must be false to be structural"),
        (!list_map_keys.is_empty(), "x-kubernetes-list-map-keys", "must be empty to be structural"),
        (list_type.is_some(), "x-kubernetes-list-type", "must be undefined to be structural"),
        (map_type.is_some(), "x-kubernetes-map-type", "must be undefined to be structural"),
        (!rules.is_empty(), "x-kubernetes-validations", "must be empty to be structural"),
    ];
    for (_, name, detail) in forbidden.into_iter().filter(|(there, ..)| *there) {
        out.push(
            Diag::forbidden(&codes::JUNCTOR_KEYWORD, &path.child(name), detail)
                .help(format!("move `{name}` to the same field outside of allOf, anyOf, oneOf and not")),
        );
    }
    if properties.contains_key("metadata") {
        out.push(
            Diag::forbidden(
                &codes::METADATA_RESTRICTED,
                &under.key("metadata"),
                "must not be specified in a nested context",
            )
            .help("remove metadata from allOf, anyOf, oneOf and not"),
        );
    }
}
