//! The errors that a validation has found so far.

use super::at::At;
use crate::diag::{BadValue, Code, Diag, Diags, Kind, Level};
use crate::path::Path;
use crate::value::Value;
use std::collections::HashSet;

/// An error about the value at a place.
pub(super) struct Finding {
    pub(super) code: &'static Code,
    pub(super) kind: Kind,
    pub(super) bad: BadValue,
    pub(super) detail: String,
    pub(super) help: String,
}

/// The errors. Their fields are still in the form of the validation's messages.
#[derive(Debug, Default)]
pub(super) struct Findings {
    diags: Vec<Diag>,
    /// The number of errors if they are only counted. None if they are collected.
    counted: Option<usize>,
}

impl Findings {
    /// Only counts errors. Most values do not match some branch of a junctor, and the reasons are not shown.
    pub(super) fn counting() -> Findings {
        Findings { diags: Vec::new(), counted: Some(0) }
    }

    /// Counts an error if errors are only counted. Otherwise it returns false, and the message is needed.
    pub(super) fn count_instead(&mut self) -> bool {
        if let Some(counted) = &mut self.counted {
            *counted += 1;
        }
        self.counted.is_some()
    }

    pub(super) fn len(&self) -> usize {
        self.counted.unwrap_or(self.diags.len())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Replaces the help of the errors about the value itself since there were `before` errors.
    pub(super) fn advise(&mut self, before: usize, at: &At<'_>, help: &str) {
        let steps = at.steps();
        for diag in self.diags.iter_mut().skip(before).filter(|diag| diag.steps == steps) {
            diag.help = Some(help.to_owned());
        }
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.diags.truncate(len);
        self.counted = self.counted.map(|counted| counted.min(len));
    }

    pub(super) fn add(&mut self, at: &At<'_>, finding: Finding) {
        if self.count_instead() {
            return;
        }
        let Finding { code, kind, bad, detail, help } = finding;
        self.diags.push(Diag {
            code,
            level: Level::Error,
            kind: Some(kind),
            field: at.name(),
            bad: Some(bad),
            detail,
            steps: at.steps(),
            inside: None,
            rule: None,
            help: Some(help),
        });
    }

    /// Adds an error that the server reports for the whole value, without a place.
    pub(super) fn add_plain(
        &mut self,
        code: &'static Code,
        at: &At<'_>,
        detail: String,
        help: impl Into<String>,
    ) {
        let (bad, help) = (Value::from("").into(), help.into());
        self.add(at, Finding { code, kind: Kind::Invalid, bad, detail, help });
        if let Some(last) = self.diags.last_mut() {
            last.field.clear();
        }
    }

    /// The errors about the value at `path`, each message once.
    pub(super) fn into_diags(self, path: &Path<'_>) -> Diags {
        let mut all = self.diags;
        if all.len() > 1 {
            let mut seen = HashSet::new();
            all.retain(|d| seen.insert((d.field.clone(), d.kind, d.detail.clone())));
        }
        for diag in &mut all {
            diag.field = match diag.field.as_str() {
                "" | "." => path.to_string(),
                name => path.child(name.strip_prefix('.').unwrap_or(name)).to_string(),
            };
            let mut steps = path.steps();
            steps.append(&mut diag.steps);
            diag.steps = steps;
        }
        all
    }
}
