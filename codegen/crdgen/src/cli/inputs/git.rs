//! Files at a revision of a git repository.

use crate::input::Shown;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::{EXTENSIONS, Source};
use crate::Error;

/// Returns the files below some paths at a revision that have one of the extensions, sorted by name. Leaves out
/// anything that was not a regular file at that revision.
pub(crate) fn files(revision: &str, paths: &[String]) -> Result<Vec<Source>, Error> {
    let here = ".".to_owned();
    let paths = if paths.is_empty() { std::slice::from_ref(&here) } else { paths };
    let mut out = Vec::new();
    for path in paths {
        let (folder, rest) = folder(path);
        check(folder, revision)?;
        let listed = git(folder, &["ls-tree", "-r", "-z", "--name-only", revision, "--", rest])?;
        // A path that did not exist at that revision has no files.
        let names = String::from_utf8_lossy(&listed.stdout).into_owned();
        let wanted =
            |name: &&str| EXTENSIONS.iter().any(|e| Path::new(name).extension().is_some_and(|x| x == *e));
        for name in names.split('\0').filter(wanted) {
            let shown = git(folder, &["show", &format!("{revision}:./{name}")])?;
            if !shown.status.success() {
                let why = String::from_utf8_lossy(&shown.stderr).trim().to_owned();
                return Err(Error::Program { command: format!("git show {revision}:./{name}"), why });
            }
            let name = format!("{revision}:{}", Path::new(folder).join(name).shown());
            out.push(Source::new(name, shown.stdout.into()));
        }
    }
    Ok(out)
}

/// Returns the files below a folder that git tracks although `.gitignore` names them. Without git, there are none.
pub(crate) fn tracked_but_ignored(folder: &Path) -> Vec<PathBuf> {
    let args = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard", "--", "."];
    let listed = folder.to_str().and_then(|folder| git(folder, &args).ok());
    let names = listed.map(|listed| String::from_utf8_lossy(&listed.stdout).into_owned()).unwrap_or_default();
    names.split('\0').filter(|name| !name.is_empty()).map(|name| folder.join(name)).collect()
}

/// Returns the folder in which git runs for a path, and the path that git gets there.
fn folder(path: &str) -> (&str, &str) {
    if Path::new(path).is_dir() {
        return (path, ".");
    }
    // For a pattern, this is the folder above its first wildcard.
    if let Some(first) = path.find(['*', '?', '[']) {
        return (path[..first].rsplit_once('/').map_or(".", |(folder, _)| folder), ".");
    }
    match path.rsplit_once('/') {
        Some((folder, name)) if Path::new(folder).is_dir() => (folder, name),
        _ => (".", path),
    }
}

/// Fails if there is no such revision.
fn check(folder: &str, revision: &str) -> Result<(), Error> {
    let exists = git(folder, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])?;
    if exists.status.success() {
        return Ok(());
    }
    let why = match git(folder, &["rev-parse", "--git-dir"])?.status.success() {
        true => format!("there is no revision {revision} in {folder}"),
        false => format!("there is no revision {revision}: git finds no repository in {folder} or above it"),
    };
    Err(Error::Program { command: "git".to_owned(), why })
}

fn git(folder: &str, args: &[&str]) -> Result<Output, Error> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(args).stdin(Stdio::null());
    command.output().map_err(|e| Error::NoProgram { program: "git", source: e, help: None })
}
