//! The package to read, and its kinds: what the commands have in common that read Rust sources.

use crdgen_files::source::Options;
use std::path::PathBuf;

/// The sources to read, and which of their kinds
#[derive(clap::Args)]
pub(crate) struct Package {
    /// The folder of a package or workspace, its Cargo.toml, or a single .rs file
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// Process only this package of a workspace. May be repeated
    #[arg(short, long, value_name = "NAME")]
    package: Vec<String>,
    /// Process only this kind. May be repeated
    #[arg(long, value_name = "NAME")]
    kind: Vec<String>,
    /// Process only the kinds in this module and below it: `api::v1`. May be repeated
    #[arg(long, value_name = "PATH")]
    module: Vec<String>,
}

/// The features of Cargo with which the sources are read
#[derive(clap::Args)]
pub(crate) struct Features {
    /// Turn on these Cargo features
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    features: Vec<String>,
    /// Turn on all Cargo features
    #[arg(long)]
    all_features: bool,
}

impl Package {
    /// Returns the options for reading these kinds with these features.
    pub(crate) fn options(&self, features: &Features) -> Options {
        Options {
            path: self.path.clone(),
            packages: self.package.clone(),
            kinds: self.kind.clone(),
            modules: self.module.clone(),
            features: features.features.clone(),
            all_features: features.all_features,
            ..Options::default()
        }
    }
}
