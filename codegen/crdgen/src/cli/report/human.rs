//! Findings as rustc prints them.

use annotate_snippets::{AnnotationKind, Level as Title, Renderer, Snippet};
use crdgen_core::diag::{Diag, Level};
use crdgen_core::span::Place;

use super::{Counts, Finding, Findings};

/// All findings, one block each.
pub(super) fn render(all: &[Findings]) -> String {
    let renderer = Renderer::styled();
    let mut out = String::new();
    for source in all.iter().filter(|s| !s.findings.is_empty()) {
        let text = String::from_utf8_lossy(&source.source.bytes);
        for finding in &source.findings {
            out.push_str(&block(&renderer, &source.source.name, &text, finding));
            out.push_str("\n\n");
        }
    }
    out
}

fn block(renderer: &Renderer, name: &str, text: &str, finding: &Finding) -> String {
    let diag = &finding.diag;
    let level = match diag.level {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
        Level::Note => Title::NOTE,
    };
    let title = title(diag);
    let group = level.primary_title(title.as_str()).id(diag.code.id);
    let window = finding.place.and_then(|place| Window::around(text, place));
    let mut group = if let Some(window) = &window {
        group.element(
            Snippet::source(window.text)
                .line_start(window.line)
                .path(name)
                .annotation(AnnotationKind::Primary.span(window.span.clone())),
        )
    } else if name.is_empty() {
        annotate_snippets::Group::with_title(group)
    } else {
        group.element(annotate_snippets::Origin::path(name))
    };
    if let Some(help) = &diag.help {
        group = group.element(Title::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// The server's text, without what the reader sees below it: values that are no scalars, and the source
/// lines that the server adds to its messages about expressions.
fn title(diag: &Diag) -> String {
    let text = match &diag.bad {
        Some(bad) if diag.kind.is_some() && !bad.is_scalar() => Diag { bad: None, ..diag.clone() }.text(),
        Some(_) | None => diag.text(),
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(" | ")).collect();
    lines.join("\n")
}

/// The lines around a place: a renderer need not see a text of megabytes.
struct Window<'a> {
    text: &'a str,
    line: usize,
    span: std::ops::Range<usize>,
}

impl<'a> Window<'a> {
    fn around(text: &'a str, place: Place) -> Option<Window<'a>> {
        let start = place.start.offset;
        // A caret, not a page: what spans lines is marked on its first one.
        let line_end = start + text.get(start..)?.find('\n').unwrap_or(text.len() - start);
        let end = place.end.offset.clamp(start, line_end);
        let first = text.get(..start)?.rfind('\n').map_or(0, |i| i + 1);
        let text = text.get(first..line_end)?;
        Some(Window {
            text: text.trim_end_matches('\r'),
            line: place.start.line as usize,
            span: start - first..(end - first).min(text.trim_end_matches('\r').len()).max(start - first),
        })
    }
}

/// The last line of a run.
pub(super) fn summary(counts: &Counts, what: &str) -> String {
    let plural = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let findings = match (counts.errors, counts.warnings) {
        (0, 0) => "no findings".to_owned(),
        (errors, 0) => plural(errors, "error"),
        (0, warnings) => plural(warnings, "warning"),
        (errors, warnings) => format!("{}, {}", plural(errors, "error"), plural(warnings, "warning")),
    };
    format!("{} in {}: {findings}", plural(counts.objects, what), plural(counts.sources, "file"))
}
