//! Finds the CRDs that suites test.

use super::files::{files, listed};
use super::{Given, gates, read};
use crate::Error;
use crdgen_core::documents::is_definition;
use crdgen_core::encode;
use crdgen_core::value::Value;
use crdgen_core::yaml::Documents;
use crdgen_files::input::{self, Shown, folder_of};
use crdgen_files::inside::Inside;
use crdgen_files::source::{self, Options};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A CRD as it is written in its file.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) path: PathBuf,
    pub(super) document: Value,
}

/// CRDs by the folder or file that contains them. Each is read once.
#[derive(Debug, Default)]
pub(super) struct Crds {
    /// CRDs that the user has given. If there are any, crdgen looks for no others.
    given: Vec<Definition>,
    /// The paths of the given CRDs.
    places: Vec<PathBuf>,
    read: BTreeMap<PathBuf, Vec<Definition>>,
    /// The files that the user has named, which suites may name too.
    inside: Inside,
    /// The files that may contain CRDs, with their texts if the caller has read them.
    files: Files,
}

/// Files with their texts, if these are not those on disk.
type Files = BTreeMap<PathBuf, Option<Arc<Vec<u8>>>>;

/// Where openshift/api has the CRDs of a suite in `<api>/tests/<crd>/`: in `<api>`.
const GENERATED: &str = "zz_generated.crd-manifests";

impl Crds {
    /// Adds a file that may contain CRDs.
    pub(super) fn add_file(&mut self, file: PathBuf) {
        self.files.entry(file).or_default();
    }

    /// Reads the CRDs of some files, folders and Rust packages, and adds those that the caller has read.
    pub(super) fn new(suites: &[PathBuf], paths: &[PathBuf], given: &[Given]) -> Result<Crds, Error> {
        let places = paths.iter().chain(given.iter().map(|given| &given.path)).cloned().collect();
        let mut crds = Crds { places, ..Crds::default() };
        suites.iter().chain(&crds.places).for_each(|path| crds.inside.add(path));
        for Given { path, text, documents } in given {
            crds.files.insert(path.clone(), Some(Arc::clone(text)));
            let definition = |document: &Value| Definition { path: path.clone(), document: document.clone() };
            crds.given.extend(documents.iter().map(definition));
        }
        for path in paths {
            let before = crds.files.len();
            let found = definitions(path, Depth::All, &mut crds.files)?;
            // A file with a broken CRD is reported elsewhere.
            if found.is_empty() && crds.files.len() == before {
                return Err(Error::Nothing(format!("no CustomResourceDefinition in {}", path.shown())));
            }
            crds.given.extend(found);
        }
        Ok(crds)
    }

    /// Returns all CRDs that a suite tests. There may be several with one name, for different feature sets.
    pub(super) fn of_suite(&mut self, file: &Path, suite: &read::Suite) -> Result<Vec<Definition>, Error> {
        let folder = folder_of(file);
        if !suite.crd.is_empty() {
            let place = folder.join(&suite.crd);
            self.may_read(&place, folder)?;
            let found = self.inside(&place, Missing::Error)?;
            return Ok(found.iter().filter(|crd| crd.has_name(&suite.crd_name)).cloned().collect());
        }
        if suite.crd_name.is_empty() {
            return Ok(Vec::new());
        }
        let mut found = self.named(&suite.crd_name, folder)?;
        if !suite.feature_gates.is_empty() {
            let gates = gates::Gates::find(folder)?;
            found.retain(|crd| gates.allow(&crd.document, &suite.feature_gates));
        }
        Ok(found)
    }

    /// Fails if a suite names a file outside of its repository or package that the user did not name either.
    fn may_read(&self, place: &Path, folder: &Path) -> Result<(), Error> {
        let mut inside = self.inside.clone();
        inside.add_checkout(folder);
        if let Some(top) = near(folder).pop().filter(|folder| is_top(folder)) {
            inside.add(&top);
        }
        if inside.has(place) || !place.exists() {
            return Ok(());
        }
        let why = "outside of the suite's folder, and of the package or git checkout around it; to use it, pass it with --crd";
        Err(Error::file(place)(io::Error::new(io::ErrorKind::InvalidInput, why)))
    }

    /// Returns the CRDs with a name: given ones, or those near a folder.
    fn named(&mut self, name: &str, folder: &Path) -> Result<Vec<Definition>, Error> {
        let named = |all: &[Definition]| {
            let mut out: Vec<Definition> = Vec::new();
            for crd in all.iter().filter(|crd| crd.has_name(name)) {
                // An identical copy would have the same results.
                if out.iter().all(|other| other.document != crd.document) {
                    out.push(crd.clone());
                }
            }
            out
        };
        if !self.places.is_empty() {
            return Ok(named(&self.given));
        }
        for place in near(folder) {
            let found = named(self.inside(&place, Missing::Empty)?);
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Returns the CRD of a kind in a group.
    pub(super) fn of_kind(
        &mut self,
        group: &str,
        kind: &str,
        folder: &Path,
    ) -> Result<Option<Definition>, Error> {
        let is_it = |crd: &&Definition| {
            let spec = crd.document.get("spec");
            let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
            text(spec.and_then(|s| s.get("group"))) == group
                && text(spec.and_then(|s| s.get("names")?.get("kind"))) == kind
        };
        if !self.places.is_empty() {
            return Ok(self.given.iter().find(is_it).cloned());
        }
        for place in near(folder) {
            if let Some(found) = self.inside(&place, Missing::Empty)?.iter().find(is_it) {
                return Ok(Some(found.clone()));
            }
        }
        Ok(None)
    }

    /// Lists where crdgen looks for the CRDs of a file's suite, for messages.
    pub(super) fn places(&self, file: &Path) -> String {
        if self.places.is_empty() {
            return format!("{} and the folders above", folder_of(file).shown());
        }
        let places: Vec<String> = self.places.iter().map(|path| path.shown().to_string()).collect();
        crdgen_core::listed::first(places.iter(), PLACES)
    }

    /// Returns the files with CRDs that were read.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Path, Option<&Arc<Vec<u8>>>)> {
        self.files.iter().map(|(path, text)| (path.as_path(), text.as_ref()))
    }

    fn inside(&mut self, place: &Path, missing: Missing) -> Result<&[Definition], Error> {
        if !self.read.contains_key(place) {
            let found = if missing == Missing::Error || place.exists() {
                definitions(place, Depth::One, &mut self.files)?
            } else {
                Vec::new()
            };
            self.read.insert(place.to_owned(), found);
        }
        Ok(self.read.get(place).map_or(&[], Vec::as_slice))
    }
}

/// What a place without files means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Error,
    Empty,
}

/// Which files of a folder are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Those in the folder itself.
    One,
    /// Also those in the folders inside.
    All,
}

/// How many places a message names.
const PLACES: usize = 10;

impl Definition {
    fn name(&self) -> Option<&Value> {
        self.document.get("metadata")?.get("name")
    }

    fn has_name(&self, name: &str) -> bool {
        name.is_empty() || self.name().and_then(Value::as_str) == Some(name)
    }
}

/// Returns where CRDs of suites in a folder may be: where openshift/api has them, and in the folders above, up to the
/// root of a Rust package or a repository.
fn near(folder: &Path) -> Vec<PathBuf> {
    // The path without `..`, so that all suites name a file in the same way.
    let mut out = vec![input::above(&input::above(folder)).join(GENERATED)];
    let mut at = folder.to_owned();
    // This is enough for any project, and also ends if links form a circle.
    for _ in 0..16 {
        out.push(at.clone());
        let has_more = at.canonicalize().is_ok_and(|path| path.parent().is_some());
        if is_top(&at) || !has_more {
            break;
        }
        at = input::above(&at);
    }
    out
}

/// Whether a folder is the root of a Rust package or of a repository.
fn is_top(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file() || folder.join(".git").exists()
}

/// Returns the CRDs of a file, of a folder, or of a Rust package. Next to a
/// package there may be files with CRDs of other kinds.
fn definitions(path: &Path, depth: Depth, files_read: &mut Files) -> Result<Vec<Definition>, Error> {
    let mut out: Vec<Definition> = Vec::new();
    if source::is_rust(path) {
        let read = source::read(&Options { path: path.to_owned(), ..Options::default() })?;
        if read.has_errors() {
            return Err(Error::Mistakes { found: read.found, cargo: read.cargo.map(Box::new) });
        }
        let definition = |crd| Definition { path: path.to_owned(), document: encode::crd(&crd) };
        out.extend(read.crds.into_iter().map(definition));
        if depth == Depth::All || !path.is_dir() {
            return Ok(out);
        }
    }
    let of_package: Vec<Value> = out.iter().filter_map(Definition::name).cloned().collect();
    for file in if path.is_dir() && depth == Depth::One { listed(path)? } else { files(path)? } {
        let bytes = match input::read(&file) {
            Ok(bytes) => bytes,
            Err(why) if file == path => return Err(Error::file(&file)(why)),
            // `broken` reports this too.
            Err(_) => {
                files_read.insert(file, None);
                continue;
            }
        };
        if !String::from_utf8_lossy(&bytes).contains("CustomResourceDefinition") {
            continue;
        }
        for document in Documents::new(&Arc::new(bytes)) {
            // `broken` reports what cannot be read.
            let Ok(mut document) = document else {
                files_read.insert(file.clone(), None);
                continue;
            };
            let objects = document.take_objects().into_iter().map(|(_, value)| value);
            let found =
                objects.filter(is_definition).map(|document| Definition { path: file.clone(), document });
            let found = found.inspect(|crd| _ = files_read.insert(crd.path.clone(), None));
            out.extend(found.filter(|crd| crd.name().is_none_or(|name| !of_package.contains(name))));
        }
    }
    Ok(out)
}
