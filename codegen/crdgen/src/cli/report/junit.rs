//! Findings as test cases: a case for each object with errors.

use std::collections::BTreeMap;

use crdgen_core::diag::Level;

use super::super::junit::{Case, Outcome};
use super::{Finding, Findings};
use crate::error;

/// The failed cases. Warnings and notes do not fail.
pub(super) fn failed(findings: &Findings) -> Vec<Case> {
    let file = &findings.source.name;
    let mut objects: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for finding in findings.findings.iter().filter(|finding| finding.diag.level == Level::Error) {
        objects.entry(&finding.object).or_default().push(line(file, finding));
    }
    let case = |(object, lines): (&str, Vec<String>)| {
        let name = if object.is_empty() { "the file" } else { object };
        Case { suite: file.clone(), name: name.to_owned(), outcome: Outcome::Failed(lines.join("\n")) }
    };
    objects.into_iter().map(case).collect()
}

/// The passed cases: the objects without errors.
pub(super) fn passed(findings: &Findings, objects: &[String]) -> Vec<Case> {
    let is_wrong = |object: &String| {
        findings.findings.iter().any(|it| it.diag.level == Level::Error && it.object == *object)
    };
    let case = |object: &String| Case {
        suite: findings.source.name.clone(),
        name: object.clone(),
        outcome: Outcome::Passed,
    };
    objects.iter().filter(|object| !is_wrong(object)).map(case).collect()
}

/// A finding in one line, and its help.
pub(crate) fn line(file: &str, finding: &Finding) -> String {
    let mut out = format!("{file}{}: {}", error::at(finding.place), finding.diag.shown());
    if let Some(help) = &finding.diag.help {
        out.push_str(&format!("\nhelp: {help}"));
    }
    out
}
