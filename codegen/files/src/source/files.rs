//! Reads sources from files, and remembers which, for commands that watch them. Also reads sources from a text.

use super::cargo::Workspace;
use crdgen_source::{Cfgs, CrateSource, Sources, Unread};
use std::path::{Path, PathBuf};

pub(super) struct Files<'w> {
    workspace: &'w mut Workspace,
    /// The files that were read.
    pub(super) read: Vec<PathBuf>,
}

impl<'w> Files<'w> {
    pub(super) fn new(workspace: &'w mut Workspace) -> Self {
        Files { workspace, read: Vec::new() }
    }
}

impl Sources for Files<'_> {
    fn read(&mut self, path: &str) -> Option<String> {
        let text = self.workspace.read(path)?;
        self.read.push(PathBuf::from(path));
        Some(text)
    }

    fn extern_crate(&mut self, from: &CrateSource, name: &str) -> Option<CrateSource> {
        self.workspace.extern_crate(from, name)
    }

    fn version(&mut self, from: &CrateSource, name: &str) -> Option<String> {
        self.workspace.version(from, name)
    }

    fn files_in(&mut self, folder: &str) -> Vec<String> {
        self.workspace.files_in(folder)
    }

    fn why_unread(&self, path: &str) -> Unread {
        self.workspace.why_unread(path)
    }
}

/// A text that is the only file of a crate.
pub(super) struct Text<'t> {
    pub(super) name: &'t str,
    pub(super) text: &'t str,
}

impl Sources for Text<'_> {
    fn read(&mut self, path: &str) -> Option<String> {
        (path == self.name).then(|| self.text.to_owned())
    }

    fn extern_crate(&mut self, _from: &CrateSource, _name: &str) -> Option<CrateSource> {
        None
    }
}

/// Returns the crate whose only file has this name.
pub(super) fn only(name: &str) -> CrateSource {
    let of = Path::new(name).file_stem().map_or_else(String::new, |s| s.to_string_lossy().replace('-', "_"));
    CrateSource {
        name: of,
        id: name.to_owned(),
        root: name.to_owned(),
        cfgs: Cfgs::default(),
        environment: Vec::new(),
        dependency: None,
    }
}
