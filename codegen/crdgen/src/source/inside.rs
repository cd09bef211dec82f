//! Which files belong to the packages that are read. `include_str!`, `#[path]`, links and `Cargo.toml` can name any file of
//! the machine, and its text would become part of the output. A file belongs to a package if it is in the folder of the
//! package, in that of the workspace around it, or in the git checkout around that.

use crate::input;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders whose files may be read, without links.
#[derive(Debug, Default)]
pub(super) struct Inside(BTreeSet<PathBuf>);

impl Inside {
    /// Adds the folder of a package, the workspace around it, and the git checkout around that.
    pub(super) fn add_package(&mut self, folder: &Path) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(folder) = folder.canonicalize() else { return };
        let all = [Some(&*folder), workspace_around(&folder), input::checkout_around(&folder)];
        self.0.extend(all.into_iter().flatten().map(Path::to_owned));
    }

    /// Adds a folder alone.
    pub(super) fn add(&mut self, folder: &Path) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        self.0.extend(folder.canonicalize());
    }

    /// Whether a file may be read. Links count as what they lead to.
    pub(super) fn has(&self, file: &Path) -> bool {
        file.canonicalize().is_ok_and(|real| real.ancestors().any(|folder| self.0.contains(folder)))
    }
}

/// Returns the nearest folder at or above a package whose manifest is that of a workspace.
fn workspace_around(folder: &Path) -> Option<&Path> {
    #[derive(Deserialize)]
    struct Manifest {
        workspace: Option<IgnoredAny>,
    }
    let is_workspace = |folder: &&Path| {
        let text = input::read_to_string(&folder.join("Cargo.toml")).unwrap_or_default();
        toml::from_str::<Manifest>(&text).is_ok_and(|manifest| manifest.workspace.is_some())
    };
    folder.ancestors().find(is_workspace)
}
