//! Texts that may be printed: what comes from inputs was made inert. A name must not move the cursor, set the window's title or hide
//! the text around it.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use crdgen_core::inert::{self, InertLine};

/// A text that may be printed as it is.
#[derive(Clone, Debug, Default)]
pub struct Ready<'a> {
    text: Cow<'a, str>,
    /// Whether it has colours, which must be removed where the output does not support them.
    coloured: bool,
}

impl<'a> Ready<'a> {
    /// A text for people. Each name in it must be on one line ([`inert::InertLine`]), or [`Lines`] adds the lines.
    pub fn text(text: &'a str) -> Ready<'a> {
        Ready { text: inert::shown(text), coloured: false }
    }

    /// A document or code. Its format has already escaped active characters where it can.
    pub fn document(text: &'a str) -> Ready<'a> {
        Ready { text: inert::text(text), coloured: false }
    }

    /// A patch of text files. Its lines end as those of the files, also with `\r\n`.
    pub fn patch(text: &str) -> Ready<'static> {
        let lines: Vec<Cow<'_, str>> = text.split("\r\n").map(inert::text).collect();
        Ready::inert(lines.join("\r\n"))
    }

    /// JSON.
    pub fn json(text: &'a str) -> Ready<'a> {
        Ready { text: inert::json(text), coloured: false }
    }

    /// A text that is inert already.
    pub fn inert(text: String) -> Ready<'a> {
        Ready { text: Cow::Owned(text), coloured: false }
    }

    /// A text with colours. Everything in it that comes from inputs must already be inert.
    pub fn coloured(text: String) -> Ready<'a> {
        Ready { text: Cow::Owned(text), coloured: true }
    }

    /// Whether the text has colours, which must be removed where the output does not support them.
    pub fn is_coloured(&self) -> bool {
        self.coloured
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// A text for people, line by line. Whatever names have in them, each line stays one line.
#[derive(Clone, Debug, Default)]
pub struct Lines(String);

impl Lines {
    /// Adds a line.
    pub fn add(&mut self, line: impl Display) {
        // Writing to a string cannot fail.
        _ = writeln!(self.0, "{}", InertLine(line));
    }

    /// Adds an empty line.
    pub fn blank(&mut self) {
        self.0.push('\n');
    }

    /// The lines.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The lines, to be printed.
    pub fn ready(&self) -> Ready<'_> {
        Ready::text(&self.0)
    }
}
