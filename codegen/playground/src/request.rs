//! The request of the page.

use std::fmt;

use crdgen_core::json;
use crdgen_core::server::Server;
use crdgen_core::value::Value;

/// The content of the page, and what to show.
pub(crate) struct Request {
    pub(crate) language: Language,
    pub(crate) definitions: String,
    pub(crate) objects: String,
    /// An expression, and the path of its `self` in the objects.
    pub(crate) rule: String,
    pub(crate) path: String,
    pub(crate) view: View,
    /// The minor version of Kubernetes.
    pub(crate) kube: u32,
    /// The time at which ages are computed, in seconds since 1970.
    pub(crate) now: i64,
}

/// The language of the CRDs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Yaml,
    Rust,
}

/// What is shown next to the findings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    Nothing,
    Yaml,
    Rust,
    Docs,
    Rules,
    Stored,
    Table,
}

/// Why a text is not a valid request.
#[derive(Debug)]
pub(crate) enum NoRequest {
    Json(json::Error),
    Language(String),
    View(String),
}

impl fmt::Display for NoRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRequest::Json(why) => why.fmt(f),
            NoRequest::Language(name) => write!(f, "there is no language {name}"),
            NoRequest::View(name) => write!(f, "there is no view {name}"),
        }
    }
}

impl Request {
    pub(crate) fn read(text: &str) -> Result<Request, NoRequest> {
        let value = json::read(text.as_bytes()).map_err(NoRequest::Json)?;
        let field = |name: &str| value.text(name).to_owned();
        let language = match field("language").as_str() {
            "rust" => Language::Rust,
            "yaml" | "" => Language::Yaml,
            other => return Err(NoRequest::Language(other.to_owned())),
        };
        let view = match field("view").as_str() {
            "" => View::Nothing,
            "yaml" => View::Yaml,
            "rust" => View::Rust,
            "docs" => View::Docs,
            "rules" => View::Rules,
            "stored" => View::Stored,
            "table" => View::Table,
            other => return Err(NoRequest::View(other.to_owned())),
        };
        let number = |name: &str| match value.get(name) {
            Some(Value::Int(number)) => Some(*number),
            Some(_) | None => None,
        };
        let newest = Server::NEWEST.minor();
        Ok(Request {
            language,
            definitions: field("definitions"),
            objects: field("objects"),
            rule: field("rule"),
            path: field("path"),
            view,
            kube: number("kube").and_then(|minor| u32::try_from(minor).ok()).unwrap_or(newest),
            now: number("now").unwrap_or_default(),
        })
    }
}
