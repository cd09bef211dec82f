//! Findings for people and for tools: one module per output format.

mod github;
mod gitlab;
mod human;
mod json;
pub(crate) mod junit;
mod markdown;
mod sarif;
mod uri;

use std::collections::BTreeMap;

use crdgen_core::compare::changes::Class;
use crdgen_core::diag::{Code, Level};
pub(crate) use crdgen_core::documents::Finding;
use crdgen_core::inert;
use crdgen_core::value::{Map, Value};

use crate::input::{Source, definitions};
use crate::output::aligned;
use crate::output::junit as cases;
use crate::output::junit::Case;
use crate::terminal::{self, Ready};
use crdgen::Error;
use markdown::Sections;

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
    /// GitLab's code quality report
    Gitlab,
    /// JUnit XML, with a test case per object
    Junit,
    /// Markdown for comments on pull requests, folded by what the findings mean
    Markdown,
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
    /// Findings about changes that break objects or requests.
    pub(crate) breaking: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, Counts { objects, sources, errors, warnings, breaking }: Counts) {
        self.objects += objects;
        self.sources += sources;
        self.errors += errors;
        self.warnings += warnings;
        self.breaking += breaking;
    }
}

impl Counts {
    /// Counts the findings in a source.
    pub(crate) fn add(&mut self, findings: &[Finding]) {
        self.sources += 1;
        for finding in findings {
            self.breaking += usize::from(Class::of(finding.diag.code).is_some_and(Class::breaks));
            match finding.diag.level {
                Level::Error => self.errors += 1,
                Level::Warning => self.warnings += 1,
                Level::Note => {}
            }
        }
    }
}

/// What fails a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FailOn {
    /// Errors: what the server rejects
    #[default]
    Error,
    /// Also changes that break objects or requests (CHG001 to CHG004)
    Breaking,
    /// Also warnings
    Warning,
}

impl FailOn {
    /// Whether a finding fails a run.
    pub(crate) fn fails_on(self, finding: &Finding) -> bool {
        let mut counts = Counts::default();
        counts.add(std::slice::from_ref(finding));
        self.fails(&counts)
    }

    /// Whether a run with these findings fails.
    pub(crate) fn fails(self, counts: &Counts) -> bool {
        let Counts { objects: _, sources: _, errors, warnings, breaking } = *counts;
        match self {
            FailOn::Error => errors > 0,
            FailOn::Breaking => errors + breaking > 0,
            FailOn::Warning => errors + breaking + warnings > 0,
        }
    }
}

/// Some findings as text. Any thread may render them.
#[derive(Default)]
pub(crate) struct Rendered {
    text: Ready<'static>,
    codes: Vec<&'static Code>,
    cases: Vec<Case>,
    sections: Sections,
}

impl Rendered {
    /// Replaces the test cases by others, for formats that have them.
    pub(crate) fn keep_cases(&mut self, cases: impl Iterator<Item = Case>) {
        self.cases = cases.collect();
    }
}

impl Format {
    /// The findings of one source, or of a part of it.
    pub(crate) fn render(self, findings: &Findings) -> Rendered {
        self.render_of(findings, &[], FailOn::Error)
    }

    /// The same, for findings about some objects. Those without findings that fail the run are test cases that passed.
    pub(crate) fn render_of(self, findings: &Findings, objects: &[String], fail_on: FailOn) -> Rendered {
        let text = match self {
            _ if findings.findings.is_empty() => Ready::text(""),
            Format::Human => human::render(std::slice::from_ref(findings)),
            Format::Json => json::items(findings),
            Format::Sarif => sarif::items(findings),
            Format::Github => github::render(findings),
            Format::Gitlab => gitlab::items(findings),
            Format::Junit | Format::Markdown => Ready::text(""),
        };
        let mut codes: Vec<&'static Code> = findings.findings.iter().map(|f| f.diag.code).collect();
        codes.dedup_by_key(|code| code.id);
        let cases = match self {
            Format::Junit => junit::cases(findings, objects, fail_on),
            Format::Human
            | Format::Json
            | Format::Sarif
            | Format::Github
            | Format::Gitlab
            | Format::Markdown => Vec::new(),
        };
        let sections = match self {
            Format::Markdown => markdown::items(findings),
            Format::Human
            | Format::Json
            | Format::Sarif
            | Format::Github
            | Format::Gitlab
            | Format::Junit => Sections::new(),
        };
        Rendered { text, codes, cases, sections }
    }
}

/// Prints findings to standard output, in the order in which they come.
pub(crate) struct Report {
    format: Format,
    /// The command, for formats that name it.
    command: &'static str,
    /// Text that is not printed yet. A command that fails early prints nothing, and any number of findings needs little
    /// memory.
    waiting: String,
    /// Whether something was found.
    pub(crate) found: bool,
    codes: BTreeMap<&'static str, &'static Code>,
    cases: Vec<Case>,
    sections: Sections,
    /// What is reported about the whole run.
    notes: Vec<String>,
    /// A table about the whole run.
    table: Vec<Vec<String>>,
}

/// How many bytes of output may wait before they are printed.
const WAITING: usize = 8 << 20;

impl Report {
    pub(crate) fn new(format: Format, command: &'static str) -> Report {
        let start = match format {
            Format::Human | Format::Github | Format::Junit | Format::Markdown => "",
            Format::Json => json::START,
            Format::Sarif => sarif::START,
            Format::Gitlab => gitlab::START,
        };
        Report {
            format,
            command,
            waiting: start.to_owned(),
            found: false,
            codes: BTreeMap::new(),
            cases: Vec::new(),
            sections: Sections::new(),
            notes: Vec::new(),
            table: Vec::new(),
        }
    }

    /// Adds findings.
    pub(crate) fn add(&mut self, rendered: Rendered) -> Result<(), Error> {
        let Rendered { text, codes, cases, sections } = rendered;
        self.cases.extend(cases);
        for (section, items) in sections {
            self.sections.entry(section).or_default().extend(items);
        }
        if codes.is_empty() {
            return Ok(());
        }
        if self.found && matches!(self.format, Format::Json | Format::Sarif | Format::Gitlab) {
            self.waiting.push(',');
        }
        self.found = true;
        self.codes.extend(codes.iter().map(|code| (code.id, *code)));
        self.waiting.push_str(text.as_str());
        if self.waiting.len() > WAITING { self.print() } else { Ok(()) }
    }

    /// Adds what is reported about the whole run, for people.
    pub(crate) fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// Adds a table about the whole run, for people. Its first row is the head.
    pub(crate) fn table(&mut self, rows: Vec<Vec<String>>) {
        self.table = rows;
    }

    /// Adds a test case.
    pub(crate) fn case(&mut self, case: Case) {
        self.cases.push(case);
    }

    /// Prints the rest. The summary of the human format goes to standard error, so that standard output has only
    /// findings.
    pub(crate) fn finish(self, counts: &Counts, what: &str) -> Result<(), Error> {
        self.finish_with(counts, what, Map::new())
    }

    /// Like [`Report::finish`], with `more` members in the JSON document.
    pub(crate) fn finish_with(mut self, counts: &Counts, what: &str, more: Map<Value>) -> Result<(), Error> {
        match self.format {
            Format::Human => self.waiting.push_str(&inert::text(&aligned::lines(&self.table))),
            Format::Github => {}
            Format::Json => self.waiting.push_str(&json::end(counts, more)),
            Format::Sarif => self.waiting.push_str(&sarif::end(&self.codes)),
            Format::Gitlab => self.waiting.push_str(gitlab::END),
            Format::Junit => {
                // Some findings come when all files were read.
                self.cases.sort_by(|a, b| a.suite.cmp(&b.suite));
                self.waiting = cases::document(self.command, &self.cases);
            }
            Format::Markdown => {
                self.waiting =
                    markdown::document(self.command, counts, what, &self.sections, &self.table, &self.notes);
            }
        }
        self.print()?;
        if self.format == Format::Human {
            self.notes.iter().for_each(terminal::say);
            terminal::say(human::summary(counts, what));
        }
        Ok(())
    }

    fn print(&mut self) -> Result<(), Error> {
        let text = std::mem::take(&mut self.waiting);
        terminal::print(&match self.format {
            Format::Human => Ready::coloured(text),
            Format::Json | Format::Sarif | Format::Github | Format::Gitlab | Format::Markdown => {
                Ready::inert(text)
            }
            Format::Junit => Ready::document(&text),
        })
    }
}

/// Prints all findings in a format.
pub(crate) fn show(
    format: Format,
    command: &'static str,
    all: &[Findings],
    counts: &Counts,
    what: &str,
) -> Result<(), Error> {
    let mut report = Report::new(format, command);
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
            first.map_or(Ok(()), |it| Err(definitions::broken(&source.name, it.place, it.diag)))
        }
        Format::Json | Format::Sarif | Format::Github | Format::Gitlab | Format::Junit | Format::Markdown => {
            let mut counts = Counts::default();
            counts.add(&found.findings);
            show(format, command, &[found], &counts, what)
        }
    }
}

/// The findings for tools, to be printed in a larger document.
pub(crate) fn json(all: &[Findings]) -> Value {
    json::findings(all)
}

/// The findings for people, to be printed elsewhere.
pub(crate) fn human(all: &[Findings]) -> Ready<'static> {
    human::render(all)
}
