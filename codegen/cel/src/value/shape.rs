//! What a schema says about a JSON value, as far as its CEL value depends on it.

use std::sync::Arc;

use crdgen_text::go::time::{Layout, Time, why_not};
use crdgen_text::value::{Map as JsonMap, Value};

use super::list::{List, ListKind};
use super::map::Map;
use super::{Error, Outcome, Val};

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

    fn as_it_looks<'a>(&'a self, value: &'a Value) -> Val<'a> {
        match value {
            Value::Null => Val::Null,
            Value::Bool(b) => Val::Bool(*b),
            Value::Int(i) => Val::Int(*i),
            Value::Float(f) => Val::Double(*f),
            Value::Str(s) => Val::text(s.as_str()),
            Value::List(list) => Val::List(List::json(list, self, ListKind::Plain)),
            Value::Map(map) => Val::Map(Map::Json(map, self)),
        }
    }

    /// The CEL value of a JSON value.
    pub fn adapt<'a>(&'a self, value: &'a Value) -> Outcome<'a> {
        if value.is_null() {
            return match self.nullable {
                true => Ok(Val::Null),
                false => Err(Error::fixed("invalid data, got null for schema with nullable=false")),
            };
        }
        let wrong = |expected: &str| {
            Err(Error::new(format!("invalid data, expected {expected}, got {}", value.go_type())))
        };
        match (&self.kind, value) {
            (ShapeKind::IntOrString, Value::Str(s)) => Ok(Val::text(s.as_str())),
            (ShapeKind::IntOrString, Value::Int(i)) => Ok(Val::Int(*i)),
            (ShapeKind::IntOrString, _) => Err(Error::fixed(
                "invalid data, expected XIntOrString value to be either a string or integer",
            )),
            (ShapeKind::Object(_) | ShapeKind::Map(_) | ShapeKind::Opaque, Value::Map(m)) => {
                Ok(Val::Map(Map::Json(m, self)))
            }
            (ShapeKind::Object(_) | ShapeKind::Map(_) | ShapeKind::Opaque, _) => {
                Err(Error::fixed("invalid data, expected a map for the provided schema with type=object"))
            }
            (ShapeKind::List { items, kind }, Value::List(list)) => {
                let kind = match kind {
                    ListType::Plain => ListKind::Plain,
                    ListType::Set => ListKind::Set,
                    ListType::Map(keys) => ListKind::Map(keys),
                };
                Ok(Val::List(List::json(list, items, kind)))
            }
            (ShapeKind::List { .. }, _) => {
                Err(Error::fixed("invalid data, expected an array for the provided schema with type=array"))
            }
            (ShapeKind::String(format), Value::Str(s)) => format.adapt(s),
            (ShapeKind::String(_), _) => wrong("string"),
            (ShapeKind::Number, Value::Int(i)) => Ok(Val::Double(*i as f64)),
            (ShapeKind::Number, Value::Float(f)) => Ok(Val::Double(*f)),
            (ShapeKind::Number, _) => wrong("float"),
            (ShapeKind::Integer, Value::Int(i)) => Ok(Val::Int(*i)),
            (ShapeKind::Integer, _) => wrong("int"),
            (ShapeKind::Boolean, Value::Bool(b)) => Ok(Val::Bool(*b)),
            (ShapeKind::Boolean, _) => wrong("bool"),
            (ShapeKind::Preserved, _) => Ok(Val::Preserved(value)),
            (ShapeKind::Any, _) => Ok(self.as_it_looks(value)),
            (ShapeKind::Unknown(name), _) => Err(Error::new(format!(
                "invalid type, expected object, array, number, integer, boolean or string, or no type with \
                 x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got {name}"
            ))),
        }
    }
}

impl TextFormat {
    fn adapt<'a>(self, s: &'a str) -> Outcome<'a> {
        match self {
            TextFormat::None => Ok(Val::text(s)),
            TextFormat::Duration => match crdgen_text::go::duration::parse_lenient(s) {
                Ok(d) => Ok(Val::Duration(d)),
                Err(e) => Err(Error::new(format!("Invalid duration {s}: {e}"))),
            },
            TextFormat::Date => match Time::parse_date(s) {
                Some(t) => Ok(Val::Timestamp(t)),
                None => Err(Error::new(format!(
                    "Invalid date formatted string {s}: {}",
                    why_not(s, Layout::Date)
                ))),
            },
            TextFormat::DateTime => match Time::parse_lenient(s) {
                Some(t) => Ok(Val::Timestamp(t)),
                None => Err(Error::new(format!(
                    "Invalid date-time formatted string {s}: {}",
                    why_not(s, Layout::Local)
                ))),
            },
            TextFormat::Byte => match crdgen_text::go::base64_url_decode(s) {
                Ok(bytes) => Ok(Val::Bytes(bytes.into())),
                Err(at) => Err(Error::new(format!(
                    "Invalid byte formatted string {s}: illegal base64 data at input byte {at}"
                ))),
            },
        }
    }
}
