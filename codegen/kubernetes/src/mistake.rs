//! What is wrong with a field of an object, in the server's words.

use crate::field::Field;
use crdgen_core::diag::{BadValue, Code, Diag, Kind, Level, codes};
use crdgen_core::value::Value;
use crdgen_core::{go, json};
use std::ops::Range;

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistake {
    /// The field.
    pub field: Field,
    /// The server's type of error.
    pub what: Kind,
    /// The value, if messages of this kind have it, and the reason.
    pub why: String,
    /// The code of what is found.
    pub code: &'static Code,
    /// The place in the text at the field, such as a part of an expression.
    pub inside: Option<Range<usize>>,
    /// What to do.
    pub help: Option<String>,
    /// Whether a rule that the server's types declare finds it. The server adds these last.
    pub is_declared: bool,
}

impl Mistake {
    /// Creates a mistake.
    pub fn new(field: impl Into<Field>, what: Kind, why: impl Into<String>) -> Mistake {
        let code = &codes::object::OWN_KIND;
        Mistake {
            field: field.into(),
            what,
            why: why.into(),
            code,
            inside: None,
            help: None,
            is_declared: false,
        }
    }

    /// Creates a mistake about a value, which messages show.
    pub fn invalid(field: impl Into<Field>, value: &Value, why: &str) -> Mistake {
        let shown = match value {
            Value::Str(text) => go::quote(text),
            other => json::to_string(other),
        };
        Mistake::new(field, Kind::Invalid, format!("{shown}: {why}"))
    }

    /// Creates a warning about a field, or about the object.
    pub fn warning(field: impl Into<Field>, why: impl Into<String>) -> Mistake {
        Mistake { code: &codes::object::SERVER_WARNING, ..Mistake::new(field, Kind::Internal, why) }
    }

    /// Returns what a check of crdgen-core says.
    pub fn of(diag: &Diag) -> Mistake {
        let what = diag.kind.unwrap_or(Kind::Internal);
        let bad = diag.bad.as_ref().filter(|_| what.shows_value()).map(BadValue::text);
        let detail = Some(diag.detail.clone()).filter(|detail| !detail.is_empty());
        let why: Vec<String> = bad.into_iter().chain(detail).collect();
        let field = Field::other(&diag.field, &diag.steps);
        Mistake { code: diag.code, ..Mistake::new(field, what, why.join(": ")) }
    }

    /// Returns the diagnostic.
    pub fn diag(&self) -> Diag {
        Diag {
            code: self.code,
            level: Level::Error,
            kind: Some(self.what),
            field: self.field.to_string(),
            bad: None,
            detail: self.why.clone(),
            steps: self.field.steps(),
            inside: self.inside.clone(),
            rule: None,
            help: self.help.clone(),
        }
    }

    /// Returns the text of a warning.
    pub fn warning_text(&self) -> String {
        match self.field.to_string() {
            field if field.is_empty() => self.why.clone(),
            field => format!("{field}: {}", self.why),
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
