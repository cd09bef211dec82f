//! Tests that name files: Chainsaw's, KUTTL's and those of the command line of kyverno. Some of the files are not meant for a server,
//! others are there to be rejected, and others are applied to objects that are already there.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;

use super::kustomize::identity;
use super::path::normal;
use crdgen_files::input::is_yaml;
use crdgen_files::inside::Inside;

/// What a file is that a test names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It is only for the test.
    OfTest,
    /// The test applies it to objects that are already there, so parts of these are enough.
    Part,
}

/// The files in a folder that are only for tests, and those that need only parts of objects.
pub(super) fn files_of(folder: &Path, inside: &Inside) -> BTreeMap<PathBuf, Role> {
    let mut out = BTreeMap::new();
    let path = |name: &str| normal(&folder.join(name));
    let chainsaw = documents(&folder.join("chainsaw-test.yaml"), inside);
    let chainsaw = chainsaw.iter().map(|test| {
        let mut named = Named::default();
        named.read(test, Use::Applied);
        named
    });
    for named in chainsaw.chain(kuttl(folder, inside)) {
        let has_expressions = |path: &PathBuf| {
            inside.read(path).is_ok_and(|bytes| has_expression(&String::from_utf8_lossy(&bytes)))
        };
        for name in named.parts(|name| documents(&path(name), inside)) {
            out.insert(path(&name), Role::Part);
        }
        // What is only for the test in one place may be applied in another one.
        let is_of_test = |(name, of): &(String, Use)| match of {
            Use::Compared | Use::Rejected => true,
            Use::Applied | Use::Patched => has_expressions(&path(name)),
        };
        out.extend(named.0.iter().filter(|it| is_of_test(it)).map(|(name, _)| (path(name), Role::OfTest)));
    }
    for test in documents(&folder.join("kyverno-test.yaml"), inside) {
        let mut names = Vec::new();
        of_kyverno(&test, &mut names);
        out.extend(names.into_iter().map(|name| (path(name), Role::OfTest)));
    }
    out
}

/// The files of a test of KUTTL in a folder, in the order of its steps: `00-create.yaml`, `00-assert.yaml`, `01-errors.yaml`.
fn kuttl(folder: &Path, inside: &Inside) -> Option<Named> {
    let mut steps: Vec<(u32, Use, String)> = folder.read_dir().ok()?.flatten().filter_map(step).collect();
    steps.sort_unstable();
    let (mut named, mut is_test) = (Named::default(), false);
    for (_, of, name) in steps {
        is_test |= of != Use::Applied;
        named.add(&name, of);
        let bytes = inside.read(&folder.join(&name)).unwrap_or_default();
        let step = match String::from_utf8_lossy(&bytes).contains("kuttl.dev/") {
            true => documents(&folder.join(&name), inside),
            false => Vec::new(),
        };
        for step in step.iter().filter(|it| it.get("kind").and_then(Value::as_str) == Some("TestStep")) {
            is_test = true;
            for (key, of) in [("apply", Use::Applied), ("assert", Use::Compared), ("error", Use::Rejected)] {
                let names = step.get(key).and_then(Value::as_list).unwrap_or_default();
                names.iter().filter_map(Value::as_str).for_each(|name| named.add(name, of));
            }
        }
    }
    is_test.then_some(named)
}

/// The number of a step of KUTTL, what it does with a file, and the name of the file. KUTTL applies a step before it compares.
fn step(file: DirEntry) -> Option<(u32, Use, String)> {
    let name = file.file_name().into_string().ok()?;
    let (number, rest) = name.split_once('-')?;
    let of = match rest.split(['-', '.']).next()? {
        "assert" => Use::Compared,
        "errors" => Use::Rejected,
        _ => Use::Applied,
    };
    is_yaml(Path::new(&name)).then_some((number.parse().ok()?, of, name))
}

fn documents(file: &Path, inside: &Inside) -> Vec<Value> {
    let bytes = inside.read(file);
    bytes.map_or_else(|_| Vec::new(), |bytes| yaml::read(&bytes).0.into_iter().map(|it| it.value).collect())
}

/// What a test does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// It applies the file. Chainsaw patches objects that are already there.
    Applied,
    /// It patches objects with the file.
    Patched,
    /// It compares objects with the file.
    Compared,
    /// It expects that the server rejects the file.
    Rejected,
}

/// The files that a test of Chainsaw or KUTTL names, in the order in which it uses them.
#[derive(Default)]
struct Named(Vec<(String, Use)>);

impl Named {
    fn add(&mut self, name: &str, of: Use) {
        self.0.push((name.to_owned(), of));
    }

    /// The files whose objects are all there when the test uses them: it has compared or applied them before. A comparison
    /// without a name is with any object of the kind.
    fn parts(&self, documents: impl Fn(&str) -> Vec<Value>) -> BTreeSet<String> {
        let mut there = HashSet::new();
        let (mut parts, mut wholes) = (BTreeSet::new(), BTreeSet::new());
        for (name, of) in &self.0 {
            let objects = || documents(name).iter().map(identity).collect::<Vec<_>>();
            match of {
                Use::Patched => drop(parts.insert(name.clone())),
                Use::Compared => there.extend(objects()),
                Use::Applied => {
                    let objects = objects();
                    let is_there = |(kind, name): &(String, String)| {
                        let any = (kind.clone(), String::new());
                        !name.is_empty()
                            && (there.contains(&(kind.clone(), name.clone())) || there.contains(&any))
                    };
                    match !objects.is_empty() && objects.iter().all(is_there) {
                        true => parts.insert(name.clone()),
                        false => wholes.insert(name.clone()),
                    };
                    there.extend(objects.into_iter().filter(|(_, name)| !name.is_empty()));
                }
                Use::Rejected => {}
            }
        }
        parts.retain(|name| !wholes.contains(name));
        parts
    }

    fn read(&mut self, value: &Value, of: Use) {
        match value {
            Value::Map(map) => {
                let of = if expects_error(map) { Use::Rejected } else { of };
                for (key, value) in map.iter() {
                    match (key, value.as_str()) {
                        ("file", Some(name)) => self.add(name, of),
                        // Templates of steps get names in variables.
                        ("value", Some(name)) if is_yaml(Path::new(name)) => self.add(name, of),
                        // Commands name files that are also used otherwise.
                        ("content", Some(line)) if of == Use::Rejected => {
                            line.split_whitespace()
                                .filter(|it| is_yaml(Path::new(it)))
                                .for_each(|it| self.add(it, of));
                        }
                        ("assert", _) => self.read(value, Use::Compared),
                        // It expects that there is no such object.
                        ("error", _) => self.read(value, Use::Rejected),
                        ("patch", _) if of == Use::Applied => self.read(value, Use::Patched),
                        _ => self.read(value, of),
                    }
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.read(item, of)),
            _ => {}
        }
    }
}

/// Whether an operation checks that there is an error: `expect: [{check: {($error != null): true}}]`.
fn expects_error(operation: &Map<Value>) -> bool {
    let checks = operation.get("expect").and_then(Value::as_list).unwrap_or_default();
    let checks = checks.iter().filter_map(|item| item.get("check")).chain(operation.get("check"));
    checks.filter_map(Value::as_map).flat_map(Map::iter).any(|(key, value)| {
        let is_true = *value == Value::Bool(true);
        key == "($error)" && value.as_str().is_some() || key.starts_with("($error != ") && is_true
    })
}

/// Whether a text has an expression of Chainsaw: a value in parentheses.
fn has_expression(text: &str) -> bool {
    text.lines().any(|line| line.split_once(": (").is_some_and(|(_, rest)| rest.trim_end().ends_with(')')))
}

/// The files that only the command line of kyverno reads. Its policies are also applied to servers.
fn of_kyverno<'v>(test: &'v Value, out: &mut Vec<&'v str>) {
    let Some(map) = test.as_map() else { return };
    for (key, value) in map.iter() {
        match key {
            "resources"
            | "clusterResources"
            | "paramResources"
            | "targetResources"
            | "patchedResources"
            | "patchedResource"
            | "generatedResource"
            | "cloneSourceResource"
            | "resource"
            | "context"
            | "envoyPayloads"
            | "jsonPayloads"
            | "variables"
            | "userinfo" => {
                let items = value.as_list().unwrap_or(std::slice::from_ref(value));
                out.extend(items.iter().filter_map(Value::as_str).filter(|it| is_yaml(Path::new(it))));
            }
            "results" => value.as_list().unwrap_or_default().iter().for_each(|it| of_kyverno(it, out)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Named {
        let mut named = Named::default();
        for document in yaml::read(text.as_bytes()).0 {
            named.read(&document.value, Use::Applied);
        }
        named
    }

    #[test]
    fn finds_the_files_of_chainsaw() {
        let table = [
            (
                "try: [{apply: {file: a.yaml}}, {assert: {file: b.yaml}}, {error: {file: c.yaml}}]",
                "Applied a.yaml, Compared b.yaml, Rejected c.yaml",
            ),
            (
                "try: [{apply: {file: a.yaml, expect: [{check: {($error != null): true}}]}}]",
                "Rejected a.yaml",
            ),
            (
                "try: [{patch: {file: a.yaml, expect: [{check: {($error != null): true}}]}}]",
                "Rejected a.yaml",
            ),
            ("try: [{create: {file: a.yaml, expect: [{check: {($error): 'no'}}]}}]", "Rejected a.yaml"),
            (
                "try: [{apply: {file: a.yaml, expect: [{check: {($error != null): false}}]}}]",
                "Applied a.yaml",
            ),
            ("try: [{apply: {file: a.yaml, expect: [{check: {($error == null): true}}]}}]", "Applied a.yaml"),
            ("try: [{patch: {file: a.yaml}}, {update: {file: b.yaml}}]", "Patched a.yaml, Applied b.yaml"),
            (
                "use: {template: x.yaml, with: {bindings: [{name: file, value: a.yaml}, {name: b, value: c}]}}",
                "Applied a.yaml",
            ),
            (
                "try: [{script: {content: kubectl apply -f a.yaml, check: {($error != null): true}}}]",
                "Rejected a.yaml",
            ),
            ("try: [{script: {content: kubectl apply -f a.yaml}}]", ""),
        ];
        for (text, wanted) in table {
            let found: Vec<String> =
                named(text).0.iter().map(|(name, of)| format!("{of:?} {name}")).collect();
            assert_eq!(found.join(", "), wanted, "{text}");
        }
    }

    #[test]
    fn finds_the_files_that_need_only_parts_of_objects() {
        let documents = |name: &str| {
            let text = match name {
                "both" => {
                    "{apiVersion: v1, kind: A, metadata: {name: a}}\n---\n{apiVersion: v1, kind: A, metadata: {name: b}}"
                }
                "nameless" => "{apiVersion: v1, kind: A}",
                _ => "{apiVersion: v1, kind: A, metadata: {name: a}}",
            };
            yaml::read(text.as_bytes()).0.into_iter().map(|it| it.value).collect()
        };
        for (text, wanted) in [
            ("[{assert: {file: a}}, {apply: {file: p}}]", "p"),
            ("[{apply: {file: a}}, {apply: {file: p}}]", "p"),
            ("[{apply: {file: a}}, {apply: {file: a}}]", ""),
            ("[{apply: {file: p}}, {assert: {file: a}}]", ""),
            ("[{error: {file: a}}, {apply: {file: p}}]", ""),
            ("[{assert: {file: a}}, {apply: {file: both}}]", ""),
            ("[{assert: {file: both}}, {apply: {file: p}}]", "p"),
            ("[{assert: {file: nameless}}, {apply: {file: nameless}}]", ""),
            ("[{assert: {file: nameless}}, {apply: {file: p}}]", "p"),
            ("[{apply: {file: nameless}}, {apply: {file: p}}]", ""),
            ("[{patch: {file: p}}]", "p"),
        ] {
            let parts: Vec<String> = named(text).parts(documents).into_iter().collect();
            assert_eq!(parts.join(" "), wanted, "{text}");
        }
    }

    #[test]
    fn finds_the_files_of_kyverno() {
        let text = "policies: [p.yaml]\nresources: [a.yaml, x]\nclusterResources: [c.yaml]\ncontext: d.yaml\n\
                    results: [{patchedResources: b.yaml, resources: [name]}]\n";
        let documents = yaml::read(text.as_bytes()).0;
        let mut names = Vec::new();
        documents.iter().for_each(|it| of_kyverno(&it.value, &mut names));
        assert_eq!(names, ["c.yaml", "d.yaml", "a.yaml", "b.yaml"]);
    }
}
