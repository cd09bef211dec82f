//! Places in texts.

use crate::path::Step;

/// A position in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The offset in bytes, from 0.
    pub offset: usize,
}

/// The mark at the start of some files in UTF-8. Editors do not show it, and do not count it as a column.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Where the first line of a text begins.
pub(crate) fn first_column(text: &[u8]) -> usize {
    if text.starts_with(BYTE_ORDER_MARK.as_bytes()) { BYTE_ORDER_MARK.len() } else { 0 }
}

impl Pos {
    /// Returns the position of a byte. Offsets after the end become the end.
    pub fn at(text: &[u8], offset: usize) -> Pos {
        let before = &text[..offset.min(text.len())];
        let line_break = before.iter().rposition(|c| *c == b'\n');
        let line_start = line_break.map_or_else(|| first_column(text).min(before.len()), |i| i + 1);
        let line = before.iter().filter(|c| **c == b'\n').count() + 1;
        // Bytes that continue a character do not count as characters.
        let column = before[line_start..].iter().filter(|c| **c & 0xc0 != 0x80).count() + 1;
        Pos { line: line as u32, column: column as u32, offset: before.len() }
    }
}

/// A range in a text; the end is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The start.
    pub start: Pos,
    /// The end.
    pub end: Pos,
}

/// Finds the place of a value in the text from which it was read. Values do not contain positions, so readers of texts
/// keep what is needed to find one when an error is reported.
pub trait Locate {
    /// Returns the place at the end of `steps`, or of the nearest parent that has one.
    fn locate(&self, steps: &[Step]) -> Option<Place>;

    /// Returns the place of the bytes `inside` the string at the end of `steps`, if it is known.
    fn locate_inside(&self, steps: &[Step], inside: std::ops::Range<usize>) -> Option<Place>;
}
