//! The CRDs that `--crd` names, read as all commands read them.

use std::path::{Path, PathBuf};

use crdgen_core::documents::{Group, is_definition};

use crate::input::{self, Cluster, Options, Rules, Source};
use crate::outcome::no_definition;
use crdgen_build::suites::Given;
use crdgen_files::{Error, source};

/// The CRDs for suites.
pub(super) struct All {
    /// Rust packages, which suites read.
    pub(super) packages: Vec<PathBuf>,
    pub(super) given: Vec<Given>,
}

/// Reads everything but Rust packages.
pub(super) fn read(places: &[String], cluster: Option<Cluster>) -> Result<All, Error> {
    let mut all = All { packages: Vec::new(), given: Vec::new() };
    let options = Options::crds(&Rules::default().with_notes(input::NOTES));
    for place in places {
        if source::is_rust(Path::new(place)) {
            all.packages.push(PathBuf::from(place));
            continue;
        }
        let before = all.given.len();
        all.add(std::slice::from_ref(place), &options)?;
        if all.given.len() == before {
            return Err(no_definition(std::slice::from_ref(place)));
        }
    }
    if cluster.is_some() {
        all.add(&[], &Options { cluster, ..options })?;
    }
    Ok(all)
}

impl All {
    fn add(&mut self, places: &[String], options: &Options) -> Result<(), Error> {
        let inputs = input::find(places, options)?;
        for input in inputs.iter() {
            self.given.extend(inputs.read(input)?.and_then(|source| given(&source)));
        }
        Ok(())
    }
}

/// The CRDs of a source. `None` if it has none, and all of it can be read.
fn given(source: &Source) -> Option<Given> {
    let group: Group = source.group();
    let mut documents = Vec::new();
    let mut is_readable = true;
    for part in group.parts() {
        match part {
            Ok(part) => documents.extend(part.objects.into_iter().map(|(_, object)| object)),
            Err(_) => is_readable = false,
        }
    }
    documents.retain(is_definition);
    let is_empty = documents.is_empty() && is_readable;
    let text = std::sync::Arc::clone(&source.bytes);
    (!is_empty).then(|| Given { path: PathBuf::from(&source.name), text, documents })
}
