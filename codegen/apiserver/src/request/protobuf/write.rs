//! Writes protobuf as Go's generated code does: the fields in the order of their numbers, and zeros for all that Go has no pointers to.

use super::MAGIC;
use super::table::{self, Field, Message, Shape, Type};
use super::wire::wire_type;
use crdgen_core::go::{self, time::Time};
use crdgen_core::json;
use crdgen_core::value::Value;

/// What comes after each message: the encoding and the type of the content, which are empty.
const END: [u8; 4] = [0x1a, 0, 0x22, 0];

/// Writes an object, a list of objects, or what else a client gets. `None` if its kind has no message.
pub(crate) fn write(value: &Value) -> Option<Vec<u8>> {
    let (api_version, kind) = (value.text("apiVersion"), value.text("kind"));
    let mut raw = Vec::new();
    match table::of_kind(api_version, kind) {
        Some(of) => members(of, value, &mut raw)?,
        None => {
            let of = table::of_kind(api_version, kind.strip_suffix("List")?)?;
            list_metadata(value.get("metadata").unwrap_or(&Value::Null), &mut raw)?;
            for item in value.get("items").and_then(Value::as_list).unwrap_or_default() {
                one_item(of, item, &mut raw)?;
            }
        }
    }
    let mut out = Vec::new();
    begin(api_version, kind, raw.len(), &mut out);
    Some([out, raw, END.to_vec()].concat())
}

/// Writes an object as an item of a list.
pub(crate) fn item(value: &Value) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    one_item(table::of_kind(value.text("apiVersion"), value.text("kind"))?, value, &mut out)?;
    Some(out)
}

/// Writes what is around the items of a list, which have so many bytes. `None` if they have no messages.
pub(crate) fn around_items(
    api_version: &str,
    kind: &str,
    metadata: &Value,
    items: usize,
) -> Option<[Vec<u8>; 2]> {
    table::of_kind(api_version, kind.strip_suffix("List")?)?;
    let (mut of_list, mut out) = (Vec::new(), Vec::new());
    list_metadata(metadata, &mut of_list)?;
    begin(api_version, kind, of_list.len() + items, &mut out);
    out.append(&mut of_list);
    Some([out, END.to_vec()])
}

/// Writes what comes before a message with so many bytes.
fn begin(api_version: &str, kind: &str, length: usize, out: &mut Vec<u8>) {
    let mut of_type = Vec::new();
    bytes(1, api_version.as_bytes(), &mut of_type);
    bytes(2, kind.as_bytes(), &mut of_type);
    out.extend_from_slice(MAGIC);
    bytes(1, &of_type, out);
    tag(2, wire_type::BYTES, out);
    number(length as u64, out);
}

/// Lists of all kinds have the same fields.
fn list_metadata(metadata: &Value, out: &mut Vec<u8>) -> Option<()> {
    let mut inner = Vec::new();
    members(table::message("apis.meta.v1.ListMeta")?, metadata, &mut inner)?;
    bytes(1, &inner, out);
    Some(())
}

fn one_item(of: &Message, value: &Value, out: &mut Vec<u8>) -> Option<()> {
    let mut inner = Vec::new();
    members(of, value, &mut inner)?;
    bytes(2, &inner, out);
    Some(())
}

/// Writes an event of a watch after its length.
pub(crate) fn event(ty: &str, object: &Value) -> Option<Vec<u8>> {
    let (mut raw, mut event) = (Vec::new(), Vec::new());
    bytes(1, &write(object)?, &mut raw);
    bytes(1, ty.as_bytes(), &mut event);
    bytes(2, &raw, &mut event);
    let length = u32::try_from(event.len()).ok()?;
    Some([&length.to_be_bytes(), &event[..]].concat())
}

fn number(mut number: u64, out: &mut Vec<u8>) {
    while number > 0x7f {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn tag(field: u64, wire: u8, out: &mut Vec<u8>) {
    number(field << 3 | u64::from(wire), out);
}

fn bytes(field: u64, bytes: &[u8], out: &mut Vec<u8>) {
    tag(field, wire_type::BYTES, out);
    number(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// Writes the fields of a message. `None` if the table contradicts itself.
fn members(of: &Message, value: &Value, out: &mut Vec<u8>) -> Option<()> {
    for field in of {
        let found = match field.name {
            "" => Some(value),
            "=" => Some(value).filter(|value| means(field, value)),
            name => value.get(name),
        };
        let found = found.filter(|found| !found.is_null());
        match (field.shape, found) {
            (Shape::One, None) if field.is_left_out() => {}
            (Shape::One, found) => one(field.number, field.ty, found, out)?,
            (Shape::List, found) => {
                for item in found.and_then(Value::as_list).unwrap_or_default() {
                    one(field.number, field.ty, Some(item), out)?;
                }
            }
            (Shape::Map, found) => {
                let mut entries: Vec<_> =
                    found.and_then(Value::as_map).into_iter().flat_map(|map| map.iter()).collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                for (key, value) in entries {
                    let mut entry = Vec::new();
                    bytes(1, key.as_bytes(), &mut entry);
                    one(2, field.ty, Some(value), &mut entry)?;
                    bytes(field.number, &entry, out);
                }
            }
        }
    }
    Some(())
}

/// Whether a message that is one of several things in JSON is the one of this field. One that is a schema is allowed.
fn means(field: &Field, value: &Value) -> bool {
    match (field.shape, field.ty) {
        (Shape::List, _) => matches!(value, Value::List(_)),
        (_, Type::Bool) => true,
        _ => matches!(value, Value::Map(_)),
    }
}

/// Writes a field with a value, or the zero of its type.
fn one(field: u64, ty: Type, value: Option<&Value>, out: &mut Vec<u8>) -> Option<()> {
    let text = || value.and_then(Value::as_str);
    let int = || value.and_then(Value::as_int).unwrap_or_default().cast_unsigned();
    let mut inner = Vec::new();
    match ty {
        Type::Int | Type::Bool => {
            tag(field, wire_type::NUMBER, out);
            number(if ty == Type::Int { int() } else { u64::from(is_true(value)) }, out);
            return Some(());
        }
        Type::Double => {
            tag(field, wire_type::EIGHT, out);
            out.extend(value.and_then(Value::as_float).unwrap_or_default().to_le_bytes());
            return Some(());
        }
        Type::Text => inner.extend_from_slice(text().unwrap_or_default().as_bytes()),
        Type::Bytes => inner = go::base64_decode(text().unwrap_or_default()).unwrap_or_default(),
        Type::Time | Type::MicroTime => {
            if let Some(time) = text().and_then(Time::parse).filter(|time| !time.is_zero()) {
                let (seconds, nanos) = time.instant();
                let nanos = if ty == Type::Time { 0 } else { nanos / 1000 * 1000 };
                tag(1, wire_type::NUMBER, &mut inner);
                number(seconds.cast_unsigned(), &mut inner);
                tag(2, wire_type::NUMBER, &mut inner);
                number(nanos.into(), &mut inner);
            }
        }
        Type::Quantity => bytes(1, text().unwrap_or("0").as_bytes(), &mut inner),
        Type::IntOrString => {
            tag(1, wire_type::NUMBER, &mut inner);
            number(u64::from(text().is_some()), &mut inner);
            tag(2, wire_type::NUMBER, &mut inner);
            number(int(), &mut inner);
            bytes(3, text().unwrap_or_default().as_bytes(), &mut inner);
        }
        Type::Json => {
            if let Some(value) = value {
                bytes(1, json::to_string(value).as_bytes(), &mut inner);
            }
        }
        Type::Message(name) => members(table::message(name)?, value.unwrap_or(&Value::Null), &mut inner)?,
    }
    bytes(field, &inner, out);
    Some(())
}

/// Whether a value is true. A schema in place of it is.
fn is_true(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Bool(true) | Value::Map(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{Expected, protobuf};

    /// The file has objects as kube-apiserver writes them: a line has the answers to a GET that accepts JSON and to one that accepts
    /// protobuf, which is base64 here.
    #[test]
    fn writes_what_kube_apiserver_writes() {
        let more =
            std::env::var_os("CRDGEN_PROTOBUF").map(|path| std::fs::read_to_string(path).expect("a file"));
        let more = more.unwrap_or_default();
        let mut wrong = Vec::new();
        for line in include_str!("../../../tests/protobuf.txt").lines().chain(more.lines()) {
            let (text, expected) = line.rsplit_once(' ').expect("JSON and base64");
            let object = json::read(text.as_bytes()).expect("JSON");
            let found = write(&object);
            if found.as_ref().map(|bytes| go::base64_encode(bytes)).as_deref() != Some(expected) {
                let expected = go::base64_decode(expected).expect("base64");
                wrong.push(format!("{text}\n{}\n{}", show(&found.unwrap_or_default()), show(&expected)));
                continue;
            }
            let Some(bytes) = found.filter(|_| object.get("items").is_none()) else { continue };
            let read = protobuf::read(&bytes, Expected { api_version: "", kind: "" }).expect("an object");
            assert_eq!(write(&read), Some(bytes), "{text}");
        }
        assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n\n"));
    }

    fn show(bytes: &[u8]) -> String {
        bytes.escape_ascii().to_string()
    }
}
