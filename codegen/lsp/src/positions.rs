//! Positions of the protocol: lines and columns in the unit that client and server have agreed on.

use std::ops::Range;

use crdgen_core::span::Place;
use gen_lsp_types as lsp;

/// What columns count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every client knows.
    #[default]
    Utf16,
}

/// A text and the starts of its lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    text: String,
    /// The first is 0.
    starts: Vec<usize>,
}

impl Text {
    pub(crate) fn new(text: String) -> Text {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(i, byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(i + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|(i, _)| i + 1)).collect();
        Text { text, starts }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// A line without its break. Lines after the end are empty.
    fn line(&self, line: usize) -> Range<usize> {
        let end = self.text.len();
        let start = self.starts.get(line).copied().unwrap_or(end);
        let next = self.starts.get(line + 1).copied().unwrap_or(end);
        let text = self.text.get(start..next).unwrap_or_default();
        start..start + text.trim_end_matches(['\n', '\r']).len()
    }

    /// The byte at a position. Columns after the end of a line are its end.
    pub(crate) fn offset(&self, at: lsp::Position, encoding: Encoding) -> usize {
        let line = self.line(at.line as usize);
        let wanted = at.character as usize;
        let mut column = 0;
        for (i, c) in self.text.get(line.clone()).unwrap_or_default().char_indices() {
            column += width(c, encoding);
            if column > wanted {
                return line.start + i;
            }
        }
        line.end
    }

    pub(crate) fn position(&self, offset: usize, encoding: Encoding) -> lsp::Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = self.text.get(start..offset).unwrap_or_default();
        let column: usize = before.chars().map(|c| width(c, encoding)).sum();
        lsp::Position { line: number(line), character: number(column) }
    }

    pub(crate) fn range(&self, range: &Range<usize>, encoding: Encoding) -> lsp::Range {
        lsp::Range { start: self.position(range.start, encoding), end: self.position(range.end, encoding) }
    }

    pub(crate) fn offsets(&self, range: lsp::Range, encoding: Encoding) -> Range<usize> {
        let start = self.offset(range.start, encoding);
        start..self.offset(range.end, encoding).max(start)
    }

    /// The same text with another part.
    pub(crate) fn changed(&self, range: Range<usize>, new: &str) -> Text {
        let mut text = self.text.clone();
        text.replace_range(range, new);
        Text::new(text)
    }
}

/// The bytes of a place. What is about the whole text is at its start.
pub(crate) fn bytes(place: Option<Place>) -> Range<usize> {
    place.map_or(0..0, |place| place.start.offset..place.end.offset)
}

fn width(c: char, encoding: Encoding) -> usize {
    match encoding {
        Encoding::Utf8 => c.len_utf8(),
        Encoding::Utf16 => c.len_utf16(),
    }
}

fn number(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Text};
    use gen_lsp_types::Position;

    #[test]
    fn positions_are_offsets() {
        let text = Text::new("a\u{1f600}b\r\n\u{e9}\n\nend".to_owned());
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for (offset, _) in text.as_str().char_indices().filter(|(_, c)| !matches!(c, '\r' | '\n')) {
                assert_eq!(text.offset(text.position(offset, encoding), encoding), offset);
            }
        }
        let at = |line, character| text.offset(Position { line, character }, Encoding::Utf16);
        assert_eq!((at(0, 3), at(0, 99), at(9, 0), at(0, 2)), (5, 6, text.as_str().len(), 1));
    }
}
