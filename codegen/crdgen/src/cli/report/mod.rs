//! Findings for people and for tools: one module per output format.

mod github;
mod human;
mod json;
mod sarif;

use crdgen_core::diag::{Diag, Level};
use crdgen_core::span::Place;
use crdgen_core::value::Value;

use super::inputs::Source;
use super::{Failure, print};

pub(crate) const RED: anstyle::Style = anstyle::AnsiColor::BrightRed.on_default().bold();
pub(crate) const RESET: anstyle::Reset = anstyle::Reset;

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people: the source line, a caret, help
    #[default]
    Human,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

/// A diagnostic at its place in a source.
pub(crate) struct Finding {
    /// The name of the object it is about, where that is known.
    pub(crate) object: String,
    /// Where it is; none for what concerns the text as a whole.
    pub(crate) place: Option<Place>,
    /// What it is.
    pub(crate) diag: Diag,
}

/// All findings of one source.
pub(crate) struct Findings {
    /// The text they are in.
    pub(crate) source: Source,
    /// In the order of their places.
    pub(crate) findings: Vec<Finding>,
}

/// Numbers for the summary.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Objects looked at.
    pub(crate) objects: usize,
    /// Sources read.
    pub(crate) sources: usize,
    /// Findings of level error.
    pub(crate) errors: usize,
    /// Findings of level warning.
    pub(crate) warnings: usize,
}

impl Counts {
    /// Counts what was found in a source.
    pub(crate) fn add(&mut self, findings: &[Finding]) {
        self.sources += 1;
        for finding in findings {
            match finding.diag.level {
                Level::Error => self.errors += 1,
                Level::Warning => self.warnings += 1,
                Level::Note => {}
            }
        }
    }
}

/// Prints everything in the format asked for. The summary of the human format goes to standard error,
/// so that what is piped on holds findings only.
pub(crate) fn show(format: Format, all: &[Findings], counts: &Counts, what: &str) -> Result<(), Failure> {
    match format {
        Format::Human => {
            print(&human::render(all))?;
            anstream::eprintln!("{}", human::summary(counts, what));
            Ok(())
        }
        Format::Json => print(&json::render(all, counts)),
        Format::Sarif => print(&sarif::render(all)),
        Format::Github => print(&github::render(all)),
    }
}

/// The findings for tools, to be printed in a larger document.
pub(crate) fn json(all: &[Findings]) -> Value {
    json::findings(all)
}

/// The findings for people, to be printed elsewhere.
pub(crate) fn human(all: &[Findings]) -> String {
    human::render(all)
}

/// The name of a level in all formats.
fn level_name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}
