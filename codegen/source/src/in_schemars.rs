//! The types as schemars and kube-derive write them, where crdgen writes the same types in another way. Only differences that depend on
//! nothing but the type are here: sizes of numbers, `null` for an `Option`, fields with `schema_with`, and Kubernetes' own types.

use super::instances::Instance;
use crate::ir::{Extensions, Limits, Schema, Type};
use crate::recipe::{Metadata, Node, Patch};

/// The schemas of a version of schemars.
#[derive(Clone, Copy)]
pub(super) struct InSchemars {
    /// Whether schemars is older than 1.0, which writes no bounds for `u8`, `u16`, `i8` and `i16`.
    pub(super) is_older: bool,
}

impl InSchemars {
    /// The recipe of a type as schemars would write it.
    pub(super) fn rewritten(self, instance: &Instance, node: Node) -> Node {
        match instance {
            Instance::Item(..) => with_null(node),
            Instance::Known(path, _) => self.number(path, node),
            Instance::Kubernetes(name) => kubernetes(name, node),
            Instance::Tuple(_)
            | Instance::Array(..)
            | Instance::Slice(_)
            | Instance::Written(_)
            | Instance::BySchemars(_)
            | Instance::Root(_)
            | Instance::Unknown => node,
        }
    }

    /// An integer with its format, which servers do not know, instead of its bounds.
    fn number(self, path: &str, mut node: Node) -> Node {
        let Node::Plain(schema) = &mut node else { return node };
        let (format, has_bounds) = match path {
            "u8" | "std::sync::atomic::AtomicU8" | "std::num::NonZeroU8" => ("uint8", !self.is_older),
            "u16" | "std::sync::atomic::AtomicU16" | "std::num::NonZeroU16" => ("uint16", !self.is_older),
            "u32" | "std::sync::atomic::AtomicU32" | "std::num::NonZeroU32" => ("uint32", false),
            "u64" | "std::sync::atomic::AtomicU64" | "std::num::NonZeroU64" => ("uint64", false),
            "u128" | "std::num::NonZeroU128" => ("uint128", false),
            "usize" | "std::sync::atomic::AtomicUsize" | "std::num::NonZeroUsize" => ("uint", false),
            "i8" | "std::sync::atomic::AtomicI8" => ("int8", !self.is_older),
            "i16" | "std::sync::atomic::AtomicI16" => ("int16", !self.is_older),
            "i128" => ("int128", false),
            "isize" | "std::sync::atomic::AtomicIsize" => ("int", false),
            _ => return node,
        };
        format.clone_into(&mut schema.limits.format);
        if !has_bounds {
            schema.limits.maximum = None;
            schema.limits.minimum = schema.limits.minimum.filter(|least| *least >= 0.0);
        }
        node
    }
}

/// An `Option` is nullable, whether or not serde writes `null` for it.
fn with_null(node: Node) -> Node {
    match node {
        Node::Struct(mut it) => {
            for field in &mut it.fields {
                field.writes_null = true;
                without_option(&mut field.node);
            }
            Node::Struct(it)
        }
        Node::Enum(mut it) => {
            for variant in &mut it.variants {
                variant.payload = variant.payload.take().map(with_null);
            }
            Node::Enum(it)
        }
        Node::Newtype(inner) => Node::Newtype(Box::new(with_null(*inner))),
        Node::Patched(inner, patch) => Node::Patched(Box::new(with_null(*inner)), patch),
        Node::Odd(inner, ..) => with_null(*inner),
        Node::Plain(_)
        | Node::Ref(_)
        | Node::Option(_)
        | Node::List(_)
        | Node::Set(_)
        | Node::Array(..)
        | Node::Map(..)
        | Node::Tuple(_)
        | Node::Wrong(..) => node,
    }
}

/// A function of `schema_with` gives the schema of the whole field: schemars does not see that its type is an `Option`, so the field is
/// required without a default of serde, and not nullable.
fn without_option(node: &mut Node) {
    let Node::Option(inner) = node else { return };
    let is_by_function = |patch: &Patch| patch.computed.iter().any(|(key, _)| key == "schema");
    if matches!(&**inner, Node::Patched(_, patch) if is_by_function(patch)) {
        *node = std::mem::replace(inner, Node::plain(Schema::default()));
    }
}

/// The implementations of k8s-openapi write what Kubernetes' OpenAPI has: all metadata, and no constraints, list types and defaults.
fn kubernetes(name: &str, node: Node) -> Node {
    let Node::Plain(mut schema) = node else { return node };
    if name == "meta/v1.ObjectMeta" {
        put_metadata(&mut schema);
    }
    bare(&mut schema);
    Node::Plain(schema)
}

/// Puts the fields of metadata into an object without fields, as Go types have it.
fn put_metadata(schema: &mut Schema) {
    let [_, _, full] = Metadata::with_fields();
    if *schema == (Schema { description: schema.description.clone(), ..Schema::of(Type::Object) }) {
        schema.properties = full.properties;
    }
}

fn bare(schema: &mut Schema) {
    let is_quantity = schema.ext.int_or_string && !schema.limits.pattern.is_empty();
    if is_quantity {
        *schema = Schema { description: std::mem::take(&mut schema.description), ..Schema::of(Type::String) };
    }
    let Limits { format, required, .. } = std::mem::take(&mut schema.limits);
    schema.limits = Limits { format, required, ..Limits::default() };
    schema.ext = Extensions {
        list_type: None,
        list_map_keys: Vec::new(),
        map_type: None,
        ..std::mem::take(&mut schema.ext)
    };
    schema.rules.clear();
    schema.default = None;
    schema.properties.get_mut("metadata").into_iter().for_each(put_metadata);
    schema.parts_mut().for_each(bare);
}
