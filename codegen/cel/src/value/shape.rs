//! The parts of a schema that determine how a JSON value becomes a CEL value.

use std::sync::Arc;

use crdgen_text::value::Map as JsonMap;

/// Determines how a JSON value becomes a CEL value.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Whether the value may be null.
    pub nullable: bool,
    /// The kind of all other values.
    pub kind: ShapeKind,
}

/// The kind of a value in CEL.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeKind {
    /// An integer or a string.
    IntOrString,
    /// An object with declared properties, by their names in JSON.
    Object(JsonMap<Arc<Shape>>),
    /// An object with values of one type.
    Map(Arc<Shape>),
    /// An object without known fields.
    Opaque,
    /// An array.
    List {
        /// The shape of the elements.
        items: Arc<Shape>,
        /// How the elements are identified.
        kind: ListType,
    },
    /// A string, whose format may make it a value of another type.
    String(TextFormat),
    /// `number`
    Number,
    /// `integer`
    Integer,
    /// `boolean`
    Boolean,
    /// A value without a type, which is preserved unchanged.
    Preserved,
    /// Any JSON without a schema. The value and everything in it has the type that it has in JSON.
    Any,
    /// The same for a value of a type of the server's own code: comparing a list or a map with another type is an error.
    Native,
    /// A value whose schema has a missing or wrong type, which is given here. Such a value cannot be converted.
    Unknown(String),
}

/// How the elements of an array are identified.
#[derive(Clone, Debug, PartialEq)]
pub enum ListType {
    /// By their place.
    Plain,
    /// By their value.
    Set,
    /// By these properties, which are given as CEL identifiers.
    Map(Vec<String>),
}

/// The formats that turn a string into a value of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// No such format: `string`
    None,
    /// `duration`
    Duration,
    /// `date`: `timestamp`
    Date,
    /// `date-time`: `timestamp`
    DateTime,
    /// `byte`: `bytes`
    Byte(Alphabet),
}

/// The alphabets of base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// With `+` and `/`.
    Standard,
    /// With `-` and `_`.
    Url,
}

impl Shape {
    /// Creates the shape of a value that is never null.
    pub fn of(kind: ShapeKind) -> Shape {
        Shape { nullable: false, kind }
    }

    /// Whether comparing a list or a map with a value of another type is an error, and not only unequal.
    pub(super) fn insists(&self) -> bool {
        !matches!(self.kind, ShapeKind::Any)
    }

    /// The shape of a member, if the schema knows it.
    pub(crate) fn member(&self, name: &str) -> Option<&Shape> {
        match &self.kind {
            ShapeKind::Object(fields) => fields.get(name).map(|s| &**s),
            ShapeKind::Map(values) => Some(values),
            ShapeKind::Any | ShapeKind::Native => Some(self),
            ShapeKind::IntOrString
            | ShapeKind::Opaque
            | ShapeKind::List { .. }
            | ShapeKind::String(_)
            | ShapeKind::Number
            | ShapeKind::Integer
            | ShapeKind::Boolean
            | ShapeKind::Preserved
            | ShapeKind::Unknown(_) => None,
        }
    }
}
