//! Types, and formats if types depend on them.

use super::at::At;
use super::findings::{Finding, Findings};
use super::{is_whole, type_of};
use crate::diag::Kind;
use crate::diag::codes::object as codes;
use crate::go;
use crate::ir::Type;
use crate::value::{Value, is_yaml_bool};

/// The types that a value may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Types<'s> {
    Any,
    One(&'s Type),
    IntOrString,
}

impl Types<'_> {
    fn contains(&self, name: &str) -> bool {
        match self {
            Types::Any => false,
            Types::One(ty) => ty.as_str() == name,
            Types::IntOrString => matches!(name, "integer" | "string"),
        }
    }

    fn joined(&self) -> &str {
        match self {
            Types::Any => "",
            Types::One(ty) => ty.as_str(),
            Types::IntOrString => "integer,string",
        }
    }
}

/// Help for a value of another type.
fn write_instead(wanted: &str, value: &Value) -> &'static str {
    match (wanted, value) {
        (_, Value::Null) => "remove the field, or give it a value",
        ("string", Value::Int(_) | Value::Float(_) | Value::Bool(_)) => "put the value in quotes",
        ("integer", Value::Str(text)) if text.parse::<i64>().is_ok() => "remove the quotes",
        ("number", Value::Str(text)) if text.parse::<f64>().is_ok_and(f64::is_finite) => "remove the quotes",
        ("boolean", Value::Str(text)) if is_yaml_bool(text) => "remove the quotes",
        ("array", _) => "write a list: start each item with `- `",
        ("object", _) => "write an object: `name: value` lines",
        ("string", _) => "write a string",
        // The value has the right type, but the schema has the format without the type.
        ("int32" | "int64", Value::Int(_)) => "change the value, or the schema",
        ("integer" | "int32" | "int64", _) => "write a whole number",
        ("number" | "float" | "double", _) => "write a number",
        ("boolean", _) => "write `true` or `false`",
        ("integer,string", _) => "write a whole number or a string",
        _ => "change the value, or the schema",
    }
}

fn wrong_type(wanted: &str, found: &str, value: &Value, at: &At<'_>, out: &mut Findings) {
    if out.count_instead(at) {
        return;
    }
    let detail = format!("{} in body must be of type {wanted}: {}", at.name(), go::quote(found));
    let (bad, help) = (Value::from(found).into(), write_instead(wanted, value).into());
    out.add(at, Finding { code: &codes::TYPE, kind: Kind::TypeInvalid, bad, detail, help });
}

/// Reports a string that does not have its format.
pub(super) fn wrong_format(format: &str, text: &str, at: &At<'_>, out: &mut Findings) {
    if out.count_instead(at) {
        return;
    }
    let detail = format!("{} in body must be of type {format}: {}", at.name(), go::quote(text));
    let help = match example(format) {
        Some(example) => format!("write a value such as {example}"),
        None => format!("write a value of format {format}"),
    };
    out.add(
        at,
        Finding {
            code: &codes::FORMAT,
            kind: Kind::TypeInvalid,
            bad: Value::from(text).into(),
            detail,
            help,
        },
    );
}

/// An example for a format whose values look different from what its name suggests.
fn example(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" | "datetime" => "2026-01-31T12:00:00Z",
        "date" => "2026-01-31",
        "duration" => "1h30m",
        "byte" => "aGVsbG8=, which is base64",
        "cidr" => "192.0.2.0/24",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" => "https://example.com/path",
        "uuid" => "0b6c3f0e-2a4d-4c1e-9a57-3d1f6b8e7c20",
        _ => return None,
    })
}

/// Checks whether null is allowed.
pub(super) fn null(types: &Types<'_>, nullable: bool, at: &At<'_>, out: &mut Findings) -> usize {
    if *types == Types::Any || types.contains("null") || nullable {
        return 1;
    }
    wrong_type(types.joined(), "null", &Value::Null, at, out);
    0
}

/// Checks the type of any other value. Returns 1 if it is correct. The format matters: strings and lists pass if the
/// type is not a number and there is a format, which is checked later.
pub(super) fn check(
    types: &Types<'_>,
    format: &str,
    value: &Value,
    at: &At<'_>,
    out: &mut Findings,
) -> usize {
    let found = type_of(value);
    let own_format = match value {
        Value::Int(_) => "int64",
        Value::Float(_) => "float64",
        Value::Null | Value::Bool(_) | Value::Str(_) | Value::List(_) | Value::Map(_) => "",
    };
    let numeric = types.contains("number") || types.contains("integer");
    let is_right = types.contains(found)
        || match value {
            Value::Float(f) => types.contains("integer") && is_whole(*f),
            Value::Int(_) => types.contains("number"),
            Value::Null | Value::Bool(_) | Value::Str(_) | Value::List(_) | Value::Map(_) => false,
        };
    let sized = matches!(value, Value::Str(_) | Value::List(_));
    if !sized && !format.is_empty() && !is_right && own_format != format {
        wrong_type(format, own_format, value, at, out);
        return 0;
    }
    if sized && !format.is_empty() && !numeric {
        return 1;
    }
    if !is_right {
        wrong_type(types.joined(), found, value, at, out);
        return 0;
    }
    1
}
