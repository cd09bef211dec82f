//! Which files a folder may make crdgen read. Links, and the paths in files, can lead to any file of the machine, whose text
//! would become part of the output. A file is inside if it is in the folder or in the git checkout around it. What git keeps in
//! `.git` is not, because its configuration may have passwords.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::input;

/// The folder of git's own files.
const GIT: &str = ".git";

/// The folders whose files may be read, without links.
#[derive(Clone, Debug, Default)]
pub struct Inside(BTreeSet<PathBuf>);

impl Inside {
    /// The files of a folder, and those of the git checkout around it.
    pub fn checkout(folder: &Path) -> Inside {
        let mut inside = Inside::default();
        inside.add_checkout(folder);
        inside
    }

    /// Adds a folder alone.
    pub fn add(&mut self, folder: &Path) {
        self.0.extend(real(folder));
    }

    /// Adds a folder, and the git checkout around it.
    pub fn add_checkout(&mut self, folder: &Path) {
        let Some(folder) = real(folder) else { return };
        self.0.extend(checkout_around(&folder).map(Path::to_owned));
        self.0.insert(folder);
    }

    /// Whether a file or folder may be read. Links count as what they lead to.
    pub fn has(&self, path: &Path) -> bool {
        real(path).is_some_and(|real| self.has_real(&real))
    }

    /// Returns the metadata of a regular file that the user did not name. The error does not name the file.
    pub fn regular(&self, path: &Path) -> io::Result<Metadata> {
        // This fails for a link without a target.
        let real = path.canonicalize()?;
        if self.has_real(&real) {
            return input::regular(path);
        }
        let why = match path.is_symlink() {
            true => "a link that leads out of the folder; to read it, pass the file itself, or a pattern",
            false => {
                "outside of the folder and of the git checkout around it; to read it, pass the file itself"
            }
        };
        Err(io::Error::new(io::ErrorKind::InvalidInput, why))
    }

    /// Returns the content of a file that the user did not name.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.regular(path)?;
        input::read(path)
    }

    fn has_real(&self, real: &Path) -> bool {
        let is_of_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(GIT);
        let mut below = self.0.iter().filter_map(|folder| real.strip_prefix(folder).ok());
        below.any(|path| !path.components().any(is_of_git))
    }
}

/// Returns the git checkout around a folder: the nearest folder at or above it with `.git`. A hostile checkout can only make
/// it smaller.
fn checkout_around(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| folder.join(GIT).exists())
}

/// A path without links. The empty path is the current folder.
fn real(path: &Path) -> Option<PathBuf> {
    input::or_here(path).canonicalize().ok()
}

/// Returns a link below a folder that leads out of it. Other programs that get the folder would follow it.
pub fn link_out_of(folder: &Path) -> Option<PathBuf> {
    let inside = Inside::checkout(folder);
    let mut pending = vec![input::or_here(folder).to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let (path, ty) = (entry.path(), entry.file_type());
            // A link without a target cannot be followed.
            if ty.as_ref().is_ok_and(|ty| ty.is_symlink()) && path.exists() && !inside.has(&path) {
                return Some(path);
            }
            if ty.is_ok_and(|ty| ty.is_dir()) {
                pending.push(path);
            }
        }
    }
    None
}
