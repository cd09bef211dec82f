//! The folders of CRDs, and which of them is nearest to an object.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Folders, each with the index of a CRD. Looking up takes no longer with more folders.
pub(super) struct Folders {
    /// The index of the first CRD in each folder.
    at: HashMap<PathBuf, usize>,
    /// The index of the first CRD in a folder of each folder.
    inside: HashMap<PathBuf, usize>,
    /// The folder that all of them are in.
    around: PathBuf,
    count: usize,
}

impl Folders {
    /// The folder of the first CRD.
    pub(super) fn new(first: PathBuf) -> Folders {
        let (at, inside) = (HashMap::new(), HashMap::new());
        let mut folders = Folders { at, inside, around: first.clone(), count: 0 };
        folders.add(first, 0);
        folders
    }

    /// How many were added.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn add(&mut self, folder: PathBuf, index: usize) {
        while !folder.starts_with(&self.around) && self.around.pop() {}
        if let Some(above) = folder.parent() {
            self.inside.entry(above.to_owned()).or_insert(index);
        }
        self.at.entry(folder).or_insert(index);
        self.count += 1;
    }

    /// Returns the CRD that is nearest to a folder: in one of the folders around it, or in a folder of these, such as `crds`.
    /// Returns `None` if there is none, or if all CRDs are in this folder.
    pub(super) fn nearest(&self, to: &Path) -> Option<usize> {
        let below = |folder: &&Path| folder.starts_with(&self.around) && *folder != self.around;
        let mut near = to.ancestors().take_while(below);
        near.find_map(|folder| self.at.get(folder).or_else(|| self.inside.get(folder)).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(all: &[&str]) -> Folders {
        let mut all = all.iter().map(PathBuf::from).zip(0..);
        let mut folders = Folders::new(all.next().unwrap_or_else(|| panic!("no folder")).0);
        all.for_each(|(folder, index)| folders.add(folder, index));
        folders
    }

    #[track_caller]
    fn check(all: &[&str], to: &str, expected: Option<usize>) {
        assert_eq!(folders(all).nearest(Path::new(to)), expected, "{to}");
    }

    #[test]
    fn the_folder_itself_comes_first() {
        check(&["/r/a/crds", "/r/b", "/r/b/crds"], "/r/b", Some(1));
        check(&["/r/a/crds", "/r/b/crds", "/r/b"], "/r/b", Some(2));
        check(&["/r/a/crds", "/r/b", "/r/b/crds"], "/r/b/samples", Some(1));
        check(&["/r/a/crds", "/r/b", "/r/b/crds"], "/r/b/crds/more", Some(2));
    }

    #[test]
    fn folders_next_to_the_folders_above_are_near() {
        check(&["/r/a/crds", "/r/b/crds"], "/r/b/config/samples", Some(1));
        check(&["/r/a/crds", "/r/b/config/crds"], "/r/b/config/samples", Some(1));
        // Of several, the first one.
        check(&["/r/a/crds", "/r/b/x", "/r/b/y"], "/r/b/z", Some(1));
    }

    #[test]
    fn others_are_not() {
        check(&["/r/a/crds", "/r/b/config/crds"], "/r/b/samples", None);
        check(&["/r/a", "/r/b"], "/r/c", None);
        check(&["/r/a", "/r/b"], "/r", None);
        check(&["/r/a", "/r/b"], "/x", None);
        // All CRDs are in this folder.
        check(&["/r/a"], "/r/a", None);
        check(&["/r", "/r/b"], "/r", None);
        check(&["/r", "/r/b"], "/r/b/c", Some(1));
    }
}
