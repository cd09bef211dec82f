//! Why a request cannot be answered.

use crate::diag::Diag;
use crate::object::Refusal;
use std::fmt;

/// An error in a request, or in a document in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Error {
    /// Invalid JSON, or a field with the wrong type.
    Request(String),
    /// A request without a field that its operation needs. One of those that are separated with `|` is enough.
    Missing { op: String, names: &'static str },
    /// A text is neither YAML nor JSON.
    Document(String),
    /// A text is not a CRD.
    Definition(Vec<Diag>),
    /// A text that should be a CRD is neither YAML nor JSON.
    DefinitionText(String),
    /// The schema is missing or cannot be read.
    Schema(Option<Box<Diag>>),
    /// The schema has no type in CEL.
    NoType,
    /// The CRD does not have this version, or has no versions at all.
    NoVersion(String),
    /// An error about the part of the request with this name.
    In(String, Box<Error>),
    /// The object is rejected as a whole.
    Refusal(Refusal),
    /// There is no operation with this name.
    Unknown(&'static str, String),
    /// This subresource can only be updated, so `old` is missing.
    NeedsOld(String),
}

impl Error {
    /// Adds the name of the part of the request.
    pub(super) fn of(part: impl Into<String>) -> impl FnOnce(Error) -> Error {
        |error| Error::In(part.into(), Box::new(error))
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::Refusal(refusal)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quote = crate::go::quote;
        match self {
            Error::Request(what) => write!(f, "bad request: {what}"),
            Error::Missing { op, names } => {
                write!(f, "bad request: {op} needs `{}`", names.replace('|', "` or `"))
            }
            Error::Document(words) => f.write_str(words),
            Error::Definition(diags) => {
                let all: Vec<String> = diags.iter().map(Diag::text).collect();
                write!(f, "decoding the CRD: {}", all.join("; "))
            }
            Error::DefinitionText(words) => write!(f, "decoding the CRD: {words}"),
            Error::Schema(Some(diag)) => f.write_str(&diag.text()),
            Error::Schema(None) => f.write_str("no schema"),
            Error::NoType => f.write_str("the schema has no CEL type"),
            Error::NoVersion(name) if name.is_empty() => f.write_str("the definition has no version"),
            Error::NoVersion(name) => write!(f, "the definition has no version {}", quote(name)),
            Error::In(part, error) => write!(f, "{part}: {error}"),
            Error::Refusal(refusal) => refusal.fmt(f),
            Error::Unknown(what, name) => write!(f, "unknown {what} {}", quote(name)),
            Error::NeedsOld(subresource) => write!(f, "subresource {} needs old", quote(subresource)),
        }
    }
}
