//! Converts JSON values to CEL values by their shapes.

use crdgen_text::go::time::{Layout, Time, why_not};
use crdgen_text::value::Value;

use super::list::{List, ListKind};
use super::map::Map;
use super::shape::{Alphabet, ListType, Shape, ShapeKind, TextFormat};
use super::{Error, Outcome, Val};

impl Shape {
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

    /// Converts a JSON value to a CEL value.
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
            (ShapeKind::Any | ShapeKind::Native, _) => Ok(self.as_it_looks(value)),
            (ShapeKind::Unknown(name), _) => Err(Error::new(format!(
                "invalid type, expected object, array, number, integer, boolean or string, or no type with \
                 x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got {name}"
            ))),
        }
    }
}

impl Alphabet {
    /// The bytes, or the place of the error.
    fn decode(self, s: &str) -> Result<Vec<u8>, usize> {
        match self {
            Alphabet::Standard => crdgen_text::go::base64_decode_bytes(s.as_bytes()),
            Alphabet::Url => crdgen_text::go::base64_url_decode(s),
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
            TextFormat::Byte(alphabet) => match alphabet.decode(s) {
                Ok(bytes) => Ok(Val::Bytes(bytes.into())),
                Err(at) => Err(Error::new(format!(
                    "Invalid byte formatted string {s}: illegal base64 data at input byte {at}"
                ))),
            },
        }
    }
}
