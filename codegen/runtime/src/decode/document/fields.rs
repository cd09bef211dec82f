//! Fields whose values mean something else than their JSON type suggests.

use crate::decode::context::{Cx, Decode};
use crate::diag::codes::crd::{BAD_TEXT, OUT_OF_RANGE};
use crate::go;
use crate::path::Path;
use crate::value::Value;

/// A time, normalized to UTC and whole seconds. Null for a missing time and for Go's zero time.
pub(super) fn time(value: Value, at: &Path<'_>, cx: &mut Cx) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Str(text) => match go::rfc3339(&text) {
            Some(time) if time == "0001-01-01T00:00:00Z" => Value::Null,
            Some(time) => Value::Str(time),
            None => {
                let detail = format!("expected a time, found {}", go::quote(&text));
                cx.fail(&BAD_TEXT, at, detail, "write it as 2024-01-31T12:00:00Z");
                Value::Null
            }
        },
        other => {
            cx.wrong(at, &other, "a string");
            Value::Null
        }
    }
}

/// Bytes: base64, or a list of numbers, which Go accepts too.
pub(super) fn bytes(value: Value, at: &Path<'_>, cx: &mut Cx) -> Vec<u8> {
    match value {
        Value::Str(text) => go::base64_decode(&text).unwrap_or_else(|| {
            cx.fail(&BAD_TEXT, at, "not base64".to_owned(), "encode the PEM text with `base64 -w0`");
            Vec::new()
        }),
        Value::List(items) => {
            let numbers: Vec<i64> = Vec::decode(Value::List(items), at, cx);
            let mut out = Vec::with_capacity(numbers.len());
            for (i, number) in numbers.iter().enumerate() {
                match u8::try_from(*number) {
                    Ok(byte) => out.push(byte),
                    Err(_) => {
                        let detail = format!("expected a byte, found {number}");
                        cx.fail(&OUT_OF_RANGE, &at.index(i), detail, "write base64 text instead");
                    }
                }
            }
            out
        }
        Value::Null => Vec::new(),
        other => {
            cx.wrong(at, &other, "base64 text");
            Vec::new()
        }
    }
}

/// An object of which only the presence matters.
pub(super) fn presence(value: Value, at: &Path<'_>, cx: &mut Cx) -> bool {
    match value {
        Value::Null => return false,
        Value::Map(map) => map.keys().for_each(|key| cx.unknown(at, key, &[])),
        other => cx.wrong(at, &other, "an object"),
    }
    true
}
