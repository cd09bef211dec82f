//! What is wrong with a field of an object, in the server's words.

use crate::place::steps;
use crdgen_core::diag::{BadValue, Code, Diag, Kind, Level, codes};
use crdgen_core::value::Value;
use std::borrow::Cow;

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake<'m> {
    /// The field.
    pub field: Cow<'m, str>,
    /// The server's type of error.
    pub what: Kind,
    /// The value, if messages of this kind have it, and the reason.
    pub why: String,
    /// The code of what is found.
    pub code: &'static Code,
}

impl<'m> Mistake<'m> {
    /// Creates a mistake.
    pub fn new(field: impl Into<Cow<'m, str>>, what: Kind, why: impl Into<String>) -> Mistake<'m> {
        Mistake { field: field.into(), what, why: why.into(), code: &codes::object::OWN_KIND }
    }

    /// Returns what a check of crdgen-core says.
    pub fn of(diag: &Diag) -> Mistake<'static> {
        let what = diag.kind.unwrap_or(Kind::Internal);
        let bad = diag.bad.as_ref().filter(|_| what.shows_value()).map(BadValue::text);
        let detail = Some(diag.detail.clone()).filter(|detail| !detail.is_empty());
        let why: Vec<String> = bad.into_iter().chain(detail).collect();
        Mistake { code: diag.code, ..Mistake::new(diag.field.clone(), what, why.join(": ")) }
    }

    /// Returns the diagnostic, with its place in the object that was sent.
    pub fn diag(&self, object: &Value) -> Diag {
        Diag {
            code: self.code,
            level: Level::Error,
            kind: Some(self.what),
            field: self.field.clone().into_owned(),
            bad: None,
            detail: self.why.clone(),
            steps: steps(&self.field, object),
            inside: None,
            rule: None,
            help: None,
        }
    }

    /// Returns the message without the field.
    pub fn words(&self) -> String {
        match self.why.as_str() {
            "" => self.what.words().to_owned(),
            why => format!("{}: {why}", self.what.words()),
        }
    }
}
