//! What a run is about: everything, or the files of a change.

use crate::machine::setting;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a run is about.
pub(crate) enum Scope {
    /// All steps run, and try all parts: `CI_PARTS=all`.
    Everything,
    /// The steps that these files concern.
    Change {
        /// What changed since when, for people.
        about: String,
        /// The paths in the repository.
        files: Vec<String>,
    },
}

impl Scope {
    /// Reads `$CI_PARTS`: `all`, or files and folders. Without it, the change is what differs from the commit that `$CI_BASE` or the main
    /// branch has in common with this one. On the main branch itself, it is what the last day before the commit brought: git does not know
    /// which commits were pushed together. Without a repository, everything counts.
    pub(crate) fn new(root: &Path) -> Scope {
        let parts = setting("CI_PARTS", "");
        if parts == "all" {
            return Scope::Everything;
        }
        if !parts.is_empty() {
            let files = parts.split([' ', ',']).filter(|it| !it.is_empty()).map(str::to_owned).collect();
            return Scope::Change { about: format!("changes of {parts}"), files };
        }
        let Some(base) = base(root) else { return Scope::Everything };
        let tracked = git(root, &["diff", "--name-only", "-z", &base]);
        let new = git(root, &["ls-files", "-z", "--others", "--exclude-standard"]);
        let (Some(tracked), Some(new)) = (tracked, new) else { return Scope::Everything };
        let all = format!("{tracked}{new}");
        let files: Vec<String> = all.split('\0').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        Scope::Change { about: format!("{} files changed since {:.9}", files.len(), base), files }
    }
}

/// The commit before the change.
fn base(root: &Path) -> Option<String> {
    let named = setting("CI_BASE", "");
    let head = git(root, &["rev-parse", "HEAD"])?;
    let base = [named.as_str(), "origin/main", "main"]
        .into_iter()
        .filter(|it| !it.is_empty())
        .find_map(|it| git(root, &["merge-base", "HEAD", it]));
    match base {
        Some(base) if base != head => Some(base.trim().to_owned()),
        _ => a_day_before(root),
    }
}

/// The last commit that is a day older than this one.
fn a_day_before(root: &Path) -> Option<String> {
    let time: u64 = git(root, &["log", "-1", "--format=%ct"])?.trim().parse().ok()?;
    let before = format!("--before={}", time.saturating_sub(24 * 60 * 60));
    let commit = git(root, &["rev-list", "-1", &before, "HEAD"])?.trim().to_owned();
    (!commit.is_empty()).then_some(commit)
}

/// What git prints. None if it fails.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(root).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A number that the commit gives.
pub(crate) fn of_commit(root: &Path) -> u64 {
    let head = git(root, &["rev-parse", "HEAD"]).unwrap_or_default();
    u64::from_str_radix(head.get(..8).unwrap_or_default(), 16).unwrap_or(0)
}

/// The number of the day.
pub(crate) fn today() -> u64 {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    seconds / (24 * 60 * 60)
}
