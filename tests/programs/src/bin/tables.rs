//! `tables check` fails if a table of facts in crdgen differs from its source, and `tables write` updates it:
//!
//! - `codegen/publish/src/openapi/shared.json`: what all published documents have in common, from the oracle.
//! - `k8s/types.rs` and `derive/kubernetes_names.rs`: the schemas of Kubernetes' own types, from `tests/k8s-types`, and
//!   which types of k8s-openapi they are.
//! - `codegen/import/src/structs/known.rs`: the properties by which `import` recognises them, from the compiled `k8s/types.rs`.
//! - `recipe/metadata.json`: the possible forms of embedded metadata.
//! - `apply/builtin/kinds.json` and `kinds/descriptions.zz`: the types of Kubernetes' own kinds and their descriptions, from
//!   `tests/oracle/kinds`.
//! - `object/lifecycle/table.rs`: which of Kubernetes' own kinds are deprecated or removed, from the Go modules.
//! - `validate/of_cluster.rs`: which of them have objects outside of namespaces, from the Go modules.
//! - `tests/kubernetes/kinds.yaml`: the output of controller-gen for `tests/k8s-types/kinds`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};
use crdgen_programs::{built_in, lifecycle};
use crdgen_tests::corpus::tests_dir;
use crdgen_tests::json::parse;
use crdgen_tests::kubernetes;
use crdgen_tests::oracle::oracle;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib;
use serde::Serialize;

/// A CRD that uses everything that documents share.
const DEFINITION: &str = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"as.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
"names":{"plural":"as","kind":"A"},"versions":[{"name":"v1","served":true,"storage":true,
"schema":{"openAPIV3Schema":{"type":"object"}},"subresources":{"status":{},
"scale":{"specReplicasPath":".spec.a","statusReplicasPath":".status.a"}}}]}}"#;

/// Parameters that v2 does not share but repeats.
const REPEATED: [&str; 2] = ["dryRun", "fieldValidation"];

fn main() -> ExitCode {
    let write = match std::env::args().nth(1).as_deref() {
        Some("check") => false,
        Some("write") => true,
        _ => {
            eprintln!("usage: tables check | write");
            return ExitCode::from(2);
        }
    };
    let core = tests_dir().join("../codegen/core/src");
    let publish = tests_dir().join("../codegen/publish/src");
    let import = tests_dir().join("../codegen/import/src");
    let rust = tests_dir().join("../codegen/rust/src");
    let tasks = tests_dir().join("../codegen/tasks/src");
    let model = tests_dir().join("../codegen/runtime/src");
    let kubernetes = tests_dir().join("../codegen/kubernetes/src");
    let tables: [(PathBuf, Make); 10] = [
        (publish.join("openapi/shared.json"), shared),
        (model.join("k8s/types.rs"), kubernetes::types),
        (rust.join("derive/kubernetes_names.rs"), kubernetes::names),
        (import.join("structs/known.rs"), kubernetes::known),
        (model.join("recipe/metadata.json"), kubernetes::metadata),
        (core.join("apply/builtin/kinds.json"), || Ok(built_in::read()?.kinds)),
        (kubernetes.join("kinds/descriptions.zz"), || Ok(built_in::read()?.descriptions)),
        (core.join("object/lifecycle/table.rs"), lifecycle::table),
        (tasks.join("validate/of_cluster.rs"), lifecycle::of_cluster),
        (tests_dir().join("tests/kubernetes/kinds.yaml"), kubernetes::kinds),
    ];
    let mut stale = false;
    for (path, make) in tables {
        let result = make().and_then(|text| normalize(&path, &text, write));
        match result {
            Ok(true) => println!("{}: up to date", path.display()),
            Ok(false) => {
                println!("{}: {}", path.display(), if write { "written" } else { "STALE" });
                stale |= !write;
            }
            Err(e) => {
                eprintln!("{}: {e}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    if stale { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The function that gets the text of a table from its source.
type Make = fn() -> io::Result<String>;

/// Whether the file already has this text. With `write`, writes it.
fn normalize(path: &Path, text: &str, write: bool) -> io::Result<bool> {
    let is_packed = path.extension().is_some_and(|it| it == "zz");
    let there = std::fs::read(path).unwrap_or_default();
    let there = if is_packed { decompress_to_vec_zlib(&there).unwrap_or_default() } else { there };
    if there.trim_ascii_end() == text.trim_ascii_end().as_bytes() {
        return Ok(true);
    }
    if write {
        let bytes =
            if is_packed { compress_to_vec_zlib(text.as_bytes(), 10) } else { text.as_bytes().to_vec() };
        std::fs::write(path, bytes)?;
    }
    Ok(false)
}

/// Returns definitions in the form of v3 and parameters in the form of v2, because these contain more.
fn shared() -> io::Result<String> {
    let request: Map<Value> =
        [("op", Value::from("openapi")), ("crd", Value::from(DEFINITION))].into_iter().collect();
    let answers = oracle().map_err(io::Error::other)?.ask(&[to_string(&request.into())], 1)?;
    let answer = parse(answers.first().map_or("", String::as_str)).map_err(io::Error::other)?;
    let none = || io::Error::other(format!("no documents in the answer: {answers:?}"));
    let part = |path: &[&str]| path.iter().try_fold(&answer, |at, key| at.get(key)).and_then(Value::as_map);
    let schemas = part(&["v3", "components", "schemas"]).ok_or_else(none)?;
    let definitions: Map<Value> = schemas
        .iter()
        .filter(|(name, _)| name.starts_with("io.k8s"))
        .map(|(name, schema)| (name, schema.clone()))
        .collect();
    let mut parameters = part(&["v2", "parameters"]).ok_or_else(none)?.clone();
    let paths = part(&["v2", "paths"]).ok_or_else(none)?;
    for name in REPEATED {
        let found = paths.values().find_map(|path| parameter(path, name));
        parameters.insert(name, found.ok_or_else(none)?.clone());
    }
    let all: Map<Value> = [("definitions", Value::Map(definitions)), ("parameters", Value::Map(parameters))]
        .into_iter()
        .collect();
    pretty(&all.into())
}

/// Returns a parameter of any operation of a path.
fn parameter<'a>(path: &'a Value, name: &str) -> Option<&'a Value> {
    let operations = path.as_map()?.values();
    let lists = operations.filter_map(|operation| operation.get("parameters")?.as_list());
    lists.flatten().find(|p| p.get("name").and_then(Value::as_str) == Some(name))
}

/// Indents by one space, so that diffs are readable.
fn pretty(value: &Value) -> io::Result<String> {
    let value: serde_json::Value = serde_json::from_str(&to_string(value))?;
    let mut out = Vec::new();
    let format = serde_json::ser::PrettyFormatter::with_indent(b" ");
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, format))?;
    String::from_utf8(out).map_err(io::Error::other)
}
