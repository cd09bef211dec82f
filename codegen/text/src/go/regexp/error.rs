use std::fmt;

/// Why Go rejects a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The part of the pattern Go quotes: the piece at fault, or all of it.
    pub expr: String,
}

/// The kinds of errors, named as in Go.
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
    /// More than a thousand levels.
    NestingDepth,
    /// More than 128 MB as a program.
    Large,
}

impl ErrorKind {
    /// Go's words.
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
