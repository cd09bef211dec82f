//! `crdgen check --fix`: fixes what lints report, in the files themselves.

use std::path::Path;

use crdgen_core::check::lints::{self, Lints};
use crdgen_core::diag::Diag;
use crdgen_core::documents;

use crate::input::{Inventory, Source};
use crate::output::exceptions::Exceptions;
use crate::output::folders;
use crate::terminal;
use crdgen::__cli::error;
use crdgen::__cli::files;
use crdgen::Error;

/// Fixes the files of the inputs, and lists what it fixes. What exceptions allow stays as it is.
pub(super) fn run(inputs: &Inventory, lints: &Lints, mut exceptions: Exceptions) -> Result<(), Error> {
    let (mut fixes, mut files) = (0, 0);
    for input in inputs.iter() {
        let Some(source) = inputs.read(input)? else { continue };
        let count = fix(&source, lints, &mut exceptions)?;
        fixes += count;
        files += usize::from(count > 0);
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    terminal::say(match fixes {
        0 => "fixed nothing: only some lints have one right answer".to_owned(),
        _ => format!("fixed {fixes} finding{} in {files} file{}", plural(fixes), plural(files)),
    });
    Ok(())
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
    let name = path.file_name().unwrap_or_default();
    folders::folder(files::folder_of(path), true).write(name, &fixed.text)?;
    for finding in fixed.fixed.iter().filter_map(|number| findings.get(*number)) {
        let at = error::at(finding.place);
        terminal::say(format_args!("fixed {}{at}: {}", source.name, finding.diag.shown()));
    }
    Ok(fixed.fixed.len())
}
