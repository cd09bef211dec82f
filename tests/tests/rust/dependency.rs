//! Types of a crate that derives schemars' `JsonSchema`: compiled here, and read as sources by `by_schemars`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Fields of all simple types.
///
/// Another paragraph, with `code`:
///
/// * a list
///   that goes on
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Simple {
    /// One space before each line is dropped.
    ///     This line keeps four of five.
    pub text: String,
    pub flag: bool,
    pub letter: char,
    pub tiny: i8,
    pub small: i16,
    pub int: i32,
    pub long: i64,
    pub size: isize,
    pub byte: u8,
    pub port: u16,
    pub count: u32,
    pub big: u64,
    pub index: usize,
    pub ratio: f32,
    pub double: f64,
    pub path: std::path::PathBuf,
    pub address: std::net::IpAddr,
    pub v4: std::net::Ipv4Addr,
    pub any: serde_json::Value,
    pub object: serde_json::Map<String, serde_json::Value>,
}

/// # A title
/// And a description.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Optional {
    pub no_default: Option<String>,
    #[serde(default)]
    pub with_default: Option<String>,
    /// Skipped where it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "other_name")]
    pub skipped: Option<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub list: Vec<Small>,
    #[serde(default)]
    pub number: u16,
    #[serde(default = "eighty")]
    pub port: u16,
    #[serde(default)]
    pub choice: Plain,
    #[serde(default)]
    pub small: Small,
    pub boxed: Box<Option<Small>>,
    pub any: Option<serde_json::Value>,
    #[serde(skip)]
    pub skip: String,
    #[serde(skip_serializing)]
    pub read_only: String,
    #[serde(skip_deserializing)]
    pub write_only: String,
    #[serde(alias = "elder")]
    pub younger: String,
    pub r#type: String,
}

fn eighty() -> u16 {
    80
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Small {
    pub a: String,
    #[deprecated]
    pub b: Option<bool>,
}

/// Only names.
#[derive(Clone, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Plain {
    #[default]
    FirstOne,
    Second,
    #[serde(rename = "3rd")]
    Third,
    #[serde(skip_deserializing)]
    Never,
}

/// Names with documentation.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Documented {
    /// The first.
    First,
    /// The second.
    Second,
    Third,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all_fields = "camelCase")]
pub enum External {
    Unit,
    Newtype(Small),
    Text(String),
    /// Two values of one type.
    Pair(i32, i32),
    Fields {
        /// Documented.
        first_field: String,
        second_field: Option<u8>,
    },
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind")]
pub enum Internal {
    Unit,
    Newtype(Small),
    /// Fields.
    Fields {
        size: u32,
    },
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", content = "value")]
pub enum Adjacent {
    Unit,
    Newtype(Small),
    Fields { size: u32 },
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Untagged {
    Small(Small),
    Fields { size: u32 },
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Collections {
    pub list: Vec<String>,
    pub lists: Vec<Vec<u8>>,
    pub nullable: Vec<Option<String>>,
    pub smalls: Option<Vec<Small>>,
    pub set: BTreeSet<String>,
    pub map: BTreeMap<String, String>,
    pub hash: HashMap<String, Small>,
    pub numbers: BTreeMap<u16, bool>,
    pub by_name: BTreeMap<Plain, i32>,
    pub nested: BTreeMap<String, BTreeMap<String, Option<i64>>>,
    pub array: [u8; 4],
    pub pair: (i32, i32),
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Newtype(pub Small);

/// A documented wrapper.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Wrapper(String);

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Transparent {
    pub inner: Option<Small>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Wrappers {
    pub newtype: Newtype,
    pub wrapper: Wrapper,
    pub maybe: Option<Wrapper>,
    pub transparent: Transparent,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Generic<T> {
    pub value: T,
    pub values: Vec<T>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Generics {
    pub small: Generic<Small>,
    pub text: Generic<String>,
    pub maybe: Option<Generic<Option<u8>>>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Flattened {
    pub own: String,
    #[serde(flatten)]
    pub small: Small,
    #[serde(flatten)]
    pub choice: Internal,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct FlattenedOption {
    pub own: String,
    #[serde(flatten)]
    pub small: Option<Small>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct FlattenedChoice {
    #[serde(flatten)]
    pub choice: Option<Untagged>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct FlattenedChoices {
    pub own: String,
    #[serde(flatten)]
    pub untagged: Option<Untagged>,
    #[serde(flatten)]
    pub adjacent: Option<Adjacent>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct FlattenedMap {
    pub own: String,
    #[serde(flatten)]
    pub rest: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Closed {
    pub own: Strict,
    pub again: Option<Strict>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Strict {
    pub a: String,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Recursive {
    pub name: String,
    pub children: Vec<Recursive>,
}

pub mod inner {
    use super::JsonSchema;

    /// Another type of the same name.
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, JsonSchema)]
    pub struct Small {
        pub other: super::Small,
        pub plain: super::Plain,
    }
}
