//! Keeps the paths of `crdgen.toml` inside its folder.

use crdgen_files::input;
use std::path::{Component, Path, PathBuf};
use std::{fmt, io};

/// The folder of a settings file.
pub(super) struct Confined {
    /// The folder, without links.
    root: PathBuf,
}

/// A value that names something outside of the folder.
pub(super) struct Outside(String);

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = &self.0;
        write!(f, "{value:?} leads out of the folder of this file. Pass such a path on the command line")
    }
}

impl Confined {
    pub(super) fn new(folder: &Path) -> io::Result<Confined> {
        Ok(Confined { root: input::or_here(folder).canonicalize()? })
    }

    /// Fails if a value names something outside of the folder. A value is a path, a pattern, `-`, or `git:REV` with or
    /// without a path.
    pub(super) fn check(&self, value: &str) -> Result<(), Outside> {
        let path = match value.strip_prefix("git:") {
            Some(revision) => revision.split_once(':').map_or("", |(_, path)| path),
            None if value == "-" => "",
            None => value,
        };
        if self.has(path) && self.matches(path).all(|path| self.has(path)) {
            return Ok(());
        }
        Err(Outside(value.to_owned()))
    }

    /// Returns what matches a pattern, which may follow links to folders.
    fn matches(&self, pattern: &str) -> impl Iterator<Item = PathBuf> {
        let root = glob::Pattern::escape(&self.root.to_string_lossy());
        let full = format!("{root}{}{pattern}", std::path::MAIN_SEPARATOR);
        let matches = pattern.contains(['*', '?', '[']).then(|| glob::glob(&full).into_iter().flatten());
        matches.into_iter().flatten().flatten()
    }

    /// Whether a path is inside, after its links. The end of the path may be missing.
    fn has(&self, path: impl AsRef<Path>) -> bool {
        let full = self.root.join(path);
        let mut there = full.as_path();
        loop {
            if let Ok(real) = there.canonicalize() {
                return real.starts_with(&self.root);
            }
            // A link without a target would lead there once the target exists. And `..` has no meaning after something
            // that is missing.
            let is_name = matches!(there.components().next_back(), Some(Component::Normal(_)));
            match there.parent() {
                Some(parent) if is_name && there.symlink_metadata().is_err() => there = parent,
                Some(_) | None => return false,
            }
        }
    }
}
