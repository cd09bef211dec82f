//! Findings as GitLab's code quality report, which it shows in merge requests.

use crdgen_core::diag::Level;
use crdgen_core::value::{Map, Value};

use crate::findings::text;
use crate::json::listed;
use crate::ready::Ready;
use crate::{Finding, Findings};

/// What comes before the findings.
pub(super) const START: &str = "[";
/// What comes after them.
pub(super) const END: &str = "]\n";

/// Findings with commas between them.
pub(super) fn items(source: &Findings) -> Ready<'static> {
    listed(source.findings.iter().map(|finding| item(&source.source.name, finding)))
}

fn item(file: &str, finding: &Finding) -> Value {
    let diag = &finding.diag;
    let severity = match diag.level {
        Level::Error => "critical",
        Level::Warning => "major",
        Level::Note => "info",
    };
    let object = |members: Vec<(&str, Value)>| Value::Map(members.into_iter().collect::<Map<Value>>());
    // Every entry needs a line.
    let line = finding.place.map_or(1, |place| place.start.line);
    let lines = object(vec![("begin", Value::Int(line.into()))]);
    // GitLab knows files by their paths in the repository.
    let path = file.strip_prefix("./").unwrap_or(file);
    object(vec![
        ("description", text(finding).into()),
        ("check_name", diag.code.id.into()),
        ("fingerprint", finding.fingerprint(file).into()),
        ("severity", severity.into()),
        ("location", object(vec![("path", path.into()), ("lines", lines)])),
    ])
}
