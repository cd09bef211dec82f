//! What a server answers to a write.

use crdgen_core::object::write::{Written, presentable};
use crdgen_core::object::{Admission, Checked, Refusal, admit};
use crdgen_core::server;
use crdgen_runtime::diag::{Diag, Diags, Level, codes};
use crdgen_runtime::go;
use crdgen_runtime::path::Path;
use crdgen_runtime::value::Value;
use std::fmt;

/// What a server answers to a write. Objects are without what only a running server knows: `uid`, `resourceVersion`,
/// `creationTimestamp` and `managedFields`.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Why the server refuses the object; nothing if it takes it. Each has a field, a message (`detail`) and a code,
    /// and a text in the server's words.
    pub errors: Diags,
    /// Fields that the schema does not know, as warnings: the server prunes them, unless fields are validated strictly.
    pub unknown: Diags,
    /// What the server warns about.
    pub warnings: Vec<String>,
    /// The object as it was checked: pruned, with defaults and with what the server fills in.
    pub prepared: Option<Value>,
    /// What the client gets back, if the server takes the object.
    pub result: Option<Value>,
    /// What is stored, if that is another version.
    pub stored: Option<Value>,
    /// Why there is no answer, or only a part of one: a webhook would have to convert the object.
    pub undecided: Option<Refusal>,
    /// The message for an object that cannot be decoded.
    bad_request: Option<String>,
}

impl Verdict {
    /// Whether the server takes the object.
    pub fn is_accepted(&self) -> bool {
        self.errors.is_empty() && self.undecided.is_none()
    }

    /// The same where fields are validated strictly, as kubectl asks for: unknown fields are errors.
    #[must_use]
    pub fn strict(mut self) -> Verdict {
        let unknown = std::mem::take(&mut self.unknown);
        self.errors.extend(unknown.into_iter().map(|diag| Diag { level: Level::Error, ..diag }));
        self
    }

    /// The message that the server answers with; empty if it takes the object.
    pub fn message(&self) -> String {
        if let Some(why) = &self.undecided {
            return why.to_string();
        }
        if let Some(answer) = &self.bad_request {
            return answer.clone();
        }
        let Some(object) = self.prepared.as_ref().filter(|_| !self.errors.is_empty()) else {
            return self.errors.first().map(Diag::text).unwrap_or_default();
        };
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let (kind, api_version) = (text(object.get("kind")), text(object.get("apiVersion")));
        let name = text(object.get("metadata").and_then(|m| m.get("name")));
        let kind = match api_version.split_once('/') {
            Some((group, _)) => format!("{kind}.{group}"),
            None => kind,
        };
        server::invalid(&kind, &name, self.errors.iter())
    }

    pub(super) fn of(sent: &Value, version: &str, admission: Admission) -> Verdict {
        let Checked { unknown, decoded: _, written } = match admission {
            Admission::Undecodable(why) => {
                let diag = Diag::own(&codes::object::UNREADABLE, Level::Error, &Path::ROOT, why.to_string());
                let kind = sent.get("kind").and_then(Value::as_str).unwrap_or_default();
                let answer = format!(
                    "{kind} in version {} cannot be handled as a {kind}: {}",
                    go::quote(version),
                    diag.detail
                );
                return Verdict { bad_request: Some(answer), ..Verdict::refused(diag) };
            }
            Admission::Checked(checked) => *checked,
        };
        let unknown = admit::unknown_fields(sent, &unknown, Level::Warning);
        Verdict { unknown, ..Verdict::of_written(written) }
    }

    pub(super) fn of_written(written: Written) -> Verdict {
        let Written { errors, warnings, prepared, result, stored, store_error } = written;
        Verdict {
            errors: errors.into_iter().map(|(_, diag)| diag).collect(),
            unknown: Diags::new(),
            warnings,
            prepared: Some(presentable(&prepared)),
            result: result.as_ref().map(presentable),
            stored: stored.as_ref().map(presentable),
            undecided: store_error,
            bad_request: None,
        }
    }

    pub(super) fn refused(diag: Diag) -> Verdict {
        Verdict { errors: vec![diag], ..Verdict::default() }
    }

    pub(super) fn undecided(why: Refusal) -> Verdict {
        Verdict { undecided: Some(why), ..Verdict::default() }
    }

    pub(super) fn no_json() -> Verdict {
        let why = "the value cannot be JSON";
        Verdict::refused(Diag::own(&codes::object::UNREADABLE, Level::Error, &Path::ROOT, why))
    }
}

/// Why a server does not take an object.
#[derive(Clone, Debug)]
pub struct Invalid {
    /// One for each mistake.
    pub errors: Diags,
}

/// One error a line, in the server's words.
impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.errors.iter().enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            write!(f, "{end}{}", error.shown())?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}
