//! Paths as kustomizations write them, and how similar paths are.

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

/// How many names two paths have in common at their ends. If an old and a new version of a file are in different folders, these
/// are usually most alike.
pub fn common_end(a: &Path, b: &Path) -> usize {
    let names = |path: &'_ Path| -> Vec<PathBuf> {
        let parts = path.components().rev().filter(|part| *part != Component::CurDir);
        parts.map(|part| PathBuf::from(part.as_os_str())).collect()
    };
    names(a).iter().zip(&names(b)).take_while(|(a, b)| a == b).count()
}
