//! Errors.

use std::fmt;

/// Why an operation is not possible, in the server's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(pub String);

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Message {}

impl From<Message> for String {
    fn from(message: Message) -> String {
        message.0
    }
}

impl From<String> for Message {
    fn from(words: String) -> Message {
        Message(words)
    }
}
