//! Why the server does not process an object at all. Errors in an object that it processes are diagnostics.

use super::conversion::Unconverted;
use super::metadata::{Malformed, Wrong};
use crate::diag::codes::object::UNREADABLE;
use crate::diag::{Diag, Level};
use crate::go;
use crate::json;
use crate::path::{Path, Step};
use crate::structural::NotStructural;
use crate::value::Value;
use std::fmt;

/// How many bytes of text the cells of a table have at most. Each of many columns may show the same large text.
pub(super) const MOST_TEXT: usize = 64 << 20;
/// How many values the paths of all columns of a table look at, at most.
pub(super) const MOST_VISITED: usize = 5_000_000;

/// How many bytes of defaults an object gets. Etcd stores less, and a small object may have many fields with defaults.
pub(super) const MOST_DEFAULTS: usize = 4 << 20;

/// The beginning of the message of Go's decoder for `apiVersion` and `kind`.
const NO_TYPE_META: &str = "couldn't get version/kind; json parse error: json: cannot unmarshal ";
/// The type that Go decodes `apiVersion` and `kind` to.
const TYPE_META: &str =
    r#"struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }"#;
/// How much of an object a diagnostic shows, in characters.
const LONGEST: usize = 200;

/// Why the server cannot process an object. [`Display`](fmt::Display) writes the server's message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// A version prunes unknown fields, and its schema is not structural.
    NotStructural {
        /// The version.
        version: String,
        /// The part of the schema that is not structural.
        why: NotStructural,
    },
    /// The defaults of a version cannot be pruned.
    Defaults {
        /// The version.
        version: String,
        /// Why a default cannot be pruned.
        why: BadDefault,
    },
    /// The CRD has no such version.
    NoVersion(String),
    /// The CRD has no storage version.
    NoStorageVersion,
    /// A version has no such subresource.
    NoSubresource {
        /// The version.
        version: String,
        /// The subresource.
        subresource: &'static str,
    },
    /// Objects are converted with this strategy, which needs a webhook.
    Conversion(String),
    /// The webhook that converts objects has failed. This is the server's message.
    Webhook(Unconverted),
    /// The document is not an object. This is the type of its value, as Go names it.
    NoObject(&'static str),
    /// The object has no kind. This is the text that the client sent.
    NoKind(String),
    /// `apiVersion` or `kind` is not a string.
    TypeMeta {
        /// The name of the field.
        field: &'static str,
        /// The type of its value, as Go names it.
        found: &'static str,
    },
    /// The `apiVersion` has more than one slash.
    ApiVersion(String),
    /// The `apiVersion` of the object differs from that of the request.
    OtherVersion {
        /// The `apiVersion` of the object.
        found: String,
        /// The `apiVersion` of the request.
        wanted: String,
    },
    /// The namespace of the object differs from that of the request.
    OtherNamespace,
    /// A field that the server reads or sets has a wrong type.
    Accessor(Mismatch),
    /// The metadata cannot be decoded.
    Metadata(Malformed),
    /// The metadata of an embedded resource cannot be decoded.
    Embedded(Box<Diag>),
    /// A Scale cannot be read or written.
    Scale(BadScale),
    /// A value of an object of Kubernetes' own kinds cannot be decoded.
    NotDecoded(NotDecoded),
    /// The cells of a table would be too large. The server has no such limit.
    LargeTable,
    /// The defaults would make the object larger than any that etcd stores. The server makes it, and etcd rejects it.
    LargeDefaults,
    /// The server does not process the request because of the old object.
    Old(Box<Refusal>),
    /// The server does not process the request because of one of several objects, which has this number.
    Numbered(usize, Box<Refusal>),
}

/// Why a default cannot be pruned.
#[derive(Clone, Debug, PartialEq)]
pub enum BadDefault {
    /// The default of the root is not an object.
    NoObject,
    /// The default contains metadata that cannot be decoded.
    Embedded(Box<Diag>),
}

/// Why the server cannot find or set a field of an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Mismatch {
    /// A value has another type than the server expects.
    Type {
        /// The names of the fields on the path to the value.
        path: Vec<String>,
        /// The value.
        value: Value,
        /// The type that the server expects, as Go names it.
        expected: &'static str,
    },
    /// A value on the path to a field is not an object.
    NoObject(Vec<String>),
}

/// Why Go cannot decode a value of an object of Kubernetes' own kinds.
#[derive(Clone, Debug, PartialEq)]
pub enum NotDecoded {
    /// A field has another type.
    Field {
        /// The struct in Go, and the path of the field.
        name: String,
        /// The value.
        found: Found,
        /// The type of the field, as Go names it.
        wanted: String,
        /// What kind of type that is.
        kind: GoKind,
    },
    /// A text or number does not have the form that its type needs. This is Go's message.
    Text(String),
    /// A text is not base64. This is its first byte that is wrong.
    Base64(usize),
}

/// A value that a field cannot have. [`Display`](fmt::Display) writes it as Go's decoder describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number in a field of another type.
    Number,
    /// A number that an integer cannot have, as it is written.
    NoInteger(String),
    /// A string
    Text,
    /// A list
    List,
    /// An object
    Map,
}

/// The kinds of types in Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoKind {
    /// `bool`
    Bool,
    /// `int32`
    Int32,
    /// `int64`
    Int64,
    /// `float64`
    Float,
    /// `string`
    Text,
    /// A slice
    Slice,
    /// A map
    Map,
    /// A struct
    Struct,
    /// A type that decodes itself
    Own,
}

/// Why a Scale cannot be read or written.
#[derive(Clone, Debug, PartialEq)]
pub enum BadScale {
    /// A field has another type than the field of a Scale.
    Field {
        /// The struct in Go, and the path of the field in a Scale.
        name: &'static str,
        /// The value, as Go's decoder describes it.
        found: String,
        /// The type of the field, as Go names it.
        wanted: &'static str,
    },
    /// The version cannot be converted.
    Conversion(String),
    /// The `apiVersion` has no text before the slash.
    NoApiVersion,
    /// No version of Scale has this kind and version.
    Unknown {
        /// The kind.
        kind: String,
        /// The version.
        version: String,
    },
    /// The object does not have the field at the path of the replicas.
    NoReplicas(String),
    /// The replicas have the value that means that there are none.
    EmptyReplicas(String),
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotStructural { version, why } => {
                write!(f, "version {version} is not structural: {why}")
            }
            Refusal::Defaults { version, why } => {
                write!(f, "pruning the defaults of version {version}: {why}")
            }
            Refusal::NoVersion(name) => write!(f, "version {} not found in the CRD", go::quote(name)),
            Refusal::NoStorageVersion => f.write_str("the CRD has no storage version"),
            Refusal::NoSubresource { version, subresource } => {
                write!(f, "version {version} has no {subresource} subresource")
            }
            Refusal::Webhook(why) => why.fmt(f),
            Refusal::Conversion(strategy) => write!(f, "conversion strategy {strategy} is not supported"),
            Refusal::NoObject(found) => write!(f, "{NO_TYPE_META}{found} into Go value of type {TYPE_META}"),
            Refusal::NoKind(text) => write!(f, "Object 'Kind' is missing in '{text}'"),
            Refusal::TypeMeta { field, found } => {
                write!(f, "{NO_TYPE_META}{found} into Go struct field .{field} of type string")
            }
            Refusal::ApiVersion(text) => write!(f, "unexpected GroupVersion string: {text}"),
            Refusal::OtherVersion { found, wanted } => write!(
                f,
                "the API version in the data ({found}) does not match the expected API version ({wanted})"
            ),
            Refusal::OtherNamespace => f.write_str(
                "the namespace of the provided object does not match the namespace sent on the request",
            ),
            Refusal::Accessor(mismatch) => mismatch.fmt(f),
            Refusal::Metadata(malformed) => malformed.fmt(f),
            Refusal::Embedded(diag) => f.write_str(&diag.text()),
            Refusal::Scale(bad) => bad.fmt(f),
            Refusal::NotDecoded(why) => why.fmt(f),
            Refusal::LargeDefaults => {
                let most = MOST_DEFAULTS >> 20;
                write!(
                    f,
                    "the defaults of the schema make the object larger than {most} MiB, and etcd stores 1.5 MiB"
                )
            }
            Refusal::LargeTable => {
                write!(
                    f,
                    "the cells of the table have more than {} MiB of text, or their paths lead over more than {MOST_VISITED} values",
                    MOST_TEXT >> 20
                )
            }
            Refusal::Old(why) => write!(f, "old: {why}"),
            Refusal::Numbered(number, why) => write!(f, "objects[{number}]: {why}"),
        }
    }
}

impl fmt::Display for BadDefault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed to prune default value: ")?;
        match self {
            BadDefault::NoObject => f.write_str("object root default value must be of object type"),
            BadDefault::Embedded(diag) => f.write_str(&diag.text()),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Type { path, value, expected } => write!(
                f,
                ".{} accessor error: {} is of the type {}, expected {expected}",
                path.join("."),
                json::go_plain(value),
                value.go_type()
            ),
            Mismatch::NoObject(path) => {
                write!(f, "value cannot be set because .{} is not a map[string]interface{{}}", path.join("."))
            }
        }
    }
}

impl fmt::Display for NotDecoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotDecoded::Field { name, found, wanted, kind: _ } => {
                write!(f, "json: cannot unmarshal {found} into Go struct field {name} of type {wanted}")
            }
            NotDecoded::Text(why) => f.write_str(why),
            NotDecoded::Base64(at) => write!(f, "illegal base64 data at input byte {at}"),
        }
    }
}

impl From<&Value> for Found {
    fn from(value: &Value) -> Found {
        match value {
            Value::Null => Found::Null,
            Value::Bool(_) => Found::Bool,
            Value::Int(_) | Value::Float(_) => Found::Number,
            Value::Str(_) => Found::Text,
            Value::List(_) => Found::List,
            Value::Map(_) => Found::Map,
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Found::Null => "null",
            Found::Bool => "bool",
            Found::Number => "number",
            Found::NoInteger(number) => return write!(f, "number {number}"),
            Found::Text => "string",
            Found::List => "array",
            Found::Map => "object",
        })
    }
}

impl NotDecoded {
    /// Returns the message of the server's converter, which makes structs of objects that are decoded already.
    pub fn of_converter(&self) -> String {
        let (found, wanted, kind) = match self {
            NotDecoded::Field { found, wanted, kind, .. } => (found, wanted, kind),
            NotDecoded::Text(why) => return why.clone(),
            NotDecoded::Base64(_) => return format!("error decoding from json: {self}"),
        };
        let other = match found {
            Found::Null => "null",
            Found::Bool => "bool",
            Found::Number => "int64",
            // Whole numbers were converted before.
            Found::NoInteger(_) => "float64",
            Found::Text => "string",
            Found::List => "slice",
            Found::Map => "map",
        };
        match (kind, other) {
            (GoKind::Own, _) => {
                let found = found.to_string();
                let found = found.strip_suffix(".0").unwrap_or(&found);
                format!("json: cannot unmarshal {found} into Go value of type {wanted}")
            }
            (GoKind::Struct, _) => format!("cannot restore struct from: {other}"),
            (GoKind::Map, _) => format!("cannot restore map from {other}"),
            (GoKind::Slice, _) => format!("cannot restore slice from {other}"),
            (GoKind::Text, "int64") | (GoKind::Int32 | GoKind::Int64, "float64") => {
                format!("cannot convert {other} to {wanted}")
            }
            (GoKind::Text, _) => "unrecognized type: string".to_owned(),
            (GoKind::Int32, _) => "unrecognized type: int32".to_owned(),
            (GoKind::Int64, _) => "unrecognized type: int64".to_owned(),
            (GoKind::Float, _) => "unrecognized type: float64".to_owned(),
            (GoKind::Bool, _) => "unrecognized type: bool".to_owned(),
        }
    }
}

impl fmt::Display for BadScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadScale::Field { name, found, wanted } => {
                write!(f, "json: cannot unmarshal {found} into Go struct field {name} of type {wanted}")
            }
            BadScale::Conversion(version) => {
                write!(f, "converting ({version}.Scale) to (v1.Scale): unknown conversion")
            }
            BadScale::NoApiVersion => f.write_str("Object 'apiVersion' is missing"),
            BadScale::Unknown { kind, version } => {
                write!(f, "no kind {} is registered for version {}", go::quote(kind), go::quote(version))
            }
            BadScale::NoReplicas(path) => {
                let path = go::quote(path);
                write!(f, "Internal error occurred: the spec replicas field {path} does not exist")
            }
            BadScale::EmptyReplicas(path) => {
                write!(f, "the spec replicas field {} cannot be empty", go::quote(path))
            }
        }
    }
}

impl From<Mismatch> for Refusal {
    fn from(mismatch: Mismatch) -> Refusal {
        Refusal::Accessor(mismatch)
    }
}

impl Refusal {
    /// The value that is the reason, if it is in the object.
    pub(super) fn wrong(&self) -> Option<&Wrong> {
        match self {
            Refusal::Metadata(Malformed::Field(wrong)) => Some(wrong),
            _ => None,
        }
    }

    /// Returns the diagnostic for an object that the server cannot decode: the server's message, and our help.
    pub fn diag(&self) -> Diag {
        let text = match self {
            // The server repeats the whole object.
            Refusal::NoKind(text) if text.chars().nth(LONGEST).is_some() => {
                Refusal::NoKind(text.chars().take(LONGEST).chain(['…']).collect()).to_string()
            }
            _ => self.to_string(),
        };
        let diag = Diag::own(&UNREADABLE, Level::Error, &Path::ROOT, text);
        match self.wrong() {
            Some(wrong) => wrong.locate(diag),
            None => {
                let steps = self.key().map(|key| Step::Key(key.to_owned())).into_iter().collect();
                Diag { steps, help: self.help(), ..diag }
            }
        }
    }

    /// The field of the object that is the reason.
    fn key(&self) -> Option<&'static str> {
        match self {
            Refusal::TypeMeta { field, .. } => Some(field),
            Refusal::ApiVersion(_) | Refusal::OtherVersion { .. } => Some("apiVersion"),
            _ => None,
        }
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Refusal::NoObject(_) => {
                "write an object with the fields apiVersion, kind and metadata".to_owned()
            }
            Refusal::NoKind(_) => "add the fields apiVersion and kind to the object".to_owned(),
            Refusal::TypeMeta { field, found: "bool" | "number" } => {
                format!("{field} must be a string: put the value in quotes")
            }
            Refusal::TypeMeta { field, .. } => format!("{field} must be a string"),
            Refusal::ApiVersion(_) => {
                "write a group and a version, with one slash between them: example.com/v1".to_owned()
            }
            Refusal::OtherVersion { wanted, .. } => format!("write `apiVersion: {wanted}`"),
            _ => return None,
        })
    }
}

impl From<Malformed> for Refusal {
    fn from(malformed: Malformed) -> Refusal {
        Refusal::Metadata(malformed)
    }
}

impl From<BadScale> for Refusal {
    fn from(bad: BadScale) -> Refusal {
        Refusal::Scale(bad)
    }
}
