//! Output folders of all commands.

use crate::input::Shown;
use std::path::Path;

use super::interrupt;
use super::terminal;
use crate::Error;
use crate::emit::{self, Document};
use crate::output::{Folder, Replace};

/// A folder to write to. A signal from now on leaves no half-written files in it.
pub(super) fn folder(path: &Path, force: bool) -> Folder {
    interrupt::watch();
    Folder::new(path, if force { Replace::All } else { Replace::Own })
}

/// Writes the documents that differ from what is there, and says which.
pub(super) fn write(path: &Path, documents: &[Document], force: bool) -> Result<(), Error> {
    write_to(&mut folder(path, force), documents)
}

/// The same in a folder that gets more of them.
pub(super) fn write_to(folder: &mut Folder, documents: &[Document]) -> Result<(), Error> {
    let written = emit::write(folder, documents).map_err(with_help)?;
    for path in written {
        terminal::say(format_args!("wrote {}", path.shown()));
    }
    Ok(())
}

/// A failure to write, with what to do about it.
pub(super) fn with_help(error: Error) -> Error {
    match error {
        Error::NotOurs { path, .. } => Error::NotOurs { path, help: Some("move it away, or use --force") },
        other => other,
    }
}
