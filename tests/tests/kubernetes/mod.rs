//! Kubernetes' own types in kinds. Both routes give the same CRDs as controller-gen does for the same types in Go. The
//! derive route needs k8s-openapi, which takes long to compile: `--features k8s`.

#[cfg(feature = "k8s")]
mod chosen;
#[cfg(feature = "k8s")]
mod kinds;
#[cfg(feature = "k8s")]
mod one;
#[cfg(feature = "k8s")]
mod values;

mod natives;
mod owners;
mod policies;

use std::collections::BTreeSet;
use std::path::Path;

use crdgen::source::{self, Options};
use crdgen_core::ir::Crd;
use crdgen_core::value::{Map, Value};
use crdgen_core::{encode, json, yaml};

fn here(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the CRDs in a file of this folder, without compiling it.
fn from_source(file: &str) -> Vec<Crd> {
    let path = here("tests/kubernetes").join(file);
    let options = Options { path, ..Options::default() };
    let out = source::read(&options).unwrap_or_else(|e| panic!("{e}"));
    assert!(!out.has_errors(), "{}", source::render(&out.found));
    out.crds
}

/// Returns the CRDs that controller-gen generates for the same kinds in Go, with what is different in embedded types: there are no
/// rules about changes, and an integer or string has the bounds of Go's type. `same` leaves out the names of kinds.
fn from_go() -> Vec<Value> {
    let text = std::fs::read(here("tests/kubernetes/kinds.yaml")).unwrap_or_else(|e| panic!("{e}"));
    let (documents, diags) = yaml::read(&text);
    assert!(diags.is_empty(), "{diags:?}");
    documents.into_iter().map(|d| each_map(d.value, adapt)).collect()
}

/// Changes every map of a document.
fn each_map(value: Value, change: fn(&mut Map<Value>)) -> Value {
    match value {
        Value::Map(mut map) => {
            change(&mut map);
            Value::Map(map.into_iter().map(|(name, value)| (name, each_map(value, change))).collect())
        }
        Value::List(items) => Value::List(items.into_iter().map(|item| each_map(item, change)).collect()),
        other => other,
    }
}

fn adapt(map: &mut Map<Value>) {
    let is_of_changes =
        |rule: &Value| rule.get("rule").and_then(Value::as_str).is_some_and(|rule| rule.contains("oldSelf"));
    if let Some(Value::List(rules)) = map.get_mut("x-kubernetes-validations") {
        rules.retain(|rule| !is_of_changes(rule));
        if rules.is_empty() {
            map.remove("x-kubernetes-validations");
        }
    }
    if map.contains_key("x-kubernetes-int-or-string") && !map.contains_key("pattern") {
        map.insert("minimum", Value::Int(i32::MIN.into()));
        map.insert("maximum", Value::Int(i32::MAX.into()));
    }
}

/// Removes the values of `apiVersion` and `kind` of whole resources. Go has no types for them.
fn without_names(map: &mut Map<Value>) {
    if ["apiVersion", "kind", "metadata"].iter().all(|name| map.contains_key(name)) {
        for name in ["apiVersion", "kind"] {
            if let Some(Value::Map(property)) = map.get_mut(name) {
                property.remove("enum");
            }
        }
    }
}

#[track_caller]
fn same(wanted: &[Value], found: &[Value]) {
    assert_eq!(wanted.len(), found.len());
    for (wanted, found) in wanted.iter().zip(found) {
        let [wanted, found] = &[wanted, found].map(|it| each_map(it.clone(), without_names));
        if wanted != found {
            let mut at = Vec::new();
            differences(wanted, found, &mut String::new(), &mut at);
            panic!("{} differences:\n{}", at.len(), at.join("\n"));
        }
    }
}

/// Collects the places where two documents differ.
fn differences(wanted: &Value, found: &Value, path: &mut String, out: &mut Vec<String>) {
    if let (Some(a), Some(b)) = (wanted.as_map(), found.as_map()) {
        let names: BTreeSet<&str> = a.keys().chain(b.keys()).collect();
        for name in names {
            let len = path.len();
            path.push('.');
            path.push_str(name);
            differences(a.get(name).unwrap_or(&Value::Null), b.get(name).unwrap_or(&Value::Null), path, out);
            path.truncate(len);
        }
    } else if wanted != found {
        out.push(format!("{path}: wanted {}, found {}", json::to_string(wanted), json::to_string(found)));
    }
}

/// Compares whole documents, with keys sorted.
#[test]
fn sources_give_what_controller_gen_gives() {
    let found: Vec<Value> = from_source("kinds.rs").iter().map(encode::crd).collect();
    same(&from_go(), &found);
}

#[cfg(feature = "k8s")]
#[test]
fn programs_give_what_controller_gen_gives() {
    use crdgen::CustomResource;
    let found = [kinds::Everything::crd(), kinds::Held::crd()];
    same(&from_go(), &found.each_ref().map(encode::crd));
}

/// Both routes give the same text, which is much smaller than kubectl's limit.
#[test]
fn one_pod_template() {
    let text = json::to_string(&encode::crd(&from_source("one.rs")[0]));
    assert!(text.len() <= 120_000, "{} bytes", text.len());
    #[cfg(feature = "k8s")]
    assert_eq!(text, <one::Runner as crdgen::CustomResource>::crd_json());
}

/// Returns the value at a place of the only version's schema.
fn at(crd: &Crd, path: &str) -> String {
    let schema = crd.spec.schema_of(0).map(encode::schema).unwrap_or_default();
    let found = path.split('.').try_fold(&schema, |at, step| match step {
        "[]" => at.get("items"),
        "{}" => at.get("additionalProperties"),
        name => at.get("properties")?.get(name),
    });
    found.map_or_else(|| "nothing".to_owned(), json::to_string)
}

#[test]
fn attributes_on_foreign_types() {
    let crds = from_source("chosen.rs");
    #[cfg(feature = "k8s")]
    {
        use crdgen::CustomResource;
        let programs = [chosen::Chosen::crd(), chosen::Terse::crd()].map(|crd| encode::crd(&crd));
        same(&programs, &crds.iter().map(encode::crd).collect::<Vec<_>>());
    }
    let strings = r#"{"additionalProperties":{"type":"string"},"type":"object"}"#;
    let names = |path: &str| at(&crds[0], path).matches(r#""type":"#).count();
    for (path, expected) in [
        ("spec.bare.metadata", r#"{"type":"object"}"#),
        ("spec.preserved.metadata", r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#),
        ("spec.subset.metadata.annotations", strings),
        (
            "spec.subset.metadata.labels",
            r#"{"additionalProperties":{"type":"string"},"minProperties":1,"type":"object"}"#,
        ),
        ("spec.subset.metadata.uid", "nothing"),
        ("spec.subset.spec.volumes.[].ephemeral.volumeClaimTemplate.metadata.labels", strings),
        ("spec.claims.[].metadata.uid", r#"{"type":"string"}"#),
        ("spec.claims.[].metadata.labels", strings),
        ("spec.own.labels", strings),
        ("spec.inner.kept.metadata", r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#),
        ("spec.inner.other.metadata.labels", strings),
        ("spec.inner.other.spec.containers.[].name", r#"{"maxLength":63,"type":"string"}"#),
    ] {
        assert_eq!(at(&crds[0], path), expected, "{path}");
    }
    assert!(at(&crds[0], "spec.inner.other.spec.containers.[].resources.limits.{}").contains("how much"));
    assert!(names("spec.claims.[].metadata") > names("spec.subset.metadata"));
    assert_eq!(at(&crds[1], "spec.a"), r#"{"description":"One sentence.","type":"string"}"#);
    assert_eq!(at(&crds[1], "spec.b"), r#"{"description":"No sentence is that...","type":"string"}"#);
}
