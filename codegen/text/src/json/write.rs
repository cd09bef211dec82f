//! Writes JSON text like Go's encoder without HTML escaping: sorted keys, no spaces, and floats in the shortest form
//! that reads back as the same value.

use crate::go;
use crate::value::{Value, changed_items};
use std::fmt::{self, Write};

/// Writes a value as compact JSON text.
pub fn to_string(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// Writes a value as compact JSON text, with the fields of each object in the order of numbers. The function gets the field
/// whose value the object is, unless it is the root, and the field.
pub fn to_string_by(value: &Value, place: &dyn Fn(Option<&str>, &str) -> usize) -> String {
    let mut out = String::new();
    write_by(value, None, place, &mut out);
    out
}

fn write_by(
    value: &Value,
    parent: Option<&str>,
    place: &dyn Fn(Option<&str>, &str) -> usize,
    out: &mut String,
) {
    match value {
        Value::Map(map) => {
            let mut members: Vec<(&str, &Value)> = map.iter().collect();
            members.sort_by_key(|(name, _)| place(parent, name));
            out.push('{');
            for (i, (name, value)) in members.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_str(name, out);
                out.push(':');
                write_by(value, Some(name), place, out);
            }
            out.push('}');
        }
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                // The items of a list at the root are not the root.
                write_by(item, parent.or(Some("")), place, out);
            }
            out.push(']');
        }
        other => write(other, out),
    }
}

/// Compact JSON text.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_string(self))
    }
}

/// Writes a value as compact JSON text that is safe for HTML, as Go's encoder does by default.
pub fn to_html_safe(value: &Value) -> String {
    to_string(value).replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Appends an object whose members are already JSON text.
pub fn write_members<'a>(members: impl IntoIterator<Item = (&'a str, &'a str)>, out: &mut String) {
    out.push('{');
    for (i, (key, text)) in members.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_str(key, out);
        out.push(':');
        out.push_str(text);
    }
    out.push('}');
}

/// Writes an object whose members are already JSON text, sorted by name.
pub fn object<'k>(members: impl IntoIterator<Item = (&'k str, String)>) -> String {
    let members: crate::value::Map<String> = members.into_iter().collect();
    let mut out = String::new();
    write_members(members.iter().map(|(key, text)| (key, text.as_str())), &mut out);
    out
}

/// Writes a list whose items are already JSON text.
pub fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// Changes a value to what it becomes when it is written and read again: floats without a fraction become integers if
/// they are in range. Other than [`whole`](crate::value::whole), this goes up to the largest integer, as readers of the text do.
pub fn read_back(value: &mut Value) {
    if let Some(read) = as_read_back(value) {
        *value = read;
    }
}

/// What a value becomes. `None` if it stays as it is.
fn as_read_back(value: &Value) -> Option<Value> {
    match value {
        Value::Float(f) => {
            let mut text = String::new();
            write_float(*f, &mut text);
            text.parse().ok().map(Value::Int)
        }
        Value::List(items) => changed_items(items, |_, item| as_read_back(item)).map(Value::List),
        Value::Map(map) => map.changed(|_, member| as_read_back(member)).map(Value::Map),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Str(_) => None,
    }
}

/// Writing to a string never fails.
fn put(text: &str, out: &mut impl Write) {
    _ = out.write_str(text);
}

/// Appends a value as compact JSON text.
pub fn write(value: &Value, out: &mut impl Write) {
    match value {
        Value::Null => put("null", out),
        Value::Bool(b) => put(if *b { "true" } else { "false" }, out),
        Value::Int(i) => _ = write!(out, "{i}"),
        Value::Float(f) => write_float(*f, out),
        Value::Str(s) => write_str(s, out),
        Value::List(items) => {
            put("[", out);
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    put(",", out);
                }
                write(item, out);
            }
            put("]", out);
        }
        Value::Map(map) => {
            put("{", out);
            for (i, (key, item)) in map.iter().enumerate() {
                if i > 0 {
                    put(",", out);
                }
                write_str(key, out);
                put(":", out);
                write(item, out);
            }
            put("}", out);
        }
    }
}

/// Appends a float as Go's `encoding/json` writes it: like `%e` below 1e-6 and from 1e21, and otherwise without an
/// exponent.
pub fn write_float(f: f64, out: &mut impl Write) {
    if !f.is_finite() {
        put("null", out);
        return;
    }
    let abs = f.abs();
    if abs != 0.0 && !(1e-6..1e21).contains(&abs) {
        let text = go::number::shortest_e(f);
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let negative = exponent.starts_with('-');
        let exponent = exponent.trim_start_matches('-');
        // Go pads exponents to two digits, but its JSON encoder turns e-09 into e-9. Positive exponents start at 21.
        put(digits, out);
        put(if negative { "e-" } else { "e+" }, out);
        put(exponent, out);
    } else {
        put(&go::number::shortest(f), out);
    }
}

/// The bytes that `write_str` must check: those that need an escape, and the first byte of U+2028 and U+2029.
const SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table[0xe2] = true;
    table
};

/// Appends a text as a JSON string.
pub fn write_str(s: &str, out: &mut impl Write) {
    let bytes = s.as_bytes();
    put("\"", out);
    let mut rest = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        if !SPECIAL[usize::from(byte)] {
            continue;
        }
        let (escape, length) = match (byte, bytes.get(i + 1..i + 3)) {
            (b'"', _) => ("\\\"", 1),
            (b'\\', _) => ("\\\\", 1),
            (b'\n', _) => ("\\n", 1),
            (b'\r', _) => ("\\r", 1),
            (b'\t', _) => ("\\t", 1),
            (8, _) => ("\\b", 1),
            (12, _) => ("\\f", 1),
            (0xe2, Some([0x80, 0xa8])) => ("\\u2028", 3),
            (0xe2, Some([0x80, 0xa9])) => ("\\u2029", 3),
            (0xe2, _) => continue,
            (control, _) => {
                put(&s[rest..i], out);
                _ = write!(out, "\\u{control:04x}");
                rest = i + 1;
                continue;
            }
        };
        put(&s[rest..i], out);
        put(escape, out);
        rest = i + length;
    }
    put(&s[rest..], out);
    put("\"", out);
}
