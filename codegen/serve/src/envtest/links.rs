//! Links to a program.

use std::path::Path;
use std::{fs, io};

use crdgen_files::{Error, output};

/// Makes a program a link to another one; on systems without such links, a copy. Replaces only links and copies of its own.
pub(super) fn link(folder: &Path, name: &str, program: &Path) -> Result<(), Error> {
    output::make_folder(folder)?;
    let path = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    let named = Error::file(&path);
    match fs::symlink_metadata(&path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(named(e)),
        Ok(_) if is_ours(&path, program) => fs::remove_file(&path).map_err(&named)?,
        Ok(_) => return Err(Error::NotOurs { path: path.clone(), help: Some("choose another folder") }),
    }
    output::make_link(program, &path).map_err(&named)
}

/// Whether a file is a link to a program of this name.
#[cfg(unix)]
fn is_ours(path: &Path, program: &Path) -> bool {
    fs::read_link(path).is_ok_and(|target| target.file_name() == program.file_name())
}

/// Whether a file has the size of the program: a copy of the same version.
#[cfg(not(unix))]
fn is_ours(path: &Path, program: &Path) -> bool {
    let length = |path| fs::symlink_metadata(path).map(|meta| meta.len()).ok();
    length(path).is_some_and(|length_of_it| Some(length_of_it) == length(program))
}
