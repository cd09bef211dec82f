//! Whether a string has a format.

mod base64;
mod digits;
mod email;
mod net;
mod times;

use super::Format;
use crate::go::Url;
use crate::go::regexp::Regexp;
use std::sync::LazyLock;

impl Format {
    /// Whether a string has the format.
    pub fn matches(self, s: &str) -> bool {
        match self {
            Format::BsonObjectId => s.len() == 24 && s.bytes().all(|b| b.is_ascii_hexdigit()),
            Format::Byte => base64::is_base64(s),
            Format::Cidr => net::is_cidr(s),
            Format::CreditCard => digits::is_credit_card(s),
            Format::Date => times::is_date(s),
            Format::DateTime => times::is_date_time(s),
            Format::Duration => times::is_duration(s),
            Format::Email => email::is_email(s),
            Format::HexColor => is_hex_color(s),
            Format::Hostname => is_hostname(s),
            Format::Ipv4 => net::is_ipv4(s),
            Format::Ipv6 => net::is_ipv6(s),
            Format::Isbn => digits::is_isbn10(s) || digits::is_isbn13(s),
            Format::Isbn10 => digits::is_isbn10(s),
            Format::Isbn13 => digits::is_isbn13(s),
            Format::LongName => s.len() <= 253 && s.split('.').all(is_label),
            Format::ShortName => s.len() <= 63 && is_label(s),
            Format::Mac => net::is_mac(s),
            Format::Password => true,
            Format::RgbColor => is_rgb_color(s),
            Format::Ssn => s.len() == 11 && SSN.is_match(s),
            Format::Uri => Url::parse_request_uri(s).is_ok(),
            Format::Uuid => is_uuid(s, None),
            Format::Uuid3 => is_uuid(s, Some(b'3')),
            Format::Uuid4 => is_uuid(s, Some(b'4')),
            Format::Uuid5 => is_uuid(s, Some(b'5')),
        }
    }
}

macro_rules! pattern {
    ($name:ident, $pattern:expr) => {
        static $name: LazyLock<Pattern> = LazyLock::new(|| Pattern(Regexp::parse($pattern).ok()));
    };
}

/// A pattern of crdgen's own. None if it could not be compiled.
struct Pattern(Option<Regexp>);

impl Pattern {
    fn is_match(&self, s: &str) -> bool {
        self.0.as_ref().is_some_and(|r| r.is_match(s))
    }
}

pattern!(SSN, r"^\d{3}[- ]?\d{2}[- ]?\d{4}$");
pattern!(
    HOSTNAME,
    r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$"
);
pattern!(
    RGB,
    r"^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$"
);

fn is_hostname(s: &str) -> bool {
    s.len() <= 255 && s.split('.').all(|label| label.len() <= 63) && HOSTNAME.is_match(s)
}

fn is_rgb_color(s: &str) -> bool {
    RGB.is_match(s)
}

/// A label of a Kubernetes name.
fn is_label(s: &str) -> bool {
    let ends = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let bytes = s.as_bytes();
    ends(bytes.first())
        && ends(bytes.last())
        && bytes.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-')
}

fn is_hex_color(s: &str) -> bool {
    let digits = s.strip_prefix('#').unwrap_or(s);
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// 32 hexadecimal digits, with each of the four dashes optional. The 13th digit is the version; versions 4 and 5
/// also fix the variant.
fn is_uuid(s: &str, version: Option<u8>) -> bool {
    let mut rest = s.as_bytes();
    for (i, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if i > 0
            && let Some((b'-', after)) = rest.split_first()
        {
            rest = after;
        }
        let Some((digits, after)) = rest.split_at_checked(length) else { return false };
        rest = after;
        let good = digits.iter().all(u8::is_ascii_hexdigit)
            && match (i, version) {
                (2, Some(version)) => digits[0] == version,
                (3, Some(b'4' | b'5')) => matches!(digits[0], b'8' | b'9' | b'a' | b'b' | b'A' | b'B'),
                _ => true,
            };
        if !good {
            return false;
        }
    }
    rest.is_empty()
}
