//! Objects as test cases.

use super::super::junit::{Case, Outcome, document};
use super::super::report::Finding;
use super::judge::{Judged, Result};
use crate::error;
use crdgen_core::diag::Level;

/// A test case for each object.
#[derive(Default)]
pub(super) struct Cases(Vec<Case>);

impl Cases {
    pub(super) fn add(&mut self, file: &str, object: &Judged) {
        let errors = object.findings.iter().filter(|finding| finding.diag.level == Level::Error);
        let errors: Vec<String> = errors.map(|finding| line(file, finding)).collect();
        let outcome = match &object.result {
            _ if !errors.is_empty() => Outcome::Failed(errors.join("\n")),
            Result::Valid | Result::StructureOnly | Result::OwnVersionOnly | Result::Invalid => {
                Outcome::Passed
            }
            Result::NotChecked(why) => Outcome::Skipped((*why).to_owned()),
        };
        let depth = match object.result {
            Result::StructureOnly => " (structure only)",
            Result::OwnVersionOnly => " (in its own version only)",
            Result::Valid | Result::Invalid | Result::NotChecked(_) => "",
        };
        let name = format!("{} {}{depth}", object.kind, object.name);
        self.0.push(Case { suite: file.to_owned(), name, outcome });
    }

    pub(super) fn unreadable(&mut self, file: &str, finding: &Finding) {
        let outcome = Outcome::Failed(line(file, finding));
        self.0.push(Case { suite: file.to_owned(), name: "unreadable document".to_owned(), outcome });
    }

    pub(super) fn document(&self, name: &str) -> String {
        document(name, &self.0)
    }
}

fn line(file: &str, finding: &Finding) -> String {
    let mut out = format!("{file}{}: {}", error::at(finding.place), finding.diag.shown());
    if let Some(help) = &finding.diag.help {
        out.push_str(&format!("\nhelp: {help}"));
    }
    out
}
