//! The words that occur all over the paths of a kind. The paths of kinds of the same shape differ in nothing else,
//! so their text is made once, with placeholders, and filled in for each kind.

use std::sync::OnceLock;

use super::routes::{Shape, paths};
use super::{Names, in_references};
use crate::json;

/// Words made from the names of a kind.
pub(super) struct Words {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) plural: String,
    pub(super) kind: String,
    /// The kind after its article, with spaces around the article.
    pub(super) a_kind: String,
    /// What operations are grouped by.
    pub(super) tag: String,
    /// Group and version in the names of operations.
    pub(super) id: String,
    /// The kind in the names of operations, as the first word after the version.
    pub(super) id_kind_first: String,
    /// The kind in the names of operations, after other words.
    pub(super) id_kind: String,
    /// The names of the definitions of the kind and its list, as references have them.
    pub(super) model: String,
    pub(super) list_model: String,
}

/// How many words there are.
const WORDS: usize = 11;

/// The first of the characters that mark holes; they are for private use and in no name.
const HOLES: u32 = 0xe000;

impl Words {
    pub(super) fn new(names: &Names<'_>) -> Words {
        let Names { group, version, kind, list_kind, plural, .. } = *names;
        Words {
            group: group.to_owned(),
            version: version.to_owned(),
            plural: plural.to_owned(),
            kind: kind.to_owned(),
            a_kind: format!("{}{kind}", article(kind)),
            tag: format!("{}_{}", identifier(trimmed(group), false), identifier(version, false)),
            id: identifier(trimmed(group), true) + &identifier(version, true),
            id_kind_first: identifier(kind, true),
            id_kind: identifier(kind, false),
            model: in_references(names.model(kind)),
            list_model: in_references(names.model(list_kind)),
        }
    }

    fn holes() -> Words {
        let mut holes = (HOLES..).filter_map(char::from_u32).map(String::from);
        let mut hole = || holes.next().unwrap_or_default();
        Words {
            group: hole(),
            version: hole(),
            plural: hole(),
            kind: hole(),
            a_kind: hole(),
            tag: hole(),
            id: hole(),
            id_kind_first: hole(),
            id_kind: hole(),
            model: hole(),
            list_model: hole(),
        }
    }

    /// As they are written in JSON text, in the order of the placeholders.
    fn texts(&self) -> [String; WORDS] {
        let Words {
            group,
            version,
            plural,
            kind,
            a_kind,
            tag,
            id,
            id_kind_first,
            id_kind,
            model,
            list_model,
        } = self;
        [group, version, plural, kind, a_kind, tag, id, id_kind_first, id_kind, model, list_model].map(
            |word| {
                let mut out = String::new();
                json::write_str(word, &mut out);
                out.pop();
                out.split_off(1)
            },
        )
    }
}

/// Text with holes: each part is followed by the word of a number, but for the last.
struct Template(Vec<(String, Option<usize>)>);

impl Template {
    fn new(text: &str) -> Template {
        let hole = |c: char| (c as u32).checked_sub(HOLES).map(|n| n as usize).filter(|n| *n < WORDS);
        let mut parts = Vec::new();
        let mut rest = 0;
        for (at, c) in text.char_indices() {
            if let Some(number) = hole(c) {
                parts.push((text[rest..at].to_owned(), Some(number)));
                rest = at + c.len_utf8();
            }
        }
        parts.push((text[rest..].to_owned(), None));
        Template(parts)
    }

    fn fill(&self, words: &[String; WORDS], out: &mut String) {
        for (text, hole) in &self.0 {
            out.push_str(text);
            if let Some(number) = hole {
                out.push_str(&words[*number]);
            }
        }
    }
}

/// Appends the paths of a kind as JSON text.
pub(super) fn write_paths(words: &Words, shape: Shape, out: &mut String) {
    static TEMPLATES: [OnceLock<Vec<[Template; 2]>>; 16] = [const { OnceLock::new() }; 16];
    let templates = TEMPLATES[shape.number()].get_or_init(|| {
        let all = paths(&Words::holes(), shape);
        all.iter().map(|(path, item)| [Template::new(path), Template::new(&json::to_string(item))]).collect()
    });
    let words = words.texts();
    let mut all: Vec<(String, &Template)> = templates
        .iter()
        .map(|[path, item]| {
            let mut text = String::new();
            path.fill(&words, &mut text);
            (text, item)
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    out.push('{');
    for (i, (path, item)) in all.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        out.push('"');
        out.push_str(&path);
        out.push_str("\":");
        item.fill(&words, out);
    }
    out.push('}');
}

fn trimmed(group: &str) -> &str {
    group.strip_suffix(".k8s.io").unwrap_or(group)
}

/// Letters, digits and underscores of a name, in camel case where others were between them.
pub(super) fn identifier(name: &str, mut capitalize: bool) -> String {
    let mut out = String::with_capacity(name.len());
    for (i, c) in name.char_indices() {
        if c.is_alphabetic() || c == '_' || (i != 0 && c.is_ascii_digit()) {
            if capitalize {
                out.extend(c.to_uppercase());
            } else {
                out.push(c);
            }
            capitalize = false;
        } else {
            capitalize = true;
        }
    }
    out
}

/// The article before a kind, with the spaces around it; plurals have none.
fn article(kind: &str) -> &'static str {
    if kind.ends_with('s') && !kind.ends_with("ss") {
        " "
    } else if kind.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) {
        " an "
    } else {
        " a "
    }
}
