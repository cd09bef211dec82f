//! The files of a folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::class::{Class, Skipped};
use super::path::normal;
use super::{Notes, git};
use crdgen_files::Error;
use crdgen_files::input::{self, Shown};

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

    /// Where notes for the user go.
    pub(crate) fn notes(&self) -> Notes {
        self.notes
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

/// How many bytes of `.gitignore` apply to a folder. Its patterns take about 500 times as much memory, and no project has a
/// tenth of this.
const MAX_IGNORE: u64 = 1 << 20;

/// How deep folders may be in the one that is read. Each is found again from the root, several times, and no project has a fifth of this.
const DEEPEST: usize = 200;

fn too_deep(folder: &Path) -> Error {
    let source = io::Error::other(format!("it is more than {DEEPEST} folders deep"));
    Error::File { path: folder.to_owned(), source }
}

/// Fails if the walk cannot read the `.gitignore` of a folder and of those above, of which `up_to` is the last.
fn check_ignore_files(folder: &Path, up_to: Option<&Path>) -> Result<(), Error> {
    let whole = |folder: &Path| std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let (folder, up_to) = (whole(folder), up_to.map(whole));
    let mut bytes = 0;
    for above in
        folder.ancestors().take_while(|above| up_to.as_ref().is_none_or(|last| above.starts_with(last)))
    {
        let file = above.join(".gitignore");
        let Ok(meta) = file.metadata() else { continue };
        bytes += meta.len();
        let why = match input::has_no_end(meta.file_type()) {
            true => input::special(meta.file_type()),
            false if bytes > MAX_IGNORE => {
                let limit = MAX_IGNORE >> 20;
                io::Error::other(format!(
                    "more than {limit} MiB, together with those of the folders around it"
                ))
            }
            false => continue,
        };
        return Err(Error::File { path: file, source: why });
    }
    Ok(())
}

/// Whether a folder is in a work tree of git.
fn is_in_git(folder: &Path) -> bool {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    whole.ancestors().any(|above| above.join(".git").exists())
}

/// The files below a folder.
pub(super) struct Walked {
    /// Those that are wanted, sorted.
    pub(super) files: Vec<PathBuf>,
    /// Whether there may be others in folders that cannot be read.
    pub(super) has_unread: bool,
}

/// Returns the files below a folder that are wanted. Follows links to files, but not links to folders, which can form circles.
///
/// # Errors
/// Fails if the folder itself cannot be read. Folders in it that cannot be read are only reported.
pub(super) fn files(
    folder: &Path,
    rules: &Rules,
    skipped: &Skipped,
    is_wanted: impl Fn(&Path) -> bool,
) -> Result<Walked, Error> {
    // A revision has no files that are ignored.
    let in_git = rules.moved.is_none() && is_in_git(folder);
    let (own, root) = (rules.clone(), folder.to_owned());
    let last_above = if in_git { None } else { Some(root.clone()) };
    if !rules.no_ignore {
        check_ignore_files(folder, last_above.as_deref())?;
    }
    let unreadable = Arc::new(Mutex::new(Vec::new()));
    let broken_rules = Arc::clone(&unreadable);
    let passed_over = Arc::new(Skipped::default());
    let of_others = Arc::clone(&passed_over);
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
            if is_hidden || own.is_excluded(entry.path(), is_dir) {
                return false;
            }
            let why = match is_dir {
                true if entry.depth() > DEEPEST => Some(too_deep(entry.path())),
                true if !own.no_ignore => check_ignore_files(entry.path(), last_above.as_deref()).err(),
                _ => None,
            };
            let is_read = why.is_none();
            broken_rules.lock().unwrap_or_else(PoisonError::into_inner).extend(why);
            is_read
        });
    let (mut found, mut closed) = (Vec::new(), Vec::new());
    for entry in walk.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = path_of(&error).unwrap_or(folder).to_owned();
                let (is_root, why) = (path == folder, Error::File { path, source: cause(&error) });
                if is_root {
                    return Err(why);
                }
                closed.push(why);
                continue;
            }
        };
        if !entry.file_type().is_some_and(|ty| ty.is_dir()) && is_wanted(entry.path()) {
            found.push(entry.into_path());
        }
    }
    let unreadable = std::mem::take(&mut *unreadable.lock().unwrap_or_else(PoisonError::into_inner));
    // git would read these `.gitignore` too.
    let asks_git = in_git && !rules.no_ignore && unreadable.is_empty();
    let has_unread = !(unreadable.is_empty() && closed.is_empty());
    for why in unreadable.into_iter().chain(closed) {
        rules.notes.unread(why)?;
    }
    if asks_git {
        found.extend(tracked_but_ignored(folder, rules).filter(|path| is_wanted(path)));
    }
    for (class, folders) in passed_over.by_class() {
        folders.iter().for_each(|folder| skipped.add(class, folder));
    }
    found.sort();
    found.dedup();
    Ok(Walked { files: found, has_unread })
}

/// The files that `.gitignore` names, and that the repository has all the same: a rule for new files does not change that.
fn tracked_but_ignored(folder: &Path, rules: &Rules) -> impl Iterator<Item = PathBuf> {
    let is_read = move |path: &PathBuf| {
        let below = path.strip_prefix(folder).unwrap_or(path);
        !is_of_others(below, rules)
            && !path.ancestors().any(|above| rules.is_excluded(above, above != path))
            && path.symlink_metadata().is_ok()
    };
    git::tracked_but_ignored(folder).into_iter().filter(is_read)
}

/// The path that could not be read.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

/// The error of the operating system. The walk wraps it in one that names the path.
fn cause(error: &ignore::Error) -> io::Error {
    let Some(outer) = error.io_error() else { return io::Error::other(error.to_string()) };
    let inner = outer.get_ref().and_then(|it| it.source()).and_then(|it| it.downcast_ref::<io::Error>());
    let number = inner.unwrap_or(outer).raw_os_error();
    number.map_or_else(|| io::Error::other(outer.to_string()), io::Error::from_raw_os_error)
}
