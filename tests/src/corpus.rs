//! The CRDs that tests start from: our own in `tests/corpus`, and the shared corpus of real ones, which is not part of
//! this repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crdgen_core::value::Value;

/// A CRD that every command accepts.
pub const GOOD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: goods.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: goods, kind: Good}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}
";

/// A document to start from.
#[derive(Clone, Debug)]
pub struct Seed {
    /// The file name, relative to its folder.
    pub name: String,
    /// The text.
    pub text: String,
    /// The decoded text.
    pub value: Value,
}

/// The folder of this package.
pub fn tests_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns our own CRDs.
///
/// # Panics
/// Panics if one of them cannot be read, because they are part of the repository.
pub fn own_crds() -> Vec<Seed> {
    let seeds = load(&tests_dir().join("corpus/crds"));
    assert!(!seeds.is_empty(), "tests/corpus/crds is empty");
    seeds
}

/// Returns objects of our own CRDs. A CRD and its objects have the same file name.
///
/// # Panics
/// Panics if one of them cannot be read, because they are part of the repository.
pub fn own_objects() -> Vec<Seed> {
    load(&tests_dir().join("corpus/objects"))
}

/// The folder of the shared corpus: `$CRDGEN_CORPUS`, or `../shared/corpus` next to the repository.
pub fn shared_dir() -> Option<PathBuf> {
    let dir = match std::env::var_os("CRDGEN_CORPUS").filter(|d| !d.is_empty()) {
        Some(dir) => PathBuf::from(dir),
        None => tests_dir().join("../../shared/corpus"),
    };
    dir.join("crds").is_dir().then_some(dir)
}

/// Returns the CRDs of the shared corpus. `None` if it is missing.
pub fn shared_crds() -> Option<Vec<Seed>> {
    // Many tests start from them, and a copy takes less time than reading them again.
    static READ: OnceLock<Option<Vec<Seed>>> = OnceLock::new();
    READ.get_or_init(|| Some(load(&shared_dir()?.join("crds")))).clone()
}

/// Returns the objects of the shared corpus. `None` if it is missing.
pub fn shared_objects() -> Option<Vec<Seed>> {
    Some(load(&shared_dir()?.join("objects")))
}

/// Every YAML file below a folder that contains one document, sorted by name.
fn load(dir: &Path) -> Vec<Seed> {
    let mut files = Vec::new();
    collect(dir, &mut files);
    files.sort();
    files
        .into_iter()
        .filter_map(|path| {
            let name = path.strip_prefix(dir).unwrap_or(&path).display().to_string();
            let text = fs::read_to_string(&path).ok()?;
            let value = parse_yaml(&text)?;
            Some(Seed { name, text, value })
        })
        .collect()
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "yaml") {
            files.push(path);
        }
    }
}

fn parse_yaml(text: &str) -> Option<Value> {
    crdgen_core::yaml::read_one(text.as_bytes()).ok().map(|document| document.value)
}
