//! The attributes at one place.

use super::metadata::Metadata;
use crate::ir::{Keyword, Schema};

/// The attributes of one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    /// The keywords to set: everything that differs from an empty schema.
    pub set: Schema,
    /// The keywords to remove.
    pub clear: Vec<Keyword>,
    /// The length bounds, whose keyword depends on the type.
    pub length: Option<Length>,
    /// The attributes for the items of a list.
    pub items: Option<Box<Patch>>,
    /// The attributes for the values of a map.
    pub values: Option<Box<Patch>>,
    /// The attributes for the keys of a map, which become rules.
    pub keys: Option<Box<Patch>>,
    /// The attributes for places inside a type of another crate.
    pub at: Vec<(Vec<Key>, Patch)>,
    /// Rules about which fields are set together.
    pub unions: Vec<Union>,
    /// The field that names the one other field which is set.
    pub discriminator: Option<String>,
    /// The keywords whose value only code can compute, each with the number of that code.
    pub computed: Vec<(String, usize)>,
    /// The schema for bare metadata inside.
    pub metadata: Option<Metadata>,
    /// The warnings that are not reported here and below.
    pub allow: Vec<Allow>,
    /// Whether keywords that do not apply to the type are kept as they are.
    pub as_is: bool,
    /// Whether `set.ty` replaces the type, with all keywords of the original type.
    pub overrides_type: bool,
}

/// `allow(CODE, reason = "…")`: a warning that is not reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    /// The code of the warning.
    pub code: String,
    /// Why it does not matter.
    pub reason: String,
}

/// Length bounds, for strings, lists and maps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Length {
    /// The smallest length.
    pub min: Option<i64>,
    /// The largest length.
    pub max: Option<i64>,
}

/// A step of an override's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A property.
    Str(String),
    /// The items of a list.
    Items,
    /// The values of a map.
    Values,
}

/// A rule about which of some fields are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Union {
    /// How many fields are set.
    pub mode: UnionMode,
    /// The names of the fields in the document.
    pub fields: Vec<String>,
}

/// How many of some fields are set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnionMode {
    /// Exactly one.
    #[default]
    ExactlyOne,
    /// None or one.
    AtMostOne,
    /// One or more.
    AtLeastOne,
}

impl UnionMode {
    /// Returns the key of the attribute.
    pub fn key(self) -> &'static str {
        match self {
            UnionMode::ExactlyOne => "exactly_one_of",
            UnionMode::AtMostOne => "at_most_one_of",
            UnionMode::AtLeastOne => "at_least_one_of",
        }
    }
}
