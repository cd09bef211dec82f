//! Tests that name files: Chainsaw's and those of the command line of kyverno. Some of the files are not meant for a server, and
//! others are there to be rejected.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;

use super::path::normal;
use crate::inside::Inside;

/// The files in a folder that are only for tests.
pub(super) fn files_of(folder: &Path, inside: &Inside) -> BTreeSet<PathBuf> {
    let mut out = BTreeSet::new();
    let path = |name: &str| normal(&folder.join(name));
    for test in documents(folder, "chainsaw-test.yaml", inside) {
        let mut named = Named::default();
        named.read(&test, Use::Applied);
        out.extend(named.others.iter().map(|name| path(name)));
        let has_expressions = |path: &PathBuf| {
            inside.read(path).is_ok_and(|bytes| has_expression(&String::from_utf8_lossy(&bytes)))
        };
        out.extend(named.applied.iter().map(|name| path(name)).filter(has_expressions));
    }
    for test in documents(folder, "kyverno-test.yaml", inside) {
        let mut names = Vec::new();
        of_kyverno(&test, &mut names);
        out.extend(names.into_iter().map(path));
    }
    out
}

fn documents(folder: &Path, name: &str, inside: &Inside) -> Vec<Value> {
    let bytes = inside.read(&folder.join(name));
    bytes.map_or_else(|_| Vec::new(), |bytes| yaml::read(&bytes).0.into_iter().map(|it| it.value).collect())
}

/// What a test does with a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It applies the file.
    Applied,
    /// It compares objects with the file, or expects that the server rejects it.
    Other,
}

/// The files that a test of Chainsaw names.
#[derive(Default)]
struct Named {
    applied: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl Named {
    fn add(&mut self, name: &str, of: Use) {
        match of {
            Use::Applied => self.applied.insert(name.to_owned()),
            Use::Other => self.others.insert(name.to_owned()),
        };
    }

    fn read(&mut self, value: &Value, of: Use) {
        match value {
            Value::Map(map) => {
                let of = if expects_error(map) { Use::Other } else { of };
                for (key, value) in map.iter() {
                    match (key, value.as_str()) {
                        ("file", Some(name)) => self.add(name, of),
                        // Templates of steps get names in variables.
                        ("value", Some(name)) if is_yaml(name) => self.add(name, of),
                        // Commands name files that are also used otherwise.
                        ("content", Some(line)) if of == Use::Other => {
                            line.split_whitespace().filter(|it| is_yaml(it)).for_each(|it| self.add(it, of));
                        }
                        ("assert" | "error", _) => self.read(value, Use::Other),
                        _ => self.read(value, of),
                    }
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.read(item, of)),
            _ => {}
        }
    }
}

fn is_yaml(name: &str) -> bool {
    name.ends_with(".yaml") || name.ends_with(".yml")
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
            | "targetResources"
            | "patchedResources"
            | "patchedResource"
            | "generatedResource"
            | "cloneSourceResource"
            | "resource"
            | "variables"
            | "userinfo" => {
                let items = value.as_list().unwrap_or(std::slice::from_ref(value));
                out.extend(items.iter().filter_map(Value::as_str).filter(|it| is_yaml(it)));
            }
            "results" => value.as_list().unwrap_or_default().iter().for_each(|it| of_kyverno(it, out)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> (Vec<String>, Vec<String>) {
        let mut named = Named::default();
        for document in yaml::read(text.as_bytes()).0 {
            named.read(&document.value, Use::Applied);
        }
        (named.applied.into_iter().collect(), named.others.into_iter().collect())
    }

    #[test]
    fn finds_the_files_of_chainsaw() {
        let table = [
            (
                "try: [{apply: {file: a.yaml}}, {assert: {file: b.yaml}}, {error: {file: c.yaml}}]",
                "a.yaml",
                "b.yaml c.yaml",
            ),
            ("try: [{apply: {file: a.yaml, expect: [{check: {($error != null): true}}]}}]", "", "a.yaml"),
            ("try: [{create: {file: a.yaml, expect: [{check: {($error): 'no'}}]}}]", "", "a.yaml"),
            ("try: [{apply: {file: a.yaml, expect: [{check: {($error != null): false}}]}}]", "a.yaml", ""),
            ("try: [{apply: {file: a.yaml, expect: [{check: {($error == null): true}}]}}]", "a.yaml", ""),
            (
                "use: {template: x.yaml, with: {bindings: [{name: file, value: a.yaml}, {name: b, value: c}]}}",
                "a.yaml",
                "",
            ),
            (
                "try: [{script: {content: kubectl apply -f a.yaml, check: {($error != null): true}}}]",
                "",
                "a.yaml",
            ),
            ("try: [{script: {content: kubectl apply -f a.yaml}}]", "", ""),
        ];
        for (text, applied, others) in table {
            let (a, b) = named(text);
            assert_eq!((a.join(" ").as_str(), b.join(" ").as_str()), (applied, others), "{text}");
        }
    }

    #[test]
    fn finds_the_files_of_kyverno() {
        let text = "policies: [p.yaml]\nresources: [a.yaml, x]\nresults: [{patchedResources: b.yaml, resources: [name]}]\n";
        let documents = yaml::read(text.as_bytes()).0;
        let mut names = Vec::new();
        documents.iter().for_each(|it| of_kyverno(&it.value, &mut names));
        assert_eq!(names, ["a.yaml", "b.yaml"]);
    }
}
