//! Findings as rustc prints them.

use annotate_snippets::{AnnotationKind, Group, Level as Title, Origin, Renderer, Snippet};
use crdgen_core::diag::{Diag, Level};
use crdgen_core::inert::{self, InertLine};
use crdgen_core::span::{BYTE_ORDER_MARK, Place};

use crate::findings::notes;
use crate::ready::Ready;
use crate::{Counts, Finding, Findings};
use crdgen_files::error::{self, shortened};

/// The findings for people, to be printed elsewhere: one block each.
pub fn render(all: &[Findings]) -> Ready<'static> {
    let mut out = String::new();
    all.iter().for_each(|findings| blocks(findings, &Excerpts::of(findings), &mut out));
    Ready::coloured(out)
}

/// The same for the findings of one source, whose text may be gone.
pub(crate) fn render_with(findings: &Findings, excerpts: &Excerpts) -> Ready<'static> {
    let mut out = String::new();
    blocks(findings, excerpts, &mut out);
    Ready::coloured(out)
}

fn blocks(Findings { source, findings }: &Findings, excerpts: &Excerpts, out: &mut String) {
    let renderer = Renderer::styled();
    let name = inert::line(&source.name);
    let name = inert::shown(&name);
    for (number, finding) in findings.iter().enumerate() {
        let window = excerpts.0.get(number).and_then(Option::as_ref);
        out.push_str(&block(&renderer, &name, window, finding));
        out.push_str("\n\n");
    }
}

/// Renders one finding. The text that the renderer gets must already be inert, because the renderer adds colours.
fn block(renderer: &Renderer, name: &str, window: Option<&Window>, finding: &Finding) -> String {
    let diag = &finding.diag;
    let level = match diag.level {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
        Level::Note => Title::NOTE,
    };
    let title = title(diag);
    let group = level.clone().primary_title(title.as_str()).id(diag.code.id);
    let origin = || {
        let origin = Origin::path(name);
        match finding.place {
            Some(Place { start, .. }) => origin.line(start.line as usize).char_column(start.column as usize),
            None => origin,
        }
    };
    let mut head = None;
    let mut group = if let Some(window) = window {
        let snippet = Snippet::source(window.text.as_str())
            .line_start(window.line)
            .annotation(AnnotationKind::Primary.span(window.span.clone()));
        if window.shows_column(finding.place) {
            group.element(snippet.path(name))
        } else {
            // The renderer would count the column in the text that it gets.
            head = Some(group.element(origin()));
            Group::with_level(level).element(snippet)
        }
    } else if name.is_empty() {
        Group::with_title(group)
    } else {
        group.element(origin())
    };
    let shown = |text: &str| inert::shown(&shortened(text)).into_owned();
    let help = diag.help.as_deref().map(shown);
    let notes: Vec<String> = notes(finding).map(|text| shown(&text)).collect();
    if let Some(help) = &help {
        group = group.element(Title::HELP.message(help.as_str()));
    }
    for note in &notes {
        group = group.element(Title::NOTE.message(note.as_str()));
    }
    let parts: Vec<String> = head.into_iter().chain([group]).map(|part| renderer.render(&[part])).collect();
    parts.join("\n")
}

/// Returns the server's message without what the reader sees below it: values that are not scalars, and the source
/// lines that the server adds to messages about expressions. A message that is not about a field names no field.
fn title(diag: &Diag) -> String {
    let text = match &diag.bad {
        Some(bad) if diag.kind.is_some() && !bad.is_scalar() => Diag { bad: None, ..diag.clone() }.words(),
        Some(_) | None => diag.words(),
    };
    let field = diag.field_shown().map_or_else(String::new, |field| format!("{}: ", InertLine(field)));
    let message = field + &error::without_breaks(text.lines().filter(|line| !error::is_source(line)));
    inert::shown(&shortened(&message)).into_owned()
}

/// The lines of the findings of a source: all that a report shows of its text.
pub(crate) struct Excerpts(Vec<Option<Window>>);

impl Excerpts {
    /// The lines of findings.
    pub(crate) fn of(Findings { source, findings }: &Findings) -> Excerpts {
        let mut parts = 0;
        let line = |finding: &Finding| {
            let window = Window::around(&source.bytes, finding.place?)?;
            let is_shown = window.is_whole || parts < EXCERPTS;
            parts += usize::from(!window.is_whole);
            is_shown.then_some(window)
        };
        Excerpts(findings.iter().map(line).collect())
    }

    /// How many bytes they have.
    pub(crate) fn size(&self) -> usize {
        self.0.iter().flatten().map(|window| window.text.len()).sum()
    }
}

/// The line of a place, so that the renderer does not process a text of megabytes.
struct Window {
    text: String,
    line: usize,
    span: std::ops::Range<usize>,
    /// Whether the text begins where the line does.
    from_start: bool,
    /// Whether it is all of the line.
    is_whole: bool,
}

/// How many bytes of a line are read before and after a place. The renderer shows as much of them as a line of the
/// terminal has room for.
const LONGEST: usize = 1000;

/// How many excerpts of longer lines are shown for a source. Generated lines can have any number of findings.
const EXCERPTS: usize = 500;

/// How many bytes of a longer line are shown before and after a place.
const EXCERPT: usize = 60;

/// How many bytes of such a place are shown at most.
const MARKED: usize = 60;

impl Window {
    /// Whether the column of a place is also its column in the text: nothing before it is left out or escaped.
    fn shows_column(&self, place: Option<Place>) -> bool {
        let column = self.text[..self.span.start].chars().count() + 1;
        self.from_start && place.is_some_and(|place| place.start.column as usize == column)
    }

    fn around(text: &[u8], place: Place) -> Option<Window> {
        // Commands do not keep all texts.
        if text.is_empty() {
            return None;
        }
        let start = place.start.offset;
        let (before, behind) = text.split_at_checked(start)?;
        let near = &before[before.len().saturating_sub(LONGEST)..];
        let (first, from_start) = match near.iter().rposition(|c| *c == b'\n') {
            Some(at) => (&near[at + 1..], true),
            None if near.len() == before.len() => (without_mark(near), true),
            None => (last_characters(near), false),
        };
        let behind = if start == 0 { without_mark(behind) } else { behind };
        let near = &behind[..behind.len().min(LONGEST)];
        let (rest, mut to_end) = match near.iter().position(|c| *c == b'\n') {
            Some(at) => (&near[..at], true),
            None if near.len() == behind.len() => (near, true),
            None => (first_characters(near, EXCERPT), false),
        };
        let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
        // If a place spans several lines, only its first line is marked.
        let (mut marked, mut rest) = rest.split_at(place.end.offset.saturating_sub(start).min(rest.len()));
        if !(from_start && to_end) && marked.len() > MARKED {
            (marked, rest, to_end) = (first_characters(marked, MARKED), &[], false);
        }
        let mut text = if from_start { String::new() } else { "…".to_owned() };
        text.push_str(&inert_part(first));
        let from = text.len();
        text.push_str(&inert_part(marked));
        let span = from..text.len();
        text.push_str(&inert_part(rest));
        if !to_end {
            text.push('…');
        }
        let is_whole = from_start && to_end;
        Some(Window { text, line: place.start.line as usize, span, from_start, is_whole })
    }
}

/// The start of a text without the byte order mark.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(bytes)
}

/// The end of a long piece of a line, from the start of a character.
fn last_characters(bytes: &[u8]) -> &[u8] {
    let from = (bytes.len().saturating_sub(EXCERPT)..bytes.len()).find(|at| starts_character(bytes[*at]));
    &bytes[from.unwrap_or(bytes.len())..]
}

/// The start of a long piece of a line, to the end of a character.
fn first_characters(bytes: &[u8], most: usize) -> &[u8] {
    let to = (0..most.min(bytes.len())).rev().find(|at| starts_character(bytes[*at]));
    &bytes[..to.unwrap_or_default()]
}

fn starts_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

fn inert_part(bytes: &[u8]) -> String {
    // A part does not start a line of the output, but `##[` is a command for a workflow anywhere.
    inert::text(&String::from_utf8_lossy(bytes)).replace("##[", "##\\u{5b}")
}

/// The last line of a run.
pub(super) fn summary(counts: &Counts, what: &str) -> String {
    let plural = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let levels = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.notes, "note")];
    let levels = levels.into_iter().filter(|(count, _)| *count > 0);
    let levels: Vec<String> = levels.map(|(count, level)| plural(count, level)).collect();
    let unstable = match counts.breaking_notes {
        0 => "",
        1 => " (1 breaks objects or requests of an alpha or beta version)",
        count => &format!(" ({count} break objects or requests of alpha or beta versions)"),
    };
    let findings = if levels.is_empty() { "no findings".to_owned() } else { levels.join(", ") + unstable };
    let read = match counts.objects {
        0 => format!("no {what} that crdgen can read"),
        n => plural(n, what),
    };
    format!("{read} in {}: {findings}", plural(counts.sources, "file"))
}
