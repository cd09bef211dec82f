//! What a run finds, and how it is reported.

use std::collections::{HashMap, HashSet};

use crdgen_core::compare::changes::Class;
use crdgen_core::diag::{Code, codes};
use crdgen_core::ir::Crd;
use crdgen_core::value::Value;
use crdgen_diff::Step;

use super::{Args, COMMAND, objects, skews};
use crate::input::{Rules, Source};
use crate::outcome::Outcome;
use crate::output::report::{self, Counts, FailOn, Finding, Findings, Report};
use crate::terminal;
use crdgen_files::Error;
use crdgen_report::copies::{ChangedCopies, share};
use crdgen_report::exceptions::Exceptions;
use crdgen_tasks::updates::Changed;

/// What a run has found so far.
pub(super) struct Results<'a> {
    args: &'a Args,
    exceptions: Exceptions,
    report: Report,
    counts: Counts,
    fails: bool,
    left: Left,
    copies: ChangedCopies,
    steps: Vec<Step>,
    updates: Vec<(Crd, Crd)>,
    pub(super) skews: skews::Skews,
}

impl<'a> Results<'a> {
    pub(super) fn new(args: &'a Args) -> Result<Results<'a>, Error> {
        Ok(Results {
            args,
            exceptions: Exceptions::new(&args.exceptions)?,
            report: report::start(args.output, COMMAND),
            counts: Counts::default(),
            fails: false,
            left: Left::default(),
            copies: ChangedCopies::default(),
            steps: Vec::new(),
            updates: Vec::new(),
            skews: skews::Skews::default(),
        })
    }

    /// Reports what was found in a source, except for what exceptions allow.
    pub(super) fn add(&mut self, source: Source, changed: Changed) -> Result<(), Error> {
        let Changed { names, findings, steps, updates } = changed;
        let mut findings = self.exceptions.filter(&source, findings);
        findings.retain(|finding| self.copies.is_first(finding, &source.name));
        findings.iter().for_each(|finding| self.left.add(finding));
        share(&mut findings, self.args.output);
        self.count(&findings, names.len());
        self.add_all(Changed { steps, updates, ..Changed::default() });
        let findings = Findings { source, findings };
        self.report.add(self.args.output.render_of(&findings, &names, FailOn::Breaking))
    }

    /// Adds what concerns several sources.
    pub(super) fn add_all(&mut self, Changed { steps, updates, .. }: Changed) {
        self.steps.extend(steps);
        self.updates.extend(updates);
    }

    fn count(&mut self, findings: &[Finding], objects: usize) {
        self.fails |= findings.iter().any(|finding| self.args.fails_on(finding));
        self.counts += Counts::of_part(objects, findings);
    }

    /// Whether there is no CRD.
    pub(super) fn are_none(&self) -> bool {
        self.counts.objects == 0 && !self.report.found
    }

    /// Reports what concerns all sources.
    pub(super) fn finish(mut self, rules: &Rules, sources: usize, has_types: bool) -> Result<Outcome, Error> {
        // Of errors, an update only has those that the old CRD does not have. `crdgen check` looks for all of them.
        let may_find = |code: &Code| codes::change::ALL.contains(&code);
        for rest in self.exceptions.rest(may_find) {
            self.count(&rest.findings, 0);
            self.report.add(self.args.output.render(&rest))?;
        }
        self.counts.sources += sources;
        self.steps.retain_mut(|step| self.left.still_requires(step));
        let mut known = HashSet::new();
        self.steps.retain(|step| known.insert(step.to_string()));
        self.steps.iter().for_each(|step| self.report.note(step.to_string()));
        let mut numbers = self.exceptions.numbers(may_find);
        self.copies.report(&mut self.report, &mut numbers);
        if !self.steps.is_empty() {
            numbers.insert("steps", Value::List(self.steps.iter().map(Step::to_value).collect()));
        }
        if self.args.needs_updates() {
            let seen = objects::judge(&self.args.objects, rules, &self.updates)?;
            self.fails |= seen.values().any(|tally| tally.fine < tally.objects);
            objects::report(&seen, &mut self.report, &mut numbers);
        }
        if has_types {
            self.skews.report(&mut self.report, &mut numbers);
        }
        self.report.finish_with(&self.counts, "CRD", numbers)?;
        self.exceptions.finish(may_find)?.iter().for_each(terminal::say);
        Ok(if self.fails { Outcome::Findings } else { Outcome::Fine })
    }
}

/// The changes that no exception allows: the worst class for each CRD and version.
#[derive(Default)]
struct Left(HashMap<(String, String), Class>);

impl Left {
    fn add(&mut self, finding: &Finding) {
        let Some(change) = &finding.change else { return };
        if let Some(version) = &change.version {
            let worst = self.0.entry((finding.object.clone(), version.clone())).or_insert(change.class);
            *worst = change.class.min(*worst);
        }
    }

    /// Whether changes still require a new version. Sets the worst class of them.
    fn still_requires(&self, step: &mut Step) -> bool {
        let worst = self.0.get(&(step.crd.clone(), step.version.clone()));
        step.worst = *worst.unwrap_or(&step.worst);
        worst.is_some_and(|class| *class <= Class::Meaning)
    }
}
