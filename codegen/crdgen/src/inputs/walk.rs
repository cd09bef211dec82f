//! The files of a folder.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::class::{Class, Skipped};
use super::path::normal;
use super::{Notes, git};
use crate::Error;
use crate::input::Shown;

/// Folders with what others wrote, or what programs build: dependencies of Go, of JavaScript and of Rust.
const OF_OTHERS: [&str; 3] = ["node_modules", "target", "vendor"];

/// Which files of a folder to read.
#[derive(Clone, Default)]
pub struct Rules {
    /// What the user excludes.
    excluded: Option<Gitignore>,
    /// Whether to read files that `.gitignore` names, and the folders of others.
    no_ignore: bool,
    /// The folder with the files of a revision, and the folder of the repository that they are from.
    moved: Option<(PathBuf, PathBuf)>,
    /// Where to say what is skipped, and why.
    pub(super) notes: Notes,
}

impl Rules {
    /// `exclude` has patterns as `.gitignore` has them. Those with a slash are relative to the current folder.
    pub fn new(exclude: &[String], no_ignore: bool) -> Result<Rules, Error> {
        if exclude.is_empty() {
            return Ok(Rules { no_ignore, ..Rules::default() });
        }
        let here = std::env::current_dir().map_err(Error::file("."))?;
        let mut patterns = GitignoreBuilder::new("/");
        for pattern in exclude {
            let is_anywhere = !pattern.trim_end_matches('/').contains('/');
            let whole = match is_anywhere || Path::new(pattern).is_absolute() {
                true => pattern.clone(),
                false => normal(&here.join(pattern)).display().to_string(),
            };
            let failed = |e: ignore::Error| Error::Argument(format!("--exclude {pattern}: {e}"));
            patterns.add_line(None, &whole).map_err(failed)?;
        }
        let excluded = patterns.build().map_err(|e| Error::Argument(format!("--exclude: {e}")))?;
        Ok(Rules { excluded: Some(excluded), no_ignore, ..Rules::default() })
    }

    /// The same, with a place for notes for the user.
    #[must_use]
    pub fn with_notes(self, notes: Notes) -> Rules {
        Rules { notes, ..self }
    }

    /// The same for the files of a revision, which are in another folder than those of the repository.
    #[must_use]
    pub(super) fn moved(&self, from: &Path, to: &Path) -> Rules {
        Rules { moved: Some((to.to_owned(), from.to_owned())), ..self.clone() }
    }

    fn is_excluded(&self, path: &Path, is_dir: bool) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| {
            let mut whole = normal(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
            if let Some((folder, repository)) = &self.moved
                && let Ok(below) = whole.strip_prefix(folder)
            {
                whole = repository.join(below);
            }
            excluded.matched(whole, is_dir).is_ignore()
        })
    }
}

/// Whether a folder is in a module of Go, whose tools read folders called `testdata` only in tests. But there may be whole
/// projects in it.
fn is_test_data_of_go(folder: &Path) -> bool {
    let has_modules = || {
        folder.read_dir().is_ok_and(|all| all.flatten().any(|entry| entry.path().join("go.mod").is_file()))
    };
    folder.ancestors().skip(1).any(|above| above.join("go.mod").is_file()) && !has_modules()
}

/// Whether a path is in a folder that is not read.
pub(super) fn is_of_others(path: &Path, rules: &Rules) -> bool {
    let is_other = |part: std::path::Component<'_>| {
        let name = part.as_os_str().to_string_lossy();
        matches!(part, std::path::Component::Normal(_))
            && (name.starts_with('.') || !rules.no_ignore && OF_OTHERS.contains(&&*name))
    };
    path.parent().is_some_and(|folder| folder.components().any(is_other))
}

/// Whether a folder is in a work tree of git.
fn is_in_git(folder: &Path) -> bool {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    whole.ancestors().any(|above| above.join(".git").exists())
}

/// Returns the files below a folder that are wanted, sorted. Follows links to files, but not links to folders, which can
/// form circles.
pub(super) fn files(
    folder: &Path,
    rules: &Rules,
    skipped: &Skipped,
    is_wanted: impl Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, Error> {
    // A revision has no files that are ignored.
    let in_git = rules.moved.is_none() && is_in_git(folder);
    let (own, root) = (rules.clone(), folder.to_owned());
    let passed_over = std::sync::Arc::new(Skipped::default());
    let of_others = std::sync::Arc::clone(&passed_over);
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false)
        // A folder above the work tree may ignore everything, as the home folder of some users does.
        .git_ignore(!rules.no_ignore)
        .require_git(in_git)
        .parents(in_git && !rules.no_ignore)
        .filter_entry(move |entry| {
            let is_dir = entry.file_type().is_some_and(|ty| ty.is_dir());
            if entry.path() == root {
                return true;
            }
            let name = entry.file_name().to_string_lossy();
            let is_of_others =
                || OF_OTHERS.contains(&&*name) || name == "testdata" && is_test_data_of_go(entry.path());
            if is_dir && !own.no_ignore && is_of_others() {
                of_others.add(Class::Folder, &entry.path().shown().to_string());
                return false;
            }
            let is_hidden = is_dir && name.starts_with('.');
            !is_hidden && !own.is_excluded(entry.path(), is_dir)
        });
    let mut found = Vec::new();
    for entry in walk.build() {
        let entry = entry.map_err(|e| Error::File { path: folder.to_owned(), source: unwalkable(e) })?;
        if !entry.file_type().is_some_and(|ty| ty.is_dir()) && is_wanted(entry.path()) {
            found.push(entry.into_path());
        }
    }
    if in_git && !rules.no_ignore {
        // A rule for new files does not change what the repository has.
        let is_read = |path: &PathBuf| {
            let below = path.strip_prefix(folder).unwrap_or(path);
            !is_of_others(below, rules)
                && !path.ancestors().any(|above| rules.is_excluded(above, above != path))
        };
        found.extend(
            git::tracked_but_ignored(folder)
                .into_iter()
                .filter(|path| is_wanted(path) && is_read(path) && path.symlink_metadata().is_ok()),
        );
    }
    for (class, folders) in passed_over.by_class() {
        folders.iter().for_each(|folder| skipped.add(class, folder));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn unwalkable(error: ignore::Error) -> std::io::Error {
    let text = error.to_string();
    error.into_io_error().unwrap_or_else(|| std::io::Error::other(text))
}
