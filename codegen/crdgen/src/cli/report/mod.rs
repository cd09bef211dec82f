//! Findings for people and for tools: one module per output format.

mod github;
mod human;
mod json;
mod sarif;

use std::collections::BTreeMap;

use crdgen_core::diag::{Code, Level};
pub(crate) use crdgen_core::documents::Finding;
use crdgen_core::value::{Map, Value};

use super::definitions;
use super::inputs::Source;
use super::terminal::{self, Ready};
use crate::Error;

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people: the source line, a caret and help
    #[default]
    Human,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
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

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, Counts { objects, sources, errors, warnings }: Counts) {
        self.objects += objects;
        self.sources += sources;
        self.errors += errors;
        self.warnings += warnings;
    }
}

impl Counts {
    /// Counts the findings in a source.
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

/// Some findings as text. Any thread may render them.
#[derive(Default)]
pub(crate) struct Rendered {
    text: Ready<'static>,
    codes: Vec<&'static Code>,
}

impl Format {
    /// The findings of one source, or of a part of it.
    pub(crate) fn render(self, findings: &Findings) -> Rendered {
        let text = match self {
            _ if findings.findings.is_empty() => Ready::text(""),
            Format::Human => human::render(std::slice::from_ref(findings)),
            Format::Json => json::items(findings),
            Format::Sarif => sarif::items(findings),
            Format::Github => github::render(findings),
        };
        let mut codes: Vec<&'static Code> = findings.findings.iter().map(|f| f.diag.code).collect();
        codes.dedup_by_key(|code| code.id);
        Rendered { text, codes }
    }
}

/// Prints findings to standard output, in the order in which they come.
pub(crate) struct Report {
    format: Format,
    /// Text that is not printed yet. A command that fails early prints nothing, and any number of findings needs little
    /// memory.
    waiting: String,
    /// Whether something was found.
    pub(crate) found: bool,
    codes: BTreeMap<&'static str, &'static Code>,
}

/// How many bytes of output may wait before they are printed.
const WAITING: usize = 8 << 20;

impl Report {
    pub(crate) fn new(format: Format) -> Report {
        let start = match format {
            Format::Human | Format::Github => "",
            Format::Json => json::START,
            Format::Sarif => sarif::START,
        };
        Report { format, waiting: start.to_owned(), found: false, codes: BTreeMap::new() }
    }

    /// Adds findings.
    pub(crate) fn add(&mut self, rendered: &Rendered) -> Result<(), Error> {
        let Rendered { text, codes } = rendered;
        if codes.is_empty() {
            return Ok(());
        }
        if self.found && matches!(self.format, Format::Json | Format::Sarif) {
            self.waiting.push(',');
        }
        self.found = true;
        self.codes.extend(codes.iter().map(|code| (code.id, *code)));
        self.waiting.push_str(text.as_str());
        if self.waiting.len() > WAITING { self.print() } else { Ok(()) }
    }

    /// Prints the rest. The summary of the human format goes to standard error, so that standard output has only
    /// findings.
    pub(crate) fn finish(self, counts: &Counts, what: &str) -> Result<(), Error> {
        self.finish_with(counts, what, Map::new())
    }

    /// Like [`Report::finish`], with `more` members in the JSON document.
    pub(crate) fn finish_with(mut self, counts: &Counts, what: &str, more: Map<Value>) -> Result<(), Error> {
        match self.format {
            Format::Human | Format::Github => {}
            Format::Json => self.waiting.push_str(&json::end(counts, more)),
            Format::Sarif => self.waiting.push_str(&sarif::end(&self.codes)),
        }
        self.print()?;
        if self.format == Format::Human {
            terminal::say(human::summary(counts, what));
        }
        Ok(())
    }

    fn print(&mut self) -> Result<(), Error> {
        let text = std::mem::take(&mut self.waiting);
        terminal::print(&match self.format {
            Format::Human => Ready::coloured(text),
            Format::Json | Format::Sarif | Format::Github => Ready::inert(text),
        })
    }
}

/// Prints all findings in a format.
pub(crate) fn show(format: Format, all: &[Findings], counts: &Counts, what: &str) -> Result<(), Error> {
    let mut report = Report::new(format);
    for findings in all {
        report.add(&format.render(findings))?;
    }
    report.finish(counts, what)
}

/// Reports why a run cannot go on: for people the first finding as an error, for tools all findings.
pub(crate) fn stop(format: Format, found: Findings, what: &str) -> Result<(), Error> {
    match format {
        Format::Human => {
            let Findings { source, findings } = found;
            let first = findings.into_iter().next();
            first.map_or(Ok(()), |it| Err(definitions::broken(&source.name, it.place, it.diag)))
        }
        Format::Json | Format::Sarif | Format::Github => {
            let mut counts = Counts::default();
            counts.add(&found.findings);
            show(format, &[found], &counts, what)
        }
    }
}

/// An error for GitHub that is not a finding in a CRD.
pub(crate) fn github_error(file: &str, line: Option<u32>, title: &str, text: &str) -> String {
    github::error(file, line, title, text)
}

/// The findings for tools, to be printed in a larger document.
pub(crate) fn json(all: &[Findings]) -> Value {
    json::findings(all)
}

/// The findings for people, to be printed elsewhere.
pub(crate) fn human(all: &[Findings]) -> Ready<'static> {
    human::render(all)
}
