//! The parts of a schema that determine how a JSON value becomes a CEL value.

use std::sync::Arc;

use crdgen_text::value::Map as JsonMap;

/// How a JSON value becomes a CEL value.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Whether null is a value.
    pub nullable: bool,
    /// What it is otherwise.
    pub kind: ShapeKind,
}

/// What a JSON value is for CEL.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeKind {
    /// An integer or a string.
    IntOrString,
    /// An object with declared properties, by their names in JSON.
    Object(JsonMap<Arc<Shape>>),
    /// An object with values of one type.
    Map(Arc<Shape>),
    /// An object of which nothing is known.
    Opaque,
    /// An array.
    List {
        /// Its elements.
        items: Arc<Shape>,
        /// Their identity.
        kind: ListType,
    },
    /// A string.
    String(TextFormat),
    /// `number`
    Number,
    /// `integer`
    Integer,
    /// `boolean`
    Boolean,
    /// No type, kept as it is.
    Preserved,
    /// Any JSON without a schema: it is what it looks like, and so is what it has in it.
    Any,
    /// No type at all: nothing can be made of it.
    Unknown(String),
}

/// The identity of the elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum ListType {
    /// Their place.
    Plain,
    /// Their value.
    Set,
    /// These properties, as identifiers.
    Map(Vec<String>),
}

/// The formats that make another type of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// None of them: `string`
    None,
    /// `duration`
    Duration,
    /// `date`: `timestamp`
    Date,
    /// `date-time`: `timestamp`
    DateTime,
    /// `byte`: `bytes`
    Byte,
}

impl Shape {
    /// A shape of a value that is never null.
    pub fn of(kind: ShapeKind) -> Shape {
        Shape { nullable: false, kind }
    }

    /// The shape of a member, if the schema knows it.
    pub(crate) fn member(&self, name: &str) -> Option<&Shape> {
        match &self.kind {
            ShapeKind::Object(fields) => fields.get(name).map(|s| &**s),
            ShapeKind::Map(values) => Some(values),
            ShapeKind::Any => Some(self),
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
