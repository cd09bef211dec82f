use std::ops::Range;

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The first byte it is about, within the document.
    pub(super) offset: usize,
    /// The byte behind.
    pub(super) end: usize,
    /// The message as kubectl has it.
    pub(super) text: String,
    /// Whether it is about the line between two documents.
    pub(super) is_separator: bool,
}

impl Problem {
    pub(super) fn at(offset: usize, text: impl Into<String>) -> Problem {
        Problem { offset, end: offset, text: text.into(), is_separator: false }
    }

    /// The bytes it is about in a text in which the document starts at `base`.
    pub(super) fn range(&self, base: usize) -> Range<usize> {
        base + self.offset..base + self.end.max(self.offset)
    }
}
