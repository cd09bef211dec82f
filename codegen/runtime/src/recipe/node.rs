//! Recipes: what a Rust type knows about its schema before the types to which it refers are known.

use super::patch::Patch;
use crate::ir::{Column, Schema};
use crate::value::Value;

/// A recipe.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A schema that is known in full.
    Plain(Box<Schema>),
    /// The type of this number among the shape's references.
    Ref(usize),
    /// `Option`: may be missing or null.
    Option(Box<Node>),
    /// A newtype: like what it wraps, but serde does not let it be missing.
    Newtype(Box<Node>),
    /// A list.
    List(Box<Node>),
    /// A set.
    Set(Box<Node>),
    /// A list of a fixed length.
    Array(Box<Node>, usize),
    /// A map from string-like keys.
    Map(Box<Node>, Box<Node>),
    /// A struct with named fields.
    Struct(Box<Struct>),
    /// An enum.
    Enum(Box<Enum>),
    /// A tuple.
    Tuple(Vec<Node>),
    /// Any of these with attributes applied.
    Patched(Box<Node>, Box<Patch>),
    /// What has no structural form: what is wrong, and what to do.
    Wrong(String, String),
}

impl std::default::Default for Node {
    fn default() -> Self {
        Node::Ref(0)
    }
}

impl Node {
    /// A schema that is known in full.
    pub fn plain(schema: Schema) -> Node {
        Node::Plain(Box::new(schema))
    }

    /// With attributes applied, if there are any.
    #[must_use]
    pub fn patched(self, patch: Patch) -> Node {
        if patch == Patch::default() { self } else { Node::Patched(Box::new(self), Box::new(patch)) }
    }
}

/// A struct with named fields, or the fields of a struct variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Struct {
    /// In the order of declaration.
    pub fields: Vec<Field>,
    /// `deny_unknown_fields`
    pub deny_unknown: bool,
    /// The default of the whole, which fills the defaults of the fields.
    pub default: Option<Default>,
}

/// A field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// The name in the document.
    pub name: String,
    /// Other names serde takes for it.
    pub aliases: Vec<String>,
    /// Its type.
    pub node: Node,
    /// Whether it must be there.
    pub need: Need,
    /// Whether serde writes `null` for a missing value.
    pub writes_null: bool,
    /// Its default.
    pub default: Option<Default>,
    /// Whether its fields are in the struct itself.
    pub flatten: bool,
    /// Its attributes.
    pub patch: Patch,
    /// Its roles in the definition around the schema.
    pub marks: Vec<Mark>,
    /// Whether it can change.
    pub once: Once,
    /// Whether attributes say something of the field that its own type, which serde reads, may not say.
    pub strict: bool,
    /// Whether an attribute lets it be missing, and serde has no default for it.
    pub said_optional: bool,
}

/// Whether a field must be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Need {
    /// As serde has it: yes, unless the type is an `Option`.
    #[default]
    Auto,
    /// Yes.
    Required,
    /// No.
    Optional,
}

/// Whether a field can change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Once {
    /// It can.
    #[default]
    No,
    /// It can neither be set, changed nor removed after creation.
    Immutable,
    /// It can be set once.
    Once,
}

/// A default.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// A value.
    Value(Value),
    /// What the function of this number gives.
    Computed(usize),
}

/// What a field is to the definition around the schema.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A printer column; type and path are filled in from the field if empty.
    Column(Column),
    /// A selectable field.
    Selectable,
    /// `scale.specReplicasPath`
    SpecReplicas,
    /// `scale.statusReplicasPath`
    StatusReplicas,
    /// `scale.labelSelectorPath`
    LabelSelector,
}

/// An enum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enum {
    /// How serde distinguishes the variants.
    pub tagging: Tagging,
    /// Its documentation.
    pub description: String,
    /// In the order of declaration.
    pub variants: Vec<Variant>,
    /// `deny_unknown_fields`
    pub deny_unknown: bool,
}

/// How serde distinguishes variants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Tagging {
    /// `{"Variant": …}` or `"Variant"`
    #[default]
    External,
    /// `{"tag": "Variant", …}`
    Internal(String),
    /// `{"tag": "Variant", "content": …}`
    Adjacent(String, String),
    /// By trying.
    Untagged,
}

/// A variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variant {
    /// The name in the document.
    pub name: String,
    /// Other names serde takes for it.
    pub aliases: Vec<String>,
    /// Its documentation.
    pub description: String,
    /// What it carries; nothing if it is a unit variant.
    pub payload: Option<Node>,
    /// Whether it accepts all unknown tags.
    pub other: bool,
    /// Whether serde finds it by trying, although the others are tagged.
    pub untagged: bool,
    /// Attributes of its payload.
    pub patch: Patch,
}
