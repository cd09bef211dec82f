//! The files that have other names at a revision of git.

use crate::Error;
use std::path::{Path, PathBuf};

use super::git::RevisionPlace;
use super::path::normal;
use super::revision::above_all;

/// Files that were renamed: the old and the new path of each. Paths start as the user wrote them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames(Vec<(PathBuf, PathBuf)>);

impl Renames {
    /// Files with these old and new paths.
    pub fn new<P: AsRef<Path>>(renamed: impl IntoIterator<Item = (P, P)>) -> Renames {
        let normal = |(old, new): (P, P)| (normal(old.as_ref()), normal(new.as_ref()));
        Renames(renamed.into_iter().map(normal).collect())
    }

    /// Finds the documents that git sees as renamed from an old revision to a new one, or to what `git add` and `git mv` have recorded
    /// for the next commit. `path` is one in their repository.
    pub fn find(old: &str, new: Option<&str>, path: &str) -> Result<Renames, Error> {
        let place = RevisionPlace::new(old, path)?;
        let new = new.map(|new| RevisionPlace::new(new, path)).transpose()?;
        let top = PathBuf::from(above_all(&place));
        let renamed = place.renames(new.as_ref())?;
        Ok(Renames::new(renamed.into_iter().map(|(old, new)| (top.join(old), top.join(new)))))
    }

    /// Whether a file was renamed to another one.
    pub fn has(&self, old: &Path, new: &Path) -> bool {
        let (old, new) = (whole(old), whole(new));
        self.0.iter().any(|it| whole(&it.0) == old && whole(&it.1) == new)
    }

    /// The old paths of files that are in one of some folders now, and were in none of them.
    pub fn moved_into<'r>(&'r self, folders: &'r [String]) -> impl Iterator<Item = &'r Path> {
        let is_in = |path: &Path| folders.iter().any(|it| whole(path).starts_with(whole(Path::new(it))));
        self.0.iter().filter(move |(old, new)| is_in(new) && !is_in(old)).map(|(old, _)| old.as_path())
    }

    /// Adds those of others.
    pub fn extend(&mut self, others: Renames) {
        others.0.into_iter().for_each(|it| {
            if !self.0.contains(&it) {
                self.0.push(it);
            }
        });
    }
}

/// A path from the root of the file system, because the user may write the same path in several ways.
fn whole(path: &Path) -> PathBuf {
    normal(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}
