//! Output folders of all commands.

use std::path::Path;

use super::terminal;
use super::{Failure, interrupt};
use crate::emit::{self, Document};
use crate::output::{Folder, Replace};

/// A folder to write to. A signal from now on leaves no half-written files in it.
pub(super) fn folder(path: &Path, force: bool) -> Folder {
    interrupt::watch();
    Folder::new(path, if force { Replace::All } else { Replace::Own })
}

/// Writes the documents that differ from what is there, and says which.
pub(super) fn write(path: &Path, documents: &[Document], force: bool) -> Result<(), Failure> {
    write_to(&mut folder(path, force), documents)
}

/// The same in a folder that gets more of them.
pub(super) fn write_to(folder: &mut Folder, documents: &[Document]) -> Result<(), Failure> {
    let written = emit::write(folder, documents).map_err(|e| failed(&e))?;
    for path in written {
        terminal::say(format_args!("wrote {}", path.display()));
    }
    Ok(())
}

/// A failure to write, with what to do about it.
pub(super) fn failed(error: &std::io::Error) -> Failure {
    match error.kind() {
        std::io::ErrorKind::AlreadyExists => Failure::new(format!("{error}: move it away, or use --force")),
        _ => Failure::new(error.to_string()),
    }
}
