//! Diagnostics: an error with its place, the server's message, and help.

mod bad_value;
pub mod codes;

pub use bad_value::BadValue;

use crate::go;
use crate::path::{Path, Step};
use crate::yaml::{Problem, ProblemKind};

/// A stable code of a diagnostic. All codes are in the tables of [`codes`].
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// The id, such as `CRD012`.
    pub id: &'static str,
    /// A title of one line.
    pub title: &'static str,
    /// The text that `crdgen explain` prints: why the rule exists and what to do.
    pub explain: &'static str,
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Information that is good to know.
    Note,
    /// The server accepts it, but you should check it.
    Warning,
    /// The server would reject it.
    Error,
}

impl Level {
    /// Returns the name of the level: `error`, `warning` or `note`.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

/// The API server's error types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A value refers to something that does not exist.
    NotFound,
    /// A value is missing.
    Required,
    /// A value is repeated that must be unique.
    Duplicate,
    /// A value is not allowed.
    Invalid,
    /// A value is not one of the supported values.
    NotSupported,
    /// A field is not allowed here.
    Forbidden,
    /// A string is too long.
    TooLong,
    /// A string is too short.
    TooShort,
    /// A list or map is too big.
    TooMany,
    /// A list or map is too small.
    TooFew,
    /// Something went wrong in the checker itself.
    Internal,
    /// A value has the wrong type.
    TypeInvalid,
}

impl Kind {
    /// Returns the name in the `reason` of a cause, such as `FieldValueRequired`.
    pub fn reason(self) -> &'static str {
        match self {
            Kind::NotFound => "FieldValueNotFound",
            Kind::Required => "FieldValueRequired",
            Kind::Duplicate => "FieldValueDuplicate",
            Kind::Invalid => "FieldValueInvalid",
            Kind::NotSupported => "FieldValueNotSupported",
            Kind::Forbidden => "FieldValueForbidden",
            Kind::TooLong => "FieldValueTooLong",
            Kind::TooShort => "FieldValueTooShort",
            Kind::TooMany => "FieldValueTooMany",
            Kind::TooFew => "FieldValueTooFew",
            Kind::Internal => "InternalError",
            Kind::TypeInvalid => "FieldValueTypeInvalid",
        }
    }

    /// Returns whether messages of this type show the wrong value.
    pub fn shows_value(self) -> bool {
        !matches!(self, Kind::Required | Kind::Forbidden | Kind::TooLong | Kind::TooShort | Kind::Internal)
    }

    /// Returns the words at the start of the message.
    pub fn words(self) -> &'static str {
        match self {
            Kind::NotFound => "Not found",
            Kind::Required => "Required value",
            Kind::Duplicate => "Duplicate value",
            Kind::Invalid | Kind::TypeInvalid => "Invalid value",
            Kind::NotSupported => "Unsupported value",
            Kind::Forbidden => "Forbidden",
            Kind::TooLong => "Too long",
            Kind::TooShort => "Too short",
            Kind::TooMany => "Too many",
            Kind::TooFew => "Too few",
            Kind::Internal => "Internal error",
        }
    }
}

/// An error, warning or note, with its place and help.
#[derive(Clone, Debug, PartialEq)]
pub struct Diag {
    /// The code.
    pub code: &'static Code,
    /// The level.
    pub level: Level,
    /// The server's error type. `None` if the server does not report this as a field error.
    pub kind: Option<Kind>,
    /// The field as the server prints it.
    pub field: String,
    /// The wrong value. `None` where the server leaves it out.
    pub bad: Option<BadValue>,
    /// The server's message, or crdgen's own where the server has none.
    pub detail: String,
    /// The steps to the place in the document.
    pub steps: Vec<Step>,
    /// A byte range inside the string at the place, such as a part of an expression or a pattern.
    pub inside: Option<std::ops::Range<usize>>,
    /// The expression of the rule that causes the diagnostic.
    pub rule: Option<String>,
    /// The help: what to do about it.
    pub help: Option<String>,
}

/// Diagnostics in the order they were found.
pub type Diags = Vec<Diag>;

/// Converts a syntax error or a repeated key in YAML or JSON, with its place.
impl From<Problem> for Diag {
    fn from(problem: Problem) -> Diag {
        let code = match problem.kind {
            ProblemKind::Syntax | ProblemKind::Separator => &codes::yaml::SYNTAX,
            ProblemKind::RepeatedKey => &codes::yaml::REPEATED_KEY,
        };
        let mut diag = Diag::own(code, Level::Error, &Path::ROOT, problem.text);
        if let ProblemKind::RepeatedKey = problem.kind {
            diag = diag.help("remove one of the two: kubectl sends only the last one");
        }
        Diag { steps: problem.steps, inside: problem.range, ..diag }
    }
}

impl Diag {
    /// Creates a field error as the server reports it.
    pub fn field_error(
        code: &'static Code,
        kind: Kind,
        path: &Path<'_>,
        bad: Option<BadValue>,
        detail: impl Into<String>,
    ) -> Diag {
        Diag {
            code,
            level: Level::Error,
            kind: Some(kind),
            field: path.to_string(),
            bad,
            detail: detail.into(),
            steps: path.steps(),
            inside: None,
            rule: None,
            help: None,
        }
    }

    /// Creates the error for a missing value.
    pub fn required(code: &'static Code, path: &Path<'_>, detail: impl Into<String>) -> Diag {
        Diag::field_error(code, Kind::Required, path, Some("".into()), detail)
    }

    /// Creates the error for a value that is not allowed.
    pub fn invalid(
        code: &'static Code,
        path: &Path<'_>,
        bad: impl Into<BadValue>,
        detail: impl Into<String>,
    ) -> Diag {
        Diag::field_error(code, Kind::Invalid, path, Some(bad.into()), detail)
    }

    /// Creates the error for a field that is not allowed.
    pub fn forbidden(code: &'static Code, path: &Path<'_>, detail: impl Into<String>) -> Diag {
        Diag::field_error(code, Kind::Forbidden, path, Some("".into()), detail)
    }

    /// Creates the error for a value that occurs twice.
    pub fn duplicate(code: &'static Code, path: &Path<'_>, bad: impl Into<BadValue>) -> Diag {
        Diag::field_error(code, Kind::Duplicate, path, Some(bad.into()), "")
    }

    /// Creates the error for a value that is not one of the supported values. The server lists the values in the order given.
    pub fn not_supported(
        code: &'static Code,
        path: &Path<'_>,
        bad: impl Into<BadValue>,
        supported: &[&str],
    ) -> Diag {
        let list: Vec<String> = supported.iter().map(|s| go::quote(s)).collect();
        let detail =
            if list.is_empty() { String::new() } else { format!("supported values: {}", list.join(", ")) };
        Diag::field_error(code, Kind::NotSupported, path, Some(bad.into()), detail)
    }

    /// Creates the error for a string that is longer than `max` bytes.
    pub fn too_long(code: &'static Code, path: &Path<'_>, max: i64) -> Diag {
        let detail = match max {
            1 => "may not be more than 1 byte".to_owned(),
            max if max < 0 => "value is too long".to_owned(),
            max => format!("may not be more than {max} bytes"),
        };
        Diag::field_error(code, Kind::TooLong, path, Some("<value omitted>".into()), detail)
    }

    /// Creates the error for a list or map with more than `max` items.
    pub fn too_many(code: &'static Code, path: &Path<'_>, actual: usize, max: usize) -> Diag {
        let items = if max == 1 { "item" } else { "items" };
        let detail = format!("must have at most {max} {items}");
        Diag::field_error(code, Kind::TooMany, path, Some(BadValue::from(actual as i64)), detail)
    }

    /// Creates a diagnostic of crdgen's own, which servers do not report.
    pub fn own(code: &'static Code, level: Level, path: &Path<'_>, detail: impl Into<String>) -> Diag {
        Diag { level, kind: None, ..Diag::field_error(code, Kind::Invalid, path, None, detail) }
    }

    /// Adds the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diag {
        self.help = Some(help.into());
        self
    }

    /// Points to a byte range inside the string at the place.
    #[must_use]
    pub fn inside(mut self, range: std::ops::Range<usize>) -> Diag {
        self.inside = Some(range);
        self
    }

    /// Returns the text as the server prints it: field, error type, value and detail.
    pub fn text(&self) -> String {
        match self.kind {
            Some(_) => format!("{}: {}", self.field, self.words()),
            None => self.shown(),
        }
    }

    /// Returns the same text without `<nil>`, which the server prints if an error does not belong to a field.
    pub fn shown(&self) -> String {
        match self.field_shown() {
            Some(field) => format!("{field}: {}", self.words()),
            None => self.words(),
        }
    }

    /// Returns the field, if the diagnostic is about one.
    pub fn field_shown(&self) -> Option<&str> {
        (self.field != Path::NOTHING).then_some(self.field.as_str())
    }

    /// Returns the error type, the value and the detail, in words.
    pub fn words(&self) -> String {
        let Some(kind) = self.kind else { return self.detail.clone() };
        let mut out = kind.words().to_owned();
        if let (true, Some(bad)) = (kind.shows_value(), &self.bad) {
            out.push_str(": ");
            out.push_str(&bad.text());
        }
        if !self.detail.is_empty() {
            out.push_str(": ");
            out.push_str(&self.detail);
        }
        out
    }
}
