//! Generates the package that uses the compiled types of another one.
//!
//! It is a workspace of its own in the target folder. It depends on the user's package and on the crdgen that the
//! package uses. The versions of dependencies come from the user's `Cargo.lock`. Profiles, patches and the resolver
//! come from the manifest of the user's workspace, so that cargo can reuse what it has built before.

use super::NotRun;
use crate::source::cargo::{self, Metadata};
use crate::source::{Options, manifest};
use crate::{Error, input, output};
use cargo_metadata::{Message, Package, PackageId, TargetKind};
use crdgen_core::inert::Inert;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The crate whose derive writes the code of the kinds of a package.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Derive {
    /// crdgen, on which the package depends.
    Crdgen,
    /// kube-derive. The package does not depend on crdgen.
    Kube,
}

/// The package, before it is written.
pub(super) struct Generated<'m> {
    metadata: &'m Metadata,
    subject: &'m Package,
    /// Whose derive has written the code of the kinds.
    pub(super) derive: Derive,
    manifest: Manifest,
    /// The folder of the package. Each question has a folder of its own, because other processes may use the same
    /// package at the same time.
    place: PathBuf,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Manifest {
    package: BTreeMap<&'static str, toml::Value>,
    test: Vec<BTreeMap<&'static str, toml::Value>>,
    workspace: BTreeMap<&'static str, toml::Value>,
    dependencies: BTreeMap<String, Dependency>,
    #[serde(flatten)]
    of_workspace: manifest::Build,
}

/// A dependency on exactly one package.
#[derive(Default, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Dependency {
    package: String,
    path: Option<String>,
    version: Option<String>,
    registry_index: Option<String>,
    git: Option<String>,
    branch: Option<String>,
    tag: Option<String>,
    rev: Option<String>,
    default_features: bool,
    features: Vec<String>,
}

impl Dependency {
    fn new(package: &Package) -> Dependency {
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

impl<'m> Generated<'m> {
    pub(super) fn new(
        metadata: &'m Metadata,
        subject: &'m Package,
        purpose: &str,
        options: &Options,
    ) -> Result<Generated<'m>, NotRun> {
        let linkable = [TargetKind::Lib, TargetKind::RLib, TargetKind::DyLib];
        if !cargo::library(subject).is_some_and(|it| linkable.iter().any(|kind| it.kind.contains(kind))) {
            return Err(NotRun {
                what: "no program can use its library".into(),
                help: "add \"rlib\" to its crate-type, or leave --exact out",
            });
        }
        let of = |name: &str| nearest(metadata, &subject.id, name).map(|it| (name.replace('-', "_"), it));
        let (derive, others) = match (of("crdgen"), of("kube-core"), of("serde_json")) {
            (Some(crdgen), ..) => (Derive::Crdgen, vec![crdgen]),
            (None, Some(kube), Some(json)) if purpose == KINDS => (Derive::Kube, vec![kube, json]),
            _ => {
                return Err(NotRun {
                    what: "it does not depend on crdgen".into(),
                    help: "add crdgen to its dependencies",
                });
            }
        };
        let others = others.into_iter().map(|(name, package)| (name, Dependency::new(package)));
        let mut dependencies: BTreeMap<String, Dependency> = others.collect();
        dependencies.insert("subject".to_owned(), Dependency::new(subject));
        // Features of other packages: `--features name/feature`.
        let (others, own): (Vec<&String>, Vec<&String>) =
            options.features.iter().partition(|feature| feature.contains('/'));
        for (name, feature) in others.iter().filter_map(|feature| feature.split_once('/')) {
            let of = metadata.node(&subject.id).into_iter().flat_map(|node| &node.deps);
            let of = of.filter_map(|dep| metadata.package(&dep.pkg)).find(|package| package.name == name);
            let key = if subject.name == name { "subject".to_owned() } else { format!("of-{name}") };
            let entry = dependencies.entry(key);
            let entry = entry.or_insert_with(|| Dependency::new(of.unwrap_or(subject)));
            entry.features.push(feature.to_owned());
        }
        if let Some(it) = dependencies.get_mut("subject") {
            it.default_features = !options.no_default_features;
            it.features.extend(own.into_iter().cloned());
            if options.all_features {
                it.features.extend(subject.features.keys().cloned());
            }
        }
        let mut question = DefaultHasher::new();
        let Options { features, all_features, no_default_features, kinds, .. } = options;
        (&subject.id, purpose, features, all_features, no_default_features, kinds).hash(&mut question);
        // What cargo builds is named after the package, in whatever folder that is.
        let name = format!("crdgen-exact-{:016x}", question.finish());
        let place = metadata.answer.target_directory.as_std_path().join("crdgen-exact").join(&name);
        let text = |text: &str| toml::Value::String(text.to_owned());
        let root = metadata.answer.workspace_root.as_std_path();
        let of_workspace = manifest::Build::of(root);
        let manifest = Manifest {
            package: BTreeMap::from([
                ("name", text(&name)),
                ("version", text("0.0.0")),
                ("edition", text("2021")),
                ("publish", toml::Value::Boolean(false)),
            ]),
            // Cargo puts programs into a folder where programs with the same name replace each other. It puts tests
            // elsewhere.
            test: vec![BTreeMap::from([
                ("name", text(PROGRAM)),
                ("path", text("ask.rs")),
                ("harness", toml::Value::Boolean(false)),
            ])],
            workspace: BTreeMap::from([("resolver", text(of_workspace.resolver()))]),
            dependencies,
            of_workspace,
        };
        Ok(Generated { metadata, subject, derive, manifest, place })
    }

    /// Writes the package with this program and builds it with cargo, whose messages are shown while it runs. Returns
    /// the path of the program.
    pub(super) fn build(&self, program: &str) -> Result<PathBuf, NotRun> {
        if !self.place.exists() {
            let name = Inert(&self.subject.name);
            let note =
                "and runs its code, as `cargo test` does. Use --exact only for packages that you trust";
            // If this cannot be printed, the errors of cargo cannot either.
            _ = writeln!(io::stderr(), "note: crdgen compiles the package {name} {note}");
        }
        let manifest = self.write(program).map_err(|e| NotRun { what: e.to_string(), help: "" })?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(&cargo);
        command.args(["build", "--quiet", "--message-format", "json-render-diagnostics", "--test", PROGRAM]);
        // `cargo metadata` has already fetched everything.
        command.args(["--offline", "--manifest-path"]).arg(manifest);
        command.arg("--target-dir").arg(self.metadata.answer.target_directory.as_std_path());
        // The toolchain and the settings are those of the user's package.
        let folder = self.subject.manifest_path.parent().map(|it| it.as_std_path());
        command.current_dir(folder.unwrap_or(Path::new("."))).stderr(Stdio::inherit());
        let output = command.output().map_err(|e| NotRun {
            what: format!("{}: {e}", cargo.to_string_lossy()),
            help: "install cargo, or leave --exact out",
        })?;
        let artifacts = Message::parse_stream(output.stdout.as_slice()).filter_map(|message| match message {
            Ok(Message::CompilerArtifact(artifact)) => Some(artifact),
            _ => None,
        });
        let (mut is_built, mut program) = (false, None);
        for artifact in artifacts {
            is_built |= artifact.package_id == self.subject.id;
            program = program.or(artifact.executable);
        }
        match program.filter(|_| output.status.success()) {
            Some(program) => Ok(program.into_std_path_buf()),
            None => Err(NotRun {
                what: if is_built {
                    "the program that uses its types does not compile"
                } else {
                    "it does not compile"
                }
                .into(),
                help: "see the compiler's errors above. Without --exact, crdgen reads the sources without compiling them",
            }),
        }
    }

    /// Writes the files that have changed. Returns the path of the manifest.
    fn write(&self, program: &str) -> Result<PathBuf, Error> {
        let manifest = self.place.join("Cargo.toml");
        let text = toml::to_string(&self.manifest);
        let text = text.map_err(|e| Error::file(&manifest)(io::Error::other(e)))?;
        // Cargo removes what only other packages of the workspace need. After that the file stays the same.
        let lock = self.metadata.answer.workspace_root.as_std_path().join("Cargo.lock");
        let seen = self.place.join("workspace.lock");
        let lock = input::read_to_string(&lock).map_err(Error::file(&lock))?;
        if output::write_if_changed(&seen, &lock)? || !self.place.join("Cargo.lock").exists() {
            output::write_if_changed(&self.place.join("Cargo.lock"), &lock)?;
        }
        output::write_if_changed(&self.place.join("ask.rs"), program)?;
        output::write_if_changed(&manifest, &text)?;
        Ok(manifest)
    }
}

/// The purpose of programs that print the CRDs of kinds.
pub(super) const KINDS: &str = "kinds";

/// The name of the program.
const PROGRAM: &str = "crdgen-ask";

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
