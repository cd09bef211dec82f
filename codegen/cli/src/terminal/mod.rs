//! Standard output and standard error. Everything that commands print goes through here, and texts from inputs are
//! made inert on the way: a name must not move the cursor, set the window's title or hide the text around it.

pub(crate) mod interrupt;
pub(crate) mod progress;

use crdgen::Error;
use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io::Write;

use crdgen_core::inert::{self, Inert, InertLine};

const RED: anstyle::Style = anstyle::AnsiColor::BrightRed.on_default().bold();
const RESET: anstyle::Reset = anstyle::Reset;

/// A text that may be printed as it is.
#[derive(Default)]
pub(crate) struct Ready<'a> {
    text: Cow<'a, str>,
    /// Whether it has colours, which must be removed where the output does not support them.
    coloured: bool,
}

impl<'a> Ready<'a> {
    /// A text for people. Each name in it must be on one line ([`inert::InertLine`]), or [`Lines`] adds the lines.
    pub(crate) fn text(text: &'a str) -> Ready<'a> {
        Ready { text: inert::shown(text), coloured: false }
    }

    /// A document or code. Its format has already escaped active characters where it can.
    pub(crate) fn document(text: &'a str) -> Ready<'a> {
        Ready { text: inert::text(text), coloured: false }
    }

    /// JSON.
    pub(crate) fn json(text: &'a str) -> Ready<'a> {
        Ready { text: inert::json(text), coloured: false }
    }

    /// A text that is inert already.
    pub(crate) fn inert(text: String) -> Ready<'a> {
        Ready { text: Cow::Owned(text), coloured: false }
    }

    /// A text with colours. Everything in it that comes from inputs must already be inert.
    pub(crate) fn coloured(text: String) -> Ready<'a> {
        Ready { text: Cow::Owned(text), coloured: true }
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

/// Writes a text to standard output, without its colours where they are not wanted.
pub(crate) fn print(text: &Ready<'_>) -> Result<(), Error> {
    // Searching a text without colours for colours takes longer than generating most documents.
    if text.coloured {
        written(anstream::stdout().lock(), text.as_str())
    } else {
        written(std::io::stdout().lock(), text.as_str())
    }
}

/// Writes code to standard output.
pub(crate) fn print_code(text: &str) -> Result<(), Error> {
    print(&Ready::document(text))
}

/// A text for people, line by line. Whatever names have in them, each line stays one line.
#[derive(Default)]
pub(crate) struct Lines(String);

impl Lines {
    /// Adds a line.
    pub(crate) fn add(&mut self, line: impl Display) {
        // Writing to a string cannot fail.
        _ = writeln!(self.0, "{}", InertLine(line));
    }

    /// Adds an empty line.
    pub(crate) fn blank(&mut self) {
        self.0.push('\n');
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn ready(&self) -> Ready<'_> {
        Ready::text(&self.0)
    }
}

/// A reader that stops early (`| head`) is not a failure.
fn written(mut out: impl Write, text: &str) -> Result<(), Error> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(Error::Output(e)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a line to standard error.
pub(crate) fn say(text: impl Display) {
    complain(format_args!("{}\n", Inert(InertLine(text))));
}

/// Writes lines to standard error. The names in them must be on one line.
pub(crate) fn say_lines(text: impl Display) {
    complain(format_args!("{}\n", Inert(text)));
}

/// Writes a text to standard error.
pub(crate) fn say_ready(text: &Ready<'_>) {
    complain(format_args!("{}", text.as_str()));
}

/// Writes a line to standard error that says why a command stops.
pub(crate) fn say_error(failure: &Error) {
    // The others have only names in them, which stay on the line.
    match failure.has_lines() {
        true => complain(format_args!("{}error{}: {}\n", RED, RESET, Inert(failure))),
        false => complain(format_args!("{}error{}: {}\n", RED, RESET, Inert(InertLine(failure)))),
    }
}

/// The only place that writes to standard error. If that is full or closed, nothing can be reported; the exit code
/// shows how the command ended.
fn complain(text: std::fmt::Arguments<'_>) {
    let mut err = anstream::stderr().lock();
    let _ = err.write_fmt(text).and_then(|()| err.flush());
}
