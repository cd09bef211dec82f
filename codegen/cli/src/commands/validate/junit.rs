//! Objects as test cases.

use super::judge::{Judged, Result};
use crate::output::report::{FailOn, Finding};
use crdgen_report::junit::{Case, Outcome};
use crdgen_report::line;

/// The test case of an object.
pub(super) fn case(file: &str, object: &Judged, fail_on: FailOn) -> Case {
    let errors = object.findings.iter().filter(|finding| fail_on.fails_on(finding));
    let errors: Vec<String> = errors.map(|finding| line(file, finding)).collect();
    let outcome = match &object.result {
        _ if !errors.is_empty() => Outcome::Failed(errors.join("\n")),
        Result::Valid
        | Result::StructureOnly
        | Result::OwnVersionOnly
        | Result::Allowed
        | Result::Invalid => Outcome::Passed,
        Result::NotChecked(why) => Outcome::Skipped((*why).to_owned()),
    };
    let depth = match object.result {
        Result::StructureOnly => " (structure only)",
        Result::OwnVersionOnly => " (in its own version only)",
        Result::Allowed => " (allowed)",
        Result::Valid | Result::Invalid | Result::NotChecked(_) => "",
    };
    let name = format!("{} {}{depth}", object.kind, object.name);
    Case { suite: file.to_owned(), name, outcome }
}

/// The test case of a document that cannot be read.
pub(super) fn unreadable(file: &str, finding: &Finding) -> Case {
    let outcome = Outcome::Failed(line(file, finding));
    Case { suite: file.to_owned(), name: "unreadable document".to_owned(), outcome }
}
