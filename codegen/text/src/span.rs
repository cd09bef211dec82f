//! Places in texts.

use crate::path::Step;

/// A position: line and column from 1, the column counted in characters, and the byte offset from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pos {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Byte offset in the text, from 0.
    pub offset: usize,
}

impl Pos {
    /// The position of a byte. Offsets behind the end are taken for the end.
    pub fn at(text: &[u8], offset: usize) -> Pos {
        let before = &text[..offset.min(text.len())];
        let line_start = before.iter().rposition(|c| *c == b'\n').map_or(0, |i| i + 1);
        let line = before.iter().filter(|c| **c == b'\n').count() + 1;
        // Bytes that continue a character do not count as characters.
        let column = before[line_start..].iter().filter(|c| **c & 0xc0 != 0x80).count() + 1;
        Pos { line: line as u32, column: column as u32, offset: before.len() }
    }
}

/// A range in a text; the end is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// Where it starts.
    pub start: Pos,
    /// Where it ends.
    pub end: Pos,
}

/// Finds the place of a value in the text it was read from. The model carries no positions; whoever
/// read a text keeps what is needed to find one when there is something to report.
pub trait Locate {
    /// The place at the end of `steps`, or of the nearest thing above it that has one.
    fn locate(&self, steps: &[Step]) -> Option<Place>;

    /// The place of the bytes `inside` the string at the end of `steps`, if it is known.
    fn locate_inside(&self, steps: &[Step], inside: std::ops::Range<usize>) -> Option<Place>;
}
