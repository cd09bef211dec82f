//! Mistakes in the words of the server.

use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::net::{Ip, Prefix};
use crdgen_core::value::{Map, Value};
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

pub(crate) fn invalid(field: String, value: &Value, why: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::Invalid, format!("{}: {why}", shown(value)))
}

pub(crate) fn invalid_text(field: String, text: &str, why: &str) -> Mistake<'static> {
    Mistake::new(field, Kind::Invalid, format!("{}: {why}", go::quote(text)))
}

/// More items than there can be.
pub(super) fn too_many(field: String, found: usize, most: usize) -> Mistake<'static> {
    Mistake::new(field, Kind::TooMany, format!("{found}: must have at most {most} items"))
}

/// A text that is longer than it can be.
pub(super) fn too_long(field: String, most: usize) -> Mistake<'static> {
    Mistake::new(field, Kind::TooLong, format!("may not be more than {most} bytes"))
}

/// A struct as Go shows it: its fields have the names of Go, and are all there.
pub(super) fn in_go(value: &Value, fields: &[&str]) -> String {
    let shown = fields.iter().map(|name| {
        let go_name = match *name {
            "seLinuxOptions" => "SELinuxOptions".to_owned(),
            "uid" => "UID".to_owned(),
            "apiVersion" => "APIVersion".to_owned(),
            name => {
                name.chars().take(1).map(|c| c.to_ascii_uppercase()).chain(name.chars().skip(1)).collect()
            }
        };
        let value = value.get(name).unwrap_or(&Value::Null);
        let fields: &[&str] = match *name {
            "capabilities" => &["add", "drop"],
            "appArmorProfile" | "seccompProfile" => &["type", "localhostProfile"],
            _ => &[],
        };
        let is_plain = fields.is_empty() || value.is_null();
        let shown = if is_plain { json::to_string(value) } else { in_go(value, fields) };
        format!("\"{go_name}\":{shown}")
    });
    format!("{{{}}}", shown.collect::<Vec<_>>().join(","))
}

/// A struct with its texts, of which Go has empty ones for those that are missing.
pub(super) fn with_texts(value: &Value, names: &[&str]) -> Value {
    let mut map = value.as_map().cloned().unwrap_or_else(Map::new);
    for name in names {
        map.entry_or_insert_with(name, || "".into());
    }
    Value::Map(map)
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

/// What is wrong with an address in a field that had addresses before the server was strict about them.
pub(super) fn wrong_address(text: &str) -> Option<&'static str> {
    // Go's older reader takes leading zeros.
    let part = |part: &str| {
        let digits = part.trim_start_matches('0');
        if digits.is_empty() && !part.is_empty() { "0".to_owned() } else { digits.to_owned() }
    };
    match Ip::parse(text) {
        Ok((_, true)) => Some(NO_ADDRESS),
        Ok((ip, false)) => ip.is_4_in_6().then_some("must not be an IPv4-mapped IPv6 address"),
        Err(_) => {
            let parts: Vec<String> = text.split('.').map(part).collect();
            let is_sloppy = !text.contains(':') && Ip::parse(&parts.join(".")).is_ok();
            Some(if is_sloppy { "must not have leading 0s" } else { NO_ADDRESS })
        }
    }
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

/// What is wrong with a number of pods, or a percentage of them, which may be more than all.
pub(super) fn amount_or_more(field: String, amount: Option<&Value>) -> Option<Mistake<'static>> {
    let is_percentage = |text: &str| {
        let digits = text.strip_suffix('%').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match amount? {
        Value::Str(text) => (!is_percentage(text)).then(|| invalid_text(field, text, NO_PERCENT)),
        number => negative(field, Some(number)),
    }
}

/// What is wrong with a number of pods, or a percentage of them.
pub(super) fn amount(field: String, amount: Option<&Value>) -> Option<Mistake<'static>> {
    let wrong = amount_or_more(field.clone(), amount);
    let percentage = amount?.as_str().and_then(|text| text.strip_suffix('%')).filter(|_| wrong.is_none());
    let is_more = percentage.is_some_and(|digits| !digits.parse::<u64>().is_ok_and(|percent| percent <= 100));
    let why = "must not be greater than 100%";
    wrong.or_else(|| is_more.then(|| invalid(field, amount.unwrap_or(&Value::Null), why)))
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
            name.is_empty() || !name.bytes().all(is_part),
            "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
        ),
        (!name.bytes().any(|byte| byte.is_ascii_lowercase()), "must contain at least one letter (a-z)"),
        (name.contains("--"), "must not contain consecutive hyphens"),
        (name.starts_with('-') || name.ends_with('-'), "must not begin or end with a hyphen"),
    ];
    let found = reasons.into_iter().filter(|(is_wrong, _)| *is_wrong);
    found.map(|(_, why)| invalid_text(field.to_owned(), name, why)).collect()
}

const PATH: &str = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/// The mistakes in the path of a URL.
pub(super) fn http_path(field: String, path: &str) -> Option<Mistake<'static>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:".contains(&byte);
    (!path.bytes().all(is_part)).then(|| invalid_text(field, path, PATH))
}
