//! Generates the package that uses the compiled types of another one.
//!
//! It is a workspace of its own in the target folder. It depends on the user's package and on the crdgen that the
//! package uses. The versions of dependencies come from the user's `Cargo.lock`. Profiles, patches and the resolver
//! come from the manifest of the user's workspace, so that cargo can reuse what it has built before.

use super::build::{self, Built};
use super::dependency::{Dependency, Derive};
use super::{NotRun, is_linkable, no_derive};
use crate::source::cargo::Metadata;
use crate::source::{Options, manifest};
use crate::{Error, input, output};
use cargo_metadata::Package;
use serde::Serialize;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::PathBuf;

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

impl<'m> Generated<'m> {
    pub(super) fn new(
        metadata: &'m Metadata,
        subject: &'m Package,
        purpose: &str,
        options: &Options,
    ) -> Result<Generated<'m>, NotRun> {
        if !is_linkable(subject) {
            return Err(NotRun {
                what: "no program can use its library".into(),
                help: "add \"rlib\" to its crate-type, or leave --exact out",
            });
        }
        let found = Derive::of(metadata, subject).filter(|(it, _)| *it == Derive::Crdgen || purpose == KINDS);
        let Some((derive, mut dependencies)) = found else { return Err(no_derive()) };
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
    pub(super) fn build_package(&self, program: &str) -> Result<PathBuf, NotRun> {
        let is_new = !self.place.exists();
        let manifest = self.write_package(program).map_err(NotRun::from)?;
        let mut command = build::cargo_command("build", &manifest, self.metadata);
        command.args(["--test", PROGRAM]);
        let Built { program, packages, .. } = build::run_cargo(command, self.subject, is_new)?;
        program.ok_or_else(|| {
            let is_built = packages.contains(&self.subject.id);
            build::failed(if is_built {
                "the program that uses its types does not compile"
            } else {
                "it does not compile"
            })
        })
    }

    /// Writes the files that have changed. Returns the path of the manifest.
    fn write_package(&self, program: &str) -> Result<PathBuf, Error> {
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
