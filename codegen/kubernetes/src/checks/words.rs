//! What the server says about values that several types have.

use super::at::{At, Mistakes};
use crate::mistake::Mistake;
use crdgen_core::go::net::{Ip, Prefix};
use crdgen_core::json;
use crdgen_core::names;
use crdgen_core::value::Value;

/// The server compares such names in lower case.
pub(super) fn lower_subdomain(text: &str) -> Vec<String> {
    names::dns1123_subdomain(&text.to_lowercase())
}

/// The server's words for a name whose letters may be large.
pub(super) fn caseless_subdomain(name: &str) -> Vec<String> {
    let small = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters";
    let large = "an RFC 1123 subdomain must consist of alphanumeric characters";
    let words = |why: String| why.replace(small, large).replace("'example.com'", "'Example.com'");
    lower_subdomain(name).into_iter().map(words).collect()
}

/// The words of the types that declare the rule for a name: they count bytes.
fn in_bytes(name: &str, most: usize, mut reasons: Vec<String>) -> Vec<String> {
    if let (true, Some(first)) = (name.len() > most, reasons.first_mut()) {
        *first = format!("must be no more than {most} bytes");
    }
    reasons
}

pub(super) fn declared_label(name: &str) -> Vec<String> {
    in_bytes(name, 63, names::dns1123_label(name))
}

pub(crate) fn declared_subdomain(name: &str) -> Vec<String> {
    in_bytes(name, 253, names::dns1123_subdomain(name))
}

/// The same for a name whose letters may be large.
pub(super) fn declared_caseless_subdomain(name: &str) -> Vec<String> {
    in_bytes(name, 253, caseless_subdomain(name))
}

/// The beginning of a name whose end may be generated.
pub(super) fn prefix_of_subdomain(name: &str) -> Vec<String> {
    names::dns1123_subdomain(&names::mask_trailing_dash(name))
}

/// A number without the zeros before it, which Go's older reader takes.
fn without_zeros(number: &str) -> &str {
    let digits = number.trim_start_matches('0');
    if digits.is_empty() && !number.is_empty() { "0" } else { digits }
}

/// What is wrong with an address in a field that had addresses before the server was strict about them.
pub(super) fn wrong_address(text: &str) -> Option<&'static str> {
    match Ip::parse(text) {
        Ok((_, true)) => Some(NO_ADDRESS),
        Ok((ip, false)) => ip.is_4_in_6().then_some("must not be an IPv4-mapped IPv6 address"),
        Err(_) => {
            let parts: Vec<&str> = text.split('.').map(without_zeros).collect();
            let is_sloppy = !text.contains(':') && Ip::parse(&parts.join(".")).is_ok();
            Some(if is_sloppy { "must not have leading 0s" } else { NO_ADDRESS })
        }
    }
}

pub(super) const NO_ADDRESS: &str = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const NO_NETWORK: &str = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/// An address that Go reads.
pub(super) fn address(text: &str) -> Vec<String> {
    if Ip::parse(text).is_err() { vec![NO_ADDRESS.to_owned()] } else { Vec::new() }
}

/// An address in a field that only new kinds have: it is written as it should be.
pub(crate) fn strict_address(text: &str) -> Vec<String> {
    let canonical = || Ip::parse(text).map(|(ip, _)| ip.to_string());
    match (wrong_address(text), canonical()) {
        (Some(why), _) => vec![why.to_owned()],
        (None, Ok(ip)) if ip != text => vec![format!("must be in canonical form (\"{ip}\")")],
        (None, _) => Vec::new(),
    }
}

/// A network.
pub(super) fn network(text: &str) -> Vec<String> {
    let why = match Prefix::parse(text) {
        Err(_) => NO_NETWORK,
        Ok(prefix) if prefix.masked() != prefix => "must not have bits set beyond the prefix length",
        Ok(_) => return Vec::new(),
    };
    vec![why.to_owned()]
}

/// A network as Go's older reader takes it, with zeros before its numbers.
fn sloppy_network(text: &str) -> Option<Prefix> {
    let (ip, bits) = text.split_once('/')?;
    let ip: Vec<&str> = ip.split('.').map(without_zeros).collect();
    Prefix::parse(&format!("{}/{}", ip.join("."), without_zeros(bits))).ok()
}

/// The address of an interface, with the number of the bits of its network.
pub(super) fn interface_address(text: &str) -> Vec<String> {
    let Some(prefix) = sloppy_network(text) else {
        return vec!["must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)".to_owned()];
    };
    // Go writes an IPv4 address in IPv6 as IPv4.
    let written = prefix.to_string();
    let canonical = match written.strip_prefix("::ffff:").and_then(|rest| rest.split_once('/')) {
        Some((ip, _)) if prefix.ip.is_4_in_6() => format!("{ip}/{}", prefix.bits().saturating_sub(96)),
        _ => written,
    };
    match canonical == text {
        true => Vec::new(),
        false => vec![format!("must be in canonical form (\"{canonical}\")")],
    }
}

/// A network in a field that only new kinds have: there are no zeros before its numbers.
pub(super) fn strict_network(text: &str) -> Vec<String> {
    let is_sloppy = Prefix::parse(text).is_err() && sloppy_network(text).is_some();
    if is_sloppy { vec!["must not have leading 0s in IP or prefix length".to_owned()] } else { network(text) }
}

const NO_PERCENT: &str = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', \
                          regex used for validation is '[0-9]+%')";

/// A number of pods, or a percentage of them, which may be more than all.
pub(super) fn amount_or_more(at: &At<'_>) -> Option<Mistake> {
    let is_percentage = |text: &str| {
        let digits = text.strip_suffix('%').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match at.value? {
        Value::Str(text) => (!is_percentage(text)).then(|| at.invalid(NO_PERCENT)),
        _ => (at.number() < 0).then(|| at.invalid("must be greater than or equal to 0")),
    }
}

/// A number of pods, or a percentage of them.
pub(super) fn amount(at: &At<'_>) -> Option<Mistake> {
    amount_or_more(at).or_else(|| {
        let digits = at.text().strip_suffix('%')?;
        let is_more = !digits.parse::<u64>().is_ok_and(|percent| percent <= 100);
        is_more.then(|| at.invalid("must not be greater than 100%"))
    })
}

/// The number of a port.
pub(super) fn port(at: &At<'_>) -> Option<Mistake> {
    let number = at.value.unwrap_or(&Value::Int(0));
    let is_right = number.as_int().is_some_and(|number| (1..=65535).contains(&number));
    let why = "must be between 1 and 65535, inclusive";
    (!is_right).then(|| at.invalid_as(&json::to_string(number), why))
}

/// The number or the name of a port.
pub(super) fn port_or_name(at: &At<'_>) -> Mistakes {
    match at.value {
        Some(Value::Str(text)) => at.wrong_text(port_name(text)),
        _ => port(at).into_iter().collect(),
    }
}

/// The name of a port.
pub(super) fn port_name(name: &str) -> Vec<String> {
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
    reasons.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, why)| why.to_owned()).collect()
}

const PATH: &str = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/// The path of a URL.
pub(super) fn http_path(path: &str) -> Vec<String> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~%!$&'()*+,;=:".contains(&byte);
    if path.bytes().all(is_part) { Vec::new() } else { vec![PATH.to_owned()] }
}
