//! `--update`: changes expectations to what the server does.

use crate::output::folders;
use crate::terminal;
use crdgen_build::suites::{self, Outcome};
use crdgen_files::Error;
use crdgen_files::input::{self, Shown};
use std::path::Path;

use super::Ran;

/// Writes the expectations of tests that fail. Returns whether something was written.
pub(super) fn write(ran: &[Ran<'_>]) -> Result<bool, Error> {
    let mut is_changed = false;
    let mut files: Vec<&Path> = ran.iter().map(|ran| ran.suite.path.as_path()).collect();
    files.dedup();
    for path in files {
        let of_file = ran.iter().filter(|ran| ran.suite.path == path);
        let failed: Vec<_> = of_file
            .filter_map(|ran| match &ran.ended {
                Outcome::Failed(failure) if failure.actual.is_some() => Some((ran.case, failure)),
                _ => None,
            })
            .collect();
        if failed.is_empty() {
            continue;
        }
        let text = input::read_to_string(path).map_err(Error::file(path))?;
        let (new, changed) = suites::updated(&text, &failed);
        let name = path.file_name().unwrap_or_default();
        if folders::folder(input::folder_of(path), true).write(name, &new)? {
            is_changed = true;
            terminal::say(format_args!(
                "wrote {}: corrected {changed} of {} expectations",
                path.shown(),
                failed.len()
            ));
        }
    }
    Ok(is_changed)
}
