//! Whether kustomize may get a kustomization. kustomize downloads what a kustomization names, runs plugins, and reads files. So
//! it only gets kustomizations in which crdgen knows every key and has found every file. crdgen looks at all of them before it
//! starts kustomize, and needs to know exactly what kustomize reads: its decoder ignores the case of keys, for example.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;

use super::{Kustomization, MAX_READ};
use crdgen_files::input::{Shown, folder_of};

/// What kustomize reads of a key.
#[derive(Clone, Copy)]
enum Reads {
    /// No file.
    Nothing,
    /// Paths of files, or the objects themselves as texts of several lines.
    Files,
    /// Paths of files and of folders with kustomizations.
    FilesAndFolders,
    Folders,
    /// Objects with these keys, of which these have paths.
    Objects(&'static [&'static str], &'static [&'static str]),
}

const GENERATOR: Reads = Reads::Objects(
    &["name", "namespace", "behavior", "literals", "options", "type"],
    &["files", "envs", "env"],
);

const PATCHES: Reads = Reads::Objects(&["patch", "target", "options"], &["path"]);

/// All keys with which kustomize may get a kustomization. The others run programs.
const KEYS: [(&str, Reads); 27] = [
    ("apiVersion", Reads::Nothing),
    ("kind", Reads::Nothing),
    ("metadata", Reads::Nothing),
    ("openapi", Reads::Objects(&["version"], &["path"])),
    ("namePrefix", Reads::Nothing),
    ("nameSuffix", Reads::Nothing),
    ("namespace", Reads::Nothing),
    ("commonLabels", Reads::Nothing),
    ("labels", Reads::Nothing),
    ("commonAnnotations", Reads::Nothing),
    ("patchesStrategicMerge", Reads::Files),
    ("patchesJson6902", PATCHES),
    ("patches", PATCHES),
    ("images", Reads::Nothing),
    ("replacements", Reads::Objects(&["source", "sourceValue", "targets"], &["path"])),
    ("replicas", Reads::Nothing),
    ("vars", Reads::Nothing),
    ("sortOptions", Reads::Nothing),
    ("resources", Reads::FilesAndFolders),
    ("components", Reads::Folders),
    ("crds", Reads::Files),
    ("bases", Reads::Folders),
    ("configMapGenerator", GENERATOR),
    ("secretGenerator", GENERATOR),
    ("generatorOptions", Reads::Nothing),
    ("configurations", Reads::Files),
    ("buildMetadata", Reads::Nothing),
];

/// Why kustomize must not get a kustomization.
struct Refusal(String);

/// Why kustomize must not get a kustomization: the file, and the reason.
pub(super) fn refusal(root: &Kustomization) -> Option<(String, String)> {
    let mut seen = HashSet::new();
    let mut pending = vec![root.file.clone()];
    while let Some(file) = pending.pop() {
        let real = file.canonicalize().unwrap_or_else(|_| file.clone());
        if seen.len() > MAX_READ || !seen.insert(real) {
            continue;
        }
        if let Err(Refusal(why)) = look(&file, root, &mut pending) {
            return Some((file.shown().to_string(), why));
        }
    }
    (seen.len() > MAX_READ)
        .then(|| (root.file.shown().to_string(), "it includes too many folders".to_owned()))
}

/// Looks at one kustomization. Adds those that it includes to `pending`.
fn look(file: &Path, root: &Kustomization, pending: &mut Vec<PathBuf>) -> Result<(), Refusal> {
    let mut looking = Looking { folder: folder_of(file), root, pending };
    let bytes = root.inside.read(file).map_err(|why| Refusal(why.to_string()))?;
    let keys = exact(&bytes)
        .ok_or_else(|| Refusal("kustomize may read it in another way than crdgen".to_owned()))?;
    for (key, value) in keys.iter().filter(|(_, value)| !value.is_null()) {
        match KEYS.iter().find(|(known, _)| known == &key) {
            None => {
                return Err(Refusal(match super::NOT_APPLIED.contains(&key) {
                    true => super::not_applied(key),
                    false => format!("crdgen does not start kustomize with `{key}`"),
                }));
            }
            Some((_, reads)) => looking.value(*reads, value)?,
        }
    }
    Ok(())
}

/// The keys of a kustomization if there is only one way to read it.
fn exact(bytes: &[u8]) -> Option<Map<Value>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (documents, problems) = yaml::read(bytes);
    let [document] = <[_; 1]>::try_from(documents).ok()?;
    let is_exact = problems.is_empty() && document.strict.is_empty() && !document.undecided;
    match document.value {
        // `<<` merges maps.
        Value::Map(keys) if is_exact && !text.contains("<<") => Some(keys),
        _ => None,
    }
}

/// A kustomization that is looked at.
struct Looking<'a> {
    folder: &'a Path,
    root: &'a Kustomization,
    pending: &'a mut Vec<PathBuf>,
}

impl Looking<'_> {
    fn value(&mut self, reads: Reads, value: &Value) -> Result<(), Refusal> {
        for item in value.as_list().unwrap_or(std::slice::from_ref(value)) {
            match (reads, item) {
                (Reads::Nothing, _) | (_, Value::Null) => {}
                (Reads::Objects(plain, paths), Value::Map(map)) => {
                    for (key, value) in map.iter() {
                        match paths.contains(&key) {
                            true => self.value(Reads::Files, value)?,
                            false if plain.contains(&key) => {}
                            false => return Err(Refusal(format!("crdgen does not know `{key}`"))),
                        }
                    }
                }
                // Old kustomizations have patches as paths.
                (_, Value::Str(text)) => self.path(reads, text)?,
                _ => return Err(Refusal("crdgen expects a path in a list of paths".to_owned())),
            }
        }
        Ok(())
    }

    fn path(&mut self, reads: Reads, text: &str) -> Result<(), Refusal> {
        if text.contains('\n') && !matches!(reads, Reads::Folders) {
            return Ok(());
        }
        // The files of generators may have names: `name=path`.
        let path = text.split_once('=').map_or(text, |(_, path)| path);
        let full = super::super::path::normal(&self.folder.join(path));
        if !is_plain(path) || !full.exists() {
            return Err(Refusal(match super::is_remote(text) {
                true => super::not_downloaded(text),
                false => format!("there is no file `{text}`"),
            }));
        }
        let is_folder = full.is_dir();
        let may_be_folder = matches!(reads, Reads::Folders | Reads::FilesAndFolders);
        if !self.root.inside.has(&full) || is_folder && !may_be_folder {
            return Err(Refusal(format!("`{text}` is not a file of the repository")));
        }
        if is_folder {
            self.pending
                .push(super::file_in(&full).ok_or_else(|| Refusal(format!("{text} has no kustomization")))?);
        } else if may_be_folder {
            // Kustomize expands aliases without a limit.
            let bytes = self.root.inside.read(&full).map_err(|why| Refusal(why.to_string()))?;
            if !yaml::read(&bytes).1.is_empty() {
                return Err(Refusal(format!("crdgen cannot read `{text}`")));
            }
        }
        Ok(())
    }
}

/// Whether kustomize reads a text as the path of a file, whatever its version is. It reads some texts as addresses although
/// there is a file with this name.
fn is_plain(path: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || "/._-+@ ,".contains(c);
    let lower = path.to_lowercase();
    path.chars().all(is_letter)
        && !path.contains("//")
        && !["github.com", "git@"].iter().any(|start| lower.starts_with(start))
        && !lower.contains("_git/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_not_paths() {
        for path in ["a.yaml", "../base", "./a/b_c-d", "a@b", "/a", "a b"] {
            assert!(is_plain(path), "{path}");
        }
        for path in [
            "http://a/b",
            "git::a/b",
            "GitHub.com/a/b",
            "git@a/b",
            "host:a/b",
            "a?ref=b",
            "a//b",
            "a/_git/b",
            "file:///a",
            "a\nb",
        ] {
            assert!(!is_plain(path), "{path}");
        }
    }

    #[test]
    fn reads_only_what_has_one_meaning() {
        for (text, is_exact) in [
            ("resources: [a]\n", true),
            ("---\nresources: [a]\n", true),
            ("resources: [a]\nresources: [b]\n", false),
            ("resources: [a]\n---\nresources: [b]\n", false),
            ("a: &a {resources: [a]}\n<<: *a\n", false),
            ("1: a\n'1': b\n", false),
            ("[a]\n", false),
            ("a: [\n", false),
        ] {
            assert_eq!(exact(text.as_bytes()).is_some(), is_exact, "{text}");
        }
    }
}
