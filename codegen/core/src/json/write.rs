//! JSON text as Go's encoder writes it with HTML escaping off: sorted keys, no spaces, floats in the
//! shortest form that reads back the same.

use crate::value::Value;
use std::fmt::Write;

/// Compact JSON text.
pub fn to_string(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// Compact JSON text that is safe in HTML, as Go's encoder writes it if not told otherwise.
pub fn to_html_safe(value: &Value) -> String {
    to_string(value).replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Makes a value what it is after it was written and read again: floats without a fraction become
/// integers if they fit.
pub fn read_back(value: &mut Value) {
    match value {
        Value::Float(f) => {
            let mut text = String::new();
            write_float(*f, &mut text);
            if let Ok(i) = text.parse() {
                *value = Value::Int(i);
            }
        }
        Value::List(items) => items.iter_mut().for_each(read_back),
        Value::Map(map) => map.values_mut().for_each(read_back),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Str(_) => {}
    }
}

/// Appends compact JSON text.
pub fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(i) => _ = write!(out, "{i}"),
        Value::Float(f) => write_float(*f, out),
        Value::Str(s) => write_str(s, out),
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (i, (key, item)) in map.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_str(key, out);
                out.push(':');
                write(item, out);
            }
            out.push('}');
        }
    }
}

/// A float as Go's `encoding/json` writes it: `%e` below 1e-6 and from 1e21 on, else without exponent.
pub fn write_float(f: f64, out: &mut String) {
    if !f.is_finite() {
        out.push_str("null");
        return;
    }
    let abs = f.abs();
    if abs != 0.0 && !(1e-6..1e21).contains(&abs) {
        let text = format!("{f:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let negative = exponent.starts_with('-');
        let exponent = exponent.trim_start_matches('-');
        // Go pads exponents to two digits but its JSON encoder turns e-09 into e-9; positive ones start at 21.
        out.push_str(digits);
        out.push_str(if negative { "e-" } else { "e+" });
        out.push_str(exponent);
    } else {
        _ = write!(out, "{f}");
    }
}

/// A JSON string.
pub fn write_str(s: &str, out: &mut String) {
    out.push('"');
    let mut rest = 0;
    for (i, c) in s.char_indices() {
        let escape: &str = match c {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\u{2028}' => "\\u2028",
            '\u{2029}' => "\\u2029",
            c if (c as u32) < 0x20 => {
                out.push_str(&s[rest..i]);
                out.push_str(&format!("\\u{:04x}", c as u32));
                rest = i + 1;
                continue;
            }
            _ => continue,
        };
        out.push_str(&s[rest..i]);
        out.push_str(escape);
        rest = i + c.len_utf8();
    }
    out.push_str(&s[rest..]);
    out.push('"');
}
