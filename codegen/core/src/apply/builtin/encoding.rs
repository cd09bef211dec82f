//! What is left of an object of Kubernetes' own kinds when Go has decoded and encoded it.

use super::table::{KEEPS_EMPTY, Table};
use crate::go::{self, time};
use crate::json;
use crate::object::{Found, GoKind, NotDecoded};
use crate::path::has_room;
use crate::value::{Map, Value, changed_items};
use std::borrow::Cow;
use std::fmt::{self, Write as _};

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
pub(super) fn decode<'t>(table: &'t Table, model: &'t str, object: Value) -> Decoded {
    let (path, unknown, wrong) = (String::new(), Vec::new(), None);
    let mut decoder = Decoder { table, path, unknown, wrong, of: "", fields: Vec::new(), leaf: None };
    let object = decoder.named(model, &object).unwrap_or(object);
    Decoded { object, unknown: decoder.unknown, wrong: decoder.wrong }
}

/// Replaces empty lists in an object by null.
pub(super) fn forget_empty_lists(table: &Table, model: &str, object: &mut Value) {
    if let Some(forgotten) = table.types.get(model).and_then(|schema| forgotten(table, schema, object)) {
        *object = forgotten;
    }
}

/// A value without its empty lists. `None` if it stays as it is.
fn forgotten(table: &Table, schema: &Value, value: &Value) -> Option<Value> {
    let named = schema.get("$ref").and_then(Value::as_str).and_then(|name| table.types.get(name));
    let schema = named.unwrap_or(schema);
    match value {
        Value::List(items) if items.is_empty() => Some(Value::Null),
        Value::List(items) => {
            let of_items = schema.get("items")?;
            changed_items(items, |_, item| forgotten(table, of_items, item)).map(Value::List)
        }
        Value::Map(members) => {
            // What has no fields here encodes itself.
            let properties = schema.get("properties")?.as_map()?;
            let new = |name: &str, member: &Value| forgotten(table, properties.get(name)?, member);
            let mut out = members.changed(new)?;
            let is_written = |name: &str| properties.get(name).map(Code::of) != Some(Code::OmitEmpty);
            out.retain(|name, member| !member.is_null() || is_written(name));
            Some(Value::Map(out))
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => None,
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
    of: &'t str,
    /// The names of the fields on the way, as the messages of Go's decoder have them.
    fields: Vec<&'t str>,
    /// The name of the type of texts, numbers and booleans in the field, if they have one of their own.
    leaf: Option<&'t str>,
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

impl<'t> Decoder<'t> {
    /// What a value of a type with a name becomes. `None` if it stays as it is.
    fn named(&mut self, name: &'t str, value: &Value) -> Option<Value> {
        self.check_named(name, value);
        let written = |text: Option<String>| text.map(Value::from).filter(|written| written != value);
        match (name, value) {
            (QUANTITY, Value::Str(text)) => written(go::canonical(text.trim())),
            (QUANTITY, Value::Int(_) | Value::Float(_)) => written(go::canonical(&json::to_string(value))),
            (TIME, Value::Str(text)) => written(go::rfc3339(text)),
            (MICRO_TIME, Value::Str(text)) => written(time::micro(text)),
            _ => {
                let schema = self.table.types.get(name)?;
                let outer = std::mem::replace(&mut self.of, name.rsplit('.').next().unwrap_or_default());
                let changed = self.value(schema, value);
                self.of = outer;
                changed
            }
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
        let path: Vec<&str> = std::iter::once(self.of).chain(self.fields.iter().copied()).collect();
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
        let own = self.leaf.map(str::to_owned);
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

    /// What a value becomes. `None` if it stays as it is.
    fn value(&mut self, schema: &'t Value, value: &Value) -> Option<Value> {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return self.named(name, value);
        }
        self.check_type(schema, value);
        match value {
            // Bytes may be sent with line breaks, and with bits that mean nothing.
            Value::Str(text) if schema.get("format").and_then(Value::as_str) == Some("byte") => {
                let bytes = go::base64_decode(text)?;
                Some(go::base64_encode(&bytes)).filter(|written| written != text).map(Value::from)
            }
            Value::List(items) => {
                let of_items = schema.get("items")?;
                changed_items(items, |i, item| self.element(of_items, format_args!("[{i}]"), item))
                    .map(Value::List)
            }
            Value::Map(members) => match (schema.get("properties"), schema.get("additionalProperties")) {
                (Some(Value::Map(properties)), _) => self.members(properties, members),
                (_, Some(values @ Value::Map(_))) => members
                    .changed(|name, member| self.element(values, format_args!(".{name}"), member))
                    .map(Value::Map),
                _ => None,
            },
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => None,
        }
    }

    /// An item of a list, or a member of a map.
    fn element(&mut self, schema: &'t Value, step: fmt::Arguments<'_>, value: &Value) -> Option<Value> {
        if !value.is_null() {
            return self.below(step, |it| it.value(schema, value));
        }
        let zero = self.zero(schema);
        Some(self.below(step, |it| it.value(schema, &zero)).unwrap_or(zero))
    }

    /// The fields of a struct.
    fn members(&mut self, properties: &'t Map<Value>, members: &Map<Value>) -> Option<Value> {
        let mut out = members.clone();
        let dot = if self.path.is_empty() { "" } else { "." };
        for (name, property) in properties.iter() {
            let (code, given) = (Code::of(property), members.get(name));
            if given.is_none() && matches!(code, Code::Pointer | Code::OmitEmpty | Code::OmitZero) {
                continue;
            }
            let text = |key| property.get(key).and_then(Value::as_str);
            let fields = self.fields.len();
            self.fields.extend(text("x-in").into_iter().chain([name]));
            let outer = std::mem::replace(&mut self.leaf, text("x-type"));
            match self.below(format_args!("{dot}{name}"), |it| it.field(property, code, given)) {
                Some(Cow::Borrowed(_)) => {}
                Some(Cow::Owned(value)) => drop(out.insert(name, value)),
                None => drop(out.remove(name)),
            }
            self.leaf = outer;
            self.fields.truncate(fields);
        }
        for name in members.keys().filter(|name| !properties.contains_key(name)) {
            if has_room(self.unknown.len(), [self.path.len(), name.len()].into_iter()) {
                self.unknown.push(format!("{}{dot}{name}", self.path));
            }
        }
        if members.keys().any(|name| !properties.contains_key(name)) {
            out.retain(|name, _| properties.contains_key(name));
        }
        (!out.is_same(members)).then_some(Value::Map(out))
    }

    /// A field as it is encoded. `None` if it is not.
    fn field<'v>(
        &mut self,
        property: &'t Value,
        code: Code,
        given: Option<&'v Value>,
    ) -> Option<Cow<'v, Value>> {
        let given = given.filter(|value| !value.is_null());
        let given = given.map(|it| self.value(property, it).map_or(Cow::Borrowed(it), Cow::Owned));
        match (code, given) {
            (Code::OmitEmpty, Some(value)) => Some(value).filter(|value| match &**value {
                Value::List(items) if items.is_empty() => property.get(KEEPS_EMPTY).is_some(),
                other => !is_empty(other),
            }),
            (Code::OmitZero, Some(value)) => {
                let zero = self.nothing(property);
                Some(value).filter(|value| **value != zero)
            }
            (Code::Pointer | Code::Zero | Code::Null | Code::Struct, Some(value)) => Some(value),
            (Code::Struct, None) => Some(Cow::Owned(self.nothing(property))),
            (Code::Zero, None) => Some(Cow::Owned(self.zero(property))),
            (Code::Null, None) => Some(Cow::Owned(Value::Null)),
            (Code::Pointer | Code::OmitEmpty | Code::OmitZero, None) => None,
        }
    }

    /// The zero of a type.
    fn zero(&mut self, schema: &'t Value) -> Value {
        let text = |name| schema.get(name).and_then(Value::as_str);
        match (text("$ref"), text("type")) {
            (Some(QUANTITY), _) => Value::from("0"),
            (Some(INT_OR_STRING), _) | (None, Some("integer" | "number")) => Value::Int(0),
            (Some(TIME), _) => Value::Null,
            (Some(_), _) => self.nothing(schema),
            (None, Some("string")) => Value::from(""),
            (None, Some("boolean")) => Value::Bool(false),
            (None, _) => Value::Null,
        }
    }

    /// The zero of a struct.
    fn nothing(&mut self, schema: &'t Value) -> Value {
        self.value(schema, &empty()).unwrap_or_else(empty)
    }

    fn below<T>(&mut self, step: fmt::Arguments<'_>, work: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        // Writing to a string never fails.
        _ = self.path.write_fmt(step);
        let done = work(self);
        self.path.truncate(length);
        done
    }
}
