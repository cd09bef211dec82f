//! A Rust type's knowledge about its own schema, and how it becomes a CRD.
//!
//! The derive sees one item at a time, so it does not know the types of fields. It writes a *recipe* ([`Node`]): the
//! item's own schema, with references to other types. Linking follows these references, and does everything that needs
//! all types: flattening, unions, and recursion. Reading sources produces the same recipes and links them with the same
//! code, so both produce the same bytes.

mod applicable;
mod apply;
#[cfg(feature = "schemars")]
pub mod by_schemars;
pub mod contradict;
mod define;
pub mod faults;
mod foreign;
#[cfg(feature = "json-schema")]
pub mod json_schema;
#[cfg(feature = "k8s")]
pub mod k8s_openapi;
mod keys;
pub mod known;
mod link;
mod metadata;
pub mod mismatch;
mod node;
pub mod outline;
mod patch;
mod paths;
pub mod places;
mod program;
pub mod quick;
mod roles;
mod root;
mod types;
mod wire;
mod words;

pub use define::{Declared, define, merge};
pub use faults::Mistake;
pub use known::{KNOWN, Known};
pub use link::{Id as TypeId, Linked, Linker, Opened, Types, Unknown};
pub use metadata::{Metadata, SET_BY_SERVER};
pub use node::{Default as DefaultValue, Enum, Field, Mark, Need, Node, Once, Struct, Tagging, Variant};
pub use patch::{Allow, Key, Length, Patch, Union, UnionMode};
pub use paths::{can_be_read, dead_end, odd_end, read_as};
pub use program::{link_node, link_static, link_type};
pub use root::{Root, plural_of};
pub use wire::{decode, encode};
pub use words::{escape as cel_name, tidy_doc};

/// Returns the JSON types that a schema accepts, as a set of bits. `null` does not count.
pub fn types_of(schema: &crate::ir::Schema) -> u8 {
    types::kinds(schema)
}

/// Describes a set of [`types_of`] in words.
pub fn type_words(set: u8) -> String {
    types::Kinds::words(set)
}

use crate::value::Value;

/// A type that knows its schema. Derive it with `#[derive(Schema)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema",
    label = "this type does not derive Schema",
    note = "add Schema to its #[derive(…)]",
    note = "a type of arrayvec, bigdecimal, bytes, camino, chrono, indexmap, ipnet, jiff, k8s-openapi, ordered-float, \
            rust_decimal, semver, serde_json, smallvec, smol_str, time, url or uuid needs crdgen's feature of that name: \
            crdgen = {{ features = [\"serde_json\"] }}",
    note = "a type of k8s-openapi is known by its name: for an alias, or after `use … as`, write \
            #[schema(as = \"crdgen::K8sOpenapi<Type>\")] on the field",
    note = "for a type of any other crate, give the schema on the field: #[schema(as = \"Type\")], #[schema(raw = {{ … }})] \
            or #[schema(opaque)]",
    note = "if it implements schemars::JsonSchema, write `crdgen::from_schemars!(Type);` for a type of yours, or \
            #[schema(as = \"crdgen::Schemars<Type>\")] on the field for a type of another crate. Both need crdgen's feature \
            `schemars` (for schemars 0.8: `crdgen::Schemars08<Type>` and `schemars-08`)"
)]
pub trait Schema {
    /// The shape of this type: its own schema, with references to other types.
    // A constant costs the compiler less than a function does.
    #[cfg(not(feature = "schemars"))]
    const SHAPE: &'static Shape;

    /// What the derive knows about this type: its own schema, with references to other types. For impls that are written for
    /// schemars, the schema that [`Schema::json_schema`] returns.
    #[cfg(feature = "schemars")]
    const SHAPE: &'static Shape = by_schemars::written::<Self>();

    /// The places of the type in its source, which derives write for tests.
    #[doc(hidden)]
    const PLACES: &'static str = "";

    /// Returns [`Schema::SHAPE`]. Other types refer to this function, so that recursive types compile and crdgen can report them.
    fn shape() -> &'static Shape {
        Self::SHAPE
    }

    /// Returns the name that this type has in schemars.
    #[cfg(feature = "schemars")]
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Self::shape().name.into()
    }

    /// Returns a text that distinguishes this type from others with the same name.
    #[cfg(feature = "schemars")]
    fn schema_id() -> std::borrow::Cow<'static, str> {
        std::any::type_name::<Self>().into()
    }

    /// Whether schemars writes the schema of this type inline.
    #[cfg(feature = "schemars")]
    fn inline_schema() -> bool {
        false
    }

    /// Returns the JSON Schema of this type. Impls that are written for `schemars::JsonSchema` define this and the
    /// name, all others define [`Schema::SHAPE`].
    #[cfg(feature = "schemars")]
    fn json_schema(generator: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
        _ = generator;
        by_schemars::described::<Self>()
    }
}

/// Returns the shape of another type.
pub type ShapeFn = fn() -> &'static Shape;

/// Computes a default. None if serde would not write it.
pub type DefaultFn = fn() -> Option<Value>;

/// The recipe of one type as it is in a program, with what it refers to.
#[derive(Debug)]
pub struct Shape {
    /// The name of the Rust type, for messages.
    pub name: &'static str,
    /// The recipe.
    pub recipe: Recipe,
    /// The types to which the recipe refers, by number.
    pub refs: &'static [ShapeFn],
    /// The defaults to which the recipe refers, by number.
    pub defaults: &'static [DefaultFn],
    /// The [`places::Places`] of the type in its source, as text. Empty outside of tests.
    pub places: &'static str,
}

/// The source of a recipe.
#[derive(Debug)]
pub enum Recipe {
    /// The derive wrote it as one string, which costs the compiler next to nothing.
    Text(&'static str),
    /// The type is one that this crate knows.
    Known(fn() -> Node),
    /// The type has an impl that was written for schemars.
    #[cfg(feature = "schemars")]
    Written(fn() -> Node),
}

impl Shape {
    /// Creates the shape of a known type.
    pub const fn known(name: &'static str, node: fn() -> Node, refs: &'static [ShapeFn]) -> Shape {
        Shape { name, recipe: Recipe::Known(node), refs, defaults: &[], places: "" }
    }

    /// Creates the shape of a derived type.
    pub const fn text(
        name: &'static str,
        text: &'static str,
        defaults: &'static [DefaultFn],
        refs: &'static [ShapeFn],
    ) -> Shape {
        Shape { name, recipe: Recipe::Text(text), refs, defaults, places: "" }
    }

    /// Adds the places of the type in its source.
    #[must_use]
    pub const fn at(mut self, places: &'static str) -> Shape {
        self.places = places;
        self
    }
}
