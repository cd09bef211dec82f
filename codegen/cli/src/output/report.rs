//! Findings on the terminal: `crdgen-report` writes them.

use crdgen::Error;
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

/// Prints all findings in a format.
pub(crate) fn show(
    format: Format,
    command: &'static str,
    all: &[Findings],
    counts: &Counts,
    what: &str,
) -> Result<(), Error> {
    let mut report = start(format, command);
    for findings in all {
        report.add(format.render(findings))?;
    }
    report.finish(counts, what)
}

/// Reports why a run cannot go on: for people the first finding as an error, for tools all findings.
pub(crate) fn stop(format: Format, command: &'static str, found: Findings, what: &str) -> Result<(), Error> {
    match format {
        Format::Human => {
            let Findings { source, findings } = found;
            let first = findings.into_iter().next();
            first.map_or(Ok(()), |it| Err(Error::document(&source.name, it.place, it.diag)))
        }
        Format::Json | Format::Sarif | Format::Github | Format::Gitlab | Format::Junit | Format::Markdown => {
            let mut counts = Counts::default();
            counts.add(&found.findings);
            show(format, command, &[found], &counts, what)
        }
    }
}
