//! The attributes at one place.

use super::metadata::Metadata;
use crate::ir::{Keyword, Schema};

/// The attributes of one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    /// What is set: all that differs from an empty schema.
    pub set: Schema,
    /// Keywords that are removed, spelled as in the CRD.
    pub clear: Vec<Keyword>,
    /// Length bounds, whose keyword depends on the type.
    pub length: Option<Length>,
    /// For the items of a list.
    pub items: Option<Box<Patch>>,
    /// For the values of a map.
    pub values: Option<Box<Patch>>,
    /// For the keys of a map; they become rules.
    pub keys: Option<Box<Patch>>,
    /// For places inside a foreign type.
    pub at: Vec<(Vec<Key>, Patch)>,
    /// Rules about which fields are set together.
    pub unions: Vec<Union>,
    /// The field that names the one other field which is set.
    pub discriminator: Option<String>,
    /// Keywords whose value only code can compute, and the number of that code.
    pub computed: Vec<(String, usize)>,
    /// What bare metadata inside becomes.
    pub metadata: Option<Metadata>,
    /// Whether keywords that do not apply to the type are kept as they are.
    pub as_is: bool,
    /// Whether `set.ty` replaces the type and all that came with it.
    pub overrides_type: bool,
}

/// Length bounds, for strings, lists and maps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Length {
    /// At least.
    pub min: Option<i64>,
    /// At most.
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
    /// How many.
    pub mode: UnionMode,
    /// Of which, by their names in the document.
    pub fields: Vec<String>,
}

/// How many of some fields are set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnionMode {
    /// One.
    #[default]
    ExactlyOne,
    /// None or one.
    AtMostOne,
    /// One or more.
    AtLeastOne,
}

impl UnionMode {
    /// The key that says it.
    pub fn key(self) -> &'static str {
        match self {
            UnionMode::ExactlyOne => "exactly_one_of",
            UnionMode::AtMostOne => "at_most_one_of",
            UnionMode::AtLeastOne => "at_least_one_of",
        }
    }
}
