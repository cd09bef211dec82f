//! The findings of a run, in the order in which they come.

use std::collections::BTreeMap;

use crdgen_core::diag::Code;
use crdgen_core::inert;
use crdgen_core::value::{Map, Value};

use crate::junit::{self, Case};
use crate::markdown::{self, Sections};
use crate::{Counts, Format, Ready, Rendered, aligned, gitlab, human, json, sarif};
use crdgen_files::Error;

/// Prints what a report consists of.
pub trait Printer {
    /// Prints findings.
    ///
    /// # Errors
    ///
    /// If nothing can be written.
    fn print(&mut self, text: &Ready<'_>) -> Result<(), Error>;

    /// Prints a line about the run, for people. It must not be among the findings.
    fn note(&mut self, line: &str);
}

/// Prints findings in the order in which they come.
pub struct Report<P> {
    printer: P,
    format: Format,
    /// The command, for formats that name it.
    command: &'static str,
    /// Text that is not printed yet. A command that fails early prints nothing, and any number of findings needs little
    /// memory.
    waiting: String,
    /// Whether something was found.
    pub found: bool,
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

impl<P: Printer> Report<P> {
    /// A report of a command.
    pub fn new(format: Format, command: &'static str, printer: P) -> Report<P> {
        let start = match format {
            Format::Human | Format::Github | Format::Junit | Format::Markdown => "",
            Format::Json => json::START,
            Format::Sarif => sarif::START,
            Format::Gitlab => gitlab::START,
        };
        Report {
            printer,
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
    pub fn add(&mut self, rendered: Rendered) -> Result<(), Error> {
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
    pub fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// Adds a table about the whole run, for people. Its first row is the head.
    pub fn table(&mut self, rows: Vec<Vec<String>>) {
        self.table = rows;
    }

    /// Adds a test case.
    pub fn case(&mut self, case: Case) {
        self.cases.push(case);
    }

    /// Prints the rest. The summary of the human format goes to standard error, so that standard output has only
    /// findings.
    pub fn finish(self, counts: &Counts, what: &str) -> Result<(), Error> {
        self.finish_with(counts, what, Map::new())
    }

    /// Like [`Report::finish`], with `more` members in the JSON document.
    pub fn finish_with(mut self, counts: &Counts, what: &str, more: Map<Value>) -> Result<(), Error> {
        match self.format {
            Format::Human => self.waiting.push_str(&inert::text(&aligned(&self.table))),
            Format::Github => {}
            Format::Json => self.waiting.push_str(&json::end(counts, more)),
            Format::Sarif => self.waiting.push_str(&sarif::end(&self.codes)),
            Format::Gitlab => self.waiting.push_str(gitlab::END),
            Format::Junit => {
                // Some findings come when all files were read.
                self.cases.sort_by(|a, b| a.suite.cmp(&b.suite));
                self.waiting = junit::document(self.command, &self.cases);
            }
            Format::Markdown => {
                let content =
                    markdown::Content { all: &self.sections, table: &self.table, notes: &self.notes };
                self.waiting = markdown::document(self.command, counts, what, &content);
            }
        }
        self.print()?;
        if self.format == Format::Human {
            self.notes.push(human::summary(counts, what));
            self.notes.iter().for_each(|line| self.printer.note(line));
        }
        Ok(())
    }

    fn print(&mut self) -> Result<(), Error> {
        let text = std::mem::take(&mut self.waiting);
        self.printer.print(&match self.format {
            Format::Human => Ready::coloured(text),
            Format::Json | Format::Sarif | Format::Github | Format::Gitlab | Format::Markdown => {
                Ready::inert(text)
            }
            Format::Junit => Ready::document(&text),
        })
    }
}
