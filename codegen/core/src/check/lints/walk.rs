//! The nodes of a schema that say what there is: properties, items and values of maps.

use crate::ir::{Additional, Items, Schema};
use crate::path::Path;

/// A node and those above it.
pub(super) struct Node<'a> {
    pub(super) schema: &'a Schema,
    /// The name of the property; none for items, values of maps, and the root.
    pub(super) name: Option<&'a str>,
    pub(super) up: Option<&'a Node<'a>>,
}

/// Calls for each node outside of junctors, parents first.
pub(super) fn each_node(schema: &Schema, path: &Path<'_>, call: &mut dyn FnMut(&Node<'_>, &Path<'_>)) {
    visit(&Node { schema, name: None, up: None }, path, call);
}

fn visit(node: &Node<'_>, path: &Path<'_>, call: &mut dyn FnMut(&Node<'_>, &Path<'_>)) {
    call(node, path);
    let schema = node.schema;
    let properties = path.child("properties");
    for (name, property) in schema.properties.iter() {
        let below = Node { schema: property, name: Some(name), up: Some(node) };
        visit(&below, &properties.key(name), call);
    }
    match &schema.items {
        Some(Items::One(item)) => {
            visit(&Node { schema: item, name: None, up: Some(node) }, &path.child("items"), call);
        }
        Some(Items::Many(_)) | None => {}
    }
    match &schema.additional_properties {
        Some(Additional::Schema(value)) => {
            let below = Node { schema: value, name: None, up: Some(node) };
            visit(&below, &path.child("additionalProperties"), call);
        }
        Some(Additional::Allow(_)) | None => {}
    }
}
