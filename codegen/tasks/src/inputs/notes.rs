//! What a user should know about what is read, such as why a file is skipped.

use super::Findings;
use crdgen_files::Error;
use std::fmt;

/// Where notes for the user go. By default they are dropped, and a file that cannot be read is an error.
#[derive(Clone, Copy)]
pub struct Notes {
    /// Takes what the user should know.
    pub note: fn(fmt::Arguments<'_>),
    /// Takes the error about a file that the user does not name, if the others are to be read nevertheless. A command must
    /// not succeed then.
    pub unread: Option<fn(&Error)>,
    /// Takes what is wrong with CRDs that cannot be read, and that may not be needed.
    pub findings: fn(&Findings),
    /// Takes why something else could not be read, and what is not done because of it, if that is known.
    pub failure: fn(Option<fmt::Arguments<'_>>, &Error),
}

impl Notes {
    pub(crate) fn say(self, note: fmt::Arguments<'_>) {
        (self.note)(note);
    }

    pub(crate) fn fail(self, what: Option<fmt::Arguments<'_>>, why: &Error) {
        (self.failure)(what, why);
    }

    /// Reports that a file cannot be read, or returns the error.
    pub(super) fn unread(self, why: Error) -> Result<(), Error> {
        match self.unread {
            Some(report) => {
                report(&why);
                Ok(())
            }
            None => Err(why),
        }
    }
}

impl Default for Notes {
    fn default() -> Notes {
        Notes { note: |_| {}, unread: None, findings: |_| {}, failure: |_, _| {} }
    }
}
