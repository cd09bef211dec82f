//! Pruning: drops fields that the schema does not list, except in the metadata of resources and where the schema keeps
//! unknown fields.

use super::unknown::{self, Owner, Unknown};
use crate::ir::{Additional, Schema, SchemaOf};
use crate::path::Path;
use crate::rules::reads::is_built_in;
use crate::value::Value;

/// Drops unknown fields and returns them, sorted. The fields `apiVersion`, `kind` and `metadata` of a resource are
/// kept.
pub fn prune(value: &mut Value, schema: Option<&Schema>, of: SchemaOf) -> Vec<Unknown> {
    let mut walk = Walk::default();
    walk.known(
        value,
        PrunedNode { schema, is_resource: of.is_resource() || is_embedded(schema) },
        &Path::ROOT,
    );
    unknown::sorted(walk.unknown)
}

/// Returns whether pruning would drop a field.
pub fn has_unknown_fields(value: &Value, schema: Option<&Schema>, of: SchemaOf) -> bool {
    let mut copy = value.clone();
    let mut walk = Walk::default();
    walk.known(
        &mut copy,
        PrunedNode { schema, is_resource: of.is_resource() || is_embedded(schema) },
        &Path::ROOT,
    );
    walk.dropped
}

fn is_embedded(schema: Option<&Schema>) -> bool {
    schema.is_some_and(|s| s.ext.embedded_resource)
}

#[derive(Clone, Copy)]
struct PrunedNode<'s> {
    schema: Option<&'s Schema>,
    is_resource: bool,
}

impl<'s> PrunedNode<'s> {
    fn of(schema: Option<&'s Schema>) -> PrunedNode<'s> {
        PrunedNode { schema, is_resource: is_embedded(schema) }
    }

    fn item(self) -> PrunedNode<'s> {
        PrunedNode::of(self.schema.and_then(Schema::item))
    }

    /// The node of a field. None if the field is unknown. In a map without a schema, the values are known, but not the
    /// fields in them.
    fn member(self, name: &str) -> Option<PrunedNode<'s>> {
        let schema = self.schema?;
        if let Some(property) = schema.properties.get(name) {
            return Some(PrunedNode::of(Some(property)));
        }
        match &schema.additional_properties {
            Some(Additional::Schema(value)) => Some(PrunedNode::of(Some(value))),
            Some(Additional::Allow(_)) => Some(PrunedNode::of(None)),
            None => None,
        }
    }
}

#[derive(Default)]
struct Walk {
    unknown: Vec<Unknown>,
    dropped: bool,
}

impl Walk {
    fn known(&mut self, value: &mut Value, node: PrunedNode<'_>, path: &Path<'_>) {
        if node.schema.is_some_and(Schema::preserves_unknown_fields) {
            self.preserved(value, node, path);
            return;
        }
        match value {
            Value::Map(map) => map.retain(|name, value| {
                if node.is_resource && is_built_in(name) {
                    return true;
                }
                match node.member(name) {
                    Some(member) => {
                        self.known(value, member, &path.child(name));
                        true
                    }
                    None => {
                        // The server knows its own fields at the root without a schema.
                        let is_reported = node.schema.is_none() || !is_built_in(name) || !path.is_root();
                        if is_reported && path.child(name).has_room(self.unknown.len()) {
                            let known = node.schema.into_iter().flat_map(|schema| schema.properties.iter());
                            let known = known.map(|(name, _)| name);
                            let unknown = Unknown::new(path, name, Owner::Crd, known, self.unknown.len());
                            self.unknown.push(unknown);
                        }
                        self.dropped = true;
                        false
                    }
                }
            }),
            Value::List(items) => {
                for (i, item) in items.iter_mut().enumerate() {
                    self.known(item, node.item(), &path.index(i));
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
    }

    /// Inside an unknown field that is kept, pruning continues where the schema lists fields again.
    fn preserved(&mut self, value: &mut Value, node: PrunedNode<'_>, path: &Path<'_>) {
        if node.schema.is_none() {
            return;
        }
        match value {
            Value::Map(map) => {
                for (name, value) in map.iter_mut() {
                    if node.is_resource && is_built_in(name) {
                        continue;
                    }
                    if let Some(member) = node.member(name) {
                        self.known(value, member, &path.child(name));
                    }
                }
            }
            Value::List(items) => {
                for (i, item) in items.iter_mut().enumerate() {
                    self.preserved(item, node.item(), &path.index(i));
                }
            }
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::prune;
    use crate::ir::SchemaOf;
    use crate::json;
    use crate::path::Step;
    use crdgen_runtime::decode;

    #[test]
    fn unknown_fields_have_their_path_and_their_place() {
        let read = |text: &[u8]| json::read(text).expect("JSON");
        let schema = read(br#"{"properties":{"a":{"properties":{"b.c":{"items":{}}}}}}"#);
        let schema = decode::schema(schema).0.expect("a schema");
        let mut object = read(br#"{"a":{"b.c":[{"d[0]":1}],"b":2},"x.y":{"z":1},"":{"q":1},"kind":"K"}"#);
        let key = |name: &str| Step::Key(name.to_owned());
        let found = prune(&mut object, Some(&schema), SchemaOf::Resource);
        let found: Vec<_> = found.into_iter().map(|unknown| (unknown.field, unknown.steps)).collect();
        let expected = [
            ("", vec![key("")]),
            ("a.b", vec![key("a"), key("b")]),
            ("a.b.c[0].d[0]", vec![key("a"), key("b.c"), Step::Index(0), key("d[0]")]),
            ("x.y", vec![key("x.y")]),
        ];
        assert_eq!(found, expected.map(|(field, steps)| (field.to_owned(), steps)));
        assert_eq!(object, read(br#"{"a":{"b.c":[{}]},"kind":"K"}"#));
    }
}
