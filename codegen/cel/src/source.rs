//! The lines of a text, and issues in the layout of cel-go.

use super::ast::BEFORE;
use super::issue::Issue;

/// The text of an expression, with its lines.
#[derive(Debug)]
pub struct Source<'a> {
    text: &'a str,
    /// The start of each line except the first, in code points and in bytes.
    lines: Vec<(u32, usize)>,
}

/// At most this many issues are shown. The others are only counted.
const SHOWN: usize = 100;

/// Lines longer than these are not shown.
const SNIPPET: usize = 16384;

impl<'a> Source<'a> {
    /// Finds the lines of a text.
    pub fn new(text: &'a str) -> Self {
        let mut lines = Vec::new();
        if text.is_ascii() {
            lines.extend(text.match_indices('\n').map(|(i, _)| (i as u32 + 1, i + 1)));
        } else {
            let breaks = text.char_indices().enumerate().filter(|(_, (_, c))| *c == '\n');
            lines.extend(breaks.map(|(n, (i, _))| (n as u32 + 1, i + 1)));
        }
        Source { text, lines }
    }

    /// Returns the line, from 1, and the column, from 0, of a place.
    pub fn line_column(&self, at: u32) -> (usize, u32) {
        let line = self.lines.partition_point(|(start, _)| *start <= at);
        let start = if line == 0 { 0 } else { self.lines[line - 1].0 };
        (line + 1, at - start)
    }

    /// Returns the byte offset of a place.
    pub fn byte(&self, at: u32) -> usize {
        if at == BEFORE {
            return 0;
        }
        if self.text.is_ascii() {
            return (at as usize).min(self.text.len());
        }
        self.text.char_indices().nth(at as usize).map_or(self.text.len(), |(i, _)| i)
    }

    /// The text of a line, from 1.
    fn line(&self, line: usize) -> &'a str {
        let start = if line == 1 { 0 } else { self.lines[line - 2].1 };
        let end = self.lines.get(line - 1).map_or(self.text.len(), |(_, i)| i - 1);
        &self.text[start..end]
    }

    /// Formats the issues, sorted by place, each with its line and a caret below it.
    pub fn display(&self, issues: &[Issue]) -> String {
        let shown = &issues[..issues.len().min(SHOWN)];
        let order =
            crdgen_text::value::order(shown.len(), &|a, b| self.place(&shown[a]).cmp(&self.place(&shown[b])));
        let mut out = String::new();
        for (i, place) in order.into_iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            self.write(&shown[place], &mut out);
        }
        if issues.len() > SHOWN {
            out.push_str(&format!("\n{} more errors were truncated", issues.len() - SHOWN));
        }
        out
    }

    /// Formats the first issue by place in one line.
    pub fn summary(&self, issues: &[Issue]) -> String {
        let first = issues.iter().min_by_key(|issue| self.place(issue));
        first.map_or_else(String::new, |issue| {
            let (line, column) = self.place(issue);
            format!("{line}:{column}: {}", issue.message)
        })
    }

    /// The line and column, both from 1. If the issue has no place, both are smaller.
    fn place(&self, issue: &Issue) -> (i64, i64) {
        match issue.at {
            None => (-1, 0),
            Some(BEFORE) => (1, 0),
            Some(at) => {
                let (line, column) = self.line_column(at);
                (line as i64, i64::from(column) + 1)
            }
        }
    }

    fn write(&self, issue: &Issue, out: &mut String) {
        let (line, column) = self.place(issue);
        out.push_str(&format!("ERROR: <input>:{line}:{column}: {}", issue.message));
        let Ok(line) = usize::try_from(line) else { return };
        let snippet = self.line(line);
        if self.text.is_empty() || snippet.len() > SNIPPET {
            return;
        }
        out.push_str("\n | ");
        out.extend(snippet.chars().map(|c| if c == '\t' { ' ' } else { c }));
        out.push_str("\n | ");
        let mut rest = snippet.chars();
        let before = usize::try_from(column - 1).unwrap_or(0);
        out.extend(rest.by_ref().take(before).map(|c| if c.is_ascii() { '.' } else { '\u{ff0e}' }));
        out.push(if rest.next().is_none_or(|c| c.is_ascii()) { '^' } else { '\u{ff3e}' });
    }
}
