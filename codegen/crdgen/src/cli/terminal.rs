//! Standard output and standard error. All that commands print goes through here, and texts from inputs are made
//! inert on the way: a name must not move the cursor, set the window's title or hide what stands around it.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write;

use crdgen_core::inert::{self, Inert};

use super::Failure;

const RED: anstyle::Style = anstyle::AnsiColor::BrightRed.on_default().bold();
const RESET: anstyle::Reset = anstyle::Reset;

/// A text that may be printed as it is.
#[derive(Default)]
pub(crate) struct Ready<'a>(Cow<'a, str>);

impl<'a> Ready<'a> {
    /// A text for people, or a document whose writer has escaped what is active in its own way.
    pub(crate) fn text(text: &'a str) -> Ready<'a> {
        Ready(inert::text(text))
    }

    /// JSON.
    pub(crate) fn json(text: &'a str) -> Ready<'a> {
        Ready(inert::json(text))
    }

    /// A text with colours. All in it that comes from inputs has to be inert already.
    pub(crate) fn styled(text: String) -> Ready<'a> {
        Ready(Cow::Owned(text))
    }

    /// The text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Writes a text to standard output, without its colours where they are not wanted.
pub(crate) fn print(text: &Ready<'_>) -> Result<(), Failure> {
    written(anstream::stdout().lock(), text)
}

/// Writes code to standard output, which has no colours to look for.
pub(crate) fn print_code(text: &str) -> Result<(), Failure> {
    written(std::io::stdout().lock(), &Ready::text(text))
}

/// That nobody reads on (`| head`) is no failure.
fn written(mut out: impl Write, text: &Ready<'_>) -> Result<(), Failure> {
    match out.write_all(text.as_str().as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output: {e}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes a line to standard error.
pub(crate) fn say(text: impl Display) {
    anstream::eprintln!("{}", Inert(text));
}

/// Writes a text to standard error.
pub(crate) fn say_ready(text: &Ready<'_>) {
    anstream::eprint!("{}", text.as_str());
}

/// Writes a line to standard error that says why a command stops.
pub(crate) fn say_error(failure: &Failure) {
    anstream::eprintln!("{}error{}: {}", RED, RESET, Inert(failure));
}
