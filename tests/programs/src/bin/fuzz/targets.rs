//! The parsers under test. Each processes an input and returns a number for the outcome.

use super::seeds;
use crdgen_apply::set::Set;
use crdgen_core::cel;
use crdgen_core::diag::Diag;
use crdgen_core::json::{self, to_string};
use crdgen_core::value::{Map, Value};
use crdgen_core::{decode, go, rpc, yaml};
use crdgen_rust::derive::item;
use crdgen_rust::syntax::nesting;
use crdgen_source::{CrateSource, Program, Sources};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(2);
const EXPRESSION: Duration = Duration::from_secs(1);

/// A parser under test. `run` returns a number for the outcome.
pub(super) struct Target {
    pub(super) name: &'static str,
    pub(super) longest: Duration,
    pub(super) seeds: fn() -> Vec<Vec<u8>>,
    pub(super) run: fn(&[u8]) -> u64,
}

pub(super) const TARGETS: &[Target] = &[
    Target { name: "json", longest: LONGEST, seeds: seeds::json, run: run_json },
    Target { name: "yaml", longest: LONGEST, seeds: seeds::yaml, run: run_yaml },
    Target { name: "crd", longest: LONGEST, seeds: seeds::yaml, run: run_crd },
    Target { name: "rpc", longest: LONGEST, seeds: seeds::rpc, run: run_rpc },
    Target { name: "cel", longest: EXPRESSION, seeds: seeds::cel, run: run_cel },
    Target { name: "rule", longest: EXPRESSION, seeds: seeds::cel, run: run_rule },
    Target { name: "expression", longest: EXPRESSION, seeds: seeds::cel, run: run_expression },
    Target { name: "object", longest: LONGEST, seeds: seeds::object, run: run_object },
    Target { name: "fields", longest: LONGEST, seeds: seeds::fields, run: run_fields },
    Target { name: "apply", longest: LONGEST, seeds: seeds::apply, run: run_apply },
    Target { name: "built-in", longest: LONGEST, seeds: seeds::built_in, run: run_built_in },
    Target { name: "pattern", longest: LONGEST, seeds: seeds::pattern, run: run_pattern },
    Target { name: "rust", longest: LONGEST, seeds: seeds::rust, run: run_rust },
];

pub(super) fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Identifies the diagnostics, without their places.
fn shape(diags: &[Diag]) -> u64 {
    let mut codes: Vec<&str> = diags.iter().map(|d| d.code.id).collect();
    codes.sort_unstable();
    codes.dedup();
    hash(codes)
}

fn run_json(input: &[u8]) -> u64 {
    match json::read(input) {
        Ok(value) => {
            let text = to_string(&value);
            match json::read(text.as_bytes()) {
                // A float without a fraction is written as an integer, so the texts are compared.
                Ok(again) => {
                    assert_eq!(text, to_string(&again), "written and read again, it is another value")
                }
                Err(e) => panic!("what was written cannot be read: {e:?}: {text}"),
            }
            hash(text.chars().filter(|c| !c.is_alphanumeric()).collect::<String>())
        }
        Err(e) => hash(format!("{e:?}").chars().filter(|c| !c.is_ascii_digit()).collect::<String>()),
    }
}

fn run_yaml(input: &[u8]) -> u64 {
    let (documents, problems) = yaml::read(input);
    let kinds: Vec<_> = documents.iter().map(|d| std::mem::discriminant(&d.value)).collect();
    let strict = documents.iter().map(|d| d.strict_errors().len()).sum::<usize>();
    for document in &documents {
        yaml::place(input, document.range());
    }
    shape(&problems.into_iter().map(Diag::from).collect::<Vec<_>>()) ^ hash((kinds, strict))
}

fn run_crd(input: &[u8]) -> u64 {
    let Ok(document) = yaml::read_one(input) else { return 0 };
    let (crd, diags) = decode::crd(document.value);
    shape(&diags)
        ^ hash(crd.is_some())
        ^ outcome(&request("crd", &[("crd", &String::from_utf8_lossy(input))]))
}

fn run_rpc(input: &[u8]) -> u64 {
    outcome(&String::from_utf8_lossy(input))
}

fn run_cel(input: &[u8]) -> u64 {
    match cel::parse(&String::from_utf8_lossy(input), cel::Kube::STORED) {
        Ok(_) => hash(input.iter().filter(|b| !b.is_ascii_alphanumeric()).collect::<Vec<_>>()),
        Err(issues) => hash(issues.len()) ^ hash(format!("{:?}", issues.first()).len()),
    }
}

/// Compiles a rule on a schema with a field of every kind.
fn run_rule(input: &[u8]) -> u64 {
    let rule: Map<Value> =
        [("rule", Value::Str(String::from_utf8_lossy(input).into_owned()))].into_iter().collect();
    let crd = RULED.replace("RULES", &to_string(&Value::List(vec![Value::Map(rule)])));
    outcome(&request("crd", &[("crd", &crd)])) ^ outcome(&request("cel", &[("crd", &crd)]))
}

/// Evaluates an expression about an object with such fields.
fn run_expression(input: &[u8]) -> u64 {
    let expression = Value::List(vec![Value::Str(String::from_utf8_lossy(input).into_owned())]);
    let mut map: Map<Value> = [
        ("op", "eval"),
        ("schema", EVALUATED),
        (
            "self",
            r#"{"s":"abc","i":3,"b":true,"l":["a","b"],"m":{"k":1},"o":{"in":"x"},"x":"7","k":[{"a":"y"}]}"#,
        ),
    ]
    .into_iter()
    .map(|(key, text)| (key, Value::from(text)))
    .collect();
    map.insert("exprs", expression);
    let answer = rpc::handle(&to_string(&Value::Map(map)));
    assert!(!answer.contains("\"panic\":"), "{answer}");
    hash(answer.chars().filter(|c| c.is_ascii_lowercase()).take(60).collect::<String>())
}

const EVALUATED: &str = r#"{"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean","nullable":true},"l":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},"m":{"type":"object","additionalProperties":{"type":"integer"}},"o":{"type":"object","properties":{"in":{"type":"string"},"a-b":{"type":"integer"}}},"x":{"x-kubernetes-int-or-string":true},"t":{"type":"string","format":"date-time"},"k":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}}}"#;

fn run_object(input: &[u8]) -> u64 {
    let crd = RULED.replace("RULES", r#"[{"rule":"has(self.s)"}]"#);
    outcome(&request("object", &[("crd", &crd), ("object", &String::from_utf8_lossy(input))]))
}

/// Reads a set of fields and writes it.
fn run_fields(input: &[u8]) -> u64 {
    let Ok(set) = Set::from_json(&String::from_utf8_lossy(input)) else { return 0 };
    let text = set.to_json();
    let again =
        Set::from_json(&text).unwrap_or_else(|e| panic!("what was written cannot be read: {e}: {text}"));
    assert_eq!(text, again.to_json(), "written and read again, it is another set");
    assert!(set.difference(&set).is_empty() && set.union(&set).to_json() == text, "{text}");
    hash(text.chars().filter(|c| !c.is_alphanumeric()).collect::<String>())
}

/// Applies an object to itself with other managed fields.
fn run_apply(input: &[u8]) -> u64 {
    let crd = RULED.replace("RULES", "[]");
    let text = String::from_utf8_lossy(input);
    let (live, sent) = text.split_once("---\n").unwrap_or(("", &text));
    let write = |kind| {
        let parts =
            [("crd", crd.as_str()), ("live", live), ("request", sent), ("kind", kind), ("manager", "m")];
        outcome(&request("apply", &parts))
    };
    write("apply") ^ write("update").rotate_left(1) ^ write("patch-merge").rotate_left(2)
}

/// The same for an object of Kubernetes' own kinds.
fn run_built_in(input: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(input);
    let (live, sent) = text.split_once("---\n").unwrap_or(("", &text));
    let write = |kind| {
        outcome(&request("apply", &[("live", live), ("request", sent), ("kind", kind), ("manager", "m")]))
    };
    write("apply") ^ write("update").rotate_left(1) ^ write("patch-merge").rotate_left(2)
}

fn run_pattern(input: &[u8]) -> u64 {
    match go::regexp::validate(&String::from_utf8_lossy(input)) {
        Ok(()) => hash(input.iter().filter(|b| !b.is_ascii_alphanumeric()).collect::<Vec<_>>()),
        Err(e) => hash(e.kind.text()),
    }
}

/// Reads a source as the root of a crate and as each of its own modules, and its items as the derives see them.
fn run_rust(input: &[u8]) -> u64 {
    // Outside of a compiler, proc-macro2 keeps the lines of every source that a thread parses.
    proc_macro2::extra::invalidate_current_thread_spans();
    let text = String::from_utf8_lossy(input);
    let mut sources = Itself(&text, 1 << 20);
    let root = CrateSource {
        name: "it".into(),
        id: "it".into(),
        root: "lib.rs".into(),
        cfgs: Default::default(),
        dependency: None,
        environment: Vec::new(),
    };
    let program = Program::new(&mut sources, root);
    let kinds = program.kinds(&|_, _| true).known.len();
    let found: Vec<Diag> = program.found().into_iter().map(|found| found.diag).collect();
    let mut derived = Vec::new();
    for item in nesting::parse_file(&text).map(|file| file.items).unwrap_or_default() {
        if let syn::Item::Struct(_) | syn::Item::Enum(_) = item {
            let tokens = quote::ToTokens::to_token_stream(&item);
            let schema = item::schema(tokens.clone()).to_string();
            let kind = item::custom_resource(tokens).to_string();
            derived.push((schema.contains("compile_error"), kind.contains("compile_error")));
        }
    }
    shape(&found) ^ hash((kinds, derived))
}

/// A crate in which every path is the same file. Files that are modules of each other multiply, so only this many bytes can
/// be read.
struct Itself<'t>(&'t str, usize);

impl Sources for Itself<'_> {
    fn read(&mut self, path: &str) -> Option<String> {
        if path != "lib.rs" && !path.ends_with("/a.rs") {
            return None;
        }
        self.1 = self.1.checked_sub(self.0.len())?;
        Some(self.0.to_owned())
    }
    fn extern_crate(&mut self, _: &CrateSource, _: &str) -> Option<CrateSource> {
        None
    }
}

const RULED: &str = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ws.ex.com"},"spec":{"group":"ex.com","names":{"plural":"ws","kind":"W"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"s":{"type":"string","maxLength":9,"default":"a"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean","nullable":true},"l":{"type":"array","maxItems":5,"items":{"type":"string"},"x-kubernetes-list-type":"set"},"m":{"type":"object","additionalProperties":{"type":"integer"}},"o":{"type":"object","properties":{"in":{"type":"string"},"a-b":{"type":"integer"}}},"e":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},"x":{"x-kubernetes-int-or-string":true},"t":{"type":"string","format":"date-time"},"k":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a"],"items":{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}}},"x-kubernetes-validations":RULES}}}]}}"#;

fn request(op: &str, parts: &[(&str, &str)]) -> String {
    let mut map: Map<Value> = parts.iter().map(|(k, v)| (*k, Value::from(*v))).collect();
    map.insert("op", Value::from(op));
    to_string(&Value::Map(map))
}

/// Returns a number for the answer of `rpc`: for its keys and the types of its errors. `rpc` catches panics and reports
/// them, which counts as a panic here.
fn outcome(line: &str) -> u64 {
    let answer = rpc::handle(line);
    let answer = json::read(answer.as_bytes()).unwrap_or_else(|e| panic!("the answer is no JSON: {e:?}"));
    assert!(answer.get("panic").is_none(), "{}", to_string(&answer));
    let keys: Vec<&str> = answer.as_map().map(|m| m.keys().collect()).unwrap_or_default();
    let mut errors: Vec<String> = answer
        .get("errors")
        .and_then(Value::as_list)
        .unwrap_or(&[])
        .iter()
        .map(|e| {
            let part = |key| e.get(key).and_then(Value::as_str).unwrap_or("");
            format!(
                "{} {}",
                part("type"),
                part("detail").chars().filter(|c| c.is_ascii_lowercase()).take(40).collect::<String>()
            )
        })
        .collect();
    errors.sort_unstable();
    errors.dedup();
    hash((keys, errors))
}
