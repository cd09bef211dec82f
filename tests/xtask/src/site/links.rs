//! Links from one page to another.

use super::{Book, CODES, FIRST, codes};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is before a link.
const STARTS: [&str; 3] = ["](", "src=\"", "srcset=\""];

/// Rewrites links.
pub(super) struct Links<'b> {
    pub(super) root: &'b Path,
    pub(super) book: &'b Book,
    /// The pictures that pages show.
    pub(super) shown: &'b mut BTreeSet<String>,
    /// The links without a target.
    pub(super) wrong: &'b mut Vec<String>,
}

impl Links<'_> {
    /// The text of a page with links inside the book. `up` leads from the page to the root of the book.
    pub(super) fn rewritten(&mut self, file: &str, up: &str, text: &str) -> String {
        let (mut out, mut is_code) = (String::with_capacity(text.len()), false);
        for (number, line) in text.split_inclusive('\n').enumerate() {
            is_code ^= line.trim_start().starts_with("```");
            // Code has no links.
            for (i, part) in line.split('`').enumerate() {
                out.push_str(if i > 0 { "`" } else { "" });
                if is_code || i % 2 == 1 {
                    out.push_str(part);
                } else {
                    self.part((file, up, number + 1), part, &mut out);
                }
            }
        }
        out
    }

    fn part(&mut self, (file, up, line): (&str, &str, usize), mut text: &str, out: &mut String) {
        while let Some((at, start)) =
            STARTS.iter().filter_map(|it| Some((text.find(it)? + it.len(), *it))).min()
        {
            let end = if start == "](" { ')' } else { '"' };
            out.push_str(&text[..at]);
            let length = text[at..].find(end).unwrap_or(text.len() - at);
            let target = &text[at..at + length];
            match self.target(file, target) {
                Some(new) if new.contains("://") || new.starts_with('#') => out.push_str(&new),
                Some(new) => out.extend([up, &new]),
                None => self.wrong.push(format!("{file}:{line}: `{target}` does not exist")),
            }
            text = &text[at + length..];
        }
        out.push_str(text);
    }

    /// Where a link leads to from the root of the book.
    fn target(&mut self, file: &str, target: &str) -> Option<String> {
        if target.contains("://") || target.starts_with("mailto:") {
            return Some(target.to_owned());
        }
        let (path, anchor) =
            target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
        let path = if path.is_empty() { file.to_owned() } else { joined(file, path)? };
        if let Some(text) = self.book.texts.get(path.as_str()) {
            let is_there = |anchor: &str| anchors(text).contains_key(anchor);
            return match anchor {
                Some(anchor) if !is_there(anchor) => None,
                Some(anchor) if path == CODES => Some(codes::file_of(anchor)),
                Some(anchor) if path == file => Some(format!("#{anchor}")),
                Some(anchor) => Some(format!("{}#{anchor}", name_of(&path))),
                None => Some(name_of(&path)),
            };
        }
        let place = self.root.join(&path);
        if [".svg", ".png"].iter().any(|end| path.ends_with(end)) && place.is_file() {
            let name = file_name(&path).to_owned();
            self.shown.insert(path);
            return Some(name);
        }
        let kind = if place.is_dir() { "tree" } else { "blob" };
        let anchor = anchor.map(|it| format!("#{it}")).unwrap_or_default();
        place.exists().then(|| format!("{}/{kind}/main/{path}{anchor}", self.book.repository))
    }
}

/// The page of a file in the book.
pub(super) fn name_of(file: &str) -> String {
    if file == FIRST { "index.md".to_owned() } else { file_name(file).to_lowercase() }
}

pub(super) fn file_name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// A path from the folder of a file.
fn joined(file: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The headings of a page, as GitHub and mdBook name them.
fn anchors(text: &str) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let heading = line.trim_start_matches('#');
        if !is_code && heading.len() < line.len() && heading.starts_with(' ') {
            let name = slug(heading.trim());
            let count = out.entry(name.clone()).and_modify(|it| *it += 1).or_insert(0_usize);
            if let times @ 1.. = *count {
                out.insert(format!("{name}-{times}"), 0);
            }
        }
    }
    out
}

/// The anchor of a heading.
pub(super) fn slug(heading: &str) -> String {
    let letter = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c => c.is_alphanumeric().then(|| c.to_ascii_lowercase()),
    };
    heading.chars().filter_map(letter).collect()
}
