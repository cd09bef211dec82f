//! The errors that a validation has found so far.

use super::at::At;
use crate::diag::{BadValue, Code, Diag, Diags, Kind, Level};
use crate::path::{Path, has_room};
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
    /// The number of errors that were left out because of their size.
    left_out: usize,
}

impl Findings {
    /// Only counts errors. Most values do not match some branch of a junctor, and the reasons are not shown.
    pub(super) fn counting() -> Findings {
        Findings { counted: Some(0), ..Findings::default() }
    }

    /// Counts an error if errors are only counted, or if there is no room for it. Otherwise it returns false, and the message is
    /// needed.
    pub(super) fn count_instead(&mut self, at: &At<'_>) -> bool {
        let count = match &mut self.counted {
            Some(counted) => counted,
            None if self.left_out == 0 && has_room(self.diags.len(), at.lengths()) => return false,
            None => &mut self.left_out,
        };
        *count += 1;
        true
    }

    pub(super) fn len(&self) -> usize {
        self.counted.unwrap_or(self.diags.len() + self.left_out)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Replaces the help of the errors about the value itself since there were `before` errors.
    pub(super) fn advise(&mut self, before: usize, at: &At<'_>, help: &str) {
        if self.diags.len() <= before {
            return;
        }
        let steps = at.steps();
        for diag in self.diags.iter_mut().skip(before).filter(|diag| diag.steps == steps) {
            diag.help = Some(help.to_owned());
        }
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.left_out = self.left_out.min(len.saturating_sub(self.diags.len()));
        self.diags.truncate(len);
        self.counted = self.counted.map(|counted| counted.min(len));
    }

    pub(super) fn add(&mut self, at: &At<'_>, finding: Finding) {
        if self.count_instead(at) {
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
        let (before, bad, help) = (self.diags.len(), Value::from("").into(), help.into());
        self.add(at, Finding { code, kind: Kind::Invalid, bad, detail, help });
        if let Some(added) = self.diags.get_mut(before) {
            added.field.clear();
        }
    }

    /// The errors about the value at `path`, each message once.
    pub(super) fn into_diags(self, path: &Path<'_>) -> Diags {
        let mut all = self.diags;
        if let (Some(last), 1..) = (all.last_mut(), self.left_out) {
            let more = format!(
                "crdgen does not show {} more errors, because their paths are too long",
                self.left_out
            );
            last.help = Some(last.help.take().map_or_else(|| more.clone(), |help| format!("{help}. {more}")));
        }
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
