//! Which files belong to the packages that are read: those in the folder of the package, in that of the workspace around it,
//! and in the git checkout around that. Of a dependency these are only those in its own folder, because `Cargo.toml` may name
//! any package of the machine. `include_str!`, `#[path]` and links can name any file.

use crate::input;
use crate::inside::Inside;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::Path;

/// Adds the folder of a package, the workspace around it, and the git checkout around that.
pub(super) fn add_package(inside: &mut Inside, folder: &Path) {
    inside.add_checkout(folder);
    let Ok(folder) = input::or_here(folder).canonicalize() else { return };
    if let Some(workspace) = workspace_around(&folder) {
        inside.add(workspace);
    }
}

/// Returns the nearest folder at or above a package whose manifest is that of a workspace.
pub(super) fn workspace_around(folder: &Path) -> Option<&Path> {
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
