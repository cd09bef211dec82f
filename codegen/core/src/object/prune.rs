//! Pruning: fields that the schema does not know are dropped, but for those of resources' metadata
//! and where the schema keeps unknown fields.

use crate::ir::{Additional, Schema};
use crate::value::Value;
use std::fmt::Write;

/// Drops unknown fields and gives their paths, sorted. A resource's apiVersion, kind and metadata
/// stay; `is_resource` says whether the value is one even if its schema does not.
pub fn prune(value: &mut Value, schema: Option<&Schema>, is_resource: bool) -> Vec<String> {
    let mut walk = Walk { path: String::new(), unknown: Vec::new(), dropped: false };
    walk.known(value, Node { schema, is_resource: is_resource || is_embedded(schema) });
    walk.unknown.sort();
    walk.unknown
}

/// Whether pruning would drop something.
pub fn has_unknown_fields(value: &Value, schema: Option<&Schema>, is_resource: bool) -> bool {
    let mut copy = value.clone();
    let mut walk = Walk { path: String::new(), unknown: Vec::new(), dropped: false };
    walk.known(&mut copy, Node { schema, is_resource: is_resource || is_embedded(schema) });
    walk.dropped
}

/// A resource's own fields.
pub(crate) fn is_meta(name: &str) -> bool {
    matches!(name, "apiVersion" | "kind" | "metadata")
}

fn is_embedded(schema: Option<&Schema>) -> bool {
    schema.is_some_and(|s| s.ext.embedded_resource)
}

#[derive(Clone, Copy)]
struct Node<'s> {
    schema: Option<&'s Schema>,
    is_resource: bool,
}

impl<'s> Node<'s> {
    fn of(schema: Option<&'s Schema>) -> Node<'s> {
        Node { schema, is_resource: is_embedded(schema) }
    }

    fn item(self) -> Node<'s> {
        Node::of(self.schema.and_then(Schema::item))
    }

    /// What is known about a member; none if it is not. Values of a map without a schema are known,
    /// but nothing in them.
    fn member(self, name: &str) -> Option<Node<'s>> {
        let schema = self.schema?;
        if let Some(property) = schema.properties.get(name) {
            return Some(Node::of(Some(property)));
        }
        match &schema.additional_properties {
            Some(Additional::Schema(value)) => Some(Node::of(Some(value))),
            Some(Additional::Allow(_)) => Some(Node::of(None)),
            None => None,
        }
    }
}

struct Walk {
    path: String,
    unknown: Vec<String>,
    dropped: bool,
}

impl Walk {
    fn known(&mut self, value: &mut Value, node: Node<'_>) {
        if node.schema.is_some_and(Schema::preserves_unknown_fields) {
            self.preserved(value, node);
            return;
        }
        match value {
            Value::Map(map) => map.retain(|name, value| {
                if node.is_resource && is_meta(name) {
                    return true;
                }
                match node.member(name) {
                    Some(member) => {
                        self.at_member(name, |walk| walk.known(value, member));
                        true
                    }
                    None => {
                        // The server's own fields at the root are not unknown.
                        if node.schema.is_none() || !is_meta(name) || !self.path.is_empty() {
                            self.at_member(name, |walk| walk.unknown.push(walk.path.clone()));
                        }
                        self.dropped = true;
                        false
                    }
                }
            }),
            Value::List(items) => {
                for (i, item) in items.iter_mut().enumerate() {
                    self.at_index(i, |walk| walk.known(item, node.item()));
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
    }

    /// Below a node that keeps unknown fields, pruning goes on where the schema speaks again.
    fn preserved(&mut self, value: &mut Value, node: Node<'_>) {
        if node.schema.is_none() {
            return;
        }
        match value {
            Value::Map(map) => {
                for (name, value) in map.iter_mut() {
                    if node.is_resource && is_meta(name) {
                        continue;
                    }
                    if let Some(member) = node.member(name) {
                        self.at_member(name, |walk| walk.known(value, member));
                    }
                }
            }
            Value::List(items) => {
                for (i, item) in items.iter_mut().enumerate() {
                    self.at_index(i, |walk| walk.preserved(item, node.item()));
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
    }

    fn at_member(&mut self, name: &str, then: impl FnOnce(&mut Walk)) {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        then(self);
        self.path.truncate(length);
    }

    fn at_index(&mut self, index: usize, then: impl FnOnce(&mut Walk)) {
        let length = self.path.len();
        let _ = write!(self.path, "[{index}]");
        then(self);
        self.path.truncate(length);
    }
}
