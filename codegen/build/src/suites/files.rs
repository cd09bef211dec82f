//! The files of suites.

use crate::Error;
use crdgen_files::input::{self, is_yaml};
use crdgen_files::inside::Inside;
use std::path::{Path, PathBuf};

/// Lists the YAML files in a folder, sorted.
pub(super) fn listed(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    listed_of(folder, &Inside::checkout(folder))
}

fn listed_of(folder: &Path, inside: &Inside) -> Result<Vec<PathBuf>, Error> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(Error::file(folder))? {
        let path = entry.map_err(Error::file(folder))?.path();
        if is_yaml(&path) && inside.regular(&path).is_ok() {
            out.push(path);
        }
    }
    out.sort();
    Ok(out)
}

/// Lists all YAML files below a path, sorted. Skips hidden folders and `target`, and does not follow links to folders.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !path.is_dir() {
        input::regular(path).map_err(Error::file(path))?;
        return Ok(vec![path.to_owned()]);
    }
    let mut out = Vec::new();
    // To look for the checkout around each folder takes the square of the depth.
    let inside = Inside::checkout(path);
    each_folder(path, &mut |folder| {
        out.extend(listed_of(folder, &inside)?);
        Ok(())
    })?;
    out.sort();
    Ok(out)
}

/// Lists the YAML files in the folders below some paths that cannot be read because they are not regular files, with
/// the reason.
pub fn special<'p>(
    paths: impl Iterator<Item = &'p PathBuf>,
) -> Result<Vec<(PathBuf, std::io::Error)>, Error> {
    let mut out = Vec::new();
    for path in paths.filter(|path| path.is_dir()) {
        let inside = Inside::checkout(path);
        each_folder(path, &mut |folder| {
            for entry in std::fs::read_dir(folder).map_err(Error::file(folder))? {
                let path = entry.map_err(Error::file(folder))?.path();
                if let Some(why) = inside.regular(&path).err().filter(|_| is_yaml(&path)) {
                    out.push((path, why));
                }
            }
            Ok(())
        })?;
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out.dedup_by(|a, b| a.0 == b.0);
    Ok(out)
}

/// Visits a folder and all folders inside it.
pub(super) fn each_folder(
    path: &Path,
    visit: &mut dyn FnMut(&Path) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut pending = vec![path.to_owned()];
    while let Some(folder) = pending.pop() {
        visit(&folder)?;
        for entry in std::fs::read_dir(&folder).map_err(Error::file(&folder))? {
            let entry = entry.map_err(Error::file(&folder))?;
            let name = entry.file_name();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && !name.to_string_lossy().starts_with('.') && name != "target" {
                pending.push(entry.path());
            }
        }
    }
    Ok(())
}
