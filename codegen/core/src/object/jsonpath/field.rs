//! Whether a schema has the field at the end of a path.

use super::super::metadata;
use super::{Filter, JsonPath, PathNode};
use crate::ir::{Additional, Schema, SchemaOf, Type};

/// A field that a schema does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent<'s> {
    /// The name of the field.
    pub name: String,
    /// The path of the parent, which should have the field. Empty for the object itself.
    pub parent: String,
    /// Whether the path looks for the field anywhere inside of the parent: `..name`.
    pub is_deep: bool,
    /// The names of the fields that the parent has.
    pub known: Vec<&'s str>,
}

impl JsonPath {
    /// Returns the first field on the path that no object of this schema can have. `None` if there is no such field,
    /// or if that cannot be determined.
    pub fn absent<'s>(&self, schema: &'s Schema) -> Option<Absent<'s>> {
        let [PathNode::List(nodes)] = self.0.as_slice() else { return None };
        absent(nodes, schema, String::new())
    }
}

fn absent<'s>(nodes: &[PathNode], schema: &'s Schema, parent: String) -> Option<Absent<'s>> {
    let (mut at, mut parent) = (schema, parent);
    let mut nodes = nodes.iter();
    while let Some(node) = nodes.next() {
        match node {
            // The path `.` is the object itself.
            PathNode::Field(name) if name.is_empty() => return None,
            PathNode::Field(name) => {
                at = match property(at, name, SchemaOf::resource_if(parent.is_empty()))? {
                    Ok(below) => below,
                    Err(known) => {
                        return Some(Absent { name: name.clone(), parent, is_deep: false, known });
                    }
                };
                parent = format!("{parent}.{name}");
            }
            PathNode::Wildcard | PathNode::Slice(_) => {
                at = at.item()?;
                parent.push_str("[]");
            }
            PathNode::Filter(Filter { left, right, .. }) => {
                at = at.item()?;
                parent.push_str("[]");
                // A filter that reads an absent field matches nothing.
                for side in [left, right] {
                    if let Some(absent) = absent(side, at, parent.clone()) {
                        return Some(absent);
                    }
                }
            }
            PathNode::Recursive => {
                let Some(PathNode::Field(name)) =
                    nodes.next().filter(|node| **node != PathNode::Field(String::new()))
                else {
                    return None;
                };
                let mut known = Vec::new();
                let is_absent = !may_have(at, name, SchemaOf::resource_if(parent.is_empty()), &mut known);
                return is_absent.then(|| Absent { name: name.clone(), parent, is_deep: true, known });
            }
            _ => return None,
        }
    }
    None
}

/// Whether a schema may have a field with this name anywhere. If not, all names of fields are collected.
fn may_have<'s>(schema: &'s Schema, name: &str, of: SchemaOf, known: &mut Vec<&'s str>) -> bool {
    match property(schema, name, of) {
        None | Some(Ok(_)) => return true,
        Some(Err(names)) => known.extend(names),
    }
    let is_resource = of.or_nested(schema).is_resource();
    let below = schema.properties.values().chain(schema.item()).chain(schema.value());
    let metadata = is_resource.then(metadata::schema);
    below.chain(metadata).any(|below| may_have(below, name, SchemaOf::Value, known))
}

/// A property of a schema. If it does not exist, the names of those that do.
fn property<'s>(schema: &'s Schema, name: &str, of: SchemaOf) -> Option<Result<&'s Schema, Vec<&'s str>>> {
    // The server knows these even if the schema does not list them.
    let is_resource = of.or_nested(schema).is_resource();
    if is_resource && name == "metadata" {
        return Some(Ok(metadata::schema()));
    }
    if is_resource && matches!(name, "apiVersion" | "kind") {
        return None;
    }
    if let Some(property) = schema.properties.get(name) {
        return Some(Ok(property));
    }
    // Scalars and lists have no fields.
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
