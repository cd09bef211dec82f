//! Recipes: what a Rust type knows about its schema before the types to which it refers are known.

use super::patch::Patch;
use crate::ir::{Column, Schema};
use crate::value::Value;

/// The schema of a type or a part of it, before its references are linked.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A schema that is known in full.
    Plain(Box<Schema>),
    /// A reference, as an index of the shape's references.
    Ref(usize),
    /// An `Option`, which may be missing or null.
    Option(Box<Node>),
    /// A newtype. It has the schema of its content, but serde does not allow it to be missing.
    Newtype(Box<Node>),
    /// A list.
    List(Box<Node>),
    /// A set.
    Set(Box<Node>),
    /// A list of a fixed length.
    Array(Box<Node>, usize),
    /// A map, with its keys and values. The keys are written as strings.
    Map(Box<Node>, Box<Node>),
    /// A struct with named fields.
    Struct(Box<Struct>),
    /// An enum.
    Enum(Box<Enum>),
    /// A tuple.
    Tuple(Vec<Node>),
    /// A recipe with attributes.
    Patched(Box<Node>, Box<Patch>),
    /// A type whose form in the document is one that users do not expect: the message and the help.
    Odd(Box<Node>, String, String),
    /// A type without a structural form: the message and the help.
    Wrong(String, String),
}

impl std::default::Default for Node {
    fn default() -> Self {
        Node::Ref(0)
    }
}

impl Node {
    /// Creates the recipe of a schema that is known in full.
    pub fn plain(schema: Schema) -> Node {
        Node::Plain(Box::new(schema))
    }

    /// Adds attributes to the recipe, if there are any.
    #[must_use]
    pub fn patched(self, patch: Patch) -> Node {
        if patch == Patch::default() { self } else { Node::Patched(Box::new(self), Box::new(patch)) }
    }
}

/// A struct with named fields, or the fields of a struct variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Struct {
    /// The fields in the order of declaration.
    pub fields: Vec<Field>,
    /// `deny_unknown_fields`
    pub deny_unknown: bool,
    /// The default of the whole struct, which has the defaults of its fields.
    pub default: Option<Default>,
}

/// A field of a [`Struct`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// The name in the document.
    pub name: String,
    /// Other names that serde accepts for the field.
    pub aliases: Vec<String>,
    /// The recipe of the field's type.
    pub node: Node,
    /// Whether the field must be present.
    pub need: Need,
    /// Whether serde writes `null` for a missing value.
    pub writes_null: bool,
    /// The default of the field.
    pub default: Option<Default>,
    /// The result of serde's function for a missing field, if an attribute gives another default.
    pub by_serde: Option<Default>,
    /// Whether the field is flattened: its own fields are in the struct itself.
    pub flatten: bool,
    /// The attributes of the field.
    pub patch: Patch,
    /// The roles of the field in the CRD around the schema.
    pub marks: Vec<Mark>,
    /// Whether the field can change after it is set.
    pub once: Once,
    /// Whether the attributes change which values the field accepts, so that they must not contradict serde.
    pub strict: bool,
    /// Whether an attribute allows the field to be missing, although serde has no default for it.
    pub said_optional: bool,
    /// The function of `skip_serializing_if`, if serde has no default to read an object without the field. Then only an
    /// `Option` can be read.
    pub left_out: Option<String>,
}

/// Whether a field must be present.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Need {
    /// As serde decides: required, unless the type is an `Option`.
    #[default]
    Auto,
    /// The field is required.
    Required,
    /// The field is optional.
    Optional,
}

/// Whether a field can change after it is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Once {
    /// The field can change at any time.
    #[default]
    No,
    /// After the object is created, the field can be neither set, changed nor removed.
    Immutable,
    /// The field can be set once, also later, and then does not change.
    Once,
}

/// A default of a field or a struct.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// A known value.
    Value(Value),
    /// The result of a function, as an index of the shape's defaults.
    Computed(usize),
}

/// The role of a field in the CRD around the schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A printer column. If its type or path is empty, it is taken from the field.
    Column(Column),
    /// One of `selectableFields`.
    Selectable,
    /// `scale.specReplicasPath`
    SpecReplicas,
    /// `scale.statusReplicasPath`
    StatusReplicas,
    /// `scale.labelSelectorPath`
    LabelSelector,
}

/// A Rust enum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enum {
    /// How serde distinguishes the variants.
    pub tagging: Tagging,
    /// The documentation of the enum.
    pub description: String,
    /// The variants in the order of declaration.
    pub variants: Vec<Variant>,
    /// `deny_unknown_fields`
    pub deny_unknown: bool,
}

/// How serde distinguishes the variants of an enum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tagging {
    /// `{"Variant": …}` or `"Variant"`
    #[default]
    External,
    /// `{"tag": "Variant", …}`
    Internal(String),
    /// `{"tag": "Variant", "content": …}`
    Adjacent(String, String),
    /// Without a tag: serde tries the variants in order.
    Untagged,
}

/// A variant of an [`Enum`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variant {
    /// The name in the document.
    pub name: String,
    /// Other names that serde accepts for the variant.
    pub aliases: Vec<String>,
    /// The documentation of the variant.
    pub description: String,
    /// The content of the variant. None for a unit variant.
    pub payload: Option<Node>,
    /// Whether serde reads all unknown tags as this variant.
    pub other: bool,
    /// Whether this variant has no tag, although the others have one. Serde tries it.
    pub untagged: bool,
    /// The attributes of the content.
    pub patch: Patch,
}
