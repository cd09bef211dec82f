//! Reads packages from their manifests when cargo fails: without a network, with a missing dependency, or with a
//! toolchain that cannot read the workspace.

use super::Options;
use super::inside::workspace_around;
use super::links::straight;
use crate::input::{self, folder_of};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// More members than any workspace has.
const MAX_MEMBERS: usize = 1000;

/// A crate of a package.
pub(super) struct Target {
    pub(super) name: String,
    pub(super) root: PathBuf,
    /// The folder of its package.
    pub(super) folder: PathBuf,
    pub(super) is_library: bool,
    /// The features of its package that are on.
    pub(super) features: Vec<String>,
}

/// Returns the crates of the package of a manifest, and of the members of its workspace.
pub(super) fn targets(manifest: &Path, options: &Options) -> Vec<Target> {
    let mut out = Vec::new();
    packages(manifest).iter().for_each(|(table, folder)| package(table, folder, options, &mut out));
    out
}

/// Returns the crates of the package of a manifest alone.
pub(super) fn own_targets(manifest: &Path) -> Vec<Target> {
    let mut out = Vec::new();
    if let Some(table) = read(manifest) {
        package(&table, folder_of(manifest), &Options::default(), &mut out);
    }
    out
}

/// Whether the workspace has a package with each wanted feature. Otherwise cargo's error lists the missing ones.
pub(super) fn has_features(manifest: &Path, options: &Options) -> bool {
    let packages = packages(manifest);
    let has = |table: &Table, feature: &str| {
        let features = table.get("features").and_then(Value::as_table);
        let dependency = table.get("dependencies").and_then(|all| all.get(feature)?.get("optional"));
        features.is_some_and(|all| all.contains_key(feature))
            || dependency.and_then(Value::as_bool) == Some(true)
    };
    // Features of dependencies, `name/feature`, are not in these manifests.
    let mut own = options.features.iter().filter(|feature| !feature.contains('/'));
    own.all(|feature| packages.iter().any(|(table, _)| has(table, feature)))
}

/// Returns the manifest of a package and those of the members of its workspace, with their folders.
fn packages(manifest: &Path) -> Vec<(Table, PathBuf)> {
    let Some(table) = read(manifest) else { return Vec::new() };
    let members = members_of(&table, folder_of(manifest)).into_iter();
    let members = members.filter_map(|member| Some((read(&member.join("Cargo.toml"))?, member)));
    let members: Vec<(Table, PathBuf)> = members.collect();
    std::iter::once((table, folder_of(manifest).to_owned())).chain(members).collect()
}

/// Returns the folders of the members of a workspace, other than its own.
pub(super) fn members(manifest: &Path) -> Vec<PathBuf> {
    read(manifest).map_or_else(Vec::new, |table| members_of(&table, folder_of(manifest)))
}

fn members_of(table: &Table, folder: &Path) -> Vec<PathBuf> {
    let members = table.get("workspace").and_then(|it| it.get("members")).and_then(Value::as_array);
    let names = members.into_iter().flatten().filter_map(Value::as_str);
    let folders =
        names.flat_map(|name| glob::glob(&folder.join(name).to_string_lossy()).into_iter().flatten());
    folders.flatten().filter(|member| *member != folder).take(MAX_MEMBERS).collect()
}

/// A dependency as manifests declare it.
pub(super) struct Declared {
    /// The features that the package turns on in it.
    pub(super) features: Vec<String>,
    /// The folder of its package, if it is named by its path.
    folder: Option<PathBuf>,
}

impl Declared {
    /// Finds what a package depends on under a name: in its own manifest, or in that of its workspace.
    pub(super) fn find(manifest: &Path, workspace: &Path, name: &str) -> Option<Declared> {
        let table = read(manifest)?;
        let targets = table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
        let tables = std::iter::once(&table).chain(targets.filter_map(Value::as_table));
        let own = tables.filter_map(|it| it.get("dependencies")).find_map(|all| named(all, name))?;
        let inherits = own.get("workspace").is_some();
        let shared = inherits.then(|| read(workspace)).flatten();
        let shared = shared.as_ref().and_then(|it| named(it.get("workspace")?.get("dependencies")?, name));
        let features =
            [Some(own), shared].into_iter().flatten().filter_map(|it| it.get("features")?.as_array());
        let features = features.flatten().filter_map(|it| it.as_str().map(str::to_owned)).collect();
        let (at, from) = shared.map_or((own, manifest), |shared| (shared, workspace));
        // As cargo names it, so that each file has one name.
        let folder = |path| std::path::absolute(folder_of(from).join(path)).ok().map(|path| straight(&path));
        let folder = at.get("path").and_then(Value::as_str).and_then(folder);
        Some(Declared { features, folder })
    }

    /// Returns the library of its package, if it is named by its path.
    pub(super) fn library(&self, options: &Options) -> Option<Target> {
        let folder = self.folder.as_ref()?;
        let mut out = Vec::new();
        package(&read(&folder.join("Cargo.toml"))?, folder, options, &mut out);
        out.into_iter().find(|target| target.is_library)
    }
}

/// The dependency that code uses under a name.
fn named<'t>(all: &'t Value, name: &str) -> Option<&'t Value> {
    let is_it = |(key, _): &(&String, &Value)| key.replace('-', "_") == name;
    Some(all.as_table()?.iter().find(is_it)?.1)
}

/// Returns the manifest of the workspace that a package belongs to, which may be its own.
pub(super) fn workspace_of(manifest: &Path) -> PathBuf {
    let folder = input::or_here(folder_of(manifest)).canonicalize();
    let around = folder.as_ref().ok().and_then(|folder| workspace_around(folder));
    around.map_or_else(|| manifest.to_owned(), |folder| folder.join("Cargo.toml"))
}

/// Returns the version of a package from elsewhere in a lock file, if the file lists only one.
pub(super) fn locked(lock: &Path, name: &str) -> Option<String> {
    let text = |package: &Value, key: &str| package.get(key)?.as_str().map(str::to_owned);
    let table = read(lock)?;
    let is_it = |it: &&Value| {
        text(it, "name").is_some_and(|it| it.replace('-', "_") == name) && it.get("source").is_some()
    };
    let mut all = table.get("package")?.as_array()?.iter().filter(is_it);
    match (all.next(), all.next()) {
        (Some(one), None) => text(one, "version"),
        _ => None,
    }
}

fn read(manifest: &Path) -> Option<Table> {
    input::regular(manifest).ok()?;
    input::read_to_string(manifest).ok()?.parse().ok()
}

fn package(table: &Table, folder: &Path, options: &Options, out: &mut Vec<Target>) {
    let Some(name) = table.get("package").and_then(|it| it.get("name")).and_then(Value::as_str) else {
        return;
    };
    if !options.packages.is_empty() && !options.packages.iter().any(|wanted| wanted == name) {
        return;
    }
    let features = features(table, options);
    let text = |of: Option<&Value>, key: &str| of.and_then(|it| it.get(key)?.as_str()).map(str::to_owned);
    let mut add = |name: &str, root: PathBuf, kind: TargetKind| {
        if root.is_file() && !out.iter().any(|target| target.root == root) {
            let features = features.clone();
            let (name, folder) = (name.replace('-', "_"), folder.to_owned());
            let is_library = kind == TargetKind::Library;
            out.push(Target { name, root, folder, is_library, features });
        }
    };
    let lib = table.get("lib");
    let root = text(lib, "path").unwrap_or_else(|| "src/lib.rs".to_owned());
    add(&text(lib, "name").unwrap_or_else(|| name.to_owned()), folder.join(root), TargetKind::Library);
    for bin in table.get("bin").and_then(Value::as_array).into_iter().flatten() {
        if let (Some(name), Some(path)) = (text(Some(bin), "name"), text(Some(bin), "path")) {
            add(&name, folder.join(path), TargetKind::Program);
        }
    }
    add(name, folder.join("src/main.rs"), TargetKind::Program);
    let entries = std::fs::read_dir(folder.join("src/bin")).into_iter().flatten().flatten();
    let mut bins: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    bins.sort();
    for bin in bins {
        let name = bin.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let root = if bin.is_dir() { bin.join("main.rs") } else { bin };
        if root.extension().is_some_and(|extension| extension == "rs") {
            add(&name, root, TargetKind::Program);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetKind {
    Library,
    Program,
}

/// Returns the features that are on: the wanted and the default ones, with those that they turn on.
fn features(table: &Table, options: &Options) -> Vec<String> {
    let Some(all) = table.get("features").and_then(Value::as_table) else { return Vec::new() };
    let mut open: Vec<String> = options.features.clone();
    if options.all_features {
        open.extend(all.keys().cloned());
    }
    if !options.no_default_features {
        open.push("default".to_owned());
    }
    let mut out: Vec<String> = Vec::new();
    while let Some(feature) = open.pop() {
        if !out.contains(&feature) {
            let more = all.get(&feature).and_then(Value::as_array).into_iter().flatten();
            open.extend(more.filter_map(Value::as_str).map(str::to_owned));
            out.push(feature);
        }
    }
    out
}
