//! `crdgen check --fix`: fixes what lints report, in the files themselves.

use std::path::Path;

use crdgen_core::check::lints::{self, Lints};
use crdgen_core::diag::Diag;
use crdgen_core::documents;

use crate::input::{Inventory, Source};
use crate::outcome::Outcome;
use crate::output::folders;
use crate::terminal;
use crdgen::__cli::error;
use crdgen::__cli::files;
use crdgen::Error;
use crdgen_report::Exceptions;

/// How often a file is fixed: two fixes may be about the same part of it.
const MOST_ROUNDS: usize = 4;

/// What was done.
#[derive(Default)]
pub(super) struct Fixes {
    /// How many findings were fixed.
    pub(super) count: usize,
    /// Whether all files could be written.
    pub(super) outcome: Outcome,
}

/// Fixes the files of the inputs, and lists what it fixes. What exceptions allow stays as it is.
pub(super) fn run(inputs: &Inventory, lints: &Lints, mut exceptions: Exceptions) -> Result<Fixes, Error> {
    let (mut done, mut files) = (Fixes::default(), 0);
    for input in inputs.iter() {
        let before = done.count;
        for _ in 0..MOST_ROUNDS {
            let Some(source) = inputs.read(input)? else { break };
            match fix(&source, lints, &mut exceptions) {
                Ok(0) => break,
                Ok(count) => done.count += count,
                Err(failure) => {
                    terminal::say_error(&failure);
                    done.outcome = Outcome::Findings;
                    break;
                }
            }
        }
        files += usize::from(done.count > before);
    }
    let fixes = done.count;
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    terminal::say(match fixes {
        0 => "fixed nothing: only some lints have one right answer".to_owned(),
        _ => format!("fixed {fixes} finding{} in {files} file{}", plural(fixes), plural(files)),
    });
    Ok(done)
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
    let failed = |source| Error::File { path: path.to_owned(), source };
    let about = std::fs::symlink_metadata(path).map_err(failed)?;
    if about.is_symlink() {
        terminal::say(format_args!("not fixed: {} is a link; pass the file itself", source.name));
        return Ok(0);
    }
    let name = path.file_name().unwrap_or_default();
    folders::folder(files::folder_of(path), true).write(name, &fixed.text)?;
    // The file is a new one, which others could read.
    std::fs::set_permissions(path, about.permissions()).map_err(failed)?;
    for finding in fixed.fixed.iter().filter_map(|number| findings.get(*number)) {
        let at = error::at(finding.place);
        terminal::say(format_args!("fixed {}{at}: {}", source.name, finding.diag.shown()));
    }
    Ok(fixed.fixed.len())
}
