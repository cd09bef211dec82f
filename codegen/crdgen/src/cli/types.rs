//! `crdgen check --types`: definitions held against the Rust types that read and write their objects.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crdgen_core::diag::{Diag, Level};
use crdgen_core::ir::Crd;
use crdgen_core::read::rust::resolve::At;
use crdgen_core::span::Place;

use super::definitions;
use super::inputs::{Input, Source};
use super::report::{Counts, Finding, Findings};
use super::skipped::Skipped;
use super::terminal;
use crate::Error;
use crate::source::{self, Options};

/// What differs, at its places in the definitions; and what is wrong with the sources themselves.
pub(crate) fn run(
    types: &Path,
    inputs: &[Input],
    skipped: &Skipped,
) -> Result<(Vec<Findings>, Counts), Error> {
    let mut sources = Vec::new();
    let mut counts = Counts::default();
    for input in inputs {
        let source = input.read()?;
        let mut read = definitions::read(&source);
        skipped.add(&source.name, std::mem::take(&mut read.skipped));
        sources.push((source, read));
    }
    let all: Vec<(usize, usize, Crd)> = sources
        .iter()
        .enumerate()
        .flat_map(|(s, (_, read))| {
            read.definitions.iter().enumerate().map(move |(d, it)| (s, d, it.crd.clone()))
        })
        .collect();
    let options = Options { path: package(types), ..Options::default() };
    let crds: Vec<&Crd> = all.iter().map(|(_, _, crd)| crd).collect();
    let held = source::against(&options, &crds)?;
    if held.kinds == 0 && held.found.is_empty() {
        return Err(super::no_kind(types));
    }
    if let Some(why) = held.cargo.filter(|_| held.found.iter().any(|f| f.diag.level == Level::Error)) {
        terminal::say_error(&why);
    }
    for (number, diag, at) in held.differences {
        let (source, definition, _) = &all[number];
        sources[*source].1.add(*definition, with_place(diag, at));
    }
    let mut out = Vec::new();
    for (source, read) in sources {
        let mut findings = read.findings;
        counts.objects += read.definitions.len();
        counts.add(&findings);
        findings.sort_by_key(|f| f.place.map(|p| p.start.offset));
        out.push(Findings { source, findings });
    }
    let mut files: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for found in held.found {
        let (file, place) = match found.at {
            Some(At { file, start, end }) => (file, Some(Place { start, end })),
            None => (String::new(), None),
        };
        files.entry(file).or_default().push(Finding { object: String::new(), place, diag: found.diag });
    }
    for (name, findings) in files {
        counts.add(&findings);
        let bytes = Arc::new(crate::input::read(Path::new(&name)).unwrap_or_default());
        out.push(Findings { source: Source { name, bytes }, findings });
    }
    out.retain(|f| !f.findings.is_empty());
    Ok((out, counts))
}

/// The other side stands in the help.
fn with_place(mut diag: Diag, at: Option<At>) -> Diag {
    if let Some(At { file, start, .. }) = at {
        let help = diag.help.take().unwrap_or_default();
        diag.help = Some(format!("in Rust: {file}:{}:{}; {help}", start.line, start.column));
    }
    diag
}

/// The package a folder such as `src` belongs to.
fn package(types: &Path) -> PathBuf {
    let full = types.canonicalize().unwrap_or_else(|_| types.to_path_buf());
    if full.is_dir() && !full.join("Cargo.toml").exists() {
        for (up, folder) in full.ancestors().enumerate() {
            if folder.join("Cargo.toml").exists() {
                // As it was written, so that places are too.
                return (0..up).fold(types.to_path_buf(), |path, _| path.join(".."));
            }
        }
    }
    types.to_path_buf()
}
