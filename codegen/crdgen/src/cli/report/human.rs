//! Findings as rustc prints them.

use annotate_snippets::{AnnotationKind, Level as Title, Renderer, Snippet};
use crdgen_core::diag::{Diag, Level};
use crdgen_core::inert;
use crdgen_core::span::Place;

use super::super::terminal::{Ready, shortened};
use super::{Counts, Finding, Findings};

/// All findings, one block each.
pub(super) fn render(all: &[Findings]) -> Ready<'static> {
    let renderer = Renderer::styled();
    let mut out = String::new();
    for source in all {
        let name = inert::line(&source.source.name);
        for finding in &source.findings {
            out.push_str(&block(&renderer, &name, &source.source.bytes, finding));
            out.push_str("\n\n");
        }
    }
    Ready::coloured(out)
}

/// One finding. What is handed to the renderer is inert; the renderer adds the colours.
fn block(renderer: &Renderer, name: &str, text: &[u8], finding: &Finding) -> String {
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
            Snippet::source(window.text.as_str())
                .line_start(window.line)
                .path(name)
                .annotation(AnnotationKind::Primary.span(window.span.clone())),
        )
    } else if name.is_empty() {
        annotate_snippets::Group::with_title(group)
    } else {
        let origin = annotate_snippets::Origin::path(name);
        group.element(match finding.place {
            Some(Place { start, .. }) => origin.line(start.line as usize).char_column(start.column as usize),
            None => origin,
        })
    };
    let help = diag.help.as_deref().map(|help| inert::text(&shortened(help)).into_owned());
    if let Some(help) = &help {
        group = group.element(Title::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// The server's text, without what the reader sees below it: values that are no scalars, and the source
/// lines that the server adds to its messages about expressions. What concerns no field names none.
fn title(diag: &Diag) -> String {
    let text = match &diag.bad {
        Some(bad) if diag.kind.is_some() && !bad.is_scalar() => Diag { bad: None, ..diag.clone() }.shown(),
        Some(_) | None => diag.shown(),
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with(" | ")).collect();
    inert::text(&shortened(&lines.join("\n"))).into_owned()
}

/// The line of a place: a renderer need not see a text of megabytes.
struct Window {
    text: String,
    line: usize,
    span: std::ops::Range<usize>,
}

/// How much of a line is looked at before and behind a place. Longer lines are no text for people, and to show
/// them for each of many findings would take too long.
const LONGEST: usize = 1000;

impl Window {
    fn around(text: &[u8], place: Place) -> Option<Window> {
        let start = place.start.offset;
        let (before, behind) = text.split_at_checked(start)?;
        let near = &before[before.len().saturating_sub(LONGEST)..];
        let first = match near.iter().rposition(|c| *c == b'\n') {
            Some(at) => &near[at + 1..],
            None if near.len() == before.len() => near,
            None => return None,
        };
        let near = &behind[..behind.len().min(LONGEST)];
        let rest = match near.iter().position(|c| *c == b'\n') {
            Some(at) => &near[..at],
            None if near.len() == behind.len() => near,
            None => return None,
        };
        let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
        // A caret, not a page: what spans lines is marked on its first one.
        let (marked, rest) = rest.split_at(place.end.offset.saturating_sub(start).min(rest.len()));
        let mut text = inert_part(first);
        let from = text.len();
        text.push_str(&inert_part(marked));
        let span = from..text.len();
        text.push_str(&inert_part(rest));
        Some(Window { text, line: place.start.line as usize, span })
    }
}

fn inert_part(bytes: &[u8]) -> String {
    inert::text(&String::from_utf8_lossy(bytes)).into_owned()
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
