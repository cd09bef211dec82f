//! Paths as kustomizations write them.

use std::path::{Component, Path, PathBuf};

/// A path without `.`, and without `..` behind a name. The current folder is the empty path.
pub fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            Component::ParentDir if out.has_root() => {}
            Component::ParentDir | Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                out.push(part);
            }
        }
    }
    out
}
