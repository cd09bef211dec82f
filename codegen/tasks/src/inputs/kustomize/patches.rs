//! Patches of a kustomization: which CRDs they change, and how.

use crdgen_files::input::Shown;
use crdgen_files::inside::Inside;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use crdgen_core::documents::is_definition;
use crdgen_core::go::regexp::{self, Regexp};
use crdgen_core::ir::Schema;
use crdgen_core::json_patch::{NotApplied, Patch as JsonPatch};
use crdgen_core::k8s;
use crdgen_core::keyed::Keyed;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;

use super::Resource;
use super::spent::{Spent, TooMuch};

/// Why a patch cannot be read or applied.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotPatched {
    #[error("a patch has neither `path` nor `patch`")]
    Empty,
    #[error("{}: {source}", path.shown())]
    File { path: PathBuf, source: io::Error },
    #[error("a patch cannot be read: {0}")]
    Unreadable(String),
    #[error("a step of a JSON Patch is not an object")]
    Step,
    #[error("a JSON Patch has no target")]
    NoTarget,
    #[error("a patch is for the CRD `{0}`, which is not there")]
    Missing(String),
    #[error("a patch is for {0} `{1}`, which is not there")]
    MissingObject(String, String),
    #[error("a patch fails: {0}")]
    Failed(NotApplied),
    #[error(transparent)]
    TooMuch(#[from] TooMuch),
    #[error("crdgen does not apply the directive `{0}` of a patch")]
    Directive(String),
    #[error("crdgen does not apply the directive `$patch` inside of a list")]
    DirectiveInList,
    #[error("crdgen does not apply patches whose target has `{0}`")]
    Selector(&'static str),
    #[error("the target of a patch has an invalid pattern: {0}")]
    Pattern(regexp::Error),
}

/// A patch.
pub(super) struct Patch {
    /// The resources that it changes, unless it names them itself.
    target: Option<Selector>,
    changes: Vec<Change>,
    /// Whether it may change the kind and the name of a resource.
    may_rename: Renames,
    /// A value that kustomize reads in another way.
    pub(super) differs: Option<String>,
    /// The size of its text.
    bytes: usize,
}

#[derive(Clone, Copy)]
struct Renames {
    kind: bool,
    name: bool,
}

/// How many earlier names of a resource to keep. Each patch could set another name.
const MAX_NAMES: usize = 100;

/// Keeps an earlier name of a resource, which later patches may still use. No name in Kubernetes is longer.
pub(super) fn keep(earlier: &mut Vec<String>, name: String) {
    if earlier.len() < MAX_NAMES && name.len() <= super::MAX_NAME {
        earlier.push(name);
    }
}

enum Change {
    /// A strategic merge.
    Merge(Value),
    /// Steps of a JSON Patch.
    Steps(Vec<JsonPatch>),
}

impl Patch {
    /// Reads an item of `patches`, or of the lists that older versions of kustomize have. `place` finds files,
    /// and `inside` has those that may be read.
    pub(super) fn read(
        item: &Value,
        place: &dyn Fn(&str) -> PathBuf,
        inside: &Inside,
    ) -> Result<Patch, NotPatched> {
        let text_of = |key: &str| item.get(key).and_then(Value::as_str);
        // An item of `patchesStrategicMerge` is the path, or the patch itself.
        let (path, inline) = match item.as_str() {
            Some(text) if text.contains('\n') => (None, Some(text)),
            Some(path) => (Some(path), None),
            None => (text_of("path"), text_of("patch")),
        };
        let path = path.map(place);
        let bytes = match (&path, inline) {
            (_, Some(text)) => text.as_bytes().to_vec(),
            (Some(path), None) => {
                inside.read(path).map_err(|source| NotPatched::File { path: path.clone(), source })?
            }
            (None, None) => return Err(NotPatched::Empty),
        };
        let (documents, problems) = yaml::read(&bytes);
        if let Some(problem) = problems.first() {
            return Err(NotPatched::Unreadable(problem.text.clone()));
        }
        let changes = documents.into_iter().map(|document| match document.value {
            Value::List(steps) => {
                let steps = steps.iter().map(|step| step.as_map().map(JsonPatch::read));
                steps.collect::<Option<_>>().map(Change::Steps).ok_or(NotPatched::Step)
            }
            value => Ok(Change::Merge(value)),
        });
        let target = item.get("target").and_then(Value::as_map).map(Selector::read).transpose()?;
        let option =
            |key: &str| item.get("options").and_then(|options| options.get(key)) == Some(&Value::Bool(true));
        let may_rename = Renames { kind: option("allowKindChange"), name: option("allowNameChange") };
        let changes = changes.collect::<Result<_, _>>()?;
        Ok(Patch {
            target,
            changes,
            may_rename,
            differs: super::booleans::differs(&bytes),
            bytes: bytes.len(),
        })
    }

    /// Whether it may change CRDs.
    pub(super) fn may_change_crds(&self) -> bool {
        match &self.target {
            Some(target) => matches(&target.kind, "CustomResourceDefinition"),
            None => self
                .changes
                .iter()
                .any(|change| matches!(change, Change::Merge(patch) if is_definition(patch))),
        }
    }

    /// Changes the resources that the patch is for. If `may_miss` is `true`, resources that are not CRDs may be missing.
    /// A resource that it deletes becomes null. `spent` is that of the whole build.
    pub(super) fn apply(
        &self,
        resources: &mut [Resource],
        index: &mut Index,
        spent: &mut Spent,
        may_miss: bool,
    ) -> Result<(), NotPatched> {
        for change in &self.changes {
            let wanted: Vec<usize> = match (&self.target, change) {
                (Some(target), _) => target.find(resources)?,
                (None, Change::Merge(patch)) => match index.named(patch, resources) {
                    Some(at) => vec![at],
                    None if may_miss && !is_definition(patch) => Vec::new(),
                    None => return Err(missing(patch)),
                },
                (None, Change::Steps(_)) => return Err(NotPatched::NoTarget),
            };
            // Without a target, it looks for its resource in an index.
            spent.visit(if self.target.is_some() { resources.len() } else { 1 })?;
            spent.add(1 + wanted.len(), self.bytes)?;
            for at in wanted {
                let name = text(&resources[at].value, &["metadata", "name"]).to_owned();
                match change {
                    Change::Merge(patch) => {
                        if directive(patch) == Some("delete") {
                            resources[at].value = Value::Null;
                            continue;
                        }
                        let value = &mut resources[at].value;
                        let before = Identity::of(value);
                        let schema = schema_of(value);
                        if schema.is_none() {
                            check_directives(patch, Within::Object)?;
                        }
                        merge_with(value, patch.clone(), schema.as_ref())?;
                        before.restore(value, self.may_rename);
                        if self.may_rename.kind || self.may_rename.name {
                            index.0 = None;
                        }
                    }
                    Change::Steps(steps) => {
                        index.0 = None;
                        for step in steps {
                            spent.step(step, &mut resources[at].value).map_err(NotPatched::Failed)?;
                        }
                    }
                }
                let Resource { value, earlier, .. } = &mut resources[at];
                let is_renamed = !name.is_empty() && text(value, &["metadata", "name"]) != name;
                if is_renamed {
                    keep(earlier, name);
                }
            }
        }
        Ok(())
    }
}

/// The places of resources by their API versions, kinds and names, so that many patches find their resources quickly. It is
/// made when it is needed.
#[derive(Default)]
pub(super) struct Index(Option<HashMap<[String; 3], Vec<usize>>>);

impl Index {
    /// The resource with the group, version, kind, name and namespace of a patch.
    fn named(&mut self, patch: &Value, resources: &[Resource]) -> Option<usize> {
        let places = self.0.get_or_insert_with(|| {
            let mut places: HashMap<[String; 3], Vec<usize>> = HashMap::new();
            for (at, Resource { value, earlier, .. }) in resources.iter().enumerate() {
                let own = text(value, &["metadata", "name"]);
                let earlier = earlier.iter().map(String::as_str).filter(|name| *name != own);
                for name in std::iter::once(own).chain(earlier) {
                    places.entry(key(value, name)).or_default().push(at);
                }
            }
            places
        });
        let namespace = |value: &Value| text(value, &["metadata", "namespace"]).to_owned();
        let wanted = namespace(patch);
        let all = places.get(&key(patch, text(patch, &["metadata", "name"])))?;
        let mut all = all.iter().copied().filter(|at| !resources[*at].value.is_null());
        let first = all.next()?;
        let same_namespace = |at: &usize| namespace(&resources[*at].value) == wanted;
        Some(if same_namespace(&first) { first } else { all.find(same_namespace).unwrap_or(first) })
    }
}

fn key(value: &Value, name: &str) -> [String; 3] {
    [text(value, &["apiVersion"]).to_owned(), text(value, &["kind"]).to_owned(), name.to_owned()]
}

fn missing(patch: &Value) -> NotPatched {
    let name = text(patch, &["metadata", "name"]).to_owned();
    match is_definition(patch) {
        true => NotPatched::Missing(name),
        false => NotPatched::MissingObject(text(patch, &["kind"]).to_owned(), name),
    }
}

/// The schema of one of Kubernetes' own kinds, whose lists have merge keys.
fn schema_of(object: &Value) -> Option<Schema> {
    let api_version = text(object, &["apiVersion"]);
    let (group, version) = api_version.split_once('/').unwrap_or(("core", api_version));
    let is_own = !group.contains('.') || group.ends_with(".k8s.io") && !is_definition(object);
    let package = group.split('.').next().unwrap_or_default();
    is_own.then(|| k8s::schema(&format!("{package}/{version}.{}", text(object, &["kind"])))).flatten()
}

/// Merges as kustomize does: lists with a merge key item by item, other lists as a whole.
fn merge_with(target: &mut Value, patch: Value, schema: Option<&Schema>) -> Result<(), NotPatched> {
    let Some(schema) = schema else {
        merge(target, patch);
        return Ok(());
    };
    match (target, patch) {
        (Value::Map(target), Value::Map(patch)) if directive_of(&patch).is_none() => {
            for (key, value) in patch {
                if value.is_null() || directive(&value) == Some("delete") {
                    target.remove(&key);
                    continue;
                }
                if key.starts_with('$') {
                    return Err(NotPatched::Directive(key));
                }
                let below = schema.properties.get(&key).or_else(|| schema.value());
                match below {
                    Some(_) => merge_with(target.entry_or_insert_with(&key, || Value::Null), value, below)?,
                    None => merge(target.entry_or_insert_with(&key, || Value::Null), value),
                }
            }
            Ok(())
        }
        (Value::List(target), Value::List(patch)) => {
            let Some(key) = schema.ext.list_map_keys.first() else {
                let has_directive = patch.iter().any(|item| directive(item).is_some());
                *target = patch;
                return if has_directive { Err(NotPatched::DirectiveInList) } else { Ok(()) };
            };
            if patch.iter().any(|item| directive(item) == Some("replace")) {
                *target = patch.into_iter().filter(|item| directive(item).is_none()).collect();
                return Ok(());
            }
            let mut items = Keyed::new(std::mem::take(target), key);
            for item in patch {
                match directive(&item) {
                    Some("delete") => items.remove(&item),
                    Some(other) => return Err(NotPatched::Directive(format!("$patch: {other}"))),
                    None => {
                        let merged =
                            items.change(item, |target, item| merge_with(target, item, schema.item()));
                        match merged {
                            Ok(merged) => merged?,
                            Err(item) => items.push(item),
                        }
                    }
                }
            }
            *target = items.into_items();
            Ok(())
        }
        (target, patch) => {
            merge(target, patch);
            Ok(())
        }
    }
}

fn directive_of(patch: &Map<Value>) -> Option<&str> {
    patch.get("$patch").and_then(Value::as_str)
}

fn text<'v>(value: &'v Value, steps: &[&str]) -> &'v str {
    steps.iter().try_fold(value, |value, step| value.get(step)).and_then(Value::as_str).unwrap_or_default()
}

/// What a strategic merge does not change of a resource.
struct Identity {
    api_version: Option<Value>,
    kind: Option<Value>,
    name: Option<Value>,
    namespace: Option<Value>,
}

impl Identity {
    fn of(value: &Value) -> Identity {
        let metadata = |key: &str| value.get("metadata").and_then(|metadata| metadata.get(key)).cloned();
        Identity {
            api_version: value.get("apiVersion").cloned(),
            kind: value.get("kind").cloned(),
            name: metadata("name"),
            namespace: metadata("namespace"),
        }
    }

    fn restore(self, value: &mut Value, may_rename: Renames) {
        let set = |map: &mut Map<Value>, key: &str, value: Option<Value>| match value {
            Some(value) => _ = map.insert(key, value),
            None => _ = map.remove(key),
        };
        let Some(object) = value.as_map_mut() else { return };
        set(object, "apiVersion", self.api_version);
        if !may_rename.kind {
            set(object, "kind", self.kind);
        }
        let Some(metadata) = object.get_mut("metadata").and_then(Value::as_map_mut) else { return };
        set(metadata, "namespace", self.namespace);
        if !may_rename.name {
            set(metadata, "name", self.name);
        }
    }
}

fn directive(patch: &Value) -> Option<&str> {
    patch.get("$patch").and_then(Value::as_str)
}

/// What contains a value of a patch. Items of lists cannot be deleted by a directive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Object,
    List,
}

/// Fails for directives that crdgen does not apply: those inside of lists, and those about their items.
fn check_directives(patch: &Value, within: Within) -> Result<(), NotPatched> {
    match patch {
        Value::Map(map) => map.iter().try_for_each(|(key, value)| match (key, value.as_str()) {
            ("$patch", Some("replace" | "merge")) => Ok(()),
            ("$patch", Some("delete")) if within == Within::Object => Ok(()),
            (key, _) if key.starts_with('$') && key != "$ref" => Err(NotPatched::Directive(key.to_owned())),
            _ => check_directives(value, Within::Object),
        }),
        Value::List(items) => items.iter().try_for_each(|item| match directive(item) {
            Some(_) => Err(NotPatched::DirectiveInList),
            None => check_directives(item, Within::List),
        }),
        _ => Ok(()),
    }
}

/// Merges as kustomize does. No list of a CRD that matters to its schema has a merge key, so that lists are replaced.
pub(super) fn merge(target: &mut Value, patch: Value) {
    let Value::Map(mut patch) = patch else {
        *target = patch;
        return;
    };
    let replace = patch.remove("$patch").is_some_and(|directive| directive.as_str() == Some("replace"));
    if replace || target.as_map().is_none() {
        *target = Value::Map(Map::new());
    }
    let Some(map) = target.as_map_mut() else { return };
    for (key, value) in patch {
        if value.is_null() || directive(&value) == Some("delete") {
            map.remove(&key);
        } else {
            merge(map.entry_or_insert_with(&key, || Value::Null), value);
        }
    }
}

/// Which resources a patch is for. All that is given must match as a whole.
struct Selector {
    group: Option<Regexp>,
    version: Option<Regexp>,
    kind: Option<Regexp>,
    name: Option<Regexp>,
    namespace: Option<Regexp>,
    /// A key that crdgen does not know.
    unknown: Option<&'static str>,
}

impl Selector {
    fn read(map: &Map<Value>) -> Result<Selector, NotPatched> {
        let pattern = |key: &str| match map.get(key).and_then(Value::as_str) {
            None | Some("") => Ok(None),
            Some(text) => Regexp::parse(&format!("^(?:{text})$")).map(Some).map_err(NotPatched::Pattern),
        };
        Ok(Selector {
            group: pattern("group")?,
            version: pattern("version")?,
            kind: pattern("kind")?,
            name: pattern("name")?,
            namespace: pattern("namespace")?,
            unknown: ["labelSelector", "annotationSelector"]
                .into_iter()
                .find(|key| map.get(key).and_then(Value::as_str).is_some_and(|text| !text.is_empty())),
        })
    }

    fn find(&self, resources: &[Resource]) -> Result<Vec<usize>, NotPatched> {
        let is_wanted = |Resource { value, earlier, .. }: &Resource| {
            let (group, version) = text(value, &["apiVersion"])
                .split_once('/')
                .unwrap_or_else(|| ("", text(value, &["apiVersion"])));
            let name = text(value, &["metadata", "name"]);
            !value.is_null()
                && matches(&self.group, group)
                && matches(&self.version, version)
                && matches(&self.kind, text(value, &["kind"]))
                && matches(&self.namespace, text(value, &["metadata", "namespace"]))
                && (matches(&self.name, name) || earlier.iter().any(|name| matches(&self.name, name)))
        };
        let found: Vec<usize> = (0..resources.len()).filter(|at| is_wanted(&resources[*at])).collect();
        match self.unknown.filter(|_| !found.is_empty()) {
            Some(key) => Err(NotPatched::Selector(key)),
            None => Ok(found),
        }
    }
}

fn matches(pattern: &Option<Regexp>, text: &str) -> bool {
    pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
}
