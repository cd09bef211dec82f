//! Mistakes in the words of the server.

use crate::status::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::net::Prefix;
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

pub(in crate::verbs) fn invalid(field: String, value: &Value, why: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::Invalid, format!("{}: {why}", shown(value)))
}

pub(in crate::verbs) fn invalid_text(field: String, text: &str, why: &str) -> Mistake<'static> {
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

/// A field that never changes, with its new value if the server shows it.
pub(super) fn immutable(field: &'static str, value: Option<&Value>) -> Mistake<'static> {
    invalid(field.to_owned(), value.unwrap_or(&Value::Null), "field is immutable")
}

pub(super) const NO_ADDRESS: &str = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const NO_NETWORK: &str = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/// The mistakes in a network.
pub(super) fn network(field: String, text: &str) -> Option<Mistake<'static>> {
    match Prefix::parse(text) {
        Err(_) => Some(invalid_text(field, text, NO_NETWORK)),
        Ok(prefix) => (prefix.masked() != prefix)
            .then(|| invalid_text(field, text, "must not have bits set beyond the prefix length")),
    }
}

/// A number that is negative.
pub(super) fn negative(field: String, number: Option<&Value>) -> Option<Mistake<'static>> {
    let number = number.filter(|number| number.as_int().is_some_and(|number| number < 0))?;
    Some(invalid(field, number, "must be greater than or equal to 0"))
}

const NO_PERCENT: &str = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', \
                          regex used for validation is '[0-9]+%')";

/// What is wrong with a number of pods, or a percentage of them.
pub(super) fn amount(field: String, amount: Option<&Value>) -> Option<Mistake<'static>> {
    match amount? {
        Value::Str(text) => {
            let digits = text.strip_suffix('%').unwrap_or_default();
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Some(invalid_text(field, text, NO_PERCENT));
            }
            let is_more = !digits.parse::<u64>().is_ok_and(|percent| percent <= 100);
            is_more.then(|| invalid_text(field, text, "must not be greater than 100%"))
        }
        number => negative(field, Some(number)),
    }
}

/// The mistakes in a number of a port.
pub(super) fn port(field: String, number: &Value) -> Option<Mistake<'static>> {
    let is_right = number.as_int().is_some_and(|number| (1..=65535).contains(&number));
    (!is_right).then(|| invalid(field, number, "must be between 1 and 65535, inclusive"))
}

/// The mistakes in a name of a port.
pub(super) fn port_name(field: &str, name: &str) -> Vec<Mistake<'static>> {
    const LONGEST: usize = 15;
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let reasons = [
        (name.len() > LONGEST, "must be no more than 15 characters"),
        (
            !name.bytes().all(is_part),
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        ),
        (!name.bytes().any(|byte| byte.is_ascii_lowercase()), "must contain at least one letter (a-z)"),
        (name.contains("--"), "must not contain consecutive hyphens"),
        (name.starts_with('-') || name.ends_with('-'), "must not begin or end with a hyphen"),
    ];
    let found = reasons.into_iter().filter(|(is_wrong, _)| *is_wrong);
    found.map(|(_, why)| invalid_text(field.to_owned(), name, why)).collect()
}
