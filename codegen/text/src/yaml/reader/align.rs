//! Finds the places in the source for the characters of a scalar's value.

use super::tree::Style;
use std::ops::Range;

/// The bytes of `source` (a scalar in the text) that produce the bytes `inside` of its value.
pub(super) fn align(source: &str, value: &str, style: Style, inside: Range<usize>) -> Option<Range<usize>> {
    if style == Style::Literal {
        let start = literal(source, value, inside.start)?;
        let end = literal(source, value, inside.end.max(1) - 1)?;
        return Some(start..if inside.is_empty() { start } else { end.max(start) + 1 });
    }
    let mut cursor = Cursor::new(source, style);
    let (mut start, mut end) = (None, None);
    for (at, c) in value.char_indices() {
        if at >= inside.end && start.is_some() {
            break;
        }
        let piece = cursor.next(c)?;
        if at + c.len_utf8() > inside.start {
            start.get_or_insert(piece.start);
            end = Some(piece.end);
        }
    }
    // An empty range may be after the last character.
    let start = start.unwrap_or(cursor.at);
    Some(if inside.is_empty() { start..start } else { start..end.unwrap_or(start) })
}

/// In a literal block, the lines of the value are those of the source, without the indentation.
fn literal(source: &str, value: &str, at: usize) -> Option<usize> {
    let before = value.get(..at)?;
    let number = before.matches('\n').count();
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let line = value[line_start..].split('\n').next()?;
    // The first line of the source is the header of the block.
    let mut offset = 0;
    for (i, written) in source.split_inclusive('\n').enumerate() {
        if i == number + 1 {
            let content = written.trim_end_matches(['\n', '\r']);
            return Some(offset + content.len().saturating_sub(line.len()) + (at - line_start));
        }
        offset += written.len();
    }
    Some(offset)
}

/// Walks over the source, one character of the value at a time.
struct Cursor<'a> {
    source: &'a str,
    at: usize,
    style: Style,
}

impl<'a> Cursor<'a> {
    fn new(source: &'a str, style: Style) -> Self {
        let at = match style {
            Style::Plain => 0,
            Style::Single | Style::Double => 1,
            Style::Literal | Style::Folded => source.find('\n').map_or(source.len(), |i| i + 1),
        };
        let mut cursor = Cursor { source, at, style };
        if is_block(style) {
            cursor.skip_spaces();
        }
        cursor
    }

    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
    }

    /// The part of the source that produces the next character of the value.
    fn next(&mut self, c: char) -> Option<Range<usize>> {
        // Folding removes line breaks and the spaces around them, or replaces them by a space.
        while self.style == Style::Double
            && (self.rest().starts_with("\\\n") || self.rest().starts_with("\\\r"))
        {
            self.at += 1;
            self.skip_spaces();
        }
        let next = self.rest().chars().next()?;
        let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
        if !is_space(c) && is_space(next) {
            self.skip_spaces();
        }
        let start = self.at;
        let next = self.rest().chars().next()?;
        self.at += match (self.style, next) {
            (Style::Double, '\\') => self.escape_len(c),
            (Style::Single, '\'') => 2,
            (_, next) => next.len_utf8(),
        };
        // A folded line break and the indentation after it are one part.
        if c == ' ' && matches!(next, '\n' | '\r') {
            self.skip_spaces();
        }
        self.at = self.at.min(self.source.len());
        Some(start..self.at)
    }

    /// The length of the escape sequence for a character.
    fn escape_len(&self, c: char) -> usize {
        match self.source.as_bytes().get(self.at + 1) {
            Some(b'x') => 4,
            // JSON needs two of them for characters beyond 16 bits.
            Some(b'u') if c as u32 > 0xffff => 12,
            Some(b'u') => 6,
            Some(b'U') => 10,
            _ => 2,
        }
    }
}

/// Whether a style has its text on lines of its own.
fn is_block(style: Style) -> bool {
    matches!(style, Style::Literal | Style::Folded)
}
