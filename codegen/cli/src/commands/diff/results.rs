//! What a run finds, and how it is reported.

use std::collections::{HashMap, HashSet};

use crdgen_core::compare::changes::Class;
use crdgen_core::ir::Crd;
use crdgen_core::value::Value;
use crdgen_diff::Step;

use super::{Args, COMMAND, objects, skews};
use crate::input::{Rules, Source};
use crate::outcome::Outcome;
use crate::output::changes::{ChangeReport, Wanted};
use crate::output::report::{Finding, Findings};
use crdgen_files::Error;
use crdgen_tasks::updates::Changed;

/// What a run has found so far.
pub(super) struct Results<'a> {
    args: &'a Args,
    changes: ChangeReport,
    left: Left,
    steps: Vec<Step>,
    updates: Vec<(Crd, Crd)>,
    pub(super) skews: skews::Skews,
}

impl<'a> Results<'a> {
    pub(super) fn new(args: &'a Args) -> Result<Results<'a>, Error> {
        let (output, exceptions, fail_on, unstable) =
            (args.output, &args.exceptions, args.fail_on, args.unstable());
        Ok(Results {
            args,
            changes: ChangeReport::new(&Wanted { command: COMMAND, output, exceptions, fail_on, unstable })?,
            left: Left::default(),
            steps: Vec::new(),
            updates: Vec::new(),
            skews: skews::Skews::default(),
        })
    }

    /// Reports what was found in a source, except for what exceptions allow.
    pub(super) fn add(&mut self, source: Source, changed: Changed) -> Result<(), Error> {
        let Changed { names, findings, steps, updates } = changed;
        self.add_all(Changed { steps, updates, ..Changed::default() });
        self.changes.add(Findings { source, findings }, &names, |finding| self.left.add(finding))
    }

    /// Adds what concerns several sources.
    pub(super) fn add_all(&mut self, Changed { steps, updates, .. }: Changed) {
        self.steps.extend(steps);
        self.updates.extend(updates);
    }

    /// Whether there is no CRD.
    pub(super) fn are_none(&self) -> bool {
        self.changes.is_empty()
    }

    /// Reports what concerns all sources.
    pub(super) fn finish(mut self, rules: &Rules, sources: usize, has_types: bool) -> Result<Outcome, Error> {
        let mut changes = self.changes;
        changes.add_exceptions()?;
        changes.counts.sources += sources;
        self.steps.retain_mut(|step| self.left.still_requires(step));
        let mut known = HashSet::new();
        self.steps.retain(|step| known.insert(step.to_string()));
        self.steps.iter().for_each(|step| changes.report.note(step.to_string()));
        let wanted =
            self.args.needs_updates().then(|| objects::judge(&self.args.objects, rules, &self.updates));
        let seen = wanted.transpose()?;
        changes.fails |= seen.iter().flatten().any(|(_, tally)| tally.fine < tally.objects);
        changes.finish("CRD", |report, numbers| {
            if !self.steps.is_empty() {
                numbers.insert("steps", Value::List(self.steps.iter().map(Step::to_value).collect()));
            }
            if let Some(seen) = &seen {
                objects::report(seen, report, numbers);
            }
            if has_types {
                self.skews.report(report, numbers);
            }
        })
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
