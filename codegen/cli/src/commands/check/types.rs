//! `crdgen check --types`: CRDs compared with the Rust types that read and write their objects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crdgen_core::diag::{Diag, Level};
use crdgen_core::read::rust::resolve::{At, Found};
use crdgen_core::span::Place;

use super::copies::Copies;
use super::definitions::Definitions;
use super::exceptions::Exceptions;
use super::inputs::{Inventory, Source};
use super::report::{Counts, FailOn, Finding, Findings, Format, Report};
use super::skipped::Skipped;
use super::{stream, terminal};
use crate::Error;
use crate::input::{self, Shown};
use crate::source::{self, Options};

/// Reports the differences at their places in the CRDs, and the errors in the sources.
pub(crate) fn run(
    types: &Path,
    inputs: &Inventory,
    skipped: &Skipped,
    format: Format,
    exceptions: &mut Exceptions,
    report: &mut Report,
) -> Result<Counts, Error> {
    let mut counts = Counts { sources: inputs.len(), ..Counts::default() };
    let mut add = |Findings { source, findings }: Findings, objects: &[String]| {
        let findings = exceptions.filter(&source, findings);
        let mut some = Counts { objects: objects.len(), ..Counts::default() };
        some.add(&findings);
        counts += Counts { sources: 0, ..some };
        report.add(format.render_of(&Findings { source, findings }, objects, FailOn::Error))
    };
    let read = |source: &Source, mut read: Definitions| {
        skipped.add(&source.name, std::mem::take(&mut read.skipped));
        Ok((source.clone(), read))
    };
    let options = Options { path: package(types), ..Options::default() };
    let compared = source::against(&options, |kinds| {
        if kinds.is_empty() {
            return Err(super::no_kind(types));
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

/// When to compile the types and run them, instead of reading their sources.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
pub(crate) enum Exact {
    Always,
    Auto,
}

/// The findings in sources, file by file.
pub(crate) fn by_file(found: Vec<Found>) -> Vec<Findings> {
    let mut files: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for Found { diag, at } in found {
        let (file, place) = match at {
            Some(At { file, start, end }) => (file, Some(Place { start, end })),
            None => (String::new(), None),
        };
        files.entry(file).or_default().push(Finding { object: String::new(), place, diag });
    }
    let files = files.into_iter().map(|(name, mut findings)| {
        findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
        let bytes = Arc::new(crate::input::read(Path::new(&name)).unwrap_or_default());
        Findings { source: Source::new(name, bytes), findings }
    });
    files.collect()
}

/// Adds the place on the other side to the help.
fn with_place(mut diag: Diag, at: Option<At>) -> Diag {
    if let Some(At { file, start, .. }) = at {
        let help = diag.help.take().unwrap_or_default();
        diag.help = Some(format!("in Rust: {file}:{}:{}; {help}", start.line, start.column));
    }
    diag
}

/// Returns the package that a folder such as `src` belongs to. The path starts as the user wrote it, so reported places
/// do too.
pub(crate) fn package(types: &Path) -> PathBuf {
    let up = if types.is_dir() { source::folders_up(types).unwrap_or(0) } else { 0 };
    (0..up).fold(types.to_path_buf(), |path, _| input::above(&path))
}

/// Prints which options have no effect for a single file, because crdgen reads it without its package.
pub(crate) fn note_ignored(path: &Path, features: bool, package: bool) {
    let what = match (features, package) {
        (true, true) => "Cargo features and --package",
        (true, false) => "Cargo features",
        (false, true) => "--package",
        (false, false) => return,
    };
    if path.extension().is_some_and(|e| e == "rs") {
        let shown = path.shown();
        terminal::say(format_args!(
            "note: {shown}: crdgen reads a single file without its package, so it ignores {what}. Pass the folder of the \
             package instead"
        ));
    }
}
