//! The crates that generated programs use, in exactly the versions that the user's package uses.

use crate::source::cargo::Metadata;
use cargo_metadata::{Package, PackageId};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

/// The crate whose derive writes the code of the kinds of a package.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Derive {
    /// crdgen, on which the package depends.
    Crdgen,
    /// kube-derive. The package does not depend on crdgen.
    Kube,
}

impl Derive {
    /// Finds the derive of a package, and what a program needs in addition to the package to get CRDs from it.
    pub(super) fn of(
        metadata: &Metadata,
        package: &Package,
    ) -> Option<(Derive, BTreeMap<String, Dependency>)> {
        let of = |name: &str| {
            let found = nearest(metadata, &package.id, name)?;
            Some((name.replace('-', "_"), Dependency::new(found)))
        };
        match of("crdgen") {
            Some(crdgen) => Some((Derive::Crdgen, BTreeMap::from([crdgen]))),
            None => Some((Derive::Kube, BTreeMap::from([of("kube-core")?, of("serde_json")?]))),
        }
    }
}

/// A dependency on exactly one package.
#[derive(Clone, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Dependency {
    package: String,
    path: Option<String>,
    version: Option<String>,
    registry_index: Option<String>,
    git: Option<String>,
    branch: Option<String>,
    tag: Option<String>,
    rev: Option<String>,
    pub(super) default_features: bool,
    pub(super) features: Vec<String>,
}

impl Dependency {
    pub(super) fn new(package: &Package) -> Dependency {
        let mut out = Dependency { package: package.name.to_string(), ..Dependency::default() };
        let version = || Some(format!("={}", package.version));
        match package.source.as_ref().map(|source| source.repr.as_str()) {
            None => out.path = package.manifest_path.parent().map(ToString::to_string),
            Some(_) if package.source.as_ref().is_some_and(|source| source.is_crates_io()) => {
                out.version = version();
            }
            Some(source) => match source.strip_prefix("git+") {
                Some(git) => out.git(git),
                None => {
                    out.version = version();
                    // `registry+https://…` is an index in git. Cargo expects its address without the first word.
                    out.registry_index = Some(source.strip_prefix("registry+").unwrap_or(source).to_owned());
                }
            },
        }
        out
    }

    /// Uses the copy of a folder for a package in it.
    pub(super) fn in_copy(mut self, folder: &Path, copy: &Path) -> Dependency {
        let real = self.path.as_ref().and_then(|path| Path::new(path).canonicalize().ok());
        if let Some(inside) = real.as_ref().and_then(|path| path.strip_prefix(folder).ok()) {
            self.path = Some(copy.join(inside).to_string_lossy().into_owned());
        }
        self
    }

    /// Parses `https://host/repository?branch=main#commit`. The commit is in `Cargo.lock` too.
    fn git(&mut self, source: &str) {
        let source = source.split_once('#').map_or(source, |(source, _)| source);
        let (address, reference) = source.split_once('?').unwrap_or((source, ""));
        self.git = Some(address.to_owned());
        if let Some((key, value)) = reference.split_once('=') {
            let value = Some(value.to_owned());
            match key {
                "branch" => self.branch = value,
                "tag" => self.tag = value,
                _ => self.rev = value,
            }
        }
    }
}

/// Finds the package with this name that is the fewest dependencies away.
fn nearest<'m>(metadata: &'m Metadata, from: &'m PackageId, name: &str) -> Option<&'m Package> {
    let mut seen: Vec<&PackageId> = vec![from];
    let mut pending = VecDeque::from([from]);
    while let Some(id) = pending.pop_front() {
        for dependency in metadata.node(id).into_iter().flat_map(|node| &node.deps) {
            let package = metadata.package(&dependency.pkg)?;
            if package.name == name {
                return Some(package);
            }
            if !seen.contains(&&dependency.pkg) {
                seen.push(&dependency.pkg);
                pending.push_back(&dependency.pkg);
            }
        }
    }
    None
}
