use std::fmt;

/// The reason why Go cannot parse a text, as Go's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    pub(super) fn new(words: impl Into<String>) -> Error {
        Error(words.into())
    }
}

impl From<&str> for Error {
    fn from(words: &str) -> Error {
        Error::new(words)
    }
}

impl From<Error> for String {
    fn from(error: Error) -> String {
        error.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}
