//! Tags, and how they change the meaning of a scalar.

use super::resolve::{Scalar, is_timestamp, plain};

/// The meaning of a scalar with this tag, or of a plain scalar without one. If the tag does not match, the tag that the
/// scalar should have.
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
        // go-yaml recognizes a plain `<<` only after certain characters, so here it is a string.
        _ => Err(found),
    }
}

/// The tags that change the meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    None,
    /// A single `!`.
    Bang,
    Null,
    Bool,
    Str,
    Int,
    Float,
    Timestamp,
    Binary,
    Merge,
    /// Any other tag, which makes a scalar a string.
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

    /// The name in messages.
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
