//! Standard output and standard error. Everything that commands print goes through here, and texts from inputs are
//! made inert on the way: a name must not move the cursor, set the window's title or hide the text around it.

pub(crate) mod interrupt;
pub(crate) mod progress;

use crdgen_files::Error;
use std::fmt::Display;
use std::io::Write;

use crdgen_core::inert::{Inert, InertLine};
use crdgen_report::Printer;
pub(crate) use crdgen_report::{Lines, Ready};

const RED: anstyle::Style = anstyle::AnsiColor::BrightRed.on_default().bold();
const RESET: anstyle::Reset = anstyle::Reset;

/// Where reports are printed. Notes about the run go to standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Terminal {
    /// Findings go to standard output.
    Output,
    /// Findings go to standard error, because standard output is for something else.
    Errors,
}

impl Printer for Terminal {
    fn print(&mut self, text: &Ready<'_>) -> Result<(), Error> {
        match self {
            Terminal::Output => print(text),
            Terminal::Errors => {
                say_ready(text);
                Ok(())
            }
        }
    }

    fn note(&mut self, line: &str) {
        say(line);
    }
}

/// Writes a text to standard output, without its colours where they are not wanted.
pub(crate) fn print(text: &Ready<'_>) -> Result<(), Error> {
    // Searching a text without colours for colours takes longer than generating most documents.
    if text.is_coloured() {
        written(anstream::stdout().lock(), text.as_str())
    } else {
        written(std::io::stdout().lock(), text.as_str())
    }
}

/// Writes code to standard output.
pub(crate) fn print_code(text: &str) -> Result<(), Error> {
    print(&Ready::document(text))
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
    say_because(format_args!("{RED}error{RESET}"), failure);
}

/// Writes to standard error what a command does not do, and why.
pub(crate) fn say_because(what: std::fmt::Arguments<'_>, failure: &Error) {
    // The others have only names in them, which stay on the line.
    match failure.has_lines() {
        true => complain(format_args!("{what}: {}\n", Inert(failure))),
        false => complain(format_args!("{what}: {}\n", Inert(InertLine(failure)))),
    }
}

/// The only place that writes to standard error. If that is full or closed, nothing can be reported; the exit code
/// shows how the command ended.
fn complain(text: std::fmt::Arguments<'_>) {
    let mut err = anstream::stderr().lock();
    let _ = err.write_fmt(text).and_then(|()| err.flush());
}
