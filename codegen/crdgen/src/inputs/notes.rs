//! What a user should know about what is read, such as why a file is skipped.

use std::fmt;

/// Where notes for the user go. By default they are dropped.
#[derive(Clone, Copy)]
pub struct Notes(pub fn(fmt::Arguments<'_>));

impl Notes {
    pub(super) fn say(self, note: fmt::Arguments<'_>) {
        (self.0)(note);
    }
}

impl Default for Notes {
    fn default() -> Notes {
        Notes(|_| {})
    }
}
