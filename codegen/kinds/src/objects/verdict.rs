//! The answer of a server to a write.

use crdgen_core::object::write::{Warning, Written, presentable};
use crdgen_core::object::{Admission, Checked, Refusal};
use crdgen_core::server;
use crdgen_runtime::GroupVersion;
use crdgen_runtime::diag::{Diag, Diags, Level, codes};
use crdgen_runtime::go;
use crdgen_runtime::path::Path;
use crdgen_runtime::value::Value;
use std::fmt;

/// The answer of a server to a write. Its objects do not have the fields that only a running server sets: `uid`,
/// `resourceVersion`, `creationTimestamp` and `managedFields`.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The errors. Empty if the server accepts the object. Each has a field, a message (`detail`), a code, and the
    /// server's text.
    pub errors: Diags,
    /// Unknown fields, as warnings. The server drops these fields, or rejects the object with strict field validation.
    pub unknown: Diags,
    /// The warnings of the server.
    pub warnings: Vec<String>,
    /// The custom resource that the server checked: without unknown fields, with defaults and with the fields that the server sets.
    pub prepared: Option<Value>,
    /// The object that the client gets back, if the server accepts it.
    pub result: Option<Value>,
    /// The stored object, if the storage version is not the version of the object.
    pub stored: Option<Value>,
    /// The reason why the answer is incomplete, for example that a webhook converts the object.
    pub undecided: Option<Refusal>,
    /// The status and the message of an answer that is not the list of the errors.
    pub(super) answer: Option<(u16, String)>,
    /// The same warnings as diagnostics.
    pub(super) warned: Diags,
}

impl Verdict {
    /// Returns the warnings as diagnostics. A warning about a rule that the old object breaks too is at its field.
    pub fn warned(&self) -> &[Diag] {
        &self.warned
    }

    /// Whether the server accepts the object.
    pub fn is_accepted(&self) -> bool {
        self.errors.is_empty() && self.undecided.is_none()
    }

    /// Returns the answer with strict field validation, the default of kubectl: unknown fields are errors.
    #[must_use]
    pub fn strict(mut self) -> Verdict {
        let unknown = std::mem::take(&mut self.unknown);
        self.errors.extend(unknown.into_iter().map(|diag| Diag { level: Level::Error, ..diag }));
        self
    }

    /// Returns the message in the answer. Empty if the server accepts the object.
    pub fn message(&self) -> String {
        if let Some(why) = &self.undecided {
            return why.to_string();
        }
        if let Some((_, message)) = &self.answer {
            return message.clone();
        }
        let Some(object) = self.prepared.as_ref().filter(|_| !self.errors.is_empty()) else {
            return self.errors.first().map(Diag::text).unwrap_or_default();
        };
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let (kind, api_version) = (text(object.get("kind")), text(object.get("apiVersion")));
        let name = text(object.get("metadata").and_then(|m| m.get("name")));
        let kind = GroupVersion::of(&api_version).qualify(&kind);
        server::invalid(&kind, &name, self.errors.iter())
    }

    /// Whether the server cannot decode the object.
    pub fn is_bad_request(&self) -> bool {
        matches!(self.answer, Some((400, _)))
    }

    pub(super) fn of(kind: &str, version: &str, admission: Admission) -> Verdict {
        let Checked { unknown, written } = match admission {
            Admission::Undecodable(why) => return Verdict::undecodable(kind, version, why),
            Admission::Checked(checked) => *checked,
        };
        let unknown = unknown.into_iter().map(|unknown| unknown.diag(Level::Warning)).collect();
        Verdict { unknown, ..Verdict::of_written(written) }
    }

    /// Returns the answer for an object that the server cannot decode.
    pub(super) fn undecodable(kind: &str, version: &str, why: Refusal) -> Verdict {
        let diag = why.diag();
        let answer = format!(
            "{kind} in version {} cannot be handled as a {kind}: {}",
            go::quote(version),
            diag.detail
        );
        Verdict { answer: Some((400, answer)), ..Verdict::rejected(diag) }
    }

    pub(super) fn of_written(written: Written) -> Verdict {
        let Written { errors, warnings, prepared, result, stored, store_error, cost: _ } = written;
        let diag = |Warning { text, ratcheted }: &Warning| {
            let diag = Diag::own(&codes::object::SERVER_WARNING, Level::Warning, &Path::ROOT, text.as_str());
            match ratcheted {
                Some(at) => {
                    Diag { field: at.field.clone(), steps: at.steps.clone(), rule: at.rule.clone(), ..diag }
                }
                None => diag,
            }
        };
        Verdict {
            errors: errors.into_iter().map(|(_, diag)| diag).collect(),
            unknown: Diags::new(),
            warned: warnings.iter().map(diag).collect(),
            warnings: warnings.into_iter().map(|warning| warning.text).collect(),
            prepared: Some(presentable(prepared)),
            result: result.map(presentable),
            stored: stored.map(presentable),
            undecided: store_error,
            answer: None,
        }
    }

    pub(super) fn rejected(diag: Diag) -> Verdict {
        Verdict { errors: vec![diag], ..Verdict::default() }
    }

    pub(super) fn undecided(why: Refusal) -> Verdict {
        Verdict { undecided: Some(why), ..Verdict::default() }
    }

    pub(super) fn no_json() -> Verdict {
        let why = "the value cannot be JSON";
        Verdict::rejected(Diag::own(&codes::object::UNREADABLE, Level::Error, &Path::ROOT, why))
    }
}

/// The errors for which the server rejects an object.
#[derive(Clone, Debug)]
pub struct Invalid {
    /// One diagnostic per error.
    pub errors: Diags,
}

/// One error per line, in the server's words.
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
