//! What is left of an object of Kubernetes' own kinds when Go has decoded and encoded it.

use super::table::{KEEPS_EMPTY, Table};
use crate::go::{self, time};
use crate::json;
use crate::object::{Found, GoKind, NotDecoded};
use crate::path::has_room;
use crate::value::{Map, Value};

pub(super) const QUANTITY: &str = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const INT_OR_STRING: &str = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
const MICRO_TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime";
const TIME: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.Time";

/// An object as Go encodes it.
pub(super) struct Decoded {
    pub(super) object: Value,
    /// The paths of the unknown fields that Go drops.
    pub(super) unknown: Vec<String>,
    /// Why Go cannot decode the object. Values of the wrong type stay in it.
    pub(super) wrong: Option<NotDecoded>,
}

/// Decodes and encodes an object.
pub(super) fn decode(table: &Table, model: &str, object: Value) -> Decoded {
    let (path, unknown, wrong) = (String::new(), Vec::new(), None);
    let mut decoder =
        Decoder { table, path, unknown, wrong, of: String::new(), fields: Vec::new(), leaf: None };
    let object = decoder.named(model, object);
    Decoded { object, unknown: decoder.unknown, wrong: decoder.wrong }
}

/// Replaces empty lists in an object by null.
pub(super) fn forget_empty_lists(table: &Table, model: &str, object: &mut Value) {
    if let Some(schema) = table.types.get(model) {
        forget_in(table, schema, object);
    }
}

fn forget_in(table: &Table, schema: &Value, value: &mut Value) {
    let named = schema.get("$ref").and_then(Value::as_str).and_then(|name| table.types.get(name));
    let schema = named.unwrap_or(schema);
    match value {
        Value::List(items) if items.is_empty() => *value = Value::Null,
        Value::List(items) => {
            let of_items = schema.get("items");
            items.iter_mut().for_each(|item| of_items.into_iter().for_each(|it| forget_in(table, it, item)));
        }
        Value::Map(members) => {
            // What has no fields here encodes itself.
            let Some(properties) = schema.get("properties").and_then(Value::as_map) else { return };
            for (name, property) in properties.iter() {
                if let Some(member) = members.get_mut(name) {
                    forget_in(table, property, member);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// The name of a type in Go.
fn go_name(model: &str) -> String {
    let mut steps = model.rsplit('.');
    let (name, package) = (steps.next().unwrap_or_default(), steps.next().unwrap_or_default());
    format!("{package}.{name}")
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
    wrong: Option<NotDecoded>,
    /// The struct whose field is decoded.
    of: String,
    /// The names of the fields on the way, as the messages of Go's decoder have them.
    fields: Vec<String>,
    /// The name of the type of texts, numbers and booleans in the field, if they have one of their own.
    leaf: Option<String>,
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
        self.check_named(name, &value);
        match (name, &value) {
            (QUANTITY, Value::Str(text)) => go::canonical(text.trim()).map_or(value, Value::from),
            (QUANTITY, Value::Int(_) | Value::Float(_)) => {
                go::canonical(&json::to_string(&value)).map_or(value, Value::from)
            }
            (TIME, Value::Str(text)) => go::rfc3339(text).map_or(value, Value::from),
            (MICRO_TIME, Value::Str(text)) => time::micro(text).map_or(value, Value::from),
            _ => match self.table.types.get(name) {
                Some(schema) => {
                    let short = name.rsplit('.').next().unwrap_or_default().to_owned();
                    let outer = std::mem::replace(&mut self.of, short);
                    let value = self.value(schema, value);
                    self.of = outer;
                    value
                }
                None => value,
            },
        }
    }

    /// Notes that Go cannot decode a value, unless it has failed before.
    fn cannot(&mut self, value: &Value, wanted: &str, kind: GoKind) {
        let is_integer = matches!(wanted, "int32" | "int64");
        let found = match value {
            Value::Int(number) if is_integer => Found::NoInteger(number.to_string()),
            Value::Float(number) if is_integer && number.fract() == 0.0 && number.abs() < 1e21 => {
                // What is too large for a whole number was sent without a fraction.
                let digits = usize::from(number.abs() < 9.2e18);
                Found::NoInteger(format!("{number:.digits$}"))
            }
            Value::Float(_) if is_integer => Found::NoInteger(json::to_string(value)),
            other => Found::from(other),
        };
        let path: Vec<&str> =
            std::iter::once(&*self.of).chain(self.fields.iter().map(String::as_str)).collect();
        let bad = NotDecoded::Field { name: path.join("."), found, wanted: wanted.to_owned(), kind };
        self.wrong.get_or_insert(bad);
    }

    /// Checks a value of a type that decodes itself, or of a struct.
    fn check_named(&mut self, name: &str, value: &Value) {
        let unreadable = |text: String| Some(NotDecoded::Text(text));
        let found = match (name, value) {
            (_, Value::Null) | (INT_OR_STRING, Value::Str(_)) => None,
            (QUANTITY, Value::Str(text)) => {
                go::quantity::Quantity::parse(text.trim()).err().and_then(|why| unreadable(why.to_string()))
            }
            (QUANTITY, Value::Int(_) | Value::Float(_)) => None,
            (QUANTITY, other) => {
                let parsed = go::quantity::Quantity::parse(&json::to_string(other));
                parsed.err().and_then(|why| unreadable(why.to_string()))
            }
            (INT_OR_STRING, Value::Int(number)) if i32::try_from(*number).is_ok() => None,
            (INT_OR_STRING, other) => return self.cannot(other, "int32", GoKind::Own),
            (MICRO_TIME, Value::Str(text)) if time::micro(text).is_none() => {
                unreadable(time::why_not(text, time::Layout::Micro))
            }
            (TIME, Value::Str(text)) if time::Time::parse(text).is_none() => {
                unreadable(time::why_not(text, time::Layout::Zoned))
            }
            (TIME | MICRO_TIME, Value::Str(_)) => None,
            (TIME | MICRO_TIME, other) => return self.cannot(other, "string", GoKind::Own),
            (_, Value::Map(_)) => None,
            (name, other) => {
                let is_struct = self.table.types.get(name).is_some_and(|it| it.get("properties").is_some());
                if is_struct {
                    self.cannot(other, &go_name(name), GoKind::Struct);
                }
                None
            }
        };
        if let Some(why) = found {
            self.wrong.get_or_insert(why);
        }
    }

    /// The type of Go for a schema.
    fn go_type(&self, schema: &Value) -> String {
        let text = |name| schema.get(name).and_then(Value::as_str);
        let own = self.leaf.clone();
        match (text("$ref"), text("type"), text("format")) {
            (Some(name), ..) => go_name(name),
            (_, Some("integer"), Some("int32")) => own.unwrap_or_else(|| "int32".to_owned()),
            (_, Some("integer"), _) => own.unwrap_or_else(|| "int64".to_owned()),
            (_, Some("boolean"), _) => own.unwrap_or_else(|| "bool".to_owned()),
            (_, Some("number"), _) => own.unwrap_or_else(|| "float64".to_owned()),
            (_, Some("string"), Some("byte")) => "[]uint8".to_owned(),
            (_, Some("array"), _) => {
                let items = schema.get("items").map(|items| self.go_type(items));
                format!("[]{}", items.unwrap_or_default())
            }
            (_, Some("object"), _) => match schema.get("additionalProperties") {
                Some(values) if values.get("$ref").and_then(Value::as_str) == Some(QUANTITY) => {
                    "v1.ResourceList".to_owned()
                }
                Some(values) => format!("map[string]{}", self.go_type(values)),
                None => String::new(),
            },
            _ => own.unwrap_or_else(|| "string".to_owned()),
        }
    }

    /// Checks the type of a value that has no name.
    fn check_type(&mut self, schema: &Value, value: &Value) {
        let text = |name| schema.get(name).and_then(Value::as_str);
        let is_right = match (text("type"), text("format"), value) {
            (_, _, Value::Null) => true,
            (Some("integer"), Some("int32"), Value::Int(number)) => i32::try_from(*number).is_ok(),
            (Some("integer"), _, Value::Int(_)) | (Some("number"), _, Value::Int(_) | Value::Float(_)) => {
                true
            }
            (Some("integer" | "number"), ..) => false,
            (Some("string"), Some("byte"), Value::Str(text)) => {
                if let Err(at) = go::base64_decode_bytes(text.as_bytes()) {
                    self.wrong.get_or_insert(NotDecoded::Base64(at));
                }
                true
            }
            (Some("string"), _, other) => matches!(other, Value::Str(_)),
            (Some("boolean"), _, other) => matches!(other, Value::Bool(_)),
            (Some("array"), _, other) => matches!(other, Value::List(_)),
            (Some("object"), _, other) => {
                matches!(other, Value::Map(_)) || schema.get("additionalProperties").is_none()
            }
            _ => true,
        };
        if !is_right {
            let wanted = self.go_type(schema);
            let kind = match (text("type"), text("format")) {
                (Some("integer"), Some("int32")) => GoKind::Int32,
                (Some("integer"), _) => GoKind::Int64,
                (Some("number"), _) => GoKind::Float,
                (Some("boolean"), _) => GoKind::Bool,
                (Some("array"), _) | (Some("string"), Some("byte")) => GoKind::Slice,
                (Some("object"), _) => GoKind::Map,
                _ => GoKind::Text,
            };
            self.cannot(value, &wanted, kind);
        }
    }

    fn value(&mut self, schema: &Value, value: Value) -> Value {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return self.named(name, value);
        }
        self.check_type(schema, &value);
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
            let text = |key| property.get(key).and_then(Value::as_str);
            let fields = self.fields.len();
            self.fields.extend(text("x-in").into_iter().chain([name]).map(str::to_owned));
            let outer = std::mem::replace(&mut self.leaf, text("x-type").map(str::to_owned));
            out.extend(
                self.below(&dotted, |it| it.field(property, value)).map(|value| (name.to_owned(), value)),
            );
            self.leaf = outer;
            self.fields.truncate(fields);
        }
        let dot = if self.path.is_empty() { "" } else { "." };
        for name in members.keys() {
            if has_room(self.unknown.len(), [self.path.len(), name.len()].into_iter()) {
                self.unknown.push(format!("{}{dot}{name}", self.path));
            }
        }
        Value::Map(out.into_iter().collect())
    }

    fn field(&mut self, property: &Value, value: Option<Value>) -> Option<Value> {
        let code = Code::of(property);
        let given = value.filter(|value| !value.is_null()).map(|value| self.value(property, value));
        match (code, given) {
            (Code::OmitEmpty, Some(Value::List(items))) if items.is_empty() => {
                property.get(KEEPS_EMPTY).map(|_| Value::List(items))
            }
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
