//! Whether the files of git for a folder are those of this checkout. A hostile checkout could name any repository of the user,
//! or parts of one.

use super::failed;
use crdgen_files::Error;
use crdgen_files::input::{self, Shown};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Why git would read files of another repository.
enum Foreign {
    /// The files of git name it.
    Named,
    /// A link may lead to it.
    Link(PathBuf),
    /// It has objects of this one.
    Alternates(PathBuf),
}

/// Whether the user of this process trusts what repositories name as folders with their objects.
static TRUSTS_ALTERNATES: AtomicBool = AtomicBool::new(false);

/// From now on, git may also read objects from the folders outside of a checkout that its repository names, as after
/// `git clone --reference`. Ask the user first: a hostile checkout may name any repository.
pub fn trust_alternates() {
    TRUSTS_ALTERNATES.store(true, Ordering::Relaxed);
}

/// Fails if the files of git for a folder are those of another checkout.
pub(super) fn check_own(folder: &str) -> Result<(), Error> {
    let Ok(folder) = Path::new(folder).canonicalize() else { return Ok(()) };
    let around =
        |at: &Path| at.ancestors().map(|it| it.join(".git")).find(|git| git.symlink_metadata().is_ok());
    let Some(git) = around(&folder) else { return Ok(()) };
    if let Some(path) = waits_for(&git) {
        return Err(failed(format!("{} is not a regular file, and git would wait for it", path.shown())));
    }
    let checkout = git.parent().unwrap_or(Path::new("/"));
    let checked = if git.is_dir() {
        if git.is_symlink() { Err(Foreign::Named) } else { check_repository(&git, checkout) }
    } else {
        let text = input::read_to_string(&git).unwrap_or_default();
        let named = text.trim_end().strip_prefix("gitdir: ").map(|path| checkout.join(path));
        let named = named.and_then(|path| path.canonicalize().ok()).unwrap_or_default();
        if let Some(repository) = repository_of_work_tree(&named, &git) {
            check_links(&named).and_then(|()| check_repository(&repository, &folder_around(&repository)))
        } else if let Some(outer) =
            checkout.parent().and_then(around).filter(|outer| is_submodule(&named, outer))
        {
            check_repository(&named, &folder_around(&outer))
        } else if named.starts_with(checkout) {
            check_repository(&named, checkout)
        } else {
            Err(Foreign::Named)
        }
    };
    checked.map_err(|why| {
        let git = git.shown();
        failed(match why {
            Foreign::Named => format!("{git} names the files of another repository"),
            Foreign::Link(link) => {
                let link = link.shown();
                format!("{git} names the files of another repository: {link} is a link. Clone the repository again")
            }
            Foreign::Alternates(list) => {
                let list = list.shown();
                format!(
                    "{git} names the files of another repository: {list} names objects outside of the checkout, as after \
                     `git clone --shared` or `--reference`. If you trust these, pass --git-alternates; or run `git repack -a -d`, and \
                     remove this file"
                )
            }
        })
    })
}

fn folder_around(git: &Path) -> PathBuf {
    git.parent().unwrap_or(Path::new("/")).to_owned()
}

/// Finds one of git's own files that it would open and never finish reading, so that crdgen does not have to wait until git has
/// taken too long. In other places, such as among objects, it has to.
fn waits_for(git: &Path) -> Option<PathBuf> {
    let folders = [git.to_owned(), git.join("info"), git.join("objects/info")];
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut paths = std::iter::once(git.to_owned()).chain(entries.map(|entry| entry.path()));
    paths.find(|path| fs::metadata(path).is_ok_and(|meta| input::has_no_end(meta.file_type())))
}

/// Checks that git finds everything in a folder with its files, and below it or in the checkout.
fn check_repository(files: &Path, checkout: &Path) -> Result<(), Foreign> {
    if files.join("commondir").exists() {
        return Err(Foreign::Named);
    }
    check_links(files)?;
    let checkout = checkout.canonicalize().unwrap_or_default();
    check_alternates(&files.join("objects"), &checkout, 0)
}

/// Checks that no file that git reads as a revision or as an object is a link. A file in the folder itself can be a revision
/// too.
fn check_links(files: &Path) -> Result<(), Foreign> {
    let own = entries(files).find(|entry| is_link(entry) && entry.file_name() != "hooks");
    let below =
        || ["objects", "refs", "reftable", "logs"].iter().find_map(|name| link_below(&files.join(name)));
    match own.map(|entry| entry.path()).or_else(below) {
        Some(link) => Err(Foreign::Link(link)),
        None => Ok(()),
    }
}

fn entries(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten()
}

fn is_link(entry: &fs::DirEntry) -> bool {
    entry.file_type().is_ok_and(|of| of.is_symlink())
}

/// Finds a link in a folder and those below it.
fn link_below(folder: &Path) -> Option<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder) {
            if is_link(&entry) {
                return Some(entry.path());
            }
            if entry.file_type().is_ok_and(|of| of.is_dir()) {
                folders.push(entry.path());
            }
        }
    }
    None
}

/// How many folders of objects git follows from one to the next.
const MAX_ALTERNATES: usize = 5;

/// Checks that all other folders in which git looks for objects are inside the checkout.
fn check_alternates(objects: &Path, checkout: &Path, depth: usize) -> Result<(), Foreign> {
    let list = objects.join("info/alternates");
    if TRUSTS_ALTERNATES.load(Ordering::Relaxed) || list.symlink_metadata().is_err() {
        return Ok(());
    }
    let outside = || Foreign::Alternates(list.clone());
    let text = input::read_to_string(&list).map_err(|_| outside())?;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let folder = objects.join(line).canonicalize().map_err(|_| outside())?;
        if !folder.starts_with(checkout) || depth >= MAX_ALTERNATES {
            return Err(outside());
        }
        if let Some(link) = link_below(&folder) {
            return Err(Foreign::Link(link));
        }
        check_alternates(&folder, checkout, depth + 1)?;
    }
    Ok(())
}

/// The repository of a work tree, if these are its files. git writes there where the work tree is, and where the repository is.
fn repository_of_work_tree(files: &Path, git: &Path) -> Option<PathBuf> {
    let leads_to = |name: &str, wanted: &Path| {
        let path = input::read_to_string(&files.join(name)).unwrap_or_default();
        files.join(path.trim_end()).canonicalize().is_ok_and(|path| path == wanted)
    };
    let repository = files.parent().filter(|all| all.ends_with("worktrees")).and_then(Path::parent)?;
    (leads_to("gitdir", git) && leads_to("commondir", repository)).then(|| repository.to_owned())
}

/// Whether these are the files of a submodule, which are with those of the checkout around it.
fn is_submodule(files: &Path, outer: &Path) -> bool {
    outer.is_dir() && files.starts_with(outer.join("modules"))
}
