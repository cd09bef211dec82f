//! The definitions that tests start from: our own under `tests/corpus`, and the shared ones, which
//! are real but no part of this repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crdgen_core::value::Value;

/// A document to start from.
#[derive(Clone, Debug)]
pub struct Seed {
    /// File name, relative to its folder.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What it says.
    pub value: Value,
}

/// The folder of this package.
pub fn tests_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Our own definitions.
///
/// # Panics
/// When one of them cannot be read: they are part of the repository.
pub fn own_crds() -> Vec<Seed> {
    let seeds = load(&tests_dir().join("corpus/crds"));
    assert!(!seeds.is_empty(), "tests/corpus/crds is empty");
    seeds
}

/// Objects of our own definitions, by the same file names.
///
/// # Panics
/// When one of them cannot be read: they are part of the repository.
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

/// The definitions of the shared corpus; none where it is absent.
pub fn shared_crds() -> Option<Vec<Seed>> {
    // Many tests start from them: a copy takes less time than to read them again.
    static READ: OnceLock<Option<Vec<Seed>>> = OnceLock::new();
    READ.get_or_init(|| Some(load(&shared_dir()?.join("crds")))).clone()
}

/// The objects of the shared corpus; none where it is absent.
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
