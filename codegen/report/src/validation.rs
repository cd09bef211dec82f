//! Objects that were checked: as test cases, and what the server would store of them. `crdgen validate` prints these.

use std::fmt::Write;

use crate::junit::{Case, Outcome};
use crate::{FailOn, Finding, Ready, line};
use crdgen_core::inert::{Inert, InertLine};
use crdgen_core::json;
use crdgen_core::yaml;
use crdgen_tasks::validate::{CheckedObject, Validity, WriteChange, WriteResult};
use imara_diff::{Algorithm, Diff, InternedInput};

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default();
const GREEN: anstyle::Style = anstyle::AnsiColor::Green.on_default();
const RESET: anstyle::Reset = anstyle::Reset;

/// The test case of an object.
pub fn case(file: &str, object: &CheckedObject, fail_on: FailOn) -> Case {
    let errors = object.findings.iter().filter(|finding| fail_on.fails_on(finding));
    let errors: Vec<String> = errors.map(|finding| line(file, finding)).collect();
    let outcome = match &object.result {
        _ if !errors.is_empty() => Outcome::Failed(errors.join("\n")),
        Validity::Valid
        | Validity::BeforeAdmission
        | Validity::StructureOnly
        | Validity::OwnVersionOnly
        | Validity::Allowed
        | Validity::Invalid => Outcome::Passed,
        Validity::NotChecked(why) => Outcome::Skipped((*why).to_owned()),
    };
    let depth = match object.result {
        Validity::BeforeAdmission => " (before admission)",
        Validity::StructureOnly => " (structure only)",
        Validity::OwnVersionOnly => " (in its own version only)",
        Validity::Allowed => " (allowed)",
        Validity::Valid | Validity::Invalid | Validity::NotChecked(_) => "",
    };
    let name = format!("{} {}{depth}", object.kind, object.name);
    Case { suite: file.to_owned(), name, outcome }
}

/// The test case of a document that cannot be read.
pub fn unreadable(file: &str, finding: &Finding) -> Case {
    let outcome = Outcome::Failed(line(file, finding));
    Case { suite: file.to_owned(), name: "unreadable document".to_owned(), outcome }
}

/// Formats the result for people. `line` is where the object begins.
pub fn human(shown: &WriteResult, file: &str, line: u32, kind: &str, name: &str) -> Ready<'static> {
    let mut out = format!("{}:{line}: {} {}\n", InertLine(file), InertLine(kind), InertLine(name));
    difference(shown, &mut out);
    for WriteChange { field, why, value } in &shown.changes {
        let value = value.as_ref().map_or_else(String::new, |value| format!(": {}", json::to_string(value)));
        let _ = writeln!(out, "  {}: {why}{}", InertLine(field), InertLine(&value));
    }
    for warning in &shown.warnings {
        let _ = writeln!(out, "  Warning: {}", InertLine(warning));
    }
    out.push('\n');
    Ready::coloured(out)
}

/// Writes all lines of both texts. Lines of only one of them get a sign and a colour.
fn difference(shown: &WriteResult, out: &mut String) {
    let (before, after) = (yaml::write_object(&shown.sent), yaml::write_object(&shown.stored));
    let input = InternedInput::new(before.as_str(), after.as_str());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let (mut old, mut new) = (0, 0);
    while old < before.len() || new < after.len() {
        let _ = if old < before.len() && diff.is_removed(old as u32) {
            old += 1;
            writeln!(out, "{RED}- {}{RESET}", Inert(before[old - 1]))
        } else if new < after.len() && diff.is_added(new as u32) {
            new += 1;
            writeln!(out, "{GREEN}+ {}{RESET}", Inert(after[new - 1]))
        } else {
            (old, new) = (old + 1, new + 1);
            writeln!(out, "  {}", Inert(after.get(new - 1).copied().unwrap_or_default()))
        };
    }
}
