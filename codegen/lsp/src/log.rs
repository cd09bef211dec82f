//! What the server reports to whoever reads its standard error, such as the log of an editor.

use std::fmt;
use std::io::{self, Write};

use crdgen_core::inert::InertLine;

/// Writes a line to the log of the client.
pub(crate) fn log(text: fmt::Arguments<'_>) {
    // There is no other place to report that this fails.
    let _ = writeln!(io::stderr(), "crdgen lsp: {}", InertLine(text));
}
