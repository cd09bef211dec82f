//! Findings as GitLab's code quality report, which it shows in merge requests.

use crdgen_core::diag::Level;
use crdgen_core::documents::fingerprint;
use crdgen_core::value::{Map, Value};

use super::json::listed;
use super::{Finding, Findings};
use crate::terminal::Ready;

/// What comes before the findings.
pub(super) const START: &str = "[";
/// What comes after them.
pub(super) const END: &str = "]\n";

/// Findings with commas between them.
pub(super) fn items(source: &Findings) -> Ready<'static> {
    listed(source.findings.iter().map(|finding| item(&source.source.name, finding)))
}

/// An error that is not a finding in a CRD. `identity` is what stays the same if lines move.
pub(super) fn error(file: &str, line: Option<u32>, name: &str, identity: &[&str], text: &str) -> Value {
    let parts: Vec<&str> = [file].into_iter().chain(identity.iter().copied()).collect();
    entry(Entry { file, line, name, fingerprint: fingerprint(&parts), severity: "critical", text })
}

/// A report of such errors.
pub(super) fn errors(all: impl Iterator<Item = Value>) -> Ready<'static> {
    Ready::inert(format!("{START}{}{END}", listed(all).as_str()))
}

/// What GitLab shows about an entry.
struct Entry<'e> {
    file: &'e str,
    line: Option<u32>,
    name: &'e str,
    fingerprint: String,
    severity: &'e str,
    text: &'e str,
}

fn entry(Entry { file, line, name, fingerprint, severity, text }: Entry<'_>) -> Value {
    let object = |members: Vec<(&str, Value)>| Value::Map(members.into_iter().collect::<Map<Value>>());
    // GitLab knows files by their paths in the repository.
    let file = file.strip_prefix("./").unwrap_or(file);
    // Every entry needs a line.
    let lines = object(vec![("begin", Value::Int(line.unwrap_or(1).into()))]);
    object(vec![
        ("description", text.into()),
        ("check_name", name.into()),
        ("fingerprint", fingerprint.into()),
        ("severity", severity.into()),
        ("location", object(vec![("path", file.into()), ("lines", lines)])),
    ])
}

fn item(file: &str, finding: &Finding) -> Value {
    let diag = &finding.diag;
    let mut text = diag.shown();
    if let Some(help) = &diag.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let severity = match diag.level {
        Level::Error => "critical",
        Level::Warning => "major",
        Level::Note => "info",
    };
    let (line, fingerprint) = (finding.place.map(|place| place.start.line), finding.fingerprint(file));
    entry(Entry { file, line, name: diag.code.id, fingerprint, severity, text: &text })
}
