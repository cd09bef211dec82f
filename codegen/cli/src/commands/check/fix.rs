//! `crdgen check --fix`: fixes what lints report, in the files themselves.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use crdgen_core::check::lints::{self, Lints};
use crdgen_core::diag::Diag;
use crdgen_core::documents;
use crdgen_core::span::Place;

use crate::crds::sources::by_file;
use crate::input::{Inventory, Source};
use crate::outcome::Outcome;
use crate::output::folders;
use crate::output::report::Findings;
use crate::terminal;
use crdgen::__cli::error;
use crdgen::__cli::files::{self, Shown};
use crdgen::Error;
use crdgen::source;
use crdgen_report::Exceptions;
use crdgen_source::Found;

/// How often a file is fixed: two fixes may be about the same part of it.
const MOST_ROUNDS: usize = 4;

/// What was done.
#[derive(Default)]
pub(super) struct Fixes {
    /// How many findings were fixed.
    pub(super) count: usize,
    /// In how many files.
    files: usize,
    /// Whether all files could be written.
    pub(super) outcome: Outcome,
}

impl Fixes {
    /// Fixes the files of the inputs, and lists what it fixes. What exceptions allow stays as it is.
    pub(super) fn fix_documents(
        &mut self,
        inputs: &Inventory,
        lints: &Lints,
        exceptions: &mut Exceptions,
    ) -> Result<(), Error> {
        for input in inputs.iter() {
            let before = self.count;
            for _ in 0..MOST_ROUNDS {
                let Some(source) = inputs.read(input)? else { break };
                match fix(&source, lints, exceptions) {
                    Ok(0) => break,
                    Ok(count) => self.count += count,
                    Err(failure) => {
                        terminal::say_error(&failure);
                        self.outcome = Outcome::Findings;
                        break;
                    }
                }
            }
            self.files += usize::from(self.count > before);
        }
        Ok(())
    }

    /// Fixes the types of a package, and lists what it fixes. What exceptions allow stays as it is.
    pub(super) fn fix_types(
        &mut self,
        options: &source::Options,
        exceptions: &mut Exceptions,
    ) -> Result<(), Error> {
        let mut changed = BTreeSet::new();
        for _ in 0..MOST_ROUNDS {
            let wanted = wanted(options, exceptions)?;
            let fixed = source::fixed(options, &|found| wanted.contains(&Wanted::of(found)))?;
            for (path, old, new) in &fixed.files {
                if !write(path, old.as_bytes(), new)? {
                    // A part of the fixes makes no sense without the others.
                    self.outcome = Outcome::Findings;
                    return Ok(());
                }
                self.files += usize::from(changed.insert(path.clone()));
            }
            if fixed.found.is_empty() {
                break;
            }
            self.count += fixed.found.len();
            for found in &fixed.found {
                let at = found.at.as_ref();
                let place = at.map(|at| Place { start: at.start, end: at.end });
                let file = at.map_or("", |at| at.file.as_str());
                terminal::say(format_args!("fixed {file}{}: {}", error::at(place), found.diag.shown()));
            }
        }
        Ok(())
    }

    /// Says how much was fixed.
    pub(super) fn say(&self) {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let Fixes { count, files, .. } = self;
        terminal::say(match count {
            0 => "fixed nothing: only some lints have one right answer".to_owned(),
            _ => format!("fixed {count} finding{} in {files} file{}", plural(*count), plural(*files)),
        });
    }
}

/// A finding in Rust sources that no exception allows.
#[derive(PartialEq, Eq, Hash)]
struct Wanted {
    file: String,
    offset: Option<usize>,
    code: &'static str,
}

impl Wanted {
    fn of(found: &Found) -> Wanted {
        let (file, offset) = match &found.at {
            Some(at) => (at.file.clone(), Some(at.start.offset)),
            None => (String::new(), None),
        };
        Wanted { file, offset, code: found.diag.code.id }
    }
}

/// What is found in sources and no exception allows.
fn wanted(options: &source::Options, exceptions: &mut Exceptions) -> Result<HashSet<Wanted>, Error> {
    let mut out = HashSet::new();
    for Findings { source, findings } in by_file(source::read(options)?.found) {
        out.extend(exceptions.filter(&source, findings).into_iter().map(|finding| Wanted {
            file: source.name.clone(),
            offset: finding.place.map(|place| place.start.offset),
            code: finding.diag.code.id,
        }));
    }
    Ok(out)
}

/// Fixes a file. Returns how many findings it fixes.
fn fix(source: &Source, lints: &Lints, exceptions: &mut Exceptions) -> Result<usize, Error> {
    let path = Path::new(&source.name);
    // Standard input is not a file, and what a chart or kustomization builds differs from its files.
    let is_file = !source.is_built() && files::read(path).is_ok_and(|bytes| bytes == *source.bytes);
    if !is_file {
        return Ok(0);
    }
    let mut read = source.group().read();
    read.check(|crd| lints::run(crd, lints));
    let findings = exceptions.filter(source, read.findings);
    let diags: Vec<(&str, &Diag)> = findings.iter().map(|it| (it.object.as_str(), &it.diag)).collect();
    let Some(fixed) = documents::fixed(&source.bytes, &diags) else { return Ok(0) };
    if !write(path, &source.bytes, &fixed.text)? {
        return Ok(0);
    }
    for finding in fixed.fixed.iter().filter_map(|number| findings.get(*number)) {
        let at = error::at(finding.place);
        terminal::say(format_args!("fixed {}{at}: {}", source.name, finding.diag.shown()));
    }
    Ok(fixed.fixed.len())
}

/// Writes the new text of a file, with its permissions. Returns false for a link, and for a file that somebody else has changed since
/// it was read: both stay as they are.
fn write(path: &Path, old: &[u8], text: &str) -> Result<bool, Error> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    let about = std::fs::symlink_metadata(path).map_err(failed)?;
    if about.is_symlink() {
        terminal::say(format_args!("not fixed: {} is a link; pass the file itself", path.shown()));
        return Ok(false);
    }
    if !files::read(path).is_ok_and(|bytes| bytes == old) {
        terminal::say(format_args!("not fixed: {} has changed meanwhile; run this again", path.shown()));
        return Ok(false);
    }
    let name = path.file_name().unwrap_or_default();
    folders::folder(files::folder_of(path), true).write(name, text)?;
    // The file is a new one, which others could read.
    std::fs::set_permissions(path, about.permissions()).map_err(failed)?;
    Ok(true)
}
