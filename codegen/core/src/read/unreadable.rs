//! Why no CRDs can be read from a text.

use crate::diag::Diag;
use crate::span::Place;
use crate::yaml;
use std::fmt;

/// The reason.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unreadable {
    /// A document that is neither YAML nor JSON.
    Document(Box<yaml::Unreadable>),
    /// A definition whose fields have wrong types.
    Definition(Vec<Diag>),
    /// A document that is not OpenAPI v3 with schemas.
    NoOpenApi {
        /// Whether it is OpenAPI v2.
        is_v2: bool,
    },
    /// The schemas of a kind refer to too many others.
    TooManySchemas {
        /// The kind.
        kind: String,
        /// Its group.
        group: String,
        /// How many there may be.
        limit: usize,
    },
    /// All definitions together are too large.
    TooManyValues,
    /// There are too many definitions.
    TooManyDefinitions {
        /// How many there may be.
        limit: usize,
    },
}

impl Unreadable {
    /// Where in the text, if it is about one place.
    pub fn place(&self) -> Option<Place> {
        match self {
            Unreadable::Document(unreadable) => Some(unreadable.place),
            Unreadable::Definition(_)
            | Unreadable::NoOpenApi { .. }
            | Unreadable::TooManySchemas { .. }
            | Unreadable::TooManyValues
            | Unreadable::TooManyDefinitions { .. } => None,
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Document(unreadable) => f.write_str(&unreadable.problem.text),
            Unreadable::Definition(diags) => {
                f.write_str(&diags.iter().map(Diag::text).collect::<Vec<_>>().join("\n"))
            }
            Unreadable::NoOpenApi { is_v2 } => {
                let hint =
                    if *is_v2 { ": this is v2, which contains too little; use /openapi/v3" } else { "" };
                write!(f, "no OpenAPI v3 document with components.schemas{hint}")
            }
            Unreadable::TooManySchemas { kind, group, limit } => {
                write!(f, "{kind} of {group} refers to more than {limit} schemas, or too deeply")
            }
            Unreadable::TooManyValues => f.write_str("too many values"),
            Unreadable::TooManyDefinitions { limit } => write!(f, "more than {limit} definitions"),
        }
    }
}
