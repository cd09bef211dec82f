//! `crdgen check --fix`: fixes what lints report, in the files themselves.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crdgen_core::check::lints::fix::is_fixable;
use crdgen_core::check::lints::{self, Lints};
use crdgen_core::decode;
use crdgen_core::diag::Diag;
use crdgen_core::documents::{self, Group};
use crdgen_core::ir::Crd;
use crdgen_core::span::Place;
use crdgen_diff::{Class, Finding as Changed};

use super::{Args, rust};
use crate::input::{Inventory, Source};
use crate::outcome::Outcome;
use crate::output::folders;
use crate::output::report::Finding;
use crate::terminal::{self, Ready};
use crdgen::__cli::difference::unified;
use crdgen::__cli::error;
use crdgen::__cli::files::{self, Shown};
use crdgen::Error;
use crdgen::source::{self, Fixed};
use crdgen_report::Exceptions;
use crdgen_source::Found;

/// How often a file is fixed: two fixes may be about the same part of it.
const MOST_ROUNDS: usize = 4;

/// How many changes of CRDs are listed.
const MOST_CHANGES: usize = 10;

/// What is fixed in a run.
pub(super) struct Fixes<'a> {
    args: &'a Args,
    lints: &'a Lints,
    /// What stays as it is. Each text is filtered by a copy, because comments move and baselines count.
    exceptions: Exceptions,
    /// How many findings are fixed.
    count: usize,
    /// In how many files.
    files: usize,
    /// What changes for objects and clients.
    changes: Vec<Changed>,
    /// The findings in types whose attributes crdgen does not change.
    left: Vec<Found>,
    /// Whether there were CRDs or types.
    pub(super) has_input: bool,
    /// Whether all files could be written.
    outcome: Outcome,
}

/// Files that are written together, and why.
struct Rewrite {
    files: Vec<File>,
    /// The findings that are fixed, as lines.
    found: Vec<String>,
    old: Vec<Crd>,
    new: Vec<Crd>,
}

/// A file that is written.
struct File {
    path: PathBuf,
    old: Vec<u8>,
    new: String,
}

impl<'a> Fixes<'a> {
    pub(super) fn new(args: &'a Args, lints: &'a Lints) -> Result<Fixes<'a>, Error> {
        Ok(Fixes {
            args,
            lints,
            exceptions: Exceptions::new(&args.exceptions)?,
            count: 0,
            files: 0,
            changes: Vec::new(),
            left: Vec::new(),
            has_input: false,
            outcome: Outcome::Fine,
        })
    }

    /// Fixes the files of the inputs.
    pub(super) fn fix_documents(&mut self, inputs: &Inventory) -> Result<(), Error> {
        for input in inputs.iter() {
            let Some(source) = inputs.read(input)? else { continue };
            if let Some(rewrite) = self.rewrite_document(&source) {
                self.make(&rewrite)?;
            }
        }
        Ok(())
    }

    /// Fixes the types of a package.
    pub(super) fn fix_types(&mut self, path: &str) -> Result<(), Error> {
        let options = rust::options(path, self.args)?;
        let wants = |found: &[Found]| {
            let mut exceptions = self.exceptions.clone();
            found.iter().map(|found| is_wanted(&mut exceptions, found)).collect()
        };
        let Fixed { files, found, left, old, new } = source::fixed(&options, &wants)?;
        self.has_input |= !old.is_empty();
        self.left.extend(left);
        let file = |(path, old, new): (PathBuf, String, String)| File { path, old: old.into_bytes(), new };
        let line = |found: &Found| {
            let at = found.at.as_ref();
            let place = at.map(|at| Place { start: at.start, end: at.end });
            let file = at.map_or("", |at| at.file.as_str());
            format!("{file}{}: {}", error::at(place), found.diag.shown())
        };
        let with_defaults = |mut crds: Vec<Crd>| {
            crds.iter_mut().for_each(decode::set_defaults);
            crds
        };
        self.make(&Rewrite {
            files: files.into_iter().map(file).collect(),
            found: found.iter().map(line).collect(),
            old: with_defaults(old),
            new: with_defaults(new),
        })
    }

    /// The fixed text of a file, if there is something to fix.
    fn rewrite_document(&mut self, source: &Source) -> Option<Rewrite> {
        let path = Path::new(&source.name);
        // Standard input is not a file, and what a chart or kustomization builds differs from its files.
        let is_file = !source.is_built() && files::read(path).is_ok_and(|bytes| bytes == *source.bytes);
        if !is_file {
            return None;
        }
        let (mut now, mut found) = (source.clone(), Vec::new());
        for _ in 0..MOST_ROUNDS {
            let mut read = now.group().read();
            self.has_input |= !read.named().is_empty();
            read.check(|crd| lints::run(crd, self.lints));
            if !read.findings.iter().any(|finding| is_fixable(finding.diag.code)) {
                break;
            }
            let findings = self.exceptions.clone().filter(&now, read.findings);
            let diags: Vec<(&str, &Diag)> =
                findings.iter().map(|it| (it.object.as_str(), &it.diag)).collect();
            let Some(fixed) = documents::fixed(&now.bytes, &diags) else { break };
            let line = |finding: &Finding| {
                format!("{}{}: {}", source.name, error::at(finding.place), finding.diag.shown())
            };
            found.extend(fixed.fixed.iter().filter_map(|number| findings.get(*number)).map(line));
            now.bytes = Arc::new(fixed.text.into_bytes());
        }
        let crds = |bytes| Group::of(bytes).read().take().map(|(crd, ..)| crd).collect();
        let (old, new) = (crds(&source.bytes), crds(&now.bytes));
        let (path, text) = (path.to_owned(), String::from_utf8(now.bytes.to_vec()).ok()?);
        let files = vec![File { path, old: source.bytes.to_vec(), new: text }];
        (!found.is_empty()).then_some(Rewrite { files, found, old, new })
    }

    /// Writes files, or with `--dry-run` prints how they would change.
    fn make(&mut self, rewrite: &Rewrite) -> Result<(), Error> {
        let Rewrite { files, found, old, new } = rewrite;
        let is_made = match self.args.dry_run {
            true => files.iter().try_for_each(File::print).map(|()| true)?,
            // A part of the files makes no sense without the others.
            false => {
                files.iter().all(|file| self.may_write(file)) && files.iter().all(|file| self.write(file))
            }
        };
        if !is_made {
            return Ok(());
        }
        let done = if self.args.dry_run { "would fix" } else { "fixed" };
        found.iter().for_each(|line| terminal::say(format_args!("{done} {line}")));
        self.count += found.len();
        self.files += files.len();
        let options = crdgen_diff::Options { budget: self.args.budget };
        for change in crdgen_diff::diff_all(old, new, &options).findings {
            let matters = change.class == Class::Refused || change.class.reported().is_some();
            // A repository may have copies of a CRD.
            let is_known = self.changes.iter().any(|known| known.fingerprint == change.fingerprint);
            if matters && !is_known {
                self.changes.push(change);
            }
        }
        Ok(())
    }

    /// Whether a file may be written. A link stays as it is, and so does a file that somebody else has changed since it was read.
    fn may_write(&mut self, File { path, old, .. }: &File) -> bool {
        if path.is_symlink() {
            terminal::say(format_args!("not fixed: {} is a link; pass the file itself", path.shown()));
            return false;
        }
        let is_unchanged = files::read(path).is_ok_and(|bytes| bytes == *old);
        if !is_unchanged {
            terminal::say(format_args!("not fixed: {} has changed meanwhile; run this again", path.shown()));
            self.outcome = Outcome::Findings;
        }
        is_unchanged
    }

    fn write(&mut self, file: &File) -> bool {
        let done = file.write();
        if let Err(failure) = &done {
            terminal::say_error(failure);
            self.outcome = Outcome::Findings;
        }
        done.is_ok()
    }

    /// Says how much was fixed, what that changes, and what stays. Returns how the run ends.
    pub(super) fn finish(mut self) -> Outcome {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let Fixes { count, files, .. } = self;
        let (done, nothing) = match self.args.dry_run {
            true => ("would fix", "nothing to fix"),
            false => ("fixed", "fixed nothing"),
        };
        terminal::say(match count {
            0 => format!("{nothing}: only some lints have one right answer"),
            _ => format!("{done} {count} finding{} in {files} file{}", plural(count), plural(files)),
        });
        if let Some(first) = self.left.first() {
            let at = first.at.as_ref();
            let file = at.map_or("", |at| at.file.as_str());
            let at = error::at(at.map(|at| Place { start: at.start, end: at.end }));
            let (count, more) = (self.left.len(), if self.left.len() == 1 { "" } else { ", the first" });
            terminal::say(format_args!(
                "not fixed: {count} finding{}{more} at {file}{at}. crdgen changes only the attributes of types that derive its \
                 `Schema`, and not those of kube's and schemars' derives, in macros and in other packages",
                plural(count)
            ));
        }
        if !self.changes.is_empty() {
            self.changes.sort_by_key(|change| change.class);
            let change = if self.args.dry_run { "would change" } else { "change" };
            terminal::say(format_args!(
                "the fixes {change} what the server accepts, or what clients read. If a CRD is in use, compare it with `crdgen diff` \
                 before you apply it:"
            ));
            for change in self.changes.iter().take(MOST_CHANGES) {
                terminal::say(format_args!("  {}: {}", change.crd, change.line()));
            }
            let more = self.changes.len().saturating_sub(MOST_CHANGES);
            if more > 0 {
                terminal::say(format_args!("  and {more} more"));
            }
        }
        match self.args.dry_run && count > 0 {
            true => Outcome::Findings,
            false => self.outcome,
        }
    }

    /// Whether files were written, so that the inputs are not those that were read.
    pub(super) fn is_any(&self) -> bool {
        self.count > 0
    }
}

/// Whether no exception allows a finding in Rust sources.
fn is_wanted(exceptions: &mut Exceptions, found: &Found) -> bool {
    let at = found.at.as_ref();
    let place = at.map(|at| Place { start: at.start, end: at.end });
    let name = at.map_or_else(String::new, |at| at.file.clone());
    let finding = Finding::new(String::new(), place, found.diag.clone());
    !exceptions.filter(&Source::new(name, Arc::default()), vec![finding]).is_empty()
}

impl File {
    /// Prints how the file would change, in a form that `git apply` and `patch -p1` read.
    fn print(&self) -> Result<(), Error> {
        let name = self.path.shown().to_string();
        let name = name.strip_prefix("./").unwrap_or(&name).trim_start_matches('/');
        let old = String::from_utf8_lossy(&self.old);
        let lines = unified(&old, &self.new);
        terminal::print(&Ready::document(&format!("--- a/{name}\n+++ b/{name}\n{lines}")))
    }

    /// Writes the new text, with the permissions of the old one.
    fn write(&self) -> Result<(), Error> {
        let path = &self.path;
        let failed = Error::file(path);
        let permissions = std::fs::metadata(path).map_err(&failed)?.permissions();
        let name = path.file_name().unwrap_or_default();
        folders::folder(files::folder_of(path), true).write(name, &self.new)?;
        // The file is a new one, which others could read.
        std::fs::set_permissions(path, permissions).map_err(&failed)
    }
}
