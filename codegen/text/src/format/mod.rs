//! The string formats that servers check, with exactly the values that each accepts.

#[cfg(feature = "go")]
mod matches;

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
}

#[cfg(all(test, feature = "go"))]
mod tests;
