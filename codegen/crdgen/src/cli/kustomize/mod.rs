//! Kustomizations: the CRDs that `kustomize build` prints for a folder, and which files are patches and not CRDs.

mod patches;

use crate::input::Shown;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use patches::Patch;

use super::inputs::{self, Input, Source};
use super::terminal;
use crate::{Error, input};

/// The names that the file may have.
const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Keys that may change CRDs in ways that crdgen does not follow.
const NOT_APPLIED: [&str; 9] = [
    "configurations",
    "generators",
    "helmChartInflationGenerator",
    "helmCharts",
    "openapi",
    "replacements",
    "transformers",
    "validators",
    "vars",
];

/// Keys that rename the services of webhooks.
const RENAMES: [&str; 3] = ["namespace", "namePrefix", "nameSuffix"];

/// How deep folders may refer to each other. Only a circle is deeper.
const MAX_DEPTH: usize = 50;

/// Finds all inputs as [`inputs::find`] does. A folder with a kustomization is one input: the CRDs that kustomize
/// prints for it.
pub(crate) fn find(args: &[String], extensions: &[&str]) -> Result<Vec<Input>, Error> {
    let mut out = Vec::new();
    for arg in args {
        match file_in(Path::new(arg)) {
            Some(file) => out.push(Input::given(built(&file)?)),
            None => out.extend(without_patches(inputs::find(std::slice::from_ref(arg), extensions)?)),
        }
    }
    Ok(out)
}

/// Inputs without those that are patches, which look like CRDs. Reports kustomizations that change CRDs.
pub(crate) fn without_patches(inputs: Vec<Input>) -> Vec<Input> {
    let folders: BTreeSet<&Path> = inputs.iter().filter_map(|input| input.path().parent()).collect();
    let mut files: BTreeSet<PathBuf> = BTreeSet::new();
    for file in folders.into_iter().filter_map(file_in) {
        // An unreadable kustomization is only an error when a comparison uses its folder.
        let Ok(patches) = Kustomization::read(&file).and_then(|it| it.patches()) else { continue };
        if patches.iter().any(Patch::may_change_crds) {
            let folder = folder_of(&file);
            terminal::say(format_args!(
                "{} changes CRDs with patches. Pass the folder with --against {} to compare with its result",
                file.shown(),
                folder.shown()
            ));
        }
        files.extend(patches.into_iter().filter_map(|patch| patch.path));
    }
    let is_patch = |input: &Input| input.path().canonicalize().is_ok_and(|path| files.contains(&path));
    inputs.into_iter().filter(|input| !is_patch(input)).collect()
}

fn file_in(folder: &Path) -> Option<PathBuf> {
    NAMES.iter().map(|name| folder.join(name)).find(|file| file.is_file())
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A kustomization.
struct Kustomization {
    file: PathBuf,
    keys: Map<Value>,
}

impl Kustomization {
    fn read(file: &Path) -> Result<Kustomization, Error> {
        let bytes = input::read(file).map_err(Error::file(file))?;
        let failed = |why: String| Error::Argument(format!("{}: {why}", file.shown()));
        let document = yaml::read_one(&bytes).map_err(|why| failed(why.to_string()))?;
        match document.value {
            Value::Map(keys) => Ok(Kustomization { file: file.to_owned(), keys }),
            _ => Err(failed("not a kustomization".to_owned())),
        }
    }

    /// The items of a list.
    fn list(&self, key: &str) -> &[Value] {
        self.keys.get(key).and_then(Value::as_list).unwrap_or_default()
    }

    /// Resolves a path in the file.
    fn path(&self, path: &str) -> PathBuf {
        folder_of(&self.file).join(path)
    }

    fn failed(&self, why: impl std::fmt::Display) -> Error {
        Error::Argument(format!("{}: {why}", self.file.shown()))
    }

    /// The patches in the order in which kustomize applies them.
    fn patches(&self) -> Result<Vec<Patch>, Error> {
        let mut out = Vec::new();
        for key in ["patchesStrategicMerge", "patches", "patchesJson6902"] {
            for item in self.list(key) {
                out.push(Patch::read(item, &|path| self.path(path)).map_err(|why| self.failed(why))?);
            }
        }
        Ok(out)
    }

    /// Adds the CRDs of the folder to `crds`, and changes all of them as the kustomization does.
    fn build(&self, crds: &mut Vec<Value>, depth: usize) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(self.failed("kustomizations refer to each other in a circle"));
        }
        for key in NOT_APPLIED.into_iter().filter(|key| self.keys.get(key).is_some_and(|it| !it.is_null())) {
            self.say(format_args!("crdgen does not apply `{key}`"));
        }
        for path in
            ["resources", "bases"].into_iter().flat_map(|key| self.list(key)).filter_map(Value::as_str)
        {
            self.add(path, crds, depth)?;
        }
        for path in self.list("components").iter().filter_map(Value::as_str) {
            match file_in(&self.path(path)) {
                Some(file) => Kustomization::read(&file)?.build(crds, depth + 1)?,
                None => self.say(format_args!("crdgen cannot read the component `{path}`")),
            }
        }
        for patch in self.patches()? {
            patch.apply(crds).map_err(|why| self.failed(why))?;
        }
        self.label(crds);
        let has_service = |crd: &Value| {
            let service = ["spec", "conversion", "webhook", "clientConfig", "service"];
            service.into_iter().try_fold(crd, |value, key| value.get(key)).is_some()
        };
        for key in RENAMES.into_iter().filter(|key| self.keys.contains_key(key)) {
            if crds.iter().any(has_service) {
                self.say(format_args!("crdgen does not apply `{key}` to the services of webhooks"));
            }
        }
        Ok(())
    }

    /// Adds the CRDs of a file, or of another folder.
    fn add(&self, path: &str, crds: &mut Vec<Value>, depth: usize) -> Result<(), Error> {
        let full = self.path(path);
        if full.is_file() {
            let bytes = input::read(&full).map_err(Error::file(&full))?;
            let (documents, problems) = yaml::read(&bytes);
            if let Some(problem) = problems.first() {
                return Err(Error::Argument(format!("{}: {}", full.shown(), problem.text)));
            }
            let objects = documents.into_iter().flat_map(|mut document| document.take_objects());
            crds.extend(objects.map(|(_, object)| object).filter(is_crd));
            return Ok(());
        }
        match file_in(&full) {
            Some(file) => {
                let mut others = Vec::new();
                Kustomization::read(&file)?.build(&mut others, depth + 1)?;
                crds.append(&mut others);
            }
            None if full.exists() => return Err(self.failed(format_args!("{path} has no kustomization"))),
            None if is_remote(path) => self.say(format_args!("crdgen does not download `{path}`")),
            None => return Err(Error::Missing(full)),
        }
        Ok(())
    }

    /// Sets the labels and annotations that all resources get.
    fn label(&self, crds: &mut [Value]) {
        let labels = self.list("labels").iter().filter_map(|item| item.get("pairs"));
        let labels = labels.chain(self.keys.get("commonLabels")).map(|pairs| ("labels", pairs));
        let annotations = self.keys.get("commonAnnotations").map(|pairs| ("annotations", pairs));
        for (key, pairs) in labels.chain(annotations) {
            for crd in crds.iter_mut().filter_map(Value::as_map_mut) {
                let patch = Value::Map([(key, pairs.clone())].into_iter().collect::<Map<Value>>());
                patches::merge(crd.entry_or_insert_with("metadata", || Value::Map(Map::new())), patch);
            }
        }
    }

    /// Reports a difference from the result of kustomize.
    fn say(&self, what: std::fmt::Arguments<'_>) {
        let (file, folder) = (self.file.shown(), folder_of(&self.file).shown());
        terminal::say(format_args!(
            "{file}: {what}. To compare with the full result, run `kustomize build {folder} | crdgen … --against -`"
        ));
    }
}

fn is_crd(object: &Value) -> bool {
    object.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition")
}

fn is_remote(path: &str) -> bool {
    path.contains("://")
        || path.contains("?ref=")
        || path.starts_with("git@")
        || path.starts_with("github.com/")
}

/// Returns the CRDs that kustomize prints for a folder, as one text.
fn built(file: &Path) -> Result<Source, Error> {
    let mut crds = Vec::new();
    Kustomization::read(file)?.build(&mut crds, 0)?;
    let texts: Vec<String> = crds.iter().map(json::to_string).collect();
    Ok(Source { name: file.shown().to_string(), bytes: texts.join("\n---\n").into_bytes().into() })
}
