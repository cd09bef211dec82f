//! `crdgen check --fix`: fixes what lints report, in the files themselves.

use crdgen_core::check::lints::Lints;
use crdgen_diff::Finding as Changed;

use super::{Args, rust};
use crate::input::Inventory;
use crate::outcome::Outcome;
use crate::terminal::{self, Ready};
use crdgen_files::Error;
use crdgen_files::source::Left;
use crdgen_report::Exceptions;
use crdgen_report::fixes::{Mode, Summary};
use crdgen_tasks::fixes::{FileRewrite, Fixes, Unwritten};
use crdgen_tasks::rust_types::RustSources;

/// What is fixed in a run.
pub(super) struct FixRun<'a> {
    args: &'a Args,
    mode: Mode,
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
    left: Vec<Left>,
    /// Whether there were CRDs or types.
    pub(super) has_input: bool,
    /// Whether all files could be written.
    outcome: Outcome,
}

impl<'a> FixRun<'a> {
    pub(super) fn new(args: &'a Args, lints: &'a Lints) -> Result<FixRun<'a>, Error> {
        Ok(FixRun {
            args,
            mode: if args.dry_run { Mode::DryRun } else { Mode::Write },
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
            let wanted = |source: &_, findings| self.exceptions.clone().filter(source, findings);
            let fixes = Fixes::of_document(&source, self.lints, &wanted);
            self.make(fixes)?;
        }
        Ok(())
    }

    /// Fixes the types of a package.
    pub(super) fn fix_types(&mut self, sources: &RustSources) -> Result<(), Error> {
        let options = sources.options(rust::options(self.args)?);
        let fixes = Fixes::of_types(&options, &|found| self.exceptions.clone().wants(found))?;
        self.make(fixes)
    }

    /// Writes files, or with `--dry-run` prints how they would change.
    fn make(&mut self, Fixes { has_input, rewrite, left }: Fixes) -> Result<(), Error> {
        self.has_input |= has_input;
        self.left.extend(left);
        let Some(rewrite) = rewrite else { return Ok(()) };
        let is_made = match self.mode {
            Mode::DryRun => self.can(rewrite.check()),
            Mode::Write => self.can(rewrite.write()),
        };
        if !is_made {
            return Ok(());
        }
        if self.mode == Mode::DryRun {
            let print = |file: &_| terminal::print(&Ready::patch(&FileRewrite::patch(file)));
            rewrite.files.iter().try_for_each(print)?;
        }
        let done = self.mode.done();
        rewrite.found.iter().for_each(|line| terminal::say(format_args!("{done} {line}")));
        self.count += rewrite.found.len();
        self.files += rewrite.files.len();
        for change in rewrite.changes(&self.args.search.options()) {
            // A repository may have copies of a CRD.
            if !self.changes.iter().any(|known| known.fingerprint == change.fingerprint) {
                self.changes.push(change);
            }
        }
        Ok(())
    }

    /// Says why files cannot be written. Returns whether they can.
    fn can(&mut self, written: Result<(), Unwritten>) -> bool {
        let Err(why) = written else { return true };
        match &why {
            Unwritten::Failed(failure) => terminal::say_error(failure),
            Unwritten::Link(_) | Unwritten::Encoding(_) | Unwritten::Changed(_) => {
                terminal::say(format_args!("not fixed: {why}"))
            }
        }
        if !matches!(why, Unwritten::Link(_) | Unwritten::Encoding(_)) {
            self.outcome = Outcome::Findings;
        }
        false
    }

    /// Says how much was fixed, what that changes, and what stays. Returns how the run ends.
    pub(super) fn finish(mut self) -> Outcome {
        self.changes.sort_by_key(|change| change.class);
        let FixRun { mode, count, files, left, changes, .. } = &self;
        let summary = Summary { mode: *mode, count: *count, files: *files, left, changes };
        summary.lines().iter().for_each(terminal::say);
        match self.args.dry_run && self.count > 0 {
            true => Outcome::Findings,
            false => self.outcome,
        }
    }

    /// Whether files were written, so that the inputs are not those that were read.
    pub(super) fn is_any(&self) -> bool {
        self.count > 0
    }
}
