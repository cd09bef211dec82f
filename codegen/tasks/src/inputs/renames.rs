//! The files that have other names at a revision of git.

use crdgen_files::Error;
use crdgen_files::input::{MAX_BYTES, Shown, is_document};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::at_path::AtPath;
use super::git::{Listed, Objects, RevisionPlace};
use super::path::normal;
use super::revision::above_all;
use super::source::{Source, may_define};
use super::walk::{Rules, is_of_others};

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

/// The most files that are gone among which CRDs are looked for. git gives up above a number of files, too.
const MOST_GONE: usize = 1000;

/// Reads the files with CRDs of a repository that are gone since a revision, in the work tree or in the revision of the new path, and
/// were in none of some paths. They may have moved, even if git does not know. `path` is one in the repository.
pub fn gone_since(
    old: &str,
    new: Option<&AtPath>,
    path: &str,
    known: &[String],
) -> Result<Vec<Source>, Error> {
    let place = RevisionPlace::new(old, path)?;
    let top = PathBuf::from(above_all(&place));
    let listed_new = new.map(|at| RevisionPlace::new(&at.revision, path)?.list()).transpose()?;
    let still: Option<HashSet<String>> =
        listed_new.map(|listed| Listed::all(&listed).map(|file| file.name).collect());
    let is_there = |name: &str| match &still {
        Some(still) => still.contains(name),
        None => top.join(name).symlink_metadata().is_ok(),
    };
    let known: Vec<PathBuf> = known.iter().map(|path| whole(Path::new(path))).collect();
    let is_gone = |file: &Listed<'_>| {
        let name = Path::new(&file.name);
        let may_define = file.is_regular && is_document(name) && !is_of_others(name, &Rules::default());
        may_define && !is_there(&file.name) && {
            let path = whole(&top.join(name));
            !known.iter().any(|known| path.starts_with(known))
        }
    };
    let listed = place.list()?;
    let gone: Vec<Listed<'_>> = Listed::all(&listed).filter(is_gone).take(MOST_GONE + 1).collect();
    if gone.is_empty() || gone.len() > MOST_GONE {
        return Ok(Vec::new());
    }
    let (mut out, mut bytes_so_far) = (Vec::new(), 0);
    let mut objects = Objects::new(place.folder)?;
    for file in gone {
        let path = normal(&top.join(&file.name));
        let name = format!("{old}:{}", path.shown());
        let bytes = match objects.read(file.id, &name) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => continue,
            Err(_) => {
                // git may print the rest of the object all the same.
                objects = Objects::new(place.folder)?;
                continue;
            }
        };
        bytes_so_far += bytes.len() as u64;
        if bytes_so_far > MAX_BYTES {
            break;
        }
        let mut source = Source::new(name, Arc::new(bytes));
        source.origin.original = Some(Arc::from(path));
        out.extend(may_define(&source).then_some(source));
    }
    Ok(out)
}

/// A path from the root of the file system, because the user may write the same path in several ways.
fn whole(path: &Path) -> PathBuf {
    normal(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}
