//! The report of commands that find changes of classes: `diff` and `upgrade`.

use crdgen_core::diag::{Code, Level, codes};
use crdgen_core::value::{Map, Value};
use crdgen_diff::{Class, Unstable};
use crdgen_files::Error;
use crdgen_report::copies::{ChangedCopies, share};
use crdgen_report::exceptions::{self, Exceptions};

use super::report::{self, Counts, FailOn, Finding, Findings, Format, Report};
use crate::outcome::Outcome;
use crate::terminal;

/// What a run reports, and which changes fail it.
pub(crate) struct Wanted<'a> {
    /// The command, for reports.
    pub(crate) command: &'static str,
    pub(crate) output: Format,
    pub(crate) exceptions: &'a exceptions::Args,
    /// Changes of this class and of worse ones fail.
    pub(crate) fail_on: Class,
    /// Whether those of alpha and beta versions do.
    pub(crate) unstable: Unstable,
}

/// What a run has found so far.
pub(crate) struct ChangeReport {
    pub(crate) report: Report,
    pub(crate) counts: Counts,
    pub(crate) fails: bool,
    output: Format,
    fail_on: Class,
    unstable: Unstable,
    exceptions: Exceptions,
    copies: ChangedCopies,
}

impl ChangeReport {
    pub(crate) fn new(wanted: &Wanted<'_>) -> Result<ChangeReport, Error> {
        let Wanted { command, output, exceptions, fail_on, unstable } = *wanted;
        Ok(ChangeReport {
            report: report::start(output, command),
            counts: Counts::default(),
            fails: false,
            output,
            fail_on,
            unstable,
            exceptions: Exceptions::new(exceptions)?,
            copies: ChangedCopies::default(),
        })
    }

    /// Reports what was found in a source with CRDs of these names, except for what exceptions allow. Passes on the rest.
    pub(crate) fn add(
        &mut self,
        Findings { source, findings }: Findings,
        names: &[String],
        each: impl FnMut(&Finding),
    ) -> Result<(), Error> {
        let mut findings = self.exceptions.filter(&source, findings);
        findings.retain(|finding| self.copies.is_first(finding, &source.name));
        findings.iter().for_each(each);
        share(&mut findings, self.output);
        self.count(&findings, names.len());
        let findings = Findings { source, findings };
        self.report.add(self.output.render_of(&findings, names, FailOn::Breaking))
    }

    fn count(&mut self, findings: &[Finding], objects: usize) {
        self.fails |= findings.iter().any(|finding| self.fails_on(finding));
        self.counts += Counts::of_part(objects, findings);
    }

    /// Whether a finding fails the run.
    fn fails_on(&self, finding: &Finding) -> bool {
        let class = Class::of(finding.diag.code).unwrap_or(Class::Refused);
        let level = class.reported().map_or(Level::Error, |(_, level)| level);
        let is_of_unstable = finding.change.as_ref().is_some_and(|change| change.is_of_unstable);
        let counts = self.unstable == Unstable::AsStable || !is_of_unstable;
        class <= self.fail_on && finding.diag.level >= level && counts
    }

    /// Whether there is no CRD.
    pub(crate) fn is_empty(&self) -> bool {
        self.counts.objects == 0 && !self.report.found
    }

    /// Reports the exceptions that allow nothing.
    pub(crate) fn add_exceptions(&mut self) -> Result<(), Error> {
        for rest in self.exceptions.rest(may_find) {
            self.count(&rest.findings, 0);
            self.report.add(self.output.render(&rest))?;
        }
        Ok(())
    }

    /// Ends the report about so many CRDs or objects, with what `add` knows of all sources.
    pub(crate) fn finish(
        mut self,
        what: &str,
        add: impl FnOnce(&mut Report, &mut Map<Value>),
    ) -> Result<Outcome, Error> {
        let mut numbers = self.exceptions.numbers(may_find);
        self.copies.report(&mut self.report, &mut numbers);
        add(&mut self.report, &mut numbers);
        self.report.finish_with(&self.counts, what, numbers)?;
        self.exceptions.finish(may_find)?.iter().for_each(terminal::say);
        Ok(if self.fails { Outcome::Findings } else { Outcome::Fine })
    }
}

/// Of errors, an update only has those that the old CRD does not have. `crdgen check` looks for all of them.
fn may_find(code: &Code) -> bool {
    codes::change::ALL.contains(&code)
}
