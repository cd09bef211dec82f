use std::fmt;

/// The reason why Go rejects a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The part of the pattern that Go's message quotes: the wrong part, or the whole pattern.
    pub expr: String,
}

/// The kinds of errors, with the same names as in Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// `[z-a]`, `\p{Nothing}`
    InvalidCharRange,
    /// `\y`
    InvalidEscape,
    /// `(?P<a b>…)`
    InvalidNamedCapture,
    /// `(?!…)`
    InvalidPerlOp,
    /// `a**`
    InvalidRepeatOp,
    /// `a{1001}`
    InvalidRepeatSize,
    /// `[a`
    MissingBracket,
    /// `(a`
    MissingParen,
    /// `*a`
    MissingRepeatArgument,
    /// `a\`
    TrailingBackslash,
    /// `a)`
    UnexpectedParen,
    /// Groups are nested more than 1000 levels deep.
    NestingDepth,
    /// The compiled program would need more than 128 MB.
    Large,
}

impl ErrorKind {
    /// Returns Go's message for the kind.
    pub fn text(self) -> &'static str {
        match self {
            ErrorKind::InvalidCharRange => "invalid character class range",
            ErrorKind::InvalidEscape => "invalid escape sequence",
            ErrorKind::InvalidNamedCapture => "invalid named capture",
            ErrorKind::InvalidPerlOp => "invalid or unsupported Perl syntax",
            ErrorKind::InvalidRepeatOp => "invalid nested repetition operator",
            ErrorKind::InvalidRepeatSize => "invalid repeat count",
            ErrorKind::MissingBracket => "missing closing ]",
            ErrorKind::MissingParen => "missing closing )",
            ErrorKind::MissingRepeatArgument => "missing argument to repetition operator",
            ErrorKind::TrailingBackslash => "trailing backslash at end of expression",
            ErrorKind::UnexpectedParen => "unexpected )",
            ErrorKind::NestingDepth => "expression nests too deeply",
            ErrorKind::Large => "expression too large",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing regexp: {}: `{}`", self.kind.text(), self.expr)
    }
}

impl std::error::Error for Error {}
