//! Protobuf's well-known messages, which expressions may construct: `google.protobuf.Duration{seconds: 1}`. Nearly all
//! of them become CEL values at once. Go's types determine which values a field accepts, so messages contain their
//! names.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::value::{Error, Key, Map, Message, Opaque, Outcome, Val, Work};
use crdgen_text::go::base64_encode;
use crdgen_text::go::time::Time;

use super::convert::{INT_OVERFLOW, UINT_OVERFLOW, to_string};

/// The Go type of a field, which determines the values that it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Native {
    Bool,
    Bytes,
    Enum,
    Float32,
    Float64,
    Int32,
    Int64,
    String,
    Uint8,
    Uint32,
    Uint64,
    /// `google.protobuf.Value`: any JSON value.
    Value,
    /// `google.protobuf.ListValue`
    List,
    /// `google.protobuf.Struct`
    Struct,
}

impl fmt::Display for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Native::Bool => "bool",
            Native::Bytes => "[]uint8",
            Native::Enum => "protoreflect.EnumNumber",
            Native::Float32 => "float32",
            Native::Float64 => "float64",
            Native::Int32 => "int32",
            Native::Int64 => "int64",
            Native::String => "string",
            Native::Uint8 => "uint8",
            Native::Uint32 => "uint32",
            Native::Uint64 => "uint64",
            Native::Value => "*structpb.Value",
            Native::List => "*structpb.ListValue",
            Native::Struct => "*structpb.Struct",
        })
    }
}

/// A field of a message.
enum Field {
    One(Native),
    /// A list of JSON values.
    Many,
    /// A map of JSON values.
    Keyed,
}

fn field(message: &str, name: &str) -> Option<Field> {
    Some(Field::One(match (message, name) {
        ("BoolValue", "value") | ("Value", "bool_value") => Native::Bool,
        ("BytesValue" | "Any", "value") => Native::Bytes,
        ("Value", "null_value") => Native::Enum,
        ("FloatValue", "value") => Native::Float32,
        ("DoubleValue", "value") | ("Value", "number_value") => Native::Float64,
        ("Int32Value", "value") | ("Duration" | "Timestamp", "nanos") => Native::Int32,
        ("Int64Value", "value") | ("Duration" | "Timestamp", "seconds") => Native::Int64,
        ("StringValue", "value") | ("Value", "string_value") | ("Any", "type_url") => Native::String,
        ("Struct.FieldsEntry", "key") => Native::String,
        ("UInt32Value", "value") => Native::Uint32,
        ("UInt64Value", "value") => Native::Uint64,
        ("Struct.FieldsEntry", "value") => Native::Value,
        ("Value", "list_value") => Native::List,
        ("Value", "struct_value") => Native::Struct,
        ("ListValue", "values") => return Some(Field::Many),
        ("Struct", "fields") => return Some(Field::Keyed),
        _ => return None,
    }))
}

/// Constructs a message by its full name, or an object of a declared type. If a field has several values, the last one is used.
pub(crate) fn make<'a>(full: &str, fields: &[(&str, Val<'a>)], work: &Work) -> Outcome<'a> {
    let unknown = || Error::new(format!("unknown type '{full}'"));
    let Some(message) = full.strip_prefix("google.protobuf.") else {
        let own = |(name, value): &(&str, Val<'a>)| {
            work.entry()?;
            Ok((Box::from(*name), value.copied(work)?))
        };
        let fields = fields.iter().map(own).collect::<Result<_, Error>>()?;
        return Ok(Val::Opaque(Opaque::Message(Arc::new(Message::Object { name: full.into(), fields }))));
    };
    let mut set = BTreeMap::new();
    let mut last = None;
    for (name, value) in fields {
        let kind = field(message, name).ok_or_else(|| Error::new(format!("no such field: {name}")))?;
        let refused = |e: Error| match e.is_fatal() {
            true => e,
            false => {
                Error::new(format!("field type conversion error for {full}.{name} value type: {}", e.text()))
            }
        };
        let value = match (kind, value) {
            (Field::One(native), value) => convert(value, native, work).map_err(refused)?,
            (Field::Many, Val::List(list)) => {
                let items = list.iter().map(|item| convert(&item?, Native::Value, work));
                Val::list(items.collect::<Result<_, _>>().map_err(refused)?)
            }
            (Field::Keyed, Val::Map(map)) => structure(map, work).map_err(refused)?,
            (Field::Many | Field::Keyed, value) => {
                let ty = match value {
                    Val::List(_) => "list(dyn)",
                    Val::Map(_) => "map(dyn, dyn)",
                    Val::Optional(_) => "optional_type(dyn)",
                    value => value.type_name(),
                };
                return Err(Error::new(format!("unsupported field type for {full}.{name}: {ty}")));
            }
        };
        last = Some(*name);
        set.insert(*name, value);
    }
    read(message, set, last).ok_or_else(unknown)?
}

/// The CEL value of a message.
fn read<'a>(message: &str, mut set: BTreeMap<&str, Val<'static>>, last: Option<&str>) -> Option<Outcome<'a>> {
    let int = |value: Option<&Val<'_>>| if let Some(Val::Int(i)) = value { *i } else { 0 };
    let (seconds, nanos) = (int(set.get("seconds")), int(set.get("nanos")));
    Some(Ok(match message {
        "Timestamp" => Val::Timestamp(unix(seconds, nanos)),
        "Duration" => {
            let sum = seconds.checked_mul(1_000_000_000).and_then(|s| s.checked_add(nanos));
            Val::Duration(sum.unwrap_or(if seconds < 0 { i64::MIN } else { i64::MAX }))
        }
        "Value" => last.and_then(|name| set.remove(name)).map_or(Val::Null, |value| match last {
            Some("null_value") => Val::Null,
            _ => value,
        }),
        "ListValue" => set.remove("values").unwrap_or_else(|| Val::list(Vec::new())),
        "Struct" => set.remove("fields").unwrap_or_else(|| Val::Map(Map::own(BTreeMap::new()))),
        "BoolValue" => set.remove("value").unwrap_or(Val::Bool(false)),
        "BytesValue" => set.remove("value").unwrap_or_else(|| Val::Bytes(Arc::default())),
        "DoubleValue" | "FloatValue" => set.remove("value").unwrap_or(Val::Double(0.0)),
        "Int32Value" | "Int64Value" => set.remove("value").unwrap_or(Val::Int(0)),
        "UInt32Value" | "UInt64Value" => set.remove("value").unwrap_or(Val::Uint(0)),
        "StringValue" => set.remove("value").unwrap_or_else(|| Val::text("")),
        "Empty" => Val::Opaque(Opaque::Message(Arc::new(Message::Empty))),
        "Struct.FieldsEntry" => {
            let (key, value) = (set.remove("key"), set.remove("value"));
            let key = key.as_ref().and_then(Val::as_str).unwrap_or_default().into();
            Val::Opaque(Opaque::Message(Arc::new(Message::FieldsEntry { key, value })))
        }
        // Messages inside it are not unpacked.
        "Any" => {
            let mut text = String::new();
            if let Some(Val::Str(url)) = set.get("type_url") {
                text += &format!("type_url:{:?}", &**url);
            }
            if let Some(Val::Bytes(bytes)) = set.get("value") {
                text += &format!("value:{:?}", String::from_utf8_lossy(bytes));
            }
            return Some(Err(Error::new(format!(
                "unsupported conversion to ref.Val: (*dynamicpb.Message){text}"
            ))));
        }
        _ => return None,
    }))
}

/// A time that may be far outside of any calendar. The seconds are clamped, where Go's would overflow.
fn unix(seconds: i64, nanos: i64) -> Time {
    const FAR: i64 = 1 << 62;
    let seconds = (seconds.clamp(-FAR, FAR) + nanos.div_euclid(1_000_000_000)).clamp(-FAR, FAR);
    Time { seconds, nanos: nanos.rem_euclid(1_000_000_000) as u32, offset: 0 }
}

/// Converts a value as a Go field would, and back to CEL.
fn convert(value: &Val<'_>, to: Native, work: &Work) -> Result<Val<'static>, Error> {
    /// The largest integer that every JSON reader reads exactly.
    const SAFE: u64 = (1 << 53) - 1;
    let fail = |text: String| Err(Error::new(text));
    // A list that a value contains many times is copied each time.
    work.items(1)?;
    Ok(match (value, to) {
        (Val::Null, Native::Value) => Val::Null,
        (Val::Null, _) => return fail(format!("type conversion error from 'null_type' to '{to}'")),
        (Val::Bool(b), Native::Bool | Native::Value) => Val::Bool(*b),
        (Val::Bool(_), _) => return fail(format!("type conversion error from bool to '{to}'")),
        (Val::Int(i), Native::Int64) => Val::Int(*i),
        (Val::Int(i), Native::Int32 | Native::Enum) => match i32::try_from(*i) {
            Ok(i) => Val::Int(i.into()),
            Err(_) => return Err(INT_OVERFLOW),
        },
        (Val::Int(i), Native::Value) if i.unsigned_abs() <= SAFE => Val::Double(*i as f64),
        (Val::Int(i), Native::Value) => Val::text(i.to_string()),
        (Val::Int(_), _) => return fail(format!("unsupported type conversion from 'int' to {to}")),
        (Val::Uint(u), Native::Uint64) => Val::Uint(*u),
        (Val::Uint(u), Native::Uint32) if *u <= u32::MAX.into() => Val::Uint(*u),
        (Val::Uint(u), Native::Uint8) if *u <= u8::MAX.into() => Val::Uint(*u),
        (Val::Uint(_), Native::Uint8 | Native::Uint32) => return Err(UINT_OVERFLOW),
        (Val::Uint(u), Native::Value) if *u <= SAFE => Val::Double(*u as f64),
        (Val::Uint(u), Native::Value) => Val::text(u.to_string()),
        (Val::Uint(_), _) => return fail(format!("unsupported type conversion from 'uint' to {to}")),
        (Val::Double(d), Native::Float64 | Native::Value) => Val::Double(*d),
        (Val::Double(d), Native::Float32) => Val::Double((*d as f32).into()),
        (Val::Double(_), _) => return fail(format!("type conversion error from Double to '{to}'")),
        (Val::Str(s), Native::String | Native::Value) => {
            work.bytes(s.len())?;
            Val::text(s.to_string())
        }
        (Val::Str(_), _) => return fail(format!("unsupported native conversion from string to '{to}'")),
        (Val::Bytes(b), Native::Bytes) => Val::Bytes(Arc::clone(b)),
        (Val::Bytes(b), Native::Value) => {
            work.bytes(b.len().saturating_mul(2))?;
            Val::text(base64_encode(b))
        }
        (Val::Bytes(_), _) => return fail(format!("type conversion error from Bytes to '{to}'")),
        (Val::Duration(_) | Val::Timestamp(_), Native::Value) => to_string(value, work)?.into_static(),
        (Val::Duration(_), _) => return fail(format!("type conversion error from 'Duration' to '{to}'")),
        (Val::Timestamp(_), _) => return fail(format!("type conversion error from 'Timestamp' to '{to}'")),
        (Val::Type(_), _) => return fail("type conversion not supported for 'type'".to_owned()),
        (Val::Optional(None), _) => return fail("optional.none() dereference".to_owned()),
        (Val::Optional(Some(inner)), to) => convert(inner, to, work)?,
        (Val::List(list), Native::Bytes) if list.is_json() => {
            return Err(match list.iter().next() {
                Some(Ok(Val::Str(_))) => Error::crash("internal error: invalid type: []string"),
                _ => Error::crash("internal error: invalid type: []interface {}"),
            });
        }
        (Val::List(list), to) if list.is_json() => {
            return fail(format!("type conversion error from 'list(dyn)' to '{to}'"));
        }
        (Val::List(list), Native::Value | Native::List) => {
            let items = list.iter().map(|item| convert(&item?, Native::Value, work));
            Val::list(items.collect::<Result<_, _>>()?)
        }
        (Val::List(list), Native::Bytes) => {
            let byte = |item: Outcome<'_>| match convert(&item?, Native::Uint8, work)? {
                Val::Uint(u) => u8::try_from(u).map_err(|_| UINT_OVERFLOW),
                _ => Err(Error::NO_OVERLOAD),
            };
            Val::Bytes(list.iter().map(byte).collect::<Result<_, _>>()?)
        }
        (Val::List(_), to) => return fail(format!("type conversion error from list to '{to}'")),
        (Val::Map(map), to) if map.is_json() => {
            return fail(format!("type conversion error from 'map(dyn, dyn)' to '{to}'"));
        }
        (Val::Map(map), Native::Value | Native::Struct) => structure(map, work)?,
        // Go sets the message's fields by the keys of the map. The only field is `Values`.
        (Val::Map(map), Native::List) => match map.keys().first() {
            None => Val::list(Vec::new()),
            Some(key) => {
                let name = upper_camel(&work.show(key)?);
                let why = "type conversion error, no such field";
                return fail(format!("{why} '{name}' in type 'structpb.ListValue'"));
            }
        },
        (Val::Map(_), to) => return fail(format!("type conversion error from map to '{to}'")),
        (Val::Opaque(opaque), to) => return of_library(opaque, to, work),
        (Val::Preserved(_), to) => {
            let why = "not supported for values preserved by x-kubernetes-preserve-unknown-fields";
            return fail(format!("type conversion to '{to}' {why}"));
        }
    })
}

fn structure(map: &Map<'_>, work: &Work) -> Result<Val<'static>, Error> {
    let mut out = BTreeMap::new();
    for (key, value) in map.entries() {
        let key = convert(&key, Native::String, work)?;
        work.entry()?;
        out.insert(Key::of(&key, work)?, convert(&value?, Native::Value, work)?);
    }
    Ok(Val::Map(Map::own(out)))
}

fn of_library(opaque: &Opaque, to: Native, work: &Work) -> Result<Val<'static>, Error> {
    let (name, text) = match opaque {
        Opaque::Ip(ip) => ("IP", Some(ip.to_string())),
        Opaque::Cidr(prefix) => ("CIDR", Some(prefix.to_string())),
        Opaque::Url(url) => ("URL", Some(url.to_string())),
        Opaque::Quantity { quantity, computed: _ } => ("Quantity", Some(quantity.to_string())),
        Opaque::Semver(version) => ("Semver", Some(version.to_string())),
        Opaque::Format(_) => ("Format", None),
        Opaque::Message(message) if to == Native::Value => {
            let field = |(name, value): (&str, Val<'static>)| {
                Ok((Key::of(&Val::text(name.to_owned()), work)?, convert(&value, Native::Value, work)?))
            };
            let fields = message.set().into_iter().map(field);
            return Ok(Val::Map(Map::own(fields.collect::<Result<_, Error>>()?)));
        }
        Opaque::Message(_) => ("*dynamicpb.Message", None),
        Opaque::Object(object) => (object.type_name(), None),
        Opaque::Error(error) => return Err((**error).clone()),
    };
    match text {
        Some(text) if to == Native::String => Ok(Val::text(text)),
        _ => Err(Error::new(format!("type conversion error from '{name}' to '{to}'"))),
    }
}

fn upper_camel(name: &str) -> String {
    let is_delimiter = |c: char| matches!(c, '_' | '-');
    let mut out = String::new();
    let mut before = None;
    for c in name.trim().chars() {
        match before {
            _ if is_delimiter(c) => {}
            None => out.extend(c.to_uppercase()),
            Some(before) if is_delimiter(before) => out.extend(c.to_uppercase()),
            Some(before) if before.is_lowercase() => out.push(c),
            Some(_) => out.extend(c.to_lowercase()),
        }
        before = Some(c);
    }
    out
}
