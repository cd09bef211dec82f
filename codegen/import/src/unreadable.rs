//! Why no CRDs can be read from a text.

use crate::diag::Diag;
use crate::span::Place;
use crate::yaml;
use std::fmt;

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unreadable {
    /// A document is neither YAML nor JSON.
    Document(Box<yaml::Unreadable>),
    /// A CRD has fields with wrong types.
    Definition(Vec<Diag>),
    /// A document is not OpenAPI v3 with schemas.
    NoOpenApi {
        /// Whether it is OpenAPI v2.
        is_v2: bool,
    },
    /// The schemas of a kind refer to too many others.
    TooManySchemas {
        /// The kind.
        kind: String,
        /// The API group of the kind.
        group: String,
        /// The maximum number of schemas.
        limit: usize,
    },
    /// All CRDs together are too large.
    TooManyValues,
    /// The document contains too many CRDs.
    TooManyDefinitions {
        /// The maximum number of CRDs.
        limit: usize,
    },
}

impl Unreadable {
    /// Returns the place of the error in the text. `None` if it has no single place.
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
