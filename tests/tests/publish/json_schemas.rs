//! Strict JSON Schemas in a standard validator. They must give the same result as the server for the schema and the
//! unknown fields of an object, except for keywords that JSON Schema cannot express.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crdgen_core::json::to_string;
use crdgen_core::value::Value;
use crdgen_core::{decode, yaml};
use crdgen_publish::json_schema::{Draft, UNSAID, json_schema};
use crdgen_tests::corpus;
use crdgen_tests::mutate::object;
use crdgen_tests::ours::{answer, with_a_big_stack};
use crdgen_tests::vectors::load;
use jsonschema::Validator;

/// How many generated objects are checked in addition to the recorded ones.
const GENERATED: u64 = 4000;

/// Checks objects with answers that were recorded from the oracle.
#[test]
fn recorded() {
    let vectors = load("object").unwrap_or_else(|e| panic!("tests/vectors/object.vectors: {e}"));
    judge("recorded", vectors.into_iter().map(|v| (v.name, v.request, Some(v.answer))));
}

/// Checks generated objects against op `object`, which is itself compared with the oracle. `$CRDGEN_OBJECTS` sets how
/// many.
#[test]
fn generated() {
    let count = std::env::var("CRDGEN_OBJECTS").ok().and_then(|n| n.parse().ok()).unwrap_or(GENERATED);
    let seeds = corpus::own_crds();
    judge(
        "generated",
        (0..count).filter_map(|n| object::case(&seeds, 7, n)).map(|c| (c.name, c.request, None)),
    );
}

/// Checks objects of the shared corpus and mutations of them.
#[test]
fn shared_corpus() {
    let (Some(seeds), Some(objects)) = (corpus::shared_crds(), corpus::shared_objects()) else {
        return crdgen_tests::skip(
            "real objects in publish::json_schemas",
            "no shared corpus; set $CRDGEN_CORPUS",
        );
    };
    let seeds: Vec<_> = seeds.into_iter().filter(|s| s.text.len() < 60_000).collect();
    let cases = (0..GENERATED / 10).filter_map(|n| object::of_corpus(&seeds, &objects, 7, n));
    judge("corpus", cases.map(|c| (c.name, c.request, None)));
}

fn judge(what: &str, cases: impl Iterator<Item = (String, Value, Option<Value>)> + Send) {
    with_a_big_stack(|| {
        let mut compiled: HashMap<(String, String), Option<[Compiled; 2]>> = HashMap::new();
        let (mut compared, mut excused) = (0, BTreeMap::<String, u32>::new());
        let mut failures = Vec::new();
        for (name, request, recorded) in cases {
            let text = |key: &str| request.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let update = !text("old").is_empty() || !text("subresource").is_empty();
            let Ok(object) = yaml::read_one(text("object").as_bytes()) else { continue };
            let named = object.value.get("metadata").is_some_and(|m| m.as_map().is_some());
            if update || !named || request.get("op").and_then(Value::as_str) != Some("object") {
                continue;
            }
            let Some(validators) = compiled
                .entry((text("crd"), text("version")))
                .or_insert_with(|| validators(&text("crd"), &text("version")))
            else {
                continue;
            };
            let answer = recorded.unwrap_or_else(|| answer(&request));
            let Some(theirs) = verdict(&answer) else { continue };
            compared += 1;
            let instance: serde_json::Value =
                serde_json::from_str(&to_string(&object.value)).expect("our text is JSON");
            for (schema, validator) in validators.iter() {
                let mine: BTreeSet<String> = validator
                    .iter_errors(&instance)
                    .map(|e| broken(schema, e.schema_path().as_str()).to_owned())
                    .collect();
                if theirs.is_empty() == mine.is_empty() {
                    continue;
                }
                let why = if mine.is_empty() { &theirs } else { &mine };
                match why.iter().find(|keyword| !UNSAID.iter().any(|(k, _)| k == keyword)) {
                    None => {
                        why.iter().for_each(|keyword| *excused.entry(keyword.clone()).or_default() += 1);
                    }
                    Some(_) => failures.push(format!(
                        "{name}\n    server: {theirs:?}, schema: {mine:?}\n    {}\n    {}",
                        to_string(&object.value),
                        to_string(answer.get("errors").unwrap_or(&Value::Null)),
                    )),
                }
            }
        }
        eprintln!("{what}: {compared} objects; excused: {excused:?}");
        let shown: String =
            failures.iter().take(40).map(|f| f.chars().take(900).collect::<String>() + "\n").collect();
        assert!(failures.is_empty(), "{} of {compared} differ\n{shown}", failures.len());
    });
}

/// A schema and its validator.
type Compiled = (serde_json::Value, Validator);

/// Returns the keyword at the end of a path in a schema. The server checks the type of a formatted string with its
/// format, so a type next to a format counts as the format.
fn broken<'a>(schema: &serde_json::Value, path: &'a str) -> &'a str {
    let keyword = path.rsplit('/').find(|s| !is_index(s)).unwrap_or("");
    let node = path.strip_suffix("/type").and_then(|parent| schema.pointer(parent));
    if node.is_some_and(|node| node.get("format").is_some()) { "format" } else { keyword }
}

fn is_index(part: &str) -> bool {
    part.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the schemas of a version in both drafts. `None` if it has no schema.
fn validators(crd: &str, version: &str) -> Option<[Compiled; 2]> {
    let (crd, _) = decode::crd(yaml::read_one(crd.as_bytes()).ok()?.value);
    let crd = crd?;
    let index = crd.spec.versions.iter().position(|v| version.is_empty() || v.name == version)?;
    let of = |draft| {
        let schema: serde_json::Value =
            serde_json::from_str(&to_string(&json_schema(&crd, index, draft)?)).expect("our text is JSON");
        let validator = jsonschema::options().should_validate_formats(false).build(&schema).ok()?;
        Some((schema, validator))
    };
    Some([of(Draft::V2020)?, of(Draft::V7)?])
}

/// Returns the keywords for which the server rejects an object, as far as schemas are concerned. `None` if it rejects
/// the object before it reads the schema.
fn verdict(answer: &Value) -> Option<BTreeSet<String>> {
    if ["error", "decodeError", "panic"].iter().any(|key| answer.get(key).is_some()) {
        return None;
    }
    let list = |key: &str| answer.get(key).and_then(Value::as_list).unwrap_or(&[]);
    // Duplicate fields have nothing to do with the schema.
    if list("strict").iter().any(|s| s.as_str().is_some_and(|s| s.contains("already set"))) {
        return None;
    }
    let mut out: BTreeSet<String> =
        list("strict").iter().map(|_| "additionalProperties".to_owned()).collect();
    for error in list("errors") {
        let part = |key: &str| error.get(key).and_then(Value::as_str).unwrap_or_default();
        let keyword = match part("source") {
            "typemeta" => "const",
            "metadata" if part("field").starts_with("metadata.ownerReferences") => "required",
            "embedded" => "x-kubernetes-embedded-resource",
            "listtype"
                if part("badValue").starts_with('{')
                    || error.get("badValue").is_some_and(|v| v.as_map().is_some()) =>
            {
                "x-kubernetes-list-map-keys"
            }
            "listtype" => "uniqueItems",
            "schema" => keyword(part("type"), part("detail")),
            _ => continue,
        };
        out.insert(keyword.to_owned());
    }
    Some(out)
}

/// Returns the keyword that causes an error.
fn keyword(kind: &str, detail: &str) -> &'static str {
    const JSON_TYPES: [&str; 7] = ["object", "array", "string", "integer", "number", "boolean", "null"];
    // The server reports whole numbers of more than 64 bits. For JSON Schema these are numbers like any other.
    const TOO_LARGE: [&str; 3] =
        ["type integer: \"number\"", "type integer (default format)", "type integer with format"];
    if TOO_LARGE.iter().any(|words| detail.contains(words)) {
        return "integer";
    }
    if let Some((_, rest)) = detail.split_once("must be of type ") {
        let name = rest.split([':', ' ']).next().unwrap_or_default().trim_matches('"');
        return if JSON_TYPES.contains(&name) || rest.contains(',') { "type" } else { "format" };
    }
    for (words, keyword) in [
        ("multiple of", "multipleOf"),
        ("MultipleOf", "multipleOf"),
        ("should match", "pattern"),
        ("at least", "minimum or minProperties"),
    ] {
        if detail.contains(words) {
            return if detail.contains("properties") { "minProperties" } else { keyword };
        }
    }
    if detail.contains("properties") {
        return "maxProperties";
    }
    if kind == "FieldValueNotSupported" {
        return "enum";
    }
    if kind.contains("Required") { "required" } else { "other" }
}
