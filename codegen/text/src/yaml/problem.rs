use crate::path::Step;
use std::fmt;
use std::ops::Range;

/// The kind of a problem in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The document cannot be read.
    Syntax,
    /// A key occurs twice in a map.
    RepeatedKey,
    /// The line between two documents cannot be read.
    Separator,
}

/// A problem in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of the problem.
    pub kind: ProblemKind,
    /// The message of kubectl or the server.
    pub text: String,
    /// The steps to the key that occurs twice. Empty for other problems.
    pub steps: Vec<Step>,
    /// The bytes with the problem, counted from the start of the text. None for a key that occurs twice, because the
    /// document finds it by its steps.
    pub range: Option<Range<usize>>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Problem {}
