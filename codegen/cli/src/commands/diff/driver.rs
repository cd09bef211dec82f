//! `crdgen diff --git-driver`: what a change of a file means, where git would show lines.

use std::path::Path;
use std::sync::Arc;

use crdgen_core::compare::proof::{Proof, example};
use crdgen_core::documents::Group;
use crdgen_core::ir::Crd;
use crdgen_diff::{Finding, Options};

use crate::input::git;
use crate::outcome::Outcome;
use crate::terminal::{self, Lines};
use crdgen_files::Error;
use crdgen_files::input;

/// The arguments of git's external diff drivers: the path, and for each side a file, a hash and a mode. If the file was
/// renamed, the new path and a header follow.
struct Change<'a> {
    path: &'a str,
    old: &'a str,
    new: &'a str,
}

impl Change<'_> {
    fn read(paths: &[String]) -> Option<Change<'_>> {
        match paths {
            [path, old, _, _, new, _, _] => Some(Change { path, old, new }),
            [_, old, _, _, new, _, _, path, ..] => Some(Change { path, old, new }),
            _ => None,
        }
    }
}

/// Git stops if the driver fails, so changes never fail it.
pub(super) fn run(paths: &[String], options: &Options) -> Result<Outcome, Error> {
    let mut lines = Lines::default();
    let Some(Change { path, old, new }) = Change::read(paths) else {
        let [path] = paths else {
            let why = "--git-driver is for `git config diff.crd.command`, and git passes the arguments";
            return Err(Error::Argument(why.to_owned()));
        };
        lines.add(format_args!("* Unmerged path {path}"));
        return print(&lines);
    };
    let (Some(before), Some(after)) = (read(old)?, read(new)?) else { return by_lines(path, old, new) };
    if before.is_empty() && after.is_empty() {
        return by_lines(path, old, new);
    }
    lines.add(format_args!("crdgen diff {path}"));
    let report = crdgen_diff::diff_all(&before, &after, options);
    for finding in &report.findings {
        show(finding, &mut lines);
    }
    if report.findings.is_empty() {
        lines.add("  nothing changes for objects, clients or users");
    }
    print(&lines)
}

/// The CRDs of a file. `None` if it has parts that crdgen cannot read, so that they would be left out.
fn read(path: &str) -> Result<Option<Vec<Crd>>, Error> {
    // What git passes for a file that is not there. Not all systems have it.
    if path == "/dev/null" {
        return Ok(Some(Vec::new()));
    }
    let bytes = input::read(Path::new(path)).map_err(Error::file(Path::new(path)))?;
    let mut read = Group::of(&Arc::new(bytes)).read();
    read.allow_unions();
    let has_others = read.rejected().is_some() || !read.skipped.is_empty();
    Ok((!has_others).then(|| read.take().map(|(crd, ..)| crd).collect()))
}

fn show(finding: &Finding, lines: &mut Lines) {
    lines.add(format_args!("  {}", finding.line()));
    if let Proof::Witness(witness) = &finding.proof {
        lines.add(format_args!("    {}", witness.text()));
        let objects: Vec<String> = witness.objects().into_iter().map(example).collect();
        for line in objects.join("\n---\n").lines() {
            lines.add(format_args!("      {line}"));
        }
    }
}

fn print(lines: &Lines) -> Result<Outcome, Error> {
    terminal::print(&lines.ready())?;
    Ok(Outcome::Fine)
}

/// Lets git compare files that are not CRDs, as it does without a driver.
fn by_lines(path: &str, old: &str, new: &str) -> Result<Outcome, Error> {
    let text = git::difference(old, new)?;
    let mut lines = Lines::default();
    lines.add(format_args!("diff --git a/{path} b/{path}"));
    // What comes before the first part of the file has the names of temporary files.
    let mut parts = text.lines().skip_while(|line| !line.starts_with("@@")).peekable();
    match parts.peek() {
        Some(_) => {
            lines.add(format_args!("--- a/{path}"));
            lines.add(format_args!("+++ b/{path}"));
        }
        None => lines.add("the file has another mode, or is not a text"),
    }
    parts.for_each(|line| lines.add(line));
    print(&lines)
}
