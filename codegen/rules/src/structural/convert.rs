//! Keywords that structural schemas do not have.

use crate::ir::{Additional, Foreign, Items, Junctors, Schema};
use std::fmt;

/// Why a schema cannot be converted to a structural one. [`Display`](fmt::Display) writes the server's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotStructural {
    /// A keyword that structural schemas do not have.
    Keyword(&'static str),
    /// The schema contains `x-kubernetes-preserve-unknown-fields: false`.
    PreserveFalse,
    /// The value of `items` is a list of schemas.
    ItemsList,
}

impl fmt::Display for NotStructural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotStructural::Keyword(keyword) => write!(f, "OpenAPIV3Schema '{keyword}' is not supported"),
            NotStructural::PreserveFalse => f.write_str(
                "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined",
            ),
            NotStructural::ItemsList => {
                f.write_str("OpenAPIV3Schema 'items' must be a schema, but is an array")
            }
        }
    }
}

/// Checks whether a schema can be converted to a structural one.
pub fn convertible(schema: &Schema) -> Result<(), NotStructural> {
    let Schema {
        items,
        properties,
        additional_properties,
        ext,
        limits,
        foreign, // only the fields above can prevent the conversion
        ty: _,
        nullable: _,
        title: _,
        description: _,
        default: _,
        example: _,
        external_docs: _,
        rules: _,
        empty: _,
    } = schema;
    if let Some(keyword) = foreign.as_deref().and_then(unsupported) {
        return Err(NotStructural::Keyword(keyword));
    }
    let Junctors { all_of, any_of, one_of, not } = limits.junctors();
    not.into_iter().chain(all_of).chain(any_of).chain(one_of).try_for_each(convertible)?;
    if ext.preserve_unknown_fields == Some(false) {
        return Err(NotStructural::PreserveFalse);
    }
    match items {
        Some(Items::One(item)) => convertible(item)?,
        Some(Items::Many(all)) if !all.is_empty() => {
            return Err(NotStructural::ItemsList);
        }
        Some(Items::Many(_)) | None => {}
    }
    properties.values().try_for_each(convertible)?;
    match additional_properties {
        Some(Additional::Schema(s)) => convertible(s),
        Some(Additional::Allow(_)) | None => Ok(()),
    }
}

fn unsupported(foreign: &Foreign) -> Option<&'static str> {
    let Foreign { id, schema, reference, pattern_properties, dependencies, additional_items, definitions } =
        foreign;
    [
        (!id.is_empty(), "id"),
        (!schema.is_empty(), "schema"),
        (reference.as_ref().is_some_and(|r| !r.is_empty()), "$ref"),
        (!pattern_properties.is_empty(), "patternProperties"),
        (!dependencies.is_empty(), "dependencies"),
        (additional_items.is_some(), "additionalItems"),
        (!definitions.is_empty(), "definitions"),
    ]
    .into_iter()
    .find_map(|(there, keyword)| there.then_some(keyword))
}
