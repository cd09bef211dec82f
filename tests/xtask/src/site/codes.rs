//! A page for each code.

use super::links::slug;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A code: a heading of the page with all codes, and what follows.
pub(super) struct Code<'t> {
    pub(super) id: &'t str,
    /// What it is about, in one line.
    title: &'t str,
    text: &'t str,
}

impl Code<'_> {
    /// The file of its page.
    pub(super) fn file(&self) -> String {
        file_of(&slug(self.id))
    }
}

pub(super) fn file_of(anchor: &str) -> String {
    format!("codes/{anchor}.md")
}

/// The codes of the page.
pub(super) fn of(page: &str) -> impl Iterator<Item = Code<'_>> {
    page.split("\n## ").skip(1).filter_map(|part| {
        let (id, text) = part.split_once('\n')?;
        let line = text.trim_start().lines().next()?;
        Some(Code { id, title: line.trim_matches('*'), text: text.trim_start().strip_prefix(line)? })
    })
}

/// The pages of all codes, by file.
pub(super) fn pages(page: &str) -> BTreeMap<String, String> {
    let text = |code: &Code<'_>| format!("# {}: {}\n{}", code.id, code.title, code.text);
    of(page).map(|code| (code.file(), text(&code))).collect()
}

/// The page that lists them.
pub(super) fn list(page: &str) -> String {
    let mut out = page.split("\n## ").next().unwrap_or_default().to_owned();
    let mut group = "";
    for code in of(page) {
        let letters = code.id.trim_end_matches(|c: char| c.is_ascii_digit());
        if letters != group {
            group = letters;
            _ = write!(out, "\n## {group}\n\n");
        }
        _ = writeln!(out, "- [{}]({}): {}", code.id, code.file(), code.title);
    }
    out
}
