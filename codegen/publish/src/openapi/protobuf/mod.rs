//! OpenAPI v2 in protobuf: the messages of gnostic, in which client-go, kubectl and helm ask for the document.

mod messages;
mod wire;

use crate::value::Value;
use crate::yaml;
use messages::{DOCUMENT, Message, Named, Type};
use wire::Out;

/// Whether a value is written that is the zero of its type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zero {
    Absent,
    /// One of several alternatives, which says that it is this one.
    Written,
}

/// Writes a document of OpenAPI v2 as protobuf. Values without a schema, such as extensions, are texts in YAML there. In these, lists
/// and objects inside of others are indented less than the server does it, which no reader sees.
pub fn to_protobuf(document: &Value) -> Vec<u8> {
    let mut out = Out::default();
    message(&DOCUMENT, document, &mut out);
    out.into_bytes()
}

fn is_extension(name: &str) -> bool {
    name.starts_with("x-")
}

fn message(of: &Message, value: &Value, out: &mut Out) {
    match of {
        Message::Members { fields, extensions } => {
            for (number, (name, ty)) in (1..).zip(*fields) {
                if let Some(value) = value.get(name) {
                    field(*ty, number, value, Zero::Absent, out);
                }
            }
            if let Some(number) = extensions {
                named(*number, Type::Any, value, is_extension, out);
            }
        }
        Message::Map(Named { number, ty, extensions }) => {
            let parts = match extensions {
                // The extensions of a map have no other names than its members.
                None => return named(*number, *ty, value, |_| true, out),
                Some(extensions) if extensions < number => [true, false],
                Some(_) => [false, true],
            };
            for is_it in parts {
                let (number, ty) = match extensions {
                    Some(extensions) if is_it => (*extensions, Type::Any),
                    _ => (*number, *ty),
                };
                named(number, ty, value, |name| is_extension(name) == is_it, out);
            }
        }
        Message::Either(choose) => {
            let (number, ty) = choose(value);
            field(ty, number, value, Zero::Written, out);
        }
    }
}

/// Writes members with their names, each as a message.
fn named(number: u32, ty: Type, value: &Value, is_written: impl Fn(&str) -> bool, out: &mut Out) {
    for (name, value) in value.as_map().into_iter().flat_map(|map| map.iter()).filter(|it| is_written(it.0)) {
        let mut inner = Out::default();
        inner.text(1, name);
        field(ty, 2, value, Zero::Absent, &mut inner);
        out.bytes(number, &inner.into_bytes());
    }
}

/// The items of a list, or a value alone, as if it were a list with one item.
fn items(value: &Value) -> &[Value] {
    value.as_list().unwrap_or(std::slice::from_ref(value))
}

fn field(ty: Type, number: u32, value: &Value, zero: Zero, out: &mut Out) {
    let is_written = zero == Zero::Written;
    match ty {
        Type::Text => {
            if let Some(text) = value.as_str().filter(|text| is_written || !text.is_empty()) {
                out.text(number, text);
            }
        }
        Type::Bool => {
            if let Some(flag) = value.as_bool().filter(|flag| is_written || *flag) {
                out.varint(number, flag.into());
            }
        }
        Type::Int => {
            if let Some(int) = value.as_int().filter(|int| is_written || *int != 0) {
                out.varint(number, int.cast_unsigned());
            }
        }
        Type::Double => {
            if let Some(float) = value.as_float().filter(|float| is_written || float.to_bits() != 0) {
                out.double(number, float);
            }
        }
        Type::Texts => items(value).iter().filter_map(Value::as_str).for_each(|text| out.text(number, text)),
        Type::Any => any(number, value, out),
        Type::Anys => items(value).iter().for_each(|item| any(number, item, out)),
        Type::One(of) => one(of, number, value, out),
        Type::Each(of) => items(value).iter().for_each(|item| one(of, number, item, out)),
    }
}

fn one(of: &Message, number: u32, value: &Value, out: &mut Out) {
    let mut inner = Out::default();
    message(of, value, &mut inner);
    out.bytes(number, &inner.into_bytes());
}

/// A value of any type, as YAML in the second field of a message.
fn any(number: u32, value: &Value, out: &mut Out) {
    let mut inner = Out::default();
    inner.text(2, &yaml::write(value));
    out.bytes(number, &inner.into_bytes());
}
