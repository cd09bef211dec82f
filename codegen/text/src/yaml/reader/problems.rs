//! Where problems are in a text.

use super::Unreadable;
use super::problem::{Problem, ProblemKind};
use crate::path::Step;
use crate::span::{Place, Pos};
use std::ops::Range;

impl Problem {
    pub(crate) fn at(offset: usize, text: impl Into<String>) -> Problem {
        Problem::between(offset..offset, text)
    }

    pub(crate) fn between(range: Range<usize>, text: impl Into<String>) -> Problem {
        let range = range.start..range.end.max(range.start);
        Problem { kind: ProblemKind::Syntax, text: text.into(), steps: Vec::new(), range: Some(range) }
    }

    pub(crate) fn repeated(steps: Vec<Step>, text: String) -> Problem {
        Problem { kind: ProblemKind::RepeatedKey, text, steps, range: None }
    }

    /// The place in the text, or the start of the text if only the steps are known. If something is missing at the end
    /// of a document, the place is after the last word of the document, and not in the empty lines below or at the next
    /// document.
    pub(crate) fn range_in(&self, text: &[u8]) -> Range<usize> {
        let range = self.range.clone().unwrap_or_default();
        let is_end = text.get(range.start..).is_none_or(|rest| rest.is_empty() || rest.starts_with(b"---"));
        match range.is_empty() && is_end {
            true => {
                let written = text[..range.start.min(text.len())].trim_ascii_end().len();
                written..written
            }
            false => range,
        }
    }

    /// Adds the place of the problem in the text that was read.
    pub fn in_text(self, text: &[u8]) -> Unreadable {
        let range = self.range_in(text);
        let place = Place { start: Pos::at(text, range.start), end: Pos::at(text, range.end) };
        Unreadable { problem: self, place }
    }

    /// Moves the place to a text in which the document starts at `base`.
    pub(crate) fn after(self, base: usize) -> Problem {
        Problem { range: self.range.map(|range| base + range.start..base + range.end), ..self }
    }
}
