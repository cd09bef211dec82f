//! Splits a stream into documents, as kubectl does before it parses anything.

use super::problem::{Problem, ProblemKind};
use std::ops::Range;

/// The bytes of a document, or why it cannot be read.
pub(super) type Piece = Result<Range<usize>, Problem>;

/// Finds the documents between lines that start with `---`, one by one. If the first line is such a line, it is part of
/// its document.
#[derive(Clone, Debug, Default)]
pub(super) struct Splitter {
    at: usize,
    /// The error in the separator after the last document.
    problem: Option<Problem>,
}

impl Splitter {
    pub(super) fn from(at: usize) -> Splitter {
        Splitter { at, problem: None }
    }

    /// The next document. All calls must pass the same text.
    pub(super) fn next(&mut self, text: &[u8]) -> Option<Piece> {
        if let Some(problem) = self.problem.take() {
            return Some(Err(problem));
        }
        let start = self.at;
        if start >= text.len() {
            return None;
        }
        self.at = line_end(text, start);
        if text[start..].starts_with(b"---")
            && let Some(problem) = wrong_separator(text, start..self.at)
        {
            return Some(Err(problem));
        }
        let end = separator(text, self.at).unwrap_or(text.len());
        self.at = line_end(text, end);
        if end < text.len() {
            self.problem = wrong_separator(text, end..self.at);
        }
        Some(Ok(start..end))
    }
}

/// The first line at or after `from` that starts with `---`.
fn separator(text: &[u8], from: usize) -> Option<usize> {
    // A line break followed by a dash is rare. The loop has no early exit, so that compilers can check many bytes at
    // once.
    const MANY: usize = 64;
    let dashes = |at: &usize| text[*at..].starts_with(b"---");
    if dashes(&from) {
        return Some(from);
    }
    let mut at = from;
    while at + 1 < text.len() {
        let end = (at + MANY).min(text.len() - 1);
        let pairs = text[at..end].iter().zip(&text[at + 1..=end]);
        let some = pairs.fold(false, |some, (a, b)| some | ((*a == b'\n') & (*b == b'-')));
        if some && let Some(found) = (at + 1..=end).find(|i| text[i - 1] == b'\n' && dashes(i)) {
            return Some(found);
        }
        at = end;
    }
    None
}

/// The error if something other than a comment follows the dashes of a line.
fn wrong_separator(text: &[u8], line: Range<usize>) -> Option<Problem> {
    let at = line.start;
    let rest = String::from_utf8_lossy(&text[at + 3..line.end]);
    let rest = rest.trim();
    let wrong = !rest.is_empty() && !rest.starts_with('#');
    let text = || format!("invalid Yaml document separator: {rest}");
    wrong.then(|| Problem { kind: ProblemKind::Separator, ..Problem::between(at..at + 3, text()) })
}

fn line_end(text: &[u8], from: usize) -> usize {
    text[from..].iter().position(|c| *c == b'\n').map_or(text.len(), |i| from + i + 1)
}

/// Whether a text is read as JSON: its first character after white space is an opening brace.
pub(super) fn looks_like_json(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        // The longest space character has three bytes.
        let head = &rest[..rest.len().min(4)];
        let good = match std::str::from_utf8(head) {
            Ok(s) => s,
            Err(e) => std::str::from_utf8(&head[..e.valid_up_to()]).unwrap_or_default(),
        };
        match good.chars().next() {
            Some(c) if c.is_whitespace() => rest = &rest[c.len_utf8()..],
            first => return first == Some('{'),
        }
    }
}

/// Where kubectl's YAML decoder continues if the text after a JSON value is not JSON: after white space up to the first
/// line break. The decoder reads four bytes at a time, and gives up if there are fewer.
pub(super) fn skip_line_space(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let ahead = text.get(at..at + 4)?;
        let good = match std::str::from_utf8(ahead) {
            Ok(s) => s,
            Err(e) => std::str::from_utf8(&ahead[..e.valid_up_to()]).unwrap_or_default(),
        };
        let c = good.chars().next()?;
        if !c.is_whitespace() {
            return Some(at);
        }
        at += c.len_utf8();
        if c == '\n' {
            return Some(at);
        }
    }
}
