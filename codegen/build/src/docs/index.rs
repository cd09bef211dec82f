//! The index: a page with links to all others, and a search.

use askama::Template;
use crdgen_core::ir::Crd;
use crdgen_core::json;
use crdgen_core::value::Value;
use crdgen_publish::docs::{Field, Page, Version, page};

use super::inline::{Piece, pieces};
use super::{PageFormat, file, finished, link, markdown};
use crdgen_files::output::Document;

#[derive(Template)]
#[template(path = "docs/index.html")]
struct HtmlIndex<'a> {
    title: &'a str,
    groups: Vec<Group>,
    data: &'a str,
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
    /// The text that the search matches.
    names: String,
    versions: Vec<Anchor>,
    summary: String,
}

impl Entry {
    fn pieces(&self) -> Vec<Piece<'_>> {
        pieces(&self.summary)
    }
}

/// A version on the page of its kind.
struct Anchor {
    name: String,
    anchor: String,
}

/// What the index keeps of a kind.
struct Kept {
    group: String,
    kind: String,
    /// The group as the page shows it.
    group_shown: String,
    entry: Entry,
    /// The fields, for the search.
    fields: Value,
}

/// How many bytes of the index may be fields. It is one file that browsers read as a whole.
const MOST_FIELDS: usize = 4 << 20;

/// The index. It reads one CRD at a time, and keeps a little of each.
pub(super) struct Index {
    format: PageFormat,
    entries: Vec<Kept>,
    /// How many bytes its fields need.
    bytes: usize,
}

impl Index {
    pub(super) fn new(format: PageFormat) -> Index {
        Index { format, entries: Vec::new(), bytes: 0 }
    }

    /// Whether no kind was added yet.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn add(&mut self, crd: &Crd) {
        let format = self.format;
        let page = page(crd);
        let file = link(&file(&page.group, &page.plural, format));
        let main = page.main_version();
        let summary = main.map(|v| summary(&v.description)).unwrap_or_default();
        let mut fields = Value::Null;
        if let Some(version) = main.filter(|_| format == PageFormat::Html) {
            let lines = lines(version);
            self.bytes += lines.len();
            if self.bytes <= MOST_FIELDS {
                fields = vec![page.kind.as_str(), &file, &version.anchor, &lines].into();
            }
        }
        let Page { kind, group, plural, singular, short_names, .. } = &page;
        let names = [&[kind.clone(), group.clone(), plural.clone(), singular.clone()], &short_names[..]]
            .concat()
            .join(" ");
        let (group, kind) = (group.clone(), kind.clone());
        let page = if format == PageFormat::Markdown { markdown::heading(page) } else { page };
        let anchor = |version: Version| Anchor { name: version.name, anchor: version.anchor };
        let versions = page.versions.into_iter().map(anchor).collect();
        let cell =
            |text: &str| if format == PageFormat::Markdown { markdown::cell(text) } else { text.to_owned() };
        let entry = Entry { kind: cell(&kind), file, names, versions, summary: cell(&summary) };
        self.entries.push(Kept { group, kind, group_shown: page.group, entry, fields });
    }

    pub(super) fn document(self, title: &str) -> Document {
        let Index { format, mut entries, .. } = self;
        entries.sort_by(|a, b| (&a.group, &a.kind).cmp(&(&b.group, &b.kind)));
        let mut groups: Vec<Group> = Vec::new();
        let mut data = Vec::new();
        for Kept { group_shown: name, entry, fields, .. } in entries {
            match groups.last_mut() {
                // If another file has the same kind, both have the same page. It shows the CRD of the last file.
                Some(group) if group.entries.last().is_some_and(|last| last.file == entry.file) => {
                    group.entries.pop();
                    group.entries.push(entry);
                    data.pop();
                }
                Some(group) if group.name == name => group.entries.push(entry),
                Some(_) | None => groups.push(Group { name, entries: vec![entry] }),
            }
            data.push(fields);
        }
        data.retain(|fields| !fields.is_null());
        // No text in it may end the element around it.
        let data = json::to_string(&Value::List(data)).replace('<', "\\u003c");
        let text = match format {
            PageFormat::Html => HtmlIndex { title, groups, data: &data }.render(),
            PageFormat::Markdown => MarkdownIndex { title: &markdown::line(title), groups }.render(),
        };
        Document { name: format!("index.{}", format.extension()), text: finished(text) }
    }
}

/// Returns the fields of a version, one per line, in the form that `script.js` reads: a tab for each field around it,
/// then the part of its path after the path of that field. If the script of the page cannot find the field by its path,
/// the anchor comes after another tab.
fn lines(version: &Version) -> String {
    let mut out = String::new();
    let mut around: Vec<&str> = Vec::new();
    for Field { path, anchor, depth, is_found, .. } in &version.fields {
        around.truncate(*depth);
        let part = around.last().and_then(|above| path.strip_prefix(above)).unwrap_or(path);
        out.extend(std::iter::repeat_n('\t', *depth));
        out.extend(part.chars().map(|c| if c.is_control() { ' ' } else { c }));
        if !is_found {
            out.push('\t');
            out.push_str(anchor);
        }
        out.push('\n');
        around.push(path);
    }
    out
}

/// Returns the first sentence, or as much of it as one line has room for.
fn summary(description: &str) -> String {
    let line = description.split("\n\n").next().unwrap_or_default();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    let short: String = line[..end].chars().take(160).collect();
    if short.len() == end {
        return short;
    }
    // The last word may be incomplete.
    let words = short.rfind(' ').map_or(short.as_str(), |at| &short[..at]);
    format!("{words} …")
}
