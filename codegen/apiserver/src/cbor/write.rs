//! Writes CBOR. The same value always gives the same bytes.

use super::{SELF_DESCRIBED, major, number};
use crdgen_core::value::Value;

/// Writes a document.
pub(crate) fn write(value: &Value) -> Vec<u8> {
    let mut out = SELF_DESCRIBED.to_vec();
    item(value, &mut out);
    out
}

/// Writes an event of a watch, whose object is a document in a document.
pub(crate) fn event(ty: &str, object: &Value) -> Vec<u8> {
    let mut out = SELF_DESCRIBED.to_vec();
    head(major::MAP, 2, &mut out);
    text("type", &mut out);
    text(ty, &mut out);
    text("object", &mut out);
    out.extend(SELF_DESCRIBED);
    item(object, &mut out);
    out
}

fn item(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.push(major::SIMPLE << 5 | 22),
        Value::Bool(flag) => out.push(major::SIMPLE << 5 | 20 | u8::from(*flag)),
        Value::Int(int) if *int < 0 => head(major::NEGATIVE, !int.cast_unsigned(), out),
        Value::Int(int) => head(major::POSITIVE, int.cast_unsigned(), out),
        Value::Float(float) => write_float(*float, out),
        Value::Str(found) => text(found, out),
        Value::List(items) => {
            head(major::LIST, items.len() as u64, out);
            items.iter().for_each(|it| item(it, out));
        }
        Value::Map(map) => {
            head(major::MAP, map.len() as u64, out);
            // The order of their bytes: shorter names come first.
            let mut members: Vec<(&str, &Value)> = map.iter().collect();
            members.sort_by_key(|(name, _)| name.len());
            for (name, value) in members {
                text(name, out);
                item(value, out);
            }
        }
    }
}

/// The head of an item, with a number in as few bytes as possible.
fn head(major: u8, number: u64, out: &mut Vec<u8>) {
    let kind = major << 5;
    if number < 24 {
        out.push(kind | number as u8);
    } else if let Ok(number) = u8::try_from(number) {
        out.extend([kind | 24, number]);
    } else if let Ok(number) = u16::try_from(number) {
        out.push(kind | 25);
        out.extend(number.to_be_bytes());
    } else if let Ok(number) = u32::try_from(number) {
        out.push(kind | 26);
        out.extend(number.to_be_bytes());
    } else {
        out.push(kind | 27);
        out.extend(number.to_be_bytes());
    }
}

/// A text. The server writes it as bytes, because a string of Go may be no UTF-8.
fn text(text: &str, out: &mut Vec<u8>) {
    head(major::BYTES, text.len() as u64, out);
    out.extend(text.as_bytes());
}

/// A float in as few bytes as possible.
fn write_float(float: f64, out: &mut Vec<u8>) {
    let short = float as f32;
    if f64::from(short) != float {
        out.push(major::SIMPLE << 5 | 27);
        out.extend(float.to_be_bytes());
    } else if let Some(half) = number::half(short) {
        out.push(major::SIMPLE << 5 | 25);
        out.extend(half.to_be_bytes());
    } else {
        out.push(major::SIMPLE << 5 | 26);
        out.extend(short.to_be_bytes());
    }
}
