//! Output folders of all commands.

use crate::input::Shown;
use std::path::Path;

use super::interrupt;
use super::terminal;
use crate::Error;
use crate::output::{Document, Folder, Replace};

/// Returns a folder to write to. From now on, a signal leaves no unfinished files in it.
pub(super) fn folder(path: &Path, force: bool) -> Folder {
    interrupt::watch();
    Folder::new(path, if force { Replace::All } else { Replace::Own })
}

/// Writes the documents that differ from existing files, and lists them.
pub(super) fn write(path: &Path, documents: &[Document], force: bool) -> Result<(), Error> {
    let mut folder = folder(path, force);
    stage(&mut folder, documents)?;
    finish(&mut folder)
}

/// Prepares the documents for a folder, which may get more of them. Nothing is written before [`finish`].
pub(super) fn stage(folder: &mut Folder, documents: &[Document]) -> Result<(), Error> {
    documents.iter().try_for_each(|Document { name, text }| folder.stage(name, text).map_err(with_help))
}

/// Writes the prepared documents that differ from existing files, and lists them.
pub(super) fn finish(folder: &mut Folder) -> Result<(), Error> {
    for path in folder.finish()? {
        terminal::say(format_args!("wrote {}", path.shown()));
    }
    Ok(())
}

/// Adds help to an error of writing.
pub(super) fn with_help(error: Error) -> Error {
    match error {
        Error::NotOurs { path, .. } => Error::NotOurs { path, help: Some("move it away, or use --force") },
        other => other,
    }
}
