//! What is left of an object of Kubernetes' own kinds when Go has decoded and encoded it.

use super::table::Table;
use crate::go;
use crate::value::{Map, Value};

const QUANTITY: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const INT_OR_STRING: &str = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
const TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";

/// Returns the object as Go encodes it, and the paths of the unknown fields that it drops.
pub(super) fn decode(table: &Table, model: &str, object: Value) -> (Value, Vec<String>) {
    let mut decoder = Decoder { table, path: String::new(), unknown: Vec::new() };
    let object = decoder.named(model, object);
    (object, decoder.unknown)
}

/// How Go encodes a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Code {
    /// A pointer, which is written if it is there.
    Pointer,
    /// Not written if it is empty.
    OmitEmpty,
    /// Written as the zero of its type if it is absent.
    Zero,
    /// Written as null if it is absent.
    Null,
    /// A struct that is always written.
    Struct,
    /// A struct that is not written if it is zero.
    OmitZero,
}

impl Code {
    fn of(property: &Value) -> Code {
        match property.get("x-go").and_then(Value::as_str) {
            Some("-") => Code::OmitEmpty,
            Some("0") => Code::Zero,
            Some("n") => Code::Null,
            Some("s") => Code::Struct,
            Some("z") => Code::OmitZero,
            _ => Code::Pointer,
        }
    }
}

struct Decoder<'t> {
    table: &'t Table,
    path: String,
    unknown: Vec<String>,
}

fn empty() -> Value {
    Value::Map(Map::new())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) | Value::Int(0) => true,
        Value::Str(text) => text.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Bool(true) | Value::Int(_) | Value::Float(_) => false,
    }
}

impl Decoder<'_> {
    /// A value of a type with a name.
    fn named(&mut self, name: &str, value: Value) -> Value {
        match (name, &value) {
            (QUANTITY, Value::Str(text)) => go::canonical(text).map_or(value, Value::from),
            (QUANTITY, Value::Int(number)) => go::canonical(&number.to_string()).map_or(value, Value::from),
            (TIME, Value::Str(text)) => go::rfc3339(text).map_or(value, Value::from),
            _ => match self.table.types.get(name) {
                Some(schema) => self.value(schema, value),
                None => value,
            },
        }
    }

    fn value(&mut self, schema: &Value, value: Value) -> Value {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return self.named(name, value);
        }
        match value {
            Value::List(items) => {
                let Some(of_items) = schema.get("items") else { return Value::List(items) };
                let each = |(i, item): (usize, Value)| {
                    let item = if item.is_null() { self.zero(of_items) } else { item };
                    self.below(&format!("[{i}]"), |it| it.value(of_items, item))
                };
                Value::List(items.into_iter().enumerate().map(each).collect())
            }
            Value::Map(members) => match (schema.get("properties"), schema.get("additionalProperties")) {
                (Some(Value::Map(properties)), _) => self.members(properties, members),
                (_, Some(values @ Value::Map(_))) => {
                    let each = |(name, member): (String, Value)| {
                        let member = if member.is_null() { self.zero(values) } else { member };
                        let member = self.below(&format!("[{name}]"), |it| it.value(values, member));
                        (name, member)
                    };
                    Value::Map(members.into_iter().map(each).collect())
                }
                _ => Value::Map(members),
            },
            other => other,
        }
    }

    /// The fields of a struct.
    fn members(&mut self, properties: &Map<Value>, mut members: Map<Value>) -> Value {
        let mut out = Vec::with_capacity(members.len());
        for (name, property) in properties.iter() {
            let dotted = if self.path.is_empty() { name.to_owned() } else { format!(".{name}") };
            let value = members.remove(name);
            out.extend(
                self.below(&dotted, |it| it.field(property, value)).map(|value| (name.to_owned(), value)),
            );
        }
        let dot = if self.path.is_empty() { "" } else { "." };
        self.unknown.extend(members.keys().map(|name| format!("{}{dot}{name}", self.path)));
        Value::Map(out.into_iter().collect())
    }

    fn field(&mut self, property: &Value, value: Option<Value>) -> Option<Value> {
        let code = Code::of(property);
        let given = value.filter(|value| !value.is_null()).map(|value| self.value(property, value));
        match (code, given) {
            (Code::OmitEmpty, Some(value)) => Some(value).filter(|value| !is_empty(value)),
            (Code::OmitZero, Some(value)) => {
                let zero = self.value(property, empty());
                Some(value).filter(|value| *value != zero)
            }
            (Code::Pointer | Code::Zero | Code::Null | Code::Struct, Some(value)) => Some(value),
            (Code::Struct, None) => Some(self.value(property, empty())),
            (Code::Zero, None) => Some(self.zero(property)),
            (Code::Null, None) => Some(Value::Null),
            (Code::Pointer | Code::OmitEmpty | Code::OmitZero, None) => None,
        }
    }

    /// The zero of a type.
    fn zero(&mut self, schema: &Value) -> Value {
        let text = |name| schema.get(name).and_then(Value::as_str);
        match (text("$ref"), text("type")) {
            (Some(QUANTITY), _) => Value::from("0"),
            (Some(INT_OR_STRING), _) | (None, Some("integer" | "number")) => Value::Int(0),
            (Some(TIME), _) => Value::Null,
            (Some(_), _) => self.value(schema, empty()),
            (None, Some("string")) => Value::from(""),
            (None, Some("boolean")) => Value::Bool(false),
            (None, _) => Value::Null,
        }
    }

    fn below<T>(&mut self, step: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.path.push_str(step);
        let done = work(self);
        self.path.truncate(length);
        done
    }
}
