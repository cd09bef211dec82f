//! What a command wants to read.

use super::class::{Unwanted, Wants};
use super::walk::Rules;

/// What a command wants to read.
#[derive(Clone)]
pub struct Options {
    /// What the command wants of the inputs.
    pub wants: Wants,
    /// Which files of a folder to read.
    pub rules: Rules,
    /// What to read of kustomizations.
    pub build: Build,
    /// What the user wants to skip.
    pub unwanted: Unwanted,
    /// The cluster to read, instead of the current folder.
    pub cluster: Option<Cluster>,
}

/// The cluster that kubectl uses.
#[derive(Clone)]
pub struct Cluster {
    /// The context of the kubeconfig, if it is not the current one.
    pub context: Option<String>,
}

/// What to read of the files that a kustomization includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// What it builds. CRDs also as they are in the file.
    Each,
    /// What it builds, if that is one thing. Otherwise the file.
    One,
    /// The file.
    Not,
}

impl Options {
    /// For commands that read CRDs.
    pub fn crds(rules: &Rules) -> Options {
        Options {
            wants: Wants::Crds,
            rules: rules.clone(),
            build: Build::One,
            unwanted: Unwanted::default(),
            cluster: None,
        }
    }

    /// For commands that read objects.
    pub fn objects(rules: &Rules) -> Options {
        Options { wants: Wants::Objects, build: Build::Each, ..Options::crds(rules) }
    }

    /// For commands that find out themselves what a file is.
    pub fn anything(rules: &Rules) -> Options {
        Options { wants: Wants::Anything, build: Build::Not, ..Options::crds(rules) }
    }

    /// Without the builds of kustomizations.
    pub fn without_builds(self) -> Options {
        Options { build: Build::Not, ..self }
    }
}
