//! Compares values with an enum, with the conversions that the server's comparison makes.

use super::at::At;
use super::findings::Findings;
use crate::diag::Kind;
use crate::diag::codes::object as codes;
use crate::go;
use crate::json;
use crate::value::{Value, yaml_bool};

pub(super) fn check(enumeration: &[Value], value: &Value, at: &At<'_>, out: &mut Findings) {
    if enumeration.is_empty() || enumeration.iter().any(|allowed| matches(value, allowed)) {
        return;
    }
    if out.count_instead() {
        return;
    }
    let texts: Vec<String> = enumeration.iter().map(|allowed| go::quote(&as_text(allowed))).collect();
    let detail = format!("supported values: {}", texts.join(", "));
    let mut words = enumeration.iter().filter_map(Value::as_str);
    let help = match value.as_bool().and_then(|found| words.find(|word| yaml_bool(word) == Some(found))) {
        Some(word) => quote(word),
        None => "use one of the supported values".to_owned(),
    };
    out.add(&codes::ENUM, Kind::NotSupported, at, value.clone(), detail, help);
}

/// The help for a string that YAML reads as a boolean.
pub(super) fn quote(word: &str) -> String {
    format!(
        "put the value in quotes, \"{word}\": YAML 1.1 reads y, n, yes, no, on and off as booleans, like true and false"
    )
}

/// Whether the value is equal after Go has converted it to the type of the allowed one. Floats lose their fraction, and
/// integers become characters. Null is never equal.
fn matches(value: &Value, allowed: &Value) -> bool {
    match (value, allowed) {
        (Value::Null, _) | (_, Value::Null) => false,
        (Value::Float(f), Value::Int(i)) => go_int(*f) == *i,
        (Value::Int(i), Value::Float(f)) => *i as f64 == *f,
        (Value::Int(i), Value::Str(s)) => {
            let c = u32::try_from(*i).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
            s.chars().eq([c])
        }
        _ => value == allowed,
    }
}

/// Go's conversion of a float to an integer: the fraction is cut off, and a number that is too large becomes the
/// smallest integer.
pub(in crate::object) fn go_int(f: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&f) { f as i64 } else { i64::MIN }
}

/// A value in a message: strings as they are, everything else as JSON that is safe in HTML.
fn as_text(value: &Value) -> String {
    match value {
        Value::Str(s) => s.clone(),
        other => json::to_html_safe(other),
    }
}
