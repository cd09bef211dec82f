//! Why a request gets no answer.

use crate::diag::Diag;
use crate::object::Refusal;
use std::fmt;

/// What is wrong with a request, or with a document in it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Error {
    /// A request that is none: what it is, or what a member of it is not.
    Request(String),
    /// A text that is neither YAML nor JSON.
    Document(String),
    /// A text that is not a CRD.
    Definition(Vec<Diag>),
    /// A text that would be a definition is neither YAML nor JSON.
    DefinitionText(String),
    /// The schema cannot be read, or there is none.
    Schema(Option<Box<Diag>>),
    /// The schema has no type in CEL.
    NoType,
    /// The definition has no such version, or none at all.
    NoVersion(String),
    /// The same about the part of the request that is called so.
    In(String, Box<Error>),
    /// The object is rejected as a whole.
    Refusal(Refusal),
    /// The operation is not there.
    Unknown(&'static str, String),
    /// A subresource that is only updated.
    NeedsOld(String),
}

impl Error {
    /// About a part of the request.
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
