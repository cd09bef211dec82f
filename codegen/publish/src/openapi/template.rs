//! Kinds of the same shape have the same paths, except for the words in them. So the text is made once, with
//! placeholders, and filled in for each kind.

use std::sync::OnceLock;

use super::routes::{Shape, paths};
use super::words::{HOLES, WORDS, Words};
use crate::json;

/// Text with placeholders: each part except the last has the number of the word that follows it.
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
