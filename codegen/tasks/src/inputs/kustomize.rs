//! Kustomizations: what `kustomize build` prints for a folder, as far as it matters to a server's verdict. crdgen applies
//! what it can apply exactly, and reports the rest.

mod booleans;
mod effects;
mod external;
mod local;
mod patches;
mod replacements;
mod spent;

use crdgen_files::Error;
use crdgen_files::input::{self, Shown, folder_of};
use crdgen_files::inside::Inside;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crdgen_core::documents::{Group, is_definition};
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use external::External;
use patches::Patch;
use spent::{Spent, TooMuch};

use super::{Notes, Source, Wants, may_define};

/// The names that the file may have.
const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Keys that may change objects in ways that crdgen does not follow.
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

/// Keys that set the names and namespaces of the services of webhooks, in ways that differ from version to version.
const RENAMES: [&str; 3] = ["namespace", "namePrefix", "nameSuffix"];

/// How deep folders may refer to each other. Only a circle is deeper.
const MAX_DEPTH: usize = 50;

/// How many folders and files a build may read, and how many objects it may have. A few folders that include each other
/// twice could read any number.
const MAX_READ: usize = 100_000;

/// The length of the longest names in Kubernetes.
const MAX_NAME: usize = 253;

pub(super) fn file_in(folder: &Path) -> Option<PathBuf> {
    NAMES.iter().map(|name| folder.join(name)).find(|file| file.is_file())
}

/// Whether a file may be a kustomization by its name.
pub(super) fn is_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| NAMES.iter().any(|it| name == *it))
}

/// A kustomization.
pub struct Kustomization {
    file: PathBuf,
    keys: Map<Value>,
    /// What it may name: a hostile one could show the files of the user.
    inside: Arc<Inside>,
}

/// An object that a kustomization builds.
#[derive(Clone)]
pub(crate) struct Resource {
    pub(crate) value: Value,
    /// The file that it is from, and its number among the objects of the file.
    pub(crate) from: (Arc<PathBuf>, usize),
    /// Its names before prefixes and suffixes, which patches may use too.
    earlier: Vec<String>,
}

/// The result of a build.
#[derive(Default)]
pub(crate) struct Built {
    pub(crate) resources: Vec<Resource>,
    /// How it differs from the result of kustomize: the file, and what crdgen does not do.
    pub(crate) differs: Vec<(String, String)>,
}

/// What crdgen itself makes of a kustomization.
struct Own {
    built: Built,
    done: Result<(), Error>,
    /// Whether kustomize is needed for the rest, and may be called.
    needs_kustomize: bool,
}

impl Own {
    /// Takes the result of kustomize.
    fn call_kustomize(&mut self, root: &Kustomization) {
        match external::build(folder_of(&root.file)) {
            External::Built(objects) => {
                self.built.differs.clear();
                self.built.replace(objects);
                self.done = Ok(());
            }
            External::Failed(why) => self.built.differs.push((root.file.shown().to_string(), why)),
            External::Missing => {}
        }
    }
}

/// Builds kustomizations, and keeps the files that several of them read.
#[derive(Default)]
pub(crate) struct Builder {
    files: HashMap<PathBuf, Arc<Vec<Value>>>,
    /// The values in these files that kustomize reads in another way.
    differ: HashMap<PathBuf, String>,
    /// The other kustomizations that the current one includes, or `None` for an object with the name of one. Many may include the
    /// same.
    included: HashMap<PathBuf, Option<Arc<Kustomization>>>,
    read: usize,
    spent: Spent,
    /// The kinds and names of all objects that were built.
    built: HashSet<(String, String)>,
    /// Whether only CRDs are wanted.
    crds_only: bool,
}

impl Built {
    /// Takes the objects from kustomize, and keeps their places.
    fn replace(&mut self, objects: Vec<Value>) {
        let text = |object: &Value, key: &str| object.text(key).to_owned();
        let identity = |object: &Value| {
            let name = object.get("metadata").map(|metadata| text(metadata, "name")).unwrap_or_default();
            (text(object, "apiVersion"), text(object, "kind"), name)
        };
        let mut by_identity: HashMap<_, Vec<Value>> = HashMap::new();
        for object in objects {
            by_identity.entry(identity(&object)).or_default().push(object);
        }
        self.resources.retain_mut(|resource| {
            let own = by_identity.get_mut(&identity(&resource.value)).and_then(Vec::pop);
            own.map(|own| resource.value = own).is_some()
        });
    }
}

impl Builder {
    pub(crate) fn new(wants: Wants) -> Builder {
        Builder { crds_only: wants == Wants::Crds, ..Builder::default() }
    }

    /// Builds kustomizations that no other one includes.
    pub(crate) fn build(&mut self, roots: &[&Kustomization]) -> Vec<Result<Built, Error>> {
        let mut all: Vec<Own> = roots.iter().map(|root| self.build_own(root)).collect();
        // kustomize takes longer than crdgen takes for the rest.
        let mut waiting: Vec<(&Kustomization, &mut Own)> =
            roots.iter().copied().zip(&mut all).filter(|(_, own)| own.needs_kustomize).collect();
        let at_once = thread::available_parallelism().map_or(1, NonZero::get);
        for some in waiting.chunks_mut(at_once) {
            thread::scope(|threads| {
                for (root, own) in some {
                    threads.spawn(|| own.call_kustomize(root));
                }
            });
        }
        all.into_iter().map(|Own { built, done, .. }| done.map(|()| built)).collect()
    }

    /// Builds a kustomization, without kustomize.
    fn build_own(&mut self, root: &Kustomization) -> Own {
        (self.read, self.spent) = (0, Spent::default());
        // They may read what this one may read.
        self.included.clear();
        let mut built = Built::default();
        let done = root.build(self, &mut built, 0);
        self.built.extend(built.resources.iter().flat_map(|it| {
            let (kind, name) = identity(&it.value);
            let earlier = it.earlier.iter().cloned().map({
                let kind = kind.clone();
                move |name| (kind.clone(), name)
            });
            std::iter::once((kind.clone(), name)).chain(earlier)
        }));
        if done.is_ok() && built.differs.is_empty() {
            return Own { built, done, needs_kustomize: false };
        }
        let refusal = local::refusal(root);
        let is_too_much = self.spent.is_exceeded || self.read > MAX_READ;
        let needs_kustomize = refusal.is_none() && !is_too_much;
        // A reason for which crdgen does not apply something may already be there.
        built.differs.extend(refusal.filter(|why| !built.differs.contains(why)));
        Own { built, done, needs_kustomize }
    }

    /// Whether objects of a file are what the file has.
    pub(super) fn is_unchanged(&self, file: &Path, objects: &BTreeMap<usize, Value>) -> bool {
        let own = self.files.get(file);
        own.is_some_and(|own| objects.iter().all(|(number, object)| own.get(*number) == Some(object)))
    }

    /// Whether a file has only objects that kustomizations have built from other files. So it is a patch that no kustomization
    /// lists (yet), as kubebuilder writes them.
    pub(super) fn has_only_built(&self, path: &Path) -> bool {
        let Ok(bytes) = input::read(path) else { return false };
        let mut count = 0;
        let is_built = |(_, object): &(_, Value)| {
            count += 1;
            self.built.contains(&identity(object))
        };
        let mut is_built = is_built;
        let parts = Group::of(&Arc::new(bytes)).parts();
        let all =
            parts.iter().all(|part| part.as_ref().is_ok_and(|part| part.objects.iter().all(&mut is_built)));
        all && count > 0
    }

    fn file(&mut self, path: &Path) -> Result<Arc<Vec<Value>>, Error> {
        if let Some(objects) = self.files.get(path) {
            return Ok(Arc::clone(objects));
        }
        let bytes = Arc::new(input::read(path).map_err(Error::file(path))?);
        let mut objects = Vec::new();
        let is_wanted = !self.crds_only || may_define(&Source::new(String::new(), Arc::clone(&bytes)));
        let parts = if is_wanted { Group::of(&bytes).parts() } else { Vec::new() };
        for part in parts {
            match part {
                Ok(part) => objects.extend(part.objects.into_iter().map(|(_, object)| object)),
                Err(finding) => {
                    return Err(Error::Argument(format!("{}: {}", path.shown(), finding.diag.shown())));
                }
            }
        }
        if is_wanted && let Some(what) = booleans::differs(&bytes) {
            self.differ.insert(path.to_owned(), what);
        }
        let objects = Arc::new(objects);
        self.files.insert(path.to_owned(), Arc::clone(&objects));
        Ok(objects)
    }

    /// Reads a kustomization that another one includes.
    fn other(&mut self, of: &Kustomization, file: PathBuf) -> Result<Option<Arc<Kustomization>>, Error> {
        if let Some(known) = self.included.get(&file) {
            return Ok(known.clone());
        }
        let other = of.other(&file)?.map(Arc::new);
        self.included.insert(file, other.clone());
        Ok(other)
    }

    fn count(&mut self, of: &Kustomization, more: usize) -> Result<(), Error> {
        self.read += more;
        if self.read > MAX_READ { Err(of.failed("it reads too many files or objects")) } else { Ok(()) }
    }
}

impl Kustomization {
    /// Reads a file. Returns `None` if it has the name of a kustomization, but is an object of another program.
    pub(crate) fn read(file: &Path, inside: &Arc<Inside>) -> Result<Option<Kustomization>, Error> {
        let bytes = inside.read(file).map_err(Error::file(file))?;
        let failed = |why: String| Error::Argument(format!("{}: {why}", file.shown()));
        let document = yaml::read_one(&bytes).map_err(|why| failed(why.to_string()))?;
        let Value::Map(keys) = document.value else { return Err(failed("not a kustomization".to_owned())) };
        let is_own = match keys.get("apiVersion").and_then(Value::as_str) {
            None => true,
            Some(api_version) => api_version.starts_with("kustomize.config.k8s.io/"),
        };
        let inside = Arc::clone(inside);
        Ok(is_own.then(|| Kustomization { file: file.to_owned(), keys, inside }))
    }

    /// Returns its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Reads a kustomization that this one names.
    fn other(&self, file: &Path) -> Result<Option<Kustomization>, Error> {
        Kustomization::read(file, &self.inside)
    }

    /// How many files and folders it includes.
    pub fn includes(&self) -> usize {
        self.folders().iter().filter(|path| path.is_dir()).count()
    }

    /// Whether it is only a part of other kustomizations.
    pub(crate) fn is_component(&self) -> bool {
        self.keys.get("kind").and_then(Value::as_str) == Some("Component")
    }

    /// The items of a list.
    fn list(&self, key: &str) -> &[Value] {
        self.keys.get(key).and_then(Value::as_list).unwrap_or_default()
    }

    /// Resolves a path in the file.
    fn path(&self, path: &str) -> PathBuf {
        super::path::normal(&folder_of(&self.file).join(path))
    }

    fn failed(&self, why: impl std::fmt::Display) -> Error {
        Error::Argument(format!("{}: {why}", self.file.shown()))
    }

    /// The items of lists that are the paths of files.
    fn files(&self, keys: &[&str]) -> Vec<PathBuf> {
        let texts = keys.iter().flat_map(|key| self.list(key)).filter_map(Value::as_str);
        // These lists may also have the object itself as a text.
        texts.filter(|text| !text.contains('\n')).map(|path| self.path(path)).collect()
    }

    /// The files of its patches.
    pub(super) fn patch_files(&self) -> Vec<PathBuf> {
        let of_items = ["patches", "patchesJson6902"].into_iter().flat_map(|key| self.list(key));
        let of_items = of_items.filter_map(|item| item.get("path")?.as_str()).map(|path| self.path(path));
        // Old kustomizations have patches as paths.
        let mut out = self.files(&["patchesStrategicMerge", "patches"]);
        out.extend(of_items);
        out
    }

    /// The files with the configuration of its own work.
    pub(super) fn other_files(&self) -> Vec<PathBuf> {
        let of_items = ["replacements", "helmCharts", "openapi"];
        let of_items = of_items.into_iter().filter_map(|key| self.keys.get(key));
        let of_items = of_items.flat_map(|it| it.as_list().unwrap_or(std::slice::from_ref(it)));
        let of_items = of_items.flat_map(|item| {
            ["path", "valuesFile"].into_iter().filter_map(|key| item.get(key).and_then(Value::as_str))
        });
        let of_items: Vec<PathBuf> = of_items.map(|path| self.path(path)).collect();
        let mut out = self.files(&["configurations", "transformers", "generators", "validators"]);
        out.extend(of_items);
        out
    }

    /// The folders of the kustomizations that it includes.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.files(&["resources", "bases", "components"])
    }

    /// The patches in the order in which kustomize applies them.
    fn patches(&self) -> Result<Vec<Patch>, Error> {
        let mut out = Vec::new();
        for key in ["patchesStrategicMerge", "patches", "patchesJson6902"] {
            for item in self.list(key) {
                out.push(
                    Patch::read(item, &|path| self.path(path), &self.inside)
                        .map_err(|why| self.failed(why))?,
                );
            }
        }
        Ok(out)
    }

    /// Whether patches change CRDs. An unreadable patch is only an error when the kustomization is built.
    pub fn changes_crds(&self) -> bool {
        self.patches().is_ok_and(|patches| patches.iter().any(Patch::may_change_crds))
    }

    /// Adds the objects of the folder, and changes all of them as the kustomization does.
    fn build(&self, builder: &mut Builder, built: &mut Built, depth: usize) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(self.failed("kustomizations refer to each other in a circle"));
        }
        builder.count(self, 1)?;
        let is_set = |key: &&str| self.keys.get(key).is_some_and(|it| !it.is_null());
        let matters = |key: &&str| match builder.crds_only {
            true => effects::may_change_crds(self, key),
            // These come last.
            false => *key != "replacements",
        };
        for key in NOT_APPLIED.into_iter().filter(is_set).filter(matters) {
            built.differs.push((self.file.shown().to_string(), not_applied(key)));
        }
        let mut seen = HashSet::new();
        for path in
            ["resources", "bases"].into_iter().flat_map(|key| self.list(key)).filter_map(Value::as_str)
        {
            if !seen.insert(self.path(path)) {
                return Err(self.failed(format_args!("it includes {path} twice, which kustomize rejects")));
            }
            self.add(path, builder, built, depth)?;
        }
        for path in self.list("components").iter().filter_map(Value::as_str) {
            let component = file_in(&self.path(path)).map(|file| builder.other(self, file));
            match component.transpose()?.flatten() {
                Some(component) => component.build(builder, built, depth + 1)?,
                None => {
                    let what = format!("crdgen cannot read the component `{path}`");
                    built.differs.push((self.file.shown().to_string(), what));
                }
            }
        }
        let mut index = patches::Index::default();
        for patch in self.patches()? {
            if !builder.crds_only || patch.may_change_crds() {
                let what = patch.differs.iter();
                built.differs.extend(what.map(|what| (self.file.shown().to_string(), what.clone())));
                // What a remote base has is unknown, so a patch may be for one of its objects.
                let may_miss = builder.crds_only || !built.differs.is_empty();
                patch
                    .apply(&mut built.resources, &mut index, &mut builder.spent, may_miss)
                    .map_err(|why| self.failed(why))?;
            }
        }
        built.resources.retain(|it| !it.value.is_null());
        // Those of a component are those of all kustomizations around it.
        builder.spent.visit(built.resources.len()).map_err(|why| self.failed(why))?;
        self.label(&mut built.resources, &mut builder.spent).map_err(|why| self.failed(why))?;
        self.rename(&mut built.resources, &mut builder.spent).map_err(|why| self.failed(why))?;
        if !builder.crds_only {
            let namespace = self.keys.text("namespace");
            let mut items = self.list("replacements").iter();
            let spent = &mut builder.spent;
            if items.any(|item| replacements::apply(item, &mut built.resources, namespace, spent).is_err()) {
                built.differs.push((self.file.shown().to_string(), not_applied("replacements")));
            }
        }
        if builder.crds_only {
            let keys =
                ["vars"].into_iter().filter(|_| built.resources.iter().any(|it| effects::has_var(&it.value)));
            let renamed = built.resources.iter().any(|it| effects::lacks_service(&it.value));
            for key in keys.chain(RENAMES.into_iter().filter(|_| renamed)).filter(is_set) {
                built.differs.push((self.file.shown().to_string(), not_applied(key)));
            }
        }
        Ok(())
    }

    /// Adds the objects of a file, or of another folder.
    fn add(&self, path: &str, builder: &mut Builder, built: &mut Built, depth: usize) -> Result<(), Error> {
        let full = self.path(path);
        if full.exists() && !self.inside.has(&full) {
            return Err(self.failed(format_args!(
                "{path} is outside of the repository and of the folder that you passed"
            )));
        }
        if full.is_file() {
            let objects = builder.file(&full)?;
            if let Some(what) = builder.differ.get(&full) {
                built.differs.push((full.shown().to_string(), what.clone()));
            }
            builder.count(self, 1 + objects.len())?;
            let file = Arc::new(full);
            let wanted = objects.iter().enumerate().filter(|(_, it)| match builder.crds_only {
                true => is_definition(it),
                false => !it.is_null(),
            });
            built.resources.extend(wanted.map(|(number, object)| Resource {
                value: object.clone(),
                from: (Arc::clone(&file), number),
                earlier: Vec::new(),
            }));
            return Ok(());
        }
        let inner = match file_in(&full) {
            Some(file) => builder.other(self, file)?,
            None => None,
        };
        match inner {
            Some(inner) => {
                let mut others = Built { resources: Vec::new(), differs: std::mem::take(&mut built.differs) };
                let done = inner.build(builder, &mut others, depth + 1);
                built.differs = others.differs;
                let count = others.resources.len();
                // Also if the rest fails: a file that is not listed may be a patch for one of them.
                built.resources.append(&mut others.resources);
                done?;
                builder.count(self, count)?;
            }
            None if full.exists() => return Err(self.failed(format_args!("{path} has no kustomization"))),
            None if is_remote(path) => {
                built.differs.push((self.file.shown().to_string(), not_downloaded(path)));
            }
            None => return Err(Error::Missing(full)),
        }
        Ok(())
    }

    /// Sets the labels and annotations that all resources get, and the selectors.
    fn label(&self, resources: &mut [Resource], spent: &mut Spent) -> Result<(), TooMuch> {
        let labels = self.list("labels");
        let with_selectors =
            labels.iter().filter(|item| item.get("includeSelectors") == Some(&Value::Bool(true)));
        let with_selectors = with_selectors.filter_map(|item| item.get("pairs"));
        for pairs in with_selectors.chain(self.keys.get("commonLabels")) {
            spent.add(2 * resources.len(), json::length(pairs))?;
            resources.iter_mut().for_each(|it| select(&mut it.value, pairs));
        }
        let labels = labels.iter().filter_map(|item| item.get("pairs"));
        let labels = labels.chain(self.keys.get("commonLabels")).map(|pairs| ("labels", pairs));
        let annotations = self.keys.get("commonAnnotations").map(|pairs| ("annotations", pairs));
        for (key, pairs) in labels.chain(annotations) {
            spent.visit(resources.len())?;
            spent.add(resources.len(), json::length(pairs))?;
            for object in resources.iter_mut().filter_map(|it| it.value.as_map_mut()) {
                let patch = Value::Map([(key, pairs.clone())].into_iter().collect::<Map<Value>>());
                patches::merge(object.entry_or_insert_with("metadata", || Value::Map(Map::new())), patch);
            }
        }
        Ok(())
    }

    /// Sets names and namespaces. References to objects change too, but that does not change a verdict.
    fn rename(&self, resources: &mut [Resource], spent: &mut Spent) -> Result<(), TooMuch> {
        let (prefix, suffix, namespace) =
            (self.keys.text("namePrefix"), self.keys.text("nameSuffix"), self.keys.text("namespace"));
        for Resource { value, earlier, .. } in resources {
            let is_namespace = identity(value).0 == "Namespace.";
            // kustomize adds nothing to the names of these kinds.
            let kind = value.text("kind");
            let stays = matches!(kind, "CustomResourceDefinition" | "APIService" | "Namespace");
            let Some(metadata) = value.as_map_mut().and_then(|it| it.get_mut("metadata")?.as_map_mut())
            else {
                continue;
            };
            // Whether an object has a namespace at all depends on its kind.
            if !stays && !namespace.is_empty() && metadata.contains_key("namespace") {
                metadata.insert("namespace", Value::from(namespace));
            }
            let name = metadata.text("name").to_owned();
            let new = if is_namespace && !namespace.is_empty() {
                namespace.to_owned()
            } else if stays || name.is_empty() {
                name.clone()
            } else {
                format!("{prefix}{name}{suffix}")
            };
            if new != name {
                spent.name(&new)?;
                metadata.insert("name", Value::from(new));
                patches::keep(earlier, name);
            }
        }
        Ok(())
    }
}

/// Adds labels to the selector of an object and to the objects that it selects, if kustomize creates these fields for its
/// kind.
fn select(object: &mut Value, pairs: &Value) {
    let kind = object.text("kind");
    let selector: &[&str] = match kind {
        "DaemonSet" | "Deployment" | "ReplicaSet" | "StatefulSet" => &["spec", "selector", "matchLabels"],
        "ReplicationController" | "Service" => &["spec", "selector"],
        _ => return,
    };
    let labels: &[&str] = if kind == "Service" { &[] } else { &["spec", "template", "metadata", "labels"] };
    for keys in [selector, labels].into_iter().filter(|keys| !keys.is_empty()) {
        let at = keys.iter().try_fold(&mut *object, |at, key| {
            Some(at.as_map_mut()?.entry_or_insert_with(key, || Value::Map(Map::new())))
        });
        if let Some(at) = at {
            patches::merge(at, pairs.clone());
        }
    }
}

/// The kind and name of an object.
pub(super) fn identity(object: &Value) -> (String, String) {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let group = text(object.get("apiVersion"));
    let group = group.split_once('/').map_or("", |(group, _)| group);
    let name = text(object.get("metadata").and_then(|metadata| metadata.get("name")));
    (format!("{}.{group}", text(object.get("kind"))), name)
}

fn not_applied(key: &str) -> String {
    format!("crdgen does not apply `{key}`")
}

fn not_downloaded(path: &str) -> String {
    format!("crdgen does not download `{path}`")
}

fn is_remote(path: &str) -> bool {
    path.contains("://")
        || path.contains("?ref=")
        || path.starts_with("git@")
        || path.starts_with("github.com/")
}

/// Returns the CRDs that kustomize prints for a folder, as one text. Reports how it differs from kustomize.
pub(super) fn crds_of(root: &Kustomization, notes: Notes) -> Result<Source, Error> {
    let built = Builder::new(Wants::Crds).build(&[root]).pop().transpose()?;
    let Built { resources, differs } = built.unwrap_or_default();
    let folder = folder_of(&root.file).shown();
    for (file, what) in differs {
        notes.say(format_args!(
            "{file}: {what}. To compare with the full result, run `kustomize build {folder} | crdgen … --against -`"
        ));
    }
    let texts: Vec<String> = resources.iter().map(|it| json::to_string(&it.value)).collect();
    Ok(Source::new(root.file.shown().to_string(), texts.join("\n---\n").into_bytes().into()))
}
