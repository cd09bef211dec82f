//! Mistakes in the words of the server.

use crate::status::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, json};

/// A value in a message.
fn shown(value: &Value) -> String {
    match value {
        Value::Str(text) => go::quote(text),
        other => json::to_string(other),
    }
}

pub(super) fn required(field: String, why: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::Required, why)
}

pub(super) fn forbidden(field: String, why: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::Forbidden, why)
}

pub(super) fn duplicate(field: String, value: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::Duplicate, go::quote(value))
}

pub(super) fn invalid(field: String, value: &Value, why: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::Invalid, format!("{}: {why}", shown(value)))
}

pub(super) fn invalid_text(field: String, text: &str, why: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::Invalid, format!("{}: {why}", go::quote(text)))
}

/// A text that is none of those that the server knows.
pub(super) fn unsupported(field: String, text: &str, supported: &[&str]) -> Mistake<'static> {
    let supported: Vec<String> = supported.iter().map(|text| go::quote(text)).collect();
    Mistake::new(
        field,
        Kind::NotSupported,
        format!("{}: supported values: {}", go::quote(text), supported.join(", ")),
    )
}

/// A number that is negative.
pub(super) fn negative(field: String, number: Option<&Value>) -> Option<Mistake<'static>> {
    let number = number.filter(|number| number.as_int().is_some_and(|number| number < 0))?;
    Some(invalid(field, number, "must be greater than or equal to 0"))
}
