//! Whether a schema has the field that a path leads to.

use super::{JsonPath, Node};
use crate::ir::{Additional, Schema, Type};

/// A field that a schema does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent<'s> {
    /// Its name.
    pub name: String,
    /// The path of what should have it; empty for the object itself.
    pub parent: String,
    /// The fields that are there.
    pub known: Vec<&'s str>,
}

impl JsonPath {
    /// The first field on the path that no object of this schema can have. None also if this cannot be known.
    pub fn absent<'s>(&self, schema: &'s Schema) -> Option<Absent<'s>> {
        let [Node::List(nodes)] = self.0.as_slice() else { return None };
        let (mut at, mut parent) = (schema, String::new());
        for node in nodes {
            match node {
                // The path `.` is the object itself.
                Node::Field(name) if name.is_empty() => return None,
                Node::Field(name) => {
                    at = match property(at, name, parent.is_empty())? {
                        Ok(below) => below,
                        Err(known) => return Some(Absent { name: name.clone(), parent, known }),
                    };
                    parent = format!("{parent}.{name}");
                }
                Node::Wildcard | Node::Slice(_) | Node::Filter(_) => {
                    at = at.item()?;
                    parent.push_str("[]");
                }
                _ => return None,
            }
        }
        None
    }
}

/// A field of a schema, or the names of those that it has.
fn property<'s>(schema: &'s Schema, name: &str, is_root: bool) -> Option<Result<&'s Schema, Vec<&'s str>>> {
    // The server knows these without a schema.
    let is_resource = is_root || schema.ext.embedded_resource;
    if is_resource && matches!(name, "apiVersion" | "kind" | "metadata") {
        return None;
    }
    if let Some(property) = schema.properties.get(name) {
        return Some(Ok(property));
    }
    // Below scalars and lists there are no fields.
    let has_none =
        matches!(schema.ty, Some(Type::String | Type::Integer | Type::Number | Type::Boolean | Type::Array));
    if has_none && !schema.ext.int_or_string {
        return Some(Err(Vec::new()));
    }
    match &schema.additional_properties {
        Some(Additional::Schema(schema)) => Some(Ok(schema)),
        Some(Additional::Allow(true)) => None,
        _ if schema.preserves_unknown_fields() || schema.properties.is_empty() => None,
        _ => Some(Err(schema.properties.iter().map(|(name, _)| name).collect())),
    }
}
