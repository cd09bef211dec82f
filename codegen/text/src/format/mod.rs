//! The string formats that servers check, with exactly the values that each accepts.

mod digits;
mod email;
mod net;
mod times;

use crate::go::Url;
use crate::go::regexp::Regexp;
use std::sync::LazyLock;

/// A string format that servers check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `bsonobjectid`
    BsonObjectId,
    /// `byte`
    Byte,
    /// `cidr`
    Cidr,
    /// `creditcard`
    CreditCard,
    /// `date`
    Date,
    /// `date-time`
    DateTime,
    /// `duration`
    Duration,
    /// `email`
    Email,
    /// `hexcolor`
    HexColor,
    /// `hostname`
    Hostname,
    /// `ipv4`
    Ipv4,
    /// `ipv6`
    Ipv6,
    /// `isbn`
    Isbn,
    /// `isbn10`
    Isbn10,
    /// `isbn13`
    Isbn13,
    /// `k8s-long-name`
    LongName,
    /// `k8s-short-name`
    ShortName,
    /// `mac`
    Mac,
    /// `password`
    Password,
    /// `rgbcolor`
    RgbColor,
    /// `ssn`
    Ssn,
    /// `uri`
    Uri,
    /// `uuid`
    Uuid,
    /// `uuid3`
    Uuid3,
    /// `uuid4`
    Uuid4,
    /// `uuid5`
    Uuid5,
}

/// The names without dashes, and the first minor version that checks the format.
const TABLE: &[(&str, u32, Format)] = &[
    ("bsonobjectid", 0, Format::BsonObjectId),
    ("byte", 0, Format::Byte),
    ("cidr", 0, Format::Cidr),
    ("creditcard", 0, Format::CreditCard),
    ("date", 0, Format::Date),
    ("datetime", 0, Format::DateTime),
    ("duration", 0, Format::Duration),
    ("email", 0, Format::Email),
    ("hexcolor", 0, Format::HexColor),
    ("hostname", 0, Format::Hostname),
    ("ipv4", 0, Format::Ipv4),
    ("ipv6", 0, Format::Ipv6),
    ("isbn", 0, Format::Isbn),
    ("isbn10", 0, Format::Isbn10),
    ("isbn13", 0, Format::Isbn13),
    ("k8slongname", 34, Format::LongName),
    ("k8sshortname", 34, Format::ShortName),
    ("mac", 0, Format::Mac),
    ("password", 0, Format::Password),
    ("rgbcolor", 0, Format::RgbColor),
    ("ssn", 0, Format::Ssn),
    ("uri", 0, Format::Uri),
    ("uuid", 0, Format::Uuid),
    ("uuid3", 0, Format::Uuid3),
    ("uuid4", 0, Format::Uuid4),
    ("uuid5", 0, Format::Uuid5),
];

impl Format {
    /// Finds the format with this name. Dashes in the name do not count. None if servers of version 1.`minor` do not
    /// know the format.
    pub fn find(name: &str, minor: u32) -> Option<Format> {
        if name.is_empty() {
            return None;
        }
        let normalized;
        let name = if name.contains('-') {
            normalized = name.replace('-', "");
            &normalized
        } else {
            name
        };
        let i = TABLE.binary_search_by(|(n, ..)| (*n).cmp(name)).ok()?;
        let (_, since, format) = TABLE[i];
        (minor >= since).then_some(format)
    }

    /// Whether a string has the format.
    pub fn matches(self, s: &str) -> bool {
        match self {
            Format::BsonObjectId => s.len() == 24 && s.bytes().all(|b| b.is_ascii_hexdigit()),
            Format::Byte => is_base64(s),
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

/// Base64 with padding, in the standard alphabet, and not empty.
fn is_base64(s: &str) -> bool {
    let padding = s.len() - s.trim_end_matches('=').len();
    let digits = &s.as_bytes()[..s.len() - padding];
    !s.is_empty()
        && s.len().is_multiple_of(4)
        && padding <= 2
        && digits.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
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

#[cfg(test)]
mod tests;
