//! Findings on the terminal: `crdgen-report` writes them.

pub(crate) use crdgen_report::{Counts, FailOn, Finding, Findings, Format, human};

use crate::terminal::Terminal;

/// A report that is printed.
pub(crate) type Report = crdgen_report::Report<Terminal>;

/// Starts the report of a command.
pub(crate) fn start(format: Format, command: &'static str) -> Report {
    Report::new(format, command, Terminal::Output)
}

/// Starts the report of a command that prints something else on standard output.
pub(crate) fn start_on_errors(command: &'static str) -> Report {
    Report::new(Format::Human, command, Terminal::Errors)
}
