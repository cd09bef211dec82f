//! Small schemas that others are made of.

use crate::ir::{Limits, Schema, Type};
use crate::recipe::{Field, Node, Struct, known};

/// A node that may be null, but not absent.
pub(super) fn nullable(node: Node, null: bool) -> Node {
    if null { Node::Newtype(Box::new(Node::Option(Box::new(node)))) } else { node }
}

pub(super) fn anything() -> Node {
    let mut schema = Schema::default();
    schema.ext.preserve_unknown_fields = Some(true);
    Node::plain(schema)
}

pub(super) fn open_object() -> Node {
    let mut schema = Schema::of(Type::Object);
    schema.ext.preserve_unknown_fields = Some(true);
    Node::plain(schema)
}

/// A struct with the fields of these.
pub(super) fn flattened(nodes: impl IntoIterator<Item = Node>) -> Node {
    let fields = nodes.into_iter().map(|node| Field { node, flatten: true, ..Field::default() }).collect();
    Node::Struct(Box::new(Struct { fields, ..Struct::default() }))
}

pub(super) fn map(value: Node) -> Node {
    Node::Map(Box::new(Node::plain(Schema::of(Type::String))), Box::new(value))
}

pub(super) fn required_only(names: &[&str]) -> Schema {
    let required = names.iter().map(|n| (*n).to_owned()).collect();
    Schema { limits: Limits { required, ..Limits::default() }, ..Schema::default() }
}

pub(super) fn with_format(ty: Type, format: Option<&str>) -> Schema {
    let limits = Limits { format: format.unwrap_or_default().to_owned(), ..Limits::default() };
    Schema { limits, ..Schema::of(ty) }
}

/// schemars marks Rust's integers with formats that servers do not know. They become the schemas of the Rust types.
pub(super) fn integer(format: Option<&str>) -> Node {
    match RUST_FORMATS.iter().find(|(name, _)| Some(*name) == format) {
        Some((_, rust)) => {
            known::find(rust).map_or_else(|| Node::plain(Schema::of(Type::Integer)), |k| (k.node)())
        }
        None => Node::plain(with_format(Type::Integer, format)),
    }
}

pub(super) const RUST_FORMATS: [(&str, &str); 10] = [
    ("int8", "i8"),
    ("int16", "i16"),
    ("uint8", "u8"),
    ("uint16", "u16"),
    ("uint32", "u32"),
    ("uint64", "u64"),
    ("uint", "usize"),
    ("int", "isize"),
    ("int128", "i128"),
    ("uint128", "u128"),
];
