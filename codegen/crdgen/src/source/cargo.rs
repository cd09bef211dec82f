//! Packages, as cargo sees them. Cargo is asked only when there is something to ask: a package whose
//! library is where cargo expects it, and whose types come from itself and from crates known by name, needs
//! no answer.

use super::{Failure, Options};
use crate::input;
use crdgen_core::json;
use crdgen_core::read::rust::resolve::{Cfgs, CrateSource};
use crdgen_core::value::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages, and what cargo said of them once it was asked.
pub(super) struct Workspace {
    options: Options,
    manifest: Option<PathBuf>,
    asked: Option<Option<Metadata>>,
}

pub(super) struct Metadata {
    pub(super) packages: HashMap<String, Package>,
    pub(super) members: Vec<String>,
    /// Where cargo builds.
    pub(super) target: String,
}

pub(super) struct Package {
    pub(super) name: String,
    pub(super) manifest: String,
    /// Name and root file of the library, then of the binaries.
    pub(super) library: Option<(String, String)>,
    binaries: Vec<(String, String)>,
    pub(super) features: Vec<String>,
    /// Crates by the names its code gives them.
    externs: HashMap<String, String>,
}

impl Workspace {
    pub(super) fn new(options: &Options) -> Self {
        let mut options = options.clone();
        if options.path.as_os_str().is_empty() {
            options.path = PathBuf::from(".");
        }
        let manifest = manifest_of(&options.path);
        Workspace { options, manifest, asked: None }
    }

    /// The crates to look for kinds in.
    pub(super) fn roots(&mut self) -> Result<Vec<CrateSource>, Failure> {
        let path = self.options.path.clone();
        match std::fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => {}
            Ok(meta) if !meta.is_file() => {
                let what = input::kind(meta.file_type());
                return Err(Failure(format!("{}: {what}; {WANTED}", path.display())));
            }
            Ok(_) if is_rust(&path) || is_manifest(&path) => {}
            Ok(_) => return Err(Failure(format!("{}: {}", path.display(), no_rust(&path)))),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(Failure(format!("{}: no such file or directory", path.display())));
            }
            Err(e) => return Err(Failure(format!("{}: {e}", path.display()))),
        }
        if is_rust(&path) {
            let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().replace('-', "_"));
            return Ok(vec![self.source(&name, &path.to_string_lossy(), &path.to_string_lossy(), &[])]);
        }
        let Some(manifest) = self.manifest.clone() else {
            let place = path.display();
            return Err(Failure(format!("{place}: no Cargo.toml here or in a folder above; {WANTED}")));
        };
        // Cargo would wait for the other end of a pipe.
        input::regular(&manifest).map_err(|e| Failure(format!("{}: {e}", manifest.display())))?;
        if let Some(simple) = self.simple(&manifest) {
            return Ok(vec![simple]);
        }
        let failed = Failure(format!("{}: cargo metadata failed; run it to see why", manifest.display()));
        let options = self.options.clone();
        let Some(metadata) = self.metadata() else { return Err(failed) };
        let mut out = Vec::new();
        // `Cargo.toml` alone has an empty parent.
        let own = manifest.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let own = own.to_path_buf();
        let own = own.canonicalize().unwrap_or(own);
        let here: Vec<&String> = metadata
            .members
            .iter()
            .filter(|id| {
                let package = &metadata.packages[*id];
                if options.packages.is_empty() {
                    let roots = package.library.iter().chain(&package.binaries);
                    let mut roots = roots.map(|(_, root)| Path::new(root));
                    roots.any(|root| root.starts_with(&own))
                } else {
                    options.packages.contains(&package.name)
                }
            })
            .collect();
        if here.is_empty() {
            let names: Vec<&str> =
                metadata.members.iter().map(|id| metadata.packages[id].name.as_str()).collect();
            return Err(Failure(format!("no such package; there are: {}", names.join(", "))));
        }
        for id in here {
            let package = &metadata.packages[id];
            for (name, root) in package.library.iter().chain(&package.binaries) {
                let unique = format!("{id}#{root}");
                out.push((name.clone(), unique, root.clone(), package.features.clone()));
            }
        }
        Ok(out
            .into_iter()
            .map(|(name, id, root, features)| self.source(&name, &id, &relative(&root), &features))
            .collect())
    }

    /// A package that needs no questions: a library in `src/lib.rs`, no features, no binaries of its own.
    fn simple(&self, manifest: &Path) -> Option<CrateSource> {
        let text = input::read_to_string(manifest).ok()?;
        let sections: Vec<&str> = text.lines().map(str::trim).filter(|l| l.starts_with('[')).collect();
        let special = ["[lib", "[[bin", "[features"];
        if sections.iter().any(|s| special.iter().any(|p| s.starts_with(p)))
            || has_members(&text)
            || !self.options.packages.is_empty()
        {
            return None;
        }
        let folder = manifest.parent()?;
        let library = folder.join("src/lib.rs");
        if !library.is_file() || folder.join("src/bin").exists() || folder.join("src/main.rs").exists() {
            return None;
        }
        let name =
            text.lines().map(str::trim).find_map(|l| l.strip_prefix("name")?.trim().strip_prefix('='))?;
        let name = name.trim().trim_matches('"').replace('-', "_");
        Some(self.source(&name, "", &library.to_string_lossy(), &[]))
    }

    fn source(&self, name: &str, id: &str, root: &str, features: &[String]) -> CrateSource {
        let mut cfgs = Cfgs::default();
        let os = std::env::consts::OS;
        cfgs.flags.extend([
            std::env::consts::FAMILY.to_owned(),
            "debug_assertions".to_owned(),
            "panic".to_owned(),
        ]);
        for (key, value) in [
            ("target_os", os),
            ("target_arch", std::env::consts::ARCH),
            ("target_family", std::env::consts::FAMILY),
            ("target_pointer_width", "64"),
        ] {
            cfgs.pairs.push((key.to_owned(), value.to_owned()));
        }
        cfgs.pairs.extend(features.iter().map(|f| ("feature".to_owned(), f.clone())));
        CrateSource { name: name.to_owned(), id: id.to_owned(), root: root.to_owned(), cfgs }
    }

    /// The crate that a crate names so.
    pub(super) fn extern_crate(&mut self, from: &CrateSource, name: &str) -> Option<CrateSource> {
        let metadata = self.metadata()?;
        let id = from.id.split_once('#').map_or(from.id.as_str(), |(id, _)| id);
        let package = metadata.packages.get(id).or_else(|| {
            // Read before cargo was asked: found by its root.
            let root = Path::new(&from.root).canonicalize().ok()?;
            metadata.packages.values().find(|p| {
                let mut roots = p.library.iter().chain(&p.binaries);
                roots.any(|(_, r)| {
                    Path::new(r) == root
                        || root.starts_with(Path::new(r).parent().unwrap_or(Path::new("/dev/null")))
                })
            })
        })?;
        // A binary names its own library.
        let own = package.library.as_ref().filter(|(n, root)| n == name && *root != from.root);
        let (target, features, id) = match own {
            Some(_) => (package, package.features.clone(), from.id.clone() + "#lib"),
            None => {
                let target = package.externs.get(name)?;
                let package = metadata.packages.get(target)?;
                (package, package.features.clone(), target.clone())
            }
        };
        let (lib, root) = target.library.clone()?;
        Some(self.source(&lib, &id, &relative(&root), &features))
    }

    pub(super) fn metadata(&mut self) -> Option<&Metadata> {
        if self.asked.is_none() {
            let answer = self.manifest.as_deref().filter(|m| m.is_file()).and_then(|m| ask(m, &self.options));
            self.asked = Some(answer);
        }
        self.asked.as_ref()?.as_ref()
    }
}

/// What there is to read Rust from.
const WANTED: &str = "name a folder of a package, its Cargo.toml, or one .rs file";

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "rs")
}

fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|n| n == "Cargo.toml")
}

/// Why a file is none to read Rust from, and what its reader may have wanted.
fn no_rust(path: &Path) -> String {
    let is_definition = path.extension().is_some_and(|e| e == "yaml" || e == "yml" || e == "json");
    let hint = if is_definition { "; `crdgen import` makes Rust of definitions" } else { "" };
    format!("not Rust: {WANTED}{hint}")
}

/// The manifest of a folder, or of the package a file is in. Whatever is called `Cargo.toml` ends the way up,
/// so that a package with a broken manifest is never taken for a part of the one around it.
fn manifest_of(path: &Path) -> Option<PathBuf> {
    if is_manifest(path) {
        return Some(path.to_owned());
    }
    let here = path.join("Cargo.toml");
    if here.exists() {
        return Some(here);
    }
    let start = path.canonicalize().ok()?;
    start.ancestors().skip(1).map(|dir| dir.join("Cargo.toml")).find(|m| m.exists())
}

/// Whether a manifest may be that of a workspace with more packages than its own: those it lists, and those
/// below it that it depends on by their paths.
fn has_members(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    if !lines.any(|l| l.starts_with("[workspace]")) {
        return false;
    }
    let lists = lines.next().is_some_and(|l| !l.starts_with('['));
    let mut paths = manifest.split("path").skip(1).map(|rest| rest.trim_start_matches([' ', '=', '"', '\'']));
    lists || paths.any(|path| !path.starts_with('/') && !path.starts_with(".."))
}

/// A path below the current folder without it.
fn relative(path: &str) -> String {
    let here = std::env::current_dir().ok();
    let short = here
        .and_then(|here| Path::new(path).strip_prefix(here).ok().map(|p| p.to_string_lossy().into_owned()));
    short.unwrap_or_else(|| path.to_owned())
}

fn ask(manifest: &Path, options: &Options) -> Option<Metadata> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(manifest);
    if options.all_features {
        command.arg("--all-features");
    }
    if options.no_default_features {
        command.arg("--no-default-features");
    }
    if !options.features.is_empty() {
        command.arg("--features").arg(options.features.join(","));
    }
    let output = command.output().ok().filter(|o| o.status.success())?;
    let value = json::read(&output.stdout).ok()?;
    let text = |v: &Value, key: &str| v.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let list = |v: &Value, key: &str| v.get(key).and_then(Value::as_list).unwrap_or_default().to_vec();
    let mut packages = HashMap::new();
    for package in list(&value, "packages") {
        let (mut library, mut binaries) = (None, Vec::new());
        for target in list(&package, "targets") {
            let kinds = list(&target, "kind");
            let is = |kind: &str| kinds.iter().any(|k| k.as_str() == Some(kind));
            let it = (text(&target, "name").replace('-', "_"), text(&target, "src_path"));
            if is("bin") {
                binaries.push(it);
            } else if is("lib") || is("rlib") || is("dylib") || is("cdylib") || is("proc-macro") {
                library = Some(it);
            }
        }
        let it = Package {
            name: text(&package, "name"),
            manifest: text(&package, "manifest_path"),
            library,
            binaries,
            features: Vec::new(),
            externs: HashMap::new(),
        };
        packages.insert(text(&package, "id"), it);
    }
    for node in value.get("resolve").map(|r| list(r, "nodes")).unwrap_or_default() {
        let Some(package) = packages.get_mut(&text(&node, "id")) else { continue };
        package.features =
            list(&node, "features").iter().filter_map(|f| f.as_str().map(str::to_owned)).collect();
        package.externs = list(&node, "deps").iter().map(|d| (text(d, "name"), text(d, "pkg"))).collect();
    }
    let members =
        list(&value, "workspace_members").iter().filter_map(|m| m.as_str().map(str::to_owned)).collect();
    Some(Metadata { packages, members, target: text(&value, "target_directory") })
}
