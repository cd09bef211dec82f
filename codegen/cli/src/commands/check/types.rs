//! `crdgen check --types`: CRDs compared with the Rust types that read and write their objects.

use std::path::Path;

use crdgen_core::diag::{Diag, Level};
use crdgen_source::At;

use crate::input::{Inventory, Source, stream};
use crate::outcome::no_kind;
use crate::output::report::{Counts, FailOn, Findings, Format, Report};
use crate::terminal;
use crdgen_core::documents::Definitions;
use crdgen_files::Error;
use crdgen_files::source::{self, Options};
use crdgen_report::Exceptions;
use crdgen_report::copies::Copies;
use crdgen_tasks::project::Skipped;
use crdgen_tasks::rust_types::{by_file, package};

/// Where and how findings are printed, and which of them are not.
pub(super) struct Reporting<'r> {
    pub(super) format: Format,
    pub(super) exceptions: &'r mut Exceptions,
    pub(super) report: &'r mut Report,
}

/// Reports the differences at their places in the CRDs, and the errors in the sources.
pub(super) fn run(
    types: &Path,
    inputs: &Inventory,
    skipped: &Skipped,
    reporting: Reporting<'_>,
) -> Result<Counts, Error> {
    let Reporting { format, exceptions, report } = reporting;
    let mut counts = Counts { sources: inputs.len(), ..Counts::default() };
    let mut add = |Findings { source, findings }: Findings, objects: &[String]| {
        let findings = exceptions.filter(&source, findings);
        counts += Counts::of_part(objects.len(), &findings);
        report.add(format.render_of(&Findings { source, findings }, objects, FailOn::Error))
    };
    let read = |source: &Source, mut read: Definitions| {
        skipped.add(&source.name, std::mem::take(&mut read.skipped));
        Ok((source.clone(), read))
    };
    let options = Options { path: package(types), ..Options::default() };
    let compared = source::against(&options, |kinds| {
        if kinds.is_empty() {
            return Err(no_kind(types));
        }
        let mut copies = Copies::default();
        stream::each(inputs, read, |(source, mut read)| {
            let named = read.named();
            let objects: Vec<String> = named.iter().map(|named| named.name.clone()).collect();
            let notes = copies.notes(&source.name, named);
            for number in 0..read.definitions.len() {
                for (diag, at) in kinds.compare(&read.definitions[number].crd) {
                    read.add(number, with_place(diag, at));
                }
            }
            let mut findings = read.findings;
            findings.extend(notes);
            findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
            add(Findings { source, findings }, &objects)
        })
    })?;
    if let Some(why) = compared.cargo.filter(|_| compared.found.iter().any(|f| f.diag.level == Level::Error))
    {
        terminal::say_error(&why);
    }
    let files = by_file(compared.found);
    let count = files.len();
    for findings in files {
        add(findings, &[])?;
    }
    counts.sources += count;
    Ok(counts)
}

/// Adds the place on the other side to the help.
fn with_place(mut diag: Diag, at: Option<At>) -> Diag {
    if let Some(At { file, start, .. }) = at {
        let help = diag.help.take().unwrap_or_default();
        diag.help = Some(format!("in Rust: {file}:{}:{}; {help}", start.line, start.column));
    }
    diag
}
