//! A copy of a workspace that consists of links, in which cargo may write a lock file. So cargo also finds the dependencies of a
//! package whose lock file is missing or out of date, and the checkout stays as it is.

use super::MANIFEST;
use crate::input;
use crate::input::folder_of;
use crate::output::Temporary;
use cargo_metadata::Error;
use crdgen_core::json;
use crdgen_core::value::Value;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

const LOCK: &str = "Cargo.lock";

/// A folder that contains a link for each file at the root of a workspace, and for each package outside of it. All have the
/// same path as in the file system, so that the paths between them are right.
pub(super) struct Links {
    folder: Temporary,
}

impl Links {
    /// Makes the links. `manifests` are those of the packages. All paths are absolute.
    pub(super) fn new(workspace: &Path, manifests: &[PathBuf]) -> io::Result<Links> {
        let links = Links { folder: Temporary::new("links")? };
        let there = links.place(workspace);
        links.folder.create_folder(&there)?;
        for entry in fs::read_dir(workspace)? {
            let name = entry?.file_name();
            // Some file systems do not distinguish case. There, a link of this name would lead cargo to the original.
            if !name.eq_ignore_ascii_case(LOCK) {
                link(&links.folder, &workspace.join(&name), &there.join(&name))?;
            }
        }
        if let Ok(lock) = input::read_to_string(&workspace.join(LOCK)) {
            links.folder.write(&there.join(LOCK), &lock)?;
        }
        let mut packages: Vec<PathBuf> = manifests.iter().map(|it| straight(folder_of(it))).collect();
        // A package may contain another one, which its link then contains, too.
        packages.sort();
        for package in packages {
            let there = links.place(&package);
            if package.starts_with(workspace) || there.exists() && !workspace.starts_with(&package) {
                continue;
            }
            if workspace.starts_with(&package) {
                link(&links.folder, &package.join(MANIFEST), &there.join(MANIFEST))?;
                continue;
            }
            if let Some(around) = there.parent() {
                links.folder.create_folder(around)?;
            }
            link(&links.folder, &package, &there)?;
        }
        Ok(links)
    }

    /// Returns where the link to a file is.
    pub(super) fn place(&self, path: &Path) -> PathBuf {
        let path = straight(path);
        let steps = path.components().filter(|step| matches!(step, Component::Normal(_)));
        self.folder.path().join(steps.collect::<PathBuf>())
    }

    /// Replaces the paths of links in JSON with those of their files.
    pub(super) fn originals(&self, answer: &str) -> String {
        let folder = json::to_string(&Value::from(&*self.folder.path().to_string_lossy()));
        answer.replace(folder.trim_matches('"'), "")
    }

    /// Replaces the paths of links in cargo's error with those of their files.
    pub(super) fn originals_in(&self, error: Error) -> Error {
        match error {
            Error::CargoMetadata { stderr } => {
                let folder = self.folder.path().to_string_lossy();
                Error::CargoMetadata { stderr: stderr.replace(&*folder, "") }
            }
            other => other,
        }
    }
}

/// Removes `.` and `..` from a path, as cargo does: without looking at links.
pub(super) fn straight(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for step in path.components() {
        match step {
            Component::CurDir => {}
            Component::ParentDir => _ = out.pop(),
            step => out.push(step),
        }
    }
    out
}

#[cfg(unix)]
fn link(folder: &Temporary, file: &Path, at: &Path) -> io::Result<()> {
    folder.link_to(file, at)
}

/// Other systems allow links only to some users. There, crdgen reads the manifests.
#[cfg(not(unix))]
fn link(_: &Temporary, _: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
