//! Sources as files, remembered for whoever must watch them.

use super::cargo::Workspace;
use crdgen_core::read::rust::resolve::{CrateSource, Sources};
use std::path::{Path, PathBuf};

pub(super) struct Files<'w> {
    workspace: &'w mut Workspace,
    /// The files read.
    pub(super) read: Vec<PathBuf>,
}

impl<'w> Files<'w> {
    pub(super) fn new(workspace: &'w mut Workspace) -> Self {
        Files { workspace, read: Vec::new() }
    }
}

impl Sources for Files<'_> {
    fn read(&mut self, path: &str) -> Option<String> {
        let text = crate::input::read_to_string(Path::new(path)).ok()?;
        self.read.push(PathBuf::from(path));
        Some(text)
    }

    fn extern_crate(&mut self, from: &CrateSource, name: &str) -> Option<CrateSource> {
        self.workspace.extern_crate(from, name)
    }
}
