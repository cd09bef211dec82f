//! Findings as test cases.

use std::collections::BTreeMap;

use crate::findings::text;
use crate::junit::{Case, Outcome};
use crate::{FailOn, Finding, Findings};
use crdgen_files::error;

/// A case for each object with findings that fail the run, and for each of the other objects.
pub(super) fn cases(findings: &Findings, objects: &[String], fail_on: FailOn) -> Vec<Case> {
    let file = &findings.source.name;
    let mut failed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for finding in findings.findings.iter().filter(|finding| fail_on.fails_on(finding)) {
        failed.entry(&finding.object).or_default().push(line(file, finding));
    }
    let case = |name: &str, outcome| {
        let name = if name.is_empty() { "the file" } else { name };
        Case { suite: file.clone(), name: name.to_owned(), outcome }
    };
    let passed = objects.iter().filter(|object| !failed.contains_key(object.as_str()));
    let passed: Vec<Case> = passed.map(|object| case(object, Outcome::Passed)).collect();
    let failed = failed.into_iter().map(|(object, lines)| case(object, Outcome::Failed(lines.join("\n"))));
    failed.chain(passed).collect()
}

/// A finding in one line, and its help.
pub fn line(file: &str, finding: &Finding) -> String {
    format!("{file}{}: {}", error::at(finding.place), text(finding))
}
