//! A text with its lines, which all documents of a stream share.

use crate::span::{Place, Pos, first_column};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The bytes of a text. Its lines are counted once, when the first place is needed, because a stream may have hundreds
/// of thousands of documents, with errors in each.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) bytes: Arc<Vec<u8>>,
    lines: OnceLock<Lines>,
}

#[derive(Clone, Debug)]
struct Lines {
    /// The start of each line.
    starts: Vec<u32>,
    /// The number of characters before each multiple of [`STEP`], because a line may be as long as the text.
    characters: Vec<u32>,
}

const STEP: usize = 1 << 12;

impl Text {
    pub(super) fn new(bytes: Arc<Vec<u8>>) -> Text {
        Text { bytes, lines: OnceLock::new() }
    }

    pub(super) fn place(&self, range: Range<usize>) -> Place {
        Place { start: self.pos(range.start), end: self.pos(range.end) }
    }

    /// The position of a byte. Offsets after the end count as the end.
    pub(super) fn pos(&self, offset: usize) -> Pos {
        let offset = offset.min(self.bytes.len());
        // Often only the start of the first document is needed.
        if offset < STEP && self.lines.get().is_none() {
            return Pos::at(&self.bytes, offset);
        }
        let lines = self.lines.get_or_init(|| Lines::of(&self.bytes));
        let line = lines.starts.partition_point(|start| *start as usize <= offset);
        let start = match line {
            1 => first_column(&self.bytes).min(offset),
            line => lines.starts[line - 1] as usize,
        };
        // Short lines do not need the table.
        let column = if offset - start < STEP {
            characters(&self.bytes[start..offset])
        } else {
            lines.characters_before(&self.bytes, offset) - lines.characters_before(&self.bytes, start)
        };
        Pos { line: line as u32, column: column + 1, offset }
    }
}

impl Lines {
    fn of(bytes: &[u8]) -> Lines {
        // A loop, because chained iterators over all bytes took four times as long.
        let mut starts = vec![0];
        for (i, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' {
                starts.push(i as u32 + 1);
            }
        }
        let mut total = 0;
        let before = bytes.chunks(STEP).map(|chunk| {
            total += characters(chunk);
            total
        });
        Lines { starts, characters: std::iter::once(0).chain(before).collect() }
    }

    fn characters_before(&self, bytes: &[u8], offset: usize) -> u32 {
        let step = offset / STEP;
        self.characters[step] + characters(&bytes[step * STEP..offset])
    }
}

/// The number of characters that start in some bytes. Bytes that continue a character do not count.
fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|c| **c & 0xc0 != 0x80).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_a_slow_count() {
        let long = "äb".repeat(3 * STEP);
        for text in
            [format!("ä\n\nlong {long}\nend"), format!("\u{feff}ä{long}\nend"), "\u{feff}".to_owned() + &long]
        {
            let shared = Text::new(Arc::new(text.clone().into_bytes()));
            let last = shared.pos(text.len());
            for offset in (0..text.len() + 2).step_by(7).chain([1, 2, 3, text.len()]) {
                assert_eq!(shared.pos(offset), Pos::at(text.as_bytes(), offset), "{offset}");
            }
            assert_eq!(last, Pos::at(text.as_bytes(), text.len()));
        }
    }

    #[test]
    fn columns_do_not_count_the_byte_order_mark() {
        let text = "\u{feff}a: b\nc: d\n";
        let at = |what: &str| {
            let pos = Pos::at(text.as_bytes(), text.find(what).unwrap_or_default());
            (pos.line, pos.column)
        };
        assert_eq!((at("\u{feff}"), at("a"), at("b"), at("c")), ((1, 1), (1, 1), (1, 4), (2, 1)));
    }
}
