//! What `crdgen check --fix` says at the end.

use crdgen_core::span::Place;
use crdgen_diff::Finding;
use crdgen_files::error;
use crdgen_files::source::{Left, WhyLeft};

/// How many changes of CRDs are listed.
const MOST_CHANGES: usize = 10;

/// Whether files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They are.
    Write,
    /// The run only shows what would change.
    DryRun,
}

/// What was fixed in a run.
pub struct Summary<'a> {
    /// Whether files were written.
    pub mode: Mode,
    /// How many findings were fixed.
    pub count: usize,
    /// In how many files.
    pub files: usize,
    /// The findings in types that are not fixed.
    pub left: &'a [Left],
    /// What changes for objects and clients, the worst first.
    pub changes: &'a [Finding],
}

impl Mode {
    /// What was done with a finding.
    pub fn done(self) -> &'static str {
        match self {
            Mode::Write => "fixed",
            Mode::DryRun => "would fix",
        }
    }
}

impl Summary<'_> {
    /// How much was fixed, what that changes, and what stays. Each is a line.
    pub fn lines(&self) -> Vec<String> {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let Summary { mode, count, files, left, changes } = *self;
        let mut out = vec![match (count, mode) {
            (0, Mode::DryRun) => "nothing to fix: only some lints have one right answer".to_owned(),
            (0, Mode::Write) => "fixed nothing: only some lints have one right answer".to_owned(),
            _ => format!("{} {count} finding{} in {files} file{}", mode.done(), plural(count), plural(files)),
        }];
        for (sort, reason) in [
            (
                WhyLeft::OfOthers,
                "crdgen does not change macros and other packages, and the attributes of these derives have no key for them",
            ),
            (
                WhyLeft::NeedsOtherTypes,
                "no attribute alone fixes them, so change the types, as the help of the findings says",
            ),
        ] {
            let mut all = left.iter().filter(|it| it.sort == sort);
            let Some(first) = all.next() else { continue };
            let at = first.found.at.as_ref();
            let file = at.map_or("", |at| at.file.as_str());
            let at = error::at(at.map(|at| Place { start: at.start, end: at.end }));
            let count = 1 + all.count();
            let more = if count == 1 { "" } else { ", the first" };
            out.push(format!("not fixed: {count} finding{}{more} at {file}{at}: {reason}", plural(count)));
        }
        if !changes.is_empty() {
            let change = match mode {
                Mode::Write => "change",
                Mode::DryRun => "would change",
            };
            out.push(format!(
                "the fixes {change} what the server accepts, or what clients read. If a CRD is in use, compare it with `crdgen diff` \
                 before you apply it:"
            ));
            let named = changes.iter().take(MOST_CHANGES);
            out.extend(named.map(|change| format!("  {}: {}", change.crd, change.line())));
            let more = changes.len().saturating_sub(MOST_CHANGES);
            out.extend((more > 0).then(|| format!("  and {more} more")));
        }
        out
    }
}
