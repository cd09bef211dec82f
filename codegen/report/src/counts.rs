//! How many findings there are, and whether they fail a run.

use crdgen_core::compare::changes::Class;
use crdgen_core::diag::Level;

use crate::Finding;

/// Numbers for the summary.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Objects looked at.
    pub objects: usize,
    /// Sources read.
    pub sources: usize,
    /// Findings of level error.
    pub errors: usize,
    /// Findings of level warning.
    pub warnings: usize,
    /// Findings of level note.
    pub notes: usize,
    /// Findings about changes that break objects or requests.
    pub breaking: usize,
    /// Those of them that are notes, because their versions are alpha or beta.
    pub breaking_notes: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        let Counts { objects, sources, errors, warnings, notes, breaking, breaking_notes } = other;
        self.objects += objects;
        self.sources += sources;
        self.errors += errors;
        self.warnings += warnings;
        self.notes += notes;
        self.breaking += breaking;
        self.breaking_notes += breaking_notes;
    }
}

impl Counts {
    /// The numbers of a part of a run whose sources are counted as a whole: its objects and findings.
    pub fn of_part(objects: usize, findings: &[Finding]) -> Counts {
        let mut counts = Counts { objects, ..Counts::default() };
        counts.add(findings);
        Counts { sources: 0, ..counts }
    }

    /// Counts the findings in a source.
    pub fn add(&mut self, findings: &[Finding]) {
        self.sources += 1;
        for finding in findings {
            let breaking = usize::from(Class::of(finding.diag.code).is_some_and(Class::breaks));
            self.breaking += breaking;
            match finding.diag.level {
                Level::Error => self.errors += 1,
                Level::Warning => self.warnings += 1,
                Level::Note => {
                    self.notes += 1;
                    self.breaking_notes += breaking;
                }
            }
        }
    }
}

/// What fails a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    /// Errors: what the server rejects
    Error,
    /// Also changes that break objects or requests (CHG001 to CHG004, CHG008), other than those that are notes
    #[default]
    Breaking,
    /// Also warnings
    Warning,
}

impl FailOn {
    /// Whether a finding fails a run.
    pub fn fails_on(self, finding: &Finding) -> bool {
        let mut counts = Counts::default();
        counts.add(std::slice::from_ref(finding));
        self.fails(&counts)
    }

    /// Whether a run with these findings fails.
    pub fn fails(self, counts: &Counts) -> bool {
        let Counts { errors, warnings, breaking, breaking_notes, .. } = *counts;
        match self {
            FailOn::Error => errors > 0,
            FailOn::Breaking => errors > 0 || breaking > breaking_notes,
            FailOn::Warning => errors + warnings > 0,
        }
    }
}
