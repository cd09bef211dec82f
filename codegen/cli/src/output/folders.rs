//! Output folders of all commands.

use crate::terminal;
use crdgen_files::Error;
use crdgen_files::input::Shown;
use crdgen_files::output::{Document, Folder, Replace};
use std::path::Path;

/// Returns a folder to write to.
pub(crate) fn folder(path: &Path, force: bool) -> Folder {
    Folder::new(path, if force { Replace::All } else { Replace::Own })
}

/// Writes the documents that differ from existing files, and lists them.
pub(crate) fn write(path: &Path, documents: &[Document], force: bool) -> Result<(), Error> {
    let mut folder = folder(path, force);
    stage(&mut folder, documents)?;
    finish(&mut folder)
}

/// Prepares the documents for a folder, which may get more of them. Nothing is written before [`finish`].
pub(crate) fn stage(folder: &mut Folder, documents: &[Document]) -> Result<(), Error> {
    documents.iter().try_for_each(|Document { name, text }| folder.stage(name, text).map_err(with_help))
}

/// Writes the prepared documents that differ from existing files, and lists them.
pub(crate) fn finish(folder: &mut Folder) -> Result<(), Error> {
    for path in folder.finish()? {
        terminal::say(format_args!("wrote {}", path.shown()));
    }
    Ok(())
}

/// Adds help to an error of writing.
pub(crate) fn with_help(error: Error) -> Error {
    match error {
        Error::NotOurs { path, .. } => Error::NotOurs { path, help: Some("move it away, or use --force") },
        other => other,
    }
}
