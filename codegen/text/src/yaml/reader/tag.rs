//! Tags, and what they make of a scalar.

use super::resolve::{Scalar, is_timestamp, plain};

/// What a scalar with this tag (or with none, but plain) means. If the tag does not allow it, the tag it should have.
pub(super) fn resolve(tag: Tag, text: &str) -> Result<Scalar, Tag> {
    if matches!(tag, Tag::Bang | Tag::Binary | Tag::Merge | Tag::Other | Tag::Str) {
        return Ok(Scalar::Str);
    }
    if tag == Tag::Timestamp && is_timestamp(text) {
        return Ok(Scalar::Str);
    }
    let scalar = plain(text);
    let found = match scalar {
        Scalar::Null => Tag::Null,
        Scalar::Bool(_) => Tag::Bool,
        Scalar::Int(_) | Scalar::Uint(_) => Tag::Int,
        Scalar::Float(_) => Tag::Float,
        Scalar::Str => Tag::Str,
    };
    match (tag, scalar) {
        (Tag::None, _) => Ok(scalar),
        (Tag::Float, Scalar::Int(i)) => Ok(Scalar::Float(i as f64)),
        _ if tag == found => Ok(scalar),
        // A plain `<<` is looked up only behind characters that may start something special, so it is none.
        _ => Err(found),
    }
}

/// The tags that make a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    None,
    /// A lone `!`.
    Bang,
    Null,
    Bool,
    Str,
    Int,
    Float,
    Timestamp,
    Binary,
    Merge,
    /// Any other, which makes a scalar a string.
    Other,
}

impl Tag {
    pub(super) fn of(name: &str) -> Tag {
        match name {
            "" => Tag::None,
            "!" => Tag::Bang,
            _ => match name.strip_prefix("tag:yaml.org,2002:") {
                Some("null") => Tag::Null,
                Some("bool") => Tag::Bool,
                Some("str") => Tag::Str,
                Some("int") => Tag::Int,
                Some("float") => Tag::Float,
                Some("timestamp") => Tag::Timestamp,
                Some("binary") => Tag::Binary,
                Some("merge") => Tag::Merge,
                _ => Tag::Other,
            },
        }
    }

    /// The name as it is in messages.
    pub(super) fn short(self) -> &'static str {
        match self {
            Tag::None | Tag::Bang | Tag::Other => "!",
            Tag::Null => "!!null",
            Tag::Bool => "!!bool",
            Tag::Str => "!!str",
            Tag::Int => "!!int",
            Tag::Float => "!!float",
            Tag::Timestamp => "!!timestamp",
            Tag::Binary => "!!binary",
            Tag::Merge => "!!merge",
        }
    }
}
