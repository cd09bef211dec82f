//! Pages of documentation: what [`crdgen_core::emit::docs`] says of definitions, in the frames of
//! `templates/docs`.

mod inline;
mod markdown;

use askama::Template;
use crdgen_core::emit::docs::{Page, Version, page};
use crdgen_core::emit::file_name;
use crdgen_core::inert;
use crdgen_core::ir::Crd;

use crate::output::Document;
use inline::Piece;

/// The form of pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Form {
    /// HTML that needs nothing else: no scripts, no other files.
    #[default]
    Html,
    /// Markdown, as GitHub and most site generators read it.
    Markdown,
}

impl Form {
    fn extension(self) -> &'static str {
        match self {
            Form::Html => "html",
            Form::Markdown => "md",
        }
    }
}

#[derive(Template)]
#[template(path = "docs/page.html")]
struct HtmlPage<'a> {
    title: &'a str,
    pages: &'a [Page],
}

#[derive(Template)]
#[template(path = "docs/page.md")]
struct MarkdownPage<'a> {
    pages: &'a [Page],
}

#[derive(Template)]
#[template(path = "docs/index.html")]
struct HtmlIndex<'a> {
    title: &'a str,
    groups: Vec<Group>,
}

#[derive(Template)]
#[template(path = "docs/index.md")]
struct MarkdownIndex<'a> {
    title: &'a str,
    groups: Vec<Group>,
}

/// The kinds of a group in an index.
struct Group {
    name: String,
    entries: Vec<Entry>,
}

struct Entry {
    kind: String,
    file: String,
    versions: Vec<Version>,
    summary: String,
}

/// All definitions on one page.
pub fn joined(crds: &[Crd], form: Form) -> String {
    let pages: Vec<Page> = crds.iter().map(page).collect();
    let title: Vec<&str> = pages.iter().map(|p| p.kind.as_str()).take(3).collect();
    let more = if pages.len() > title.len() { ", …" } else { "" };
    text(&pages, &(title.join(", ") + more), form)
}

/// A page for each definition.
pub fn documents(crds: &[Crd], form: Form) -> Vec<Document> {
    let document = |crd: &Crd| {
        let page = page(crd);
        let title = format!("{} ({})", page.kind, page.group);
        Document { name: file(&page, form), text: text(std::slice::from_ref(&page), &title, form) }
    };
    crds.iter().map(document).collect()
}

/// The page that leads to all others.
pub fn index(crds: &[Crd], title: &str, form: Form) -> Document {
    let mut pages: Vec<Page> = crds.iter().map(page).collect();
    pages.sort_by(|a, b| (&a.group, &a.kind).cmp(&(&b.group, &b.kind)));
    let mut groups: Vec<Group> = Vec::new();
    for page in pages {
        let file = link(&file(&page, form));
        let summary = page.main_version().map(|v| summary(&v.description)).unwrap_or_default();
        let kind = if form == Form::Markdown { markdown::cell(&page.kind) } else { page.kind.clone() };
        let page = if form == Form::Markdown { markdown::ready(page) } else { page };
        let summary = if form == Form::Markdown { markdown::cell(&summary) } else { summary };
        let entry = Entry { kind, file, versions: page.versions, summary };
        match groups.last_mut() {
            // The same kind again, from another file, has the same page.
            Some(group) if group.entries.last().is_some_and(|last| last.file == entry.file) => {}
            Some(group) if group.name == page.group => group.entries.push(entry),
            Some(_) | None => groups.push(Group { name: page.group, entries: vec![entry] }),
        }
    }
    let text = match form {
        Form::Html => HtmlIndex { title, groups }.render(),
        Form::Markdown => MarkdownIndex { title: &markdown::line(title), groups }.render(),
    };
    Document { name: format!("index.{}", form.extension()), text: finished(text) }
}

fn text(pages: &[Page], title: &str, form: Form) -> String {
    finished(match form {
        Form::Html => HtmlPage { title, pages }.render(),
        Form::Markdown => {
            let pages: Vec<Page> = pages.iter().cloned().map(markdown::ready).collect();
            MarkdownPage { pages: &pages }.render()
        }
    })
}

/// Writing to a string cannot fail, and nothing in the templates does. All that pages say passes here, so here it
/// is made inert.
fn finished(text: askama::Result<String>) -> String {
    let mut text = inert::text(&text.unwrap_or_default()).into_owned();
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn file(page: &Page, form: Form) -> String {
    file_name(&format!("{}_{}", page.group, page.plural), form.extension())
}

/// A file beside this one as the target of a link, in which a name must not become a scheme or end the link.
fn link(file: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    let encode = |b: u8| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") };
    file.bytes().map(encode).collect()
}

/// The first sentence, or as much of it as a line holds.
fn summary(description: &str) -> String {
    let line = description.split("\n\n").next().unwrap_or_default();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    let short: String = line[..end].chars().take(160).collect();
    if short.len() < end { short + "…" } else { short }
}
