//! Findings as workflow commands of GitHub Actions, which shows them next to the lines of a change.

use crdgen_core::diag::Level;
use crdgen_core::inert;

use crate::Findings;
use crate::findings::text;
use crate::ready::Ready;

pub(super) fn render(source: &Findings) -> Ready<'static> {
    let mut out = String::new();
    for finding in &source.findings {
        let diag = &finding.diag;
        let command = match diag.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        let place = finding.place.map_or_else(String::new, |p| {
            format!(
                ",line={},col={},endLine={},endColumn={}",
                p.start.line, p.start.column, p.end.line, p.end.column
            )
        });
        let text = text(finding);
        let (file, title) = (property(&source.source.name), property(diag.code.id));
        out.push_str(&format!("::{command} file={file}{place},title={title}::{}\n", message(&text)));
    }
    Ready::inert(out)
}

/// The encoding of `escapeData` in actions/toolkit, which the runner undoes.
fn message(text: &str) -> String {
    encoded(&inert::text(text))
}

/// The encoding of `escapeProperty` there.
fn property(text: &str) -> String {
    encoded(&inert::line(text)).replace(':', "%3A").replace(',', "%2C")
}

fn encoded(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
