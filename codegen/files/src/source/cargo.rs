//! Finds packages as cargo does. Cargo runs only when it is needed. It is not needed for a package whose library is at
//! the usual place, and whose types are its own or of crates that crdgen knows by name.

use super::environment::relative;
use super::inside::add_package;
use super::manifest::Manifest;
use super::{Options, alone, environment, metadata};
use crate::input::{Shown, folder_of, is_document};
use crate::inside::Inside;
use crate::{Error, input};
use cargo_metadata::{Node, Package, PackageId, Target, TargetKind};
use crdgen_core::diag::codes::rust as codes;
use crdgen_core::diag::{Diag, Level};
use crdgen_core::path::Path as FieldPath;
use crdgen_source::{Cfgs, CrateSource, Found, Unread};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The packages, and cargo's answer about them once it has run.
pub(super) struct Workspace {
    options: Options,
    manifest: Option<PathBuf>,
    /// Cargo's answer or error, once it has run.
    asked: Option<Result<Metadata, Error>>,
    /// The files that may be read.
    inside: RefCell<Inside>,
    /// The texts of files that are read in place of those on the disk, by the names of the files.
    texts: HashMap<String, String>,
}

/// What cargo reports about a workspace and its dependencies.
pub(super) struct Metadata {
    pub(super) answer: cargo_metadata::Metadata,
    /// The lock file, if it is out of date.
    outdated: Option<PathBuf>,
    /// The indexes of a package and its dependencies in the answer.
    places: HashMap<PackageId, (usize, Option<usize>)>,
}

impl Metadata {
    fn new(metadata::Answer { metadata: answer, outdated }: metadata::Answer) -> Metadata {
        let packages = answer.packages.iter().enumerate().map(|(i, it)| (it.id.clone(), (i, None)));
        let mut places: HashMap<PackageId, (usize, Option<usize>)> = packages.collect();
        for (i, node) in answer.resolve.iter().flat_map(|it| &it.nodes).enumerate() {
            if let Some((_, place)) = places.get_mut(&node.id) {
                *place = Some(i);
            }
        }
        Metadata { answer, outdated, places }
    }

    pub(super) fn package(&self, id: &PackageId) -> Option<&Package> {
        self.answer.packages.get(self.places.get(id)?.0)
    }

    /// Returns the enabled features of a package, and its dependencies.
    pub(super) fn node(&self, id: &PackageId) -> Option<&Node> {
        self.answer.resolve.as_ref()?.nodes.get(self.places.get(id)?.1?)
    }

    /// Returns the package of a crate.
    fn package_with(&self, of: &CrateSource) -> Option<&Package> {
        let id = of.id.split_once('#').map_or(of.id.as_str(), |(id, _)| id);
        self.package(&PackageId { repr: id.to_owned() }).or_else(|| {
            // This crate was read before cargo ran, so it is found by its root.
            let own = Path::new(&of.root).canonicalize().ok()?;
            let is_in = |root: &str| {
                let folder = Path::new(root).parent().unwrap_or(Path::new("/dev/null"));
                Path::new(root) == own || own.starts_with(folder)
            };
            self.answer.packages.iter().find(|p| roots(p).any(|(_, root)| is_in(&root)))
        })
    }

    fn features(&self, id: &PackageId) -> Vec<String> {
        self.node(id).map(|node| node.features.iter().map(|f| f.to_string()).collect()).unwrap_or_default()
    }

    /// Returns the packages that belong to the workspace.
    fn members(&self) -> impl Iterator<Item = &Package> {
        self.answer.workspace_members.iter().filter_map(|id| self.package(id))
    }
}

/// A crate of a package: its name in code and its root file.
type Root = (String, String);

pub(super) fn library(package: &Package) -> Option<&Target> {
    let is_library = |target: &&Target| {
        use TargetKind::{CDyLib, DyLib, Lib, ProcMacro, RLib};
        [Lib, RLib, DyLib, CDyLib, ProcMacro].iter().any(|kind| target.kind.contains(kind))
    };
    package.targets.iter().find(is_library)
}

/// Returns the library, then the binaries.
fn roots(package: &Package) -> impl Iterator<Item = Root> + '_ {
    library(package).into_iter().chain(package.targets.iter().filter(|target| target.is_bin())).map(root)
}

fn root(target: &Target) -> Root {
    (target.name.replace('-', "_"), target.src_path.to_string())
}

impl Workspace {
    pub(super) fn new(options: &Options) -> Self {
        let mut options = options.clone();
        if options.path.as_os_str().is_empty() {
            options.path = PathBuf::from(".");
        }
        let manifest = manifest_of(&options.path);
        Workspace { options, manifest, asked: None, inside: RefCell::default(), texts: HashMap::new() }
    }

    /// The same with other texts of some files.
    pub(super) fn with_texts(options: &Options, texts: &HashMap<String, String>) -> Self {
        Workspace { texts: texts.clone(), ..Workspace::new(options) }
    }

    /// Returns the crates in which to look for kinds.
    pub(super) fn roots(&mut self) -> Result<Vec<CrateSource>, Error> {
        let path = self.options.path.clone();
        let no_sources = |why: String| Err(Error::NoSources { path: path.clone(), why });
        match std::fs::metadata(&path) {
            Ok(meta) if meta.is_dir() => {}
            Ok(meta) if !meta.is_file() => {
                return no_sources(format!("{}; {WANTED}", input::kind(meta.file_type())));
            }
            Ok(_) if is_rust(&path) || is_manifest(&path) => {}
            Ok(_) => return no_sources(no_rust(&path)),
            Err(e) => return Err(Error::file(&path)(e)),
        }
        if is_rust(&path) {
            let name = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().replace('-', "_"));
            match folders_up(&path).and(self.manifest.as_deref()).and_then(Path::parent) {
                Some(package) => add_package(&mut self.inside.borrow_mut(), package),
                None => self.inside.borrow_mut().add(path.parent().unwrap_or(Path::new("."))),
            }
            return Ok(vec![self.source(
                &name,
                &path.to_string_lossy(),
                &path.to_string_lossy(),
                &[],
                Vec::new(),
            )]);
        }
        let Some(manifest) = self.manifest.clone() else {
            return no_sources(format!("no Cargo.toml here or in a folder above; {WANTED}"));
        };
        input::regular(&manifest).map_err(Error::file(&manifest))?;
        let own = input::folder_of(&manifest);
        add_package(&mut self.inside.borrow_mut(), own);
        if let Some(simple) = self.simple(&manifest) {
            return Ok(vec![simple]);
        }
        let options = self.options.clone();
        self.ask();
        let Some(metadata) = self.metadata() else {
            // The manifests contain less than cargo knows, but often enough.
            let targets = alone::targets(&manifest, &options);
            if targets.is_empty() || !alone::has_features(&manifest, &options) {
                return Err(self.take_failure().unwrap_or(Error::Missing(manifest)));
            }
            return Ok(targets.iter().map(|target| self.source_alone(target)).collect());
        };
        let own = own.canonicalize().unwrap_or_else(|_| own.to_path_buf());
        let is_here = |package: &&Package| match options.packages.as_slice() {
            [] => roots(package).any(|(_, root)| Path::new(&root).starts_with(&own)),
            packages => packages.iter().any(|name| package.name == name),
        };
        let here: Vec<&Package> = metadata.members().filter(is_here).collect();
        if here.is_empty() && options.packages.is_empty() {
            let why = "no package in this folder has a library or a program; pass one of its .rs files, such as an example";
            return no_sources(why.to_owned());
        }
        if here.is_empty() {
            let known = metadata.members().map(|package| package.name.to_string()).collect();
            return Err(Error::NoPackage { known });
        }
        let mut out = Vec::new();
        for package in here {
            self.may_read(package);
            let features = metadata.features(&package.id);
            for (name, root) in roots(package) {
                let unique = format!("{}#{root}", package.id);
                let environment = environment::of_package(package, &name);
                out.push(self.source(&name, &unique, &relative(&root), &features, environment));
            }
        }
        Ok(out)
    }

    /// Returns a package for which cargo is not needed: a library in `src/lib.rs`, no features, no binaries of its own.
    fn simple(&self, manifest: &Path) -> Option<CrateSource> {
        let Options { packages, features, all_features, .. } = &self.options;
        // Cargo reports features that the package does not have.
        if !features.is_empty() {
            return None;
        }
        let read = Manifest::parse(&input::read_to_string(manifest).ok()?)?;
        let name = read.plain_name().filter(|_| packages.is_empty())?;
        if read.has_optional() && *all_features {
            return None;
        }
        let folder = manifest.parent()?;
        let library = folder.join("src/lib.rs");
        if !library.is_file() || folder.join("src/bin").exists() || folder.join("src/main.rs").exists() {
            return None;
        }
        let environment = environment::of_manifest(manifest, &name);
        Some(self.source(&name, "", &library.to_string_lossy(), &[], environment))
    }

    fn source_alone(&self, target: &alone::Target) -> CrateSource {
        self.inside.borrow_mut().add(&target.folder);
        let root = target.root.to_string_lossy();
        let environment = environment::of_manifest(&target.folder.join("Cargo.toml"), &target.name);
        self.source(&target.name, &root, &relative(&root), &target.features, environment)
    }

    /// Finds the crate that a crate uses under this name when cargo has failed: another package of the workspace, or a
    /// path dependency of the manifest.
    fn extern_crate_alone(&self, from: &CrateSource, name: &str) -> Option<CrateSource> {
        let manifest = manifest_of(Path::new(&from.root))?;
        let workspace = alone::workspace_of(&manifest);
        let declared = alone::Declared::find(&manifest, &workspace, name);
        let mut all = Options { packages: Vec::new(), ..self.options.clone() };
        all.features.extend(declared.iter().flat_map(|it| it.features.clone()));
        let by_path = declared.and_then(|it| it.library(&all));
        let target = by_path.or_else(|| {
            let mut targets = alone::targets(&workspace, &all).into_iter();
            targets.find(|target| target.is_library && target.name == name)
        });
        target.map(|target| self.source_alone(&target))
    }

    fn source(
        &self,
        name: &str,
        id: &str,
        root: &str,
        features: &[String],
        environment: Vec<(String, String)>,
    ) -> CrateSource {
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
        // The build script of k8s-openapi sets this version.
        let minor = features.iter().find_map(|f| f.strip_prefix("v1_")).filter(|_| name == "k8s_openapi");
        let version = minor.map(|minor| ("k8s_openapi_enabled_version".to_owned(), format!("1.{minor}")));
        cfgs.pairs.extend(version);
        CrateSource {
            name: name.to_owned(),
            id: id.to_owned(),
            root: root.to_owned(),
            cfgs,
            environment,
            dependency: None,
        }
    }

    /// Allows to read the files of a package. The checkout around a dependency is another one, which this one may not open.
    fn may_read(&self, package: &Package) {
        let folder = package.manifest_path.as_std_path().parent().unwrap_or(Path::new("."));
        self.inside.borrow_mut().add(folder);
    }

    /// Reads a file of the sources. `None` if there is none, or if it does not belong to a package that is read.
    pub(super) fn read(&self, path: &str) -> Option<String> {
        if let Some(text) = self.texts.get(path) {
            return Some(text.clone());
        }
        let path = Path::new(path);
        if self.may_read_file(path) { input::read_source(path).ok() } else { None }
    }

    /// The names of the files in a folder, if it belongs to a package that is read.
    pub(super) fn files_in(&self, folder: &str) -> Vec<String> {
        let folder = Path::new(folder);
        let entries = std::fs::read_dir(folder).ok().filter(|_| self.may_read_file(folder));
        let files = entries.into_iter().flatten().flatten();
        files.map(|file| file.file_name().to_string_lossy().into_owned()).collect()
    }

    /// Why a file of the sources is not read.
    pub(super) fn why_unread(&self, path: &str) -> Unread {
        let path = Path::new(path);
        match (path.exists(), path.is_symlink()) {
            (true, _) if !self.may_read_file(path) => Unread::Outside,
            (true, _) => match input::read_source(path) {
                Ok(_) => Unread::Missing,
                Err(why) => Unread::Failed(why.to_string()),
            },
            (false, true) => Unread::Failed("a link to a file that does not exist".to_owned()),
            (false, false) => Unread::Missing,
        }
    }

    /// Whether the sources may include a file. The code of a package that is trusted could read every file anyway.
    fn may_read_file(&self, path: &Path) -> bool {
        self.options.trusted || self.inside.borrow().has(path)
    }

    /// Finds the crate that a crate uses under this name.
    pub(super) fn extern_crate(&mut self, from: &CrateSource, name: &str) -> Option<CrateSource> {
        self.ask();
        let Some(metadata) = self.metadata() else { return self.extern_crate_alone(from, name) };
        let package = metadata.package_with(from)?;
        // A binary can use the library of its own package.
        let own = library(package).map(root).filter(|(n, root)| n == name && *root != from.root);
        let (target, id) = match own {
            Some(_) => (package, from.id.clone() + "#lib"),
            None => {
                let node = metadata.node(&package.id)?;
                let target = node.deps.iter().find(|dep| dep.name == name)?;
                (metadata.package(&target.pkg)?, target.pkg.repr.clone())
            }
        };
        let (lib, root) = root(library(target)?);
        self.may_read(target);
        let dependency = target.source.as_ref().map(|_| target.version.to_string());
        let environment = environment::of_package(target, &lib);
        let source = self.source(&lib, &id, &relative(&root), &metadata.features(&target.id), environment);
        Some(CrateSource { dependency, ..source })
    }

    /// Returns the version of a dependency from elsewhere, also of one that is not a library, such as a derive. If cargo
    /// fails, the lock file may list it.
    pub(super) fn version(&mut self, from: &CrateSource, name: &str) -> Option<String> {
        self.ask();
        let Some(metadata) = self.metadata() else { return self.locked(name) };
        let node = metadata.node(&metadata.package_with(from)?.id)?;
        let dependency = node.deps.iter().find(|dep| dep.name == name)?;
        let package = metadata.package(&dependency.pkg)?;
        package.source.as_ref().map(|_| package.version.to_string())
    }

    /// Returns the version of a package in the lock file, if it lists only one.
    fn locked(&self, name: &str) -> Option<String> {
        let folder = input::or_here(folder_of(self.manifest.as_ref()?)).canonicalize().ok()?;
        let mut files = folder.ancestors().map(|folder| folder.join("Cargo.lock"));
        let file = files.find(|file| self.may_read_file(file) && input::regular(file).is_ok())?;
        alone::locked(&file, name)
    }

    /// Returns cargo's answer, if it has run without an error.
    pub(super) fn metadata(&self) -> Option<&Metadata> {
        self.asked.as_ref()?.as_ref().ok()
    }

    /// Runs cargo, but only once.
    pub(super) fn ask(&mut self) {
        if self.asked.is_none() {
            self.asked = self
                .manifest
                .as_deref()
                .map(|manifest| metadata::ask(manifest, &self.options).map(Metadata::new));
        }
    }

    /// Returns a note if cargo has run, and found that the lock file is out of date.
    pub(super) fn outdated_lock(&self) -> Option<Found> {
        let lock = relative(&self.metadata()?.outdated.as_ref()?.to_string_lossy());
        let message = format!(
            "{} is out of date, so crdgen chose the versions of dependencies that it does not list",
            Path::new(&lock).shown()
        );
        let diag = Diag::own(&codes::LOCK, Level::Note, &FieldPath::ROOT, message);
        Some(Found {
            diag: diag.help("run `cargo update --workspace`: crdgen does not change the file"),
            at: None,
        })
    }

    /// Returns cargo's error, if it has run and failed.
    pub(super) fn take_failure(&mut self) -> Option<Error> {
        self.asked.take_if(|answer| answer.is_err())?.err()
    }
}

/// What users can pass as sources, for messages.
const WANTED: &str = "pass the folder of a package, its Cargo.toml, or a single .rs file";

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "rs")
}

fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|n| n == "Cargo.toml")
}

/// Explains why a file cannot be read as Rust, and what the user may have meant.
fn no_rust(path: &Path) -> String {
    let hint = if is_document(path) { "; `crdgen import` generates Rust types from CRDs" } else { "" };
    format!("not Rust: {WANTED}{hint}")
}

/// Returns the manifest in a folder, or that of the package that contains a file.
fn manifest_of(path: &Path) -> Option<PathBuf> {
    if is_manifest(path) {
        return Some(path.to_owned());
    }
    let package = match folders_up(path)? {
        0 => path.to_owned(),
        up => path.canonicalize().ok()?.ancestors().nth(up)?.to_owned(),
    };
    Some(package.join("Cargo.toml"))
}

/// How many folders above a path the nearest `Cargo.toml` is. Anything of that name ends the search, even a folder or a
/// broken link: a package whose manifest is broken does not belong to the package around it.
pub fn folders_up(path: &Path) -> Option<usize> {
    let is_package = |folder: &Path| folder.join("Cargo.toml").symlink_metadata().is_ok();
    path.canonicalize().ok()?.ancestors().position(is_package)
}
