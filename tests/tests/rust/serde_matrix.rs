//! The server accepts what serde accepts, and the other way round, for generated values.

use crdgen_core::ir::{Crd, Schema, Type};
use crdgen_core::{encode, json};
use crdgen_tests::oracle::or_skip;
use crdgen_tests::rng::Rng;
use serde_json::{Value as Json, json};

/// Texts that mean something to one of the types, and some that do not.
const WORDS: &[&str] = &[
    "Alpha",
    "b",
    "Gamma",
    "gam",
    "first-one",
    "SecondOne",
    "One",
    "Two",
    "Three",
    "Single",
    "Nothing",
    "Empty",
    "Some",
    "Full",
    "Off",
    "On",
    "List",
    "Maybe",
    "Plain",
    "Wrapped",
    "Named",
    "Other",
    "A",
    "B",
    "C",
    "firstCase",
    "secondCase",
    "In",
    "Out",
    "P",
    "R",
    "Unit",
    "Number",
    "Text",
    "Obj",
    "x",
    "",
    "nonsense",
    "10.0.0.1",
    "::1",
    "Ok",
    "Err",
];

/// Keys that are numbers, nearly numbers, and other scalars.
const KEYS: &[&str] = &[
    "0",
    "1",
    "7",
    "-1",
    "-0",
    "007",
    "+1",
    "1.0",
    "1e2",
    " 1",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "2147483647",
    "2147483648",
    "-2147483648",
    "-2147483649",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "true",
    "false",
    "True",
    "x",
    "ä",
    "xy",
    "",
];

/// Returns the number of values per kind.
pub(super) fn rounds() -> usize {
    std::env::var("CRDGEN_VALUES").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

#[test]
fn the_server_accepts_what_serde_accepts_and_back() {
    let kinds = super::matrix::fields();
    let judged: Vec<Judged<'_>> = kinds
        .iter()
        .map(|kind| Judged {
            about: kind.about.to_owned(),
            crd: (kind.definition)().unwrap_or_else(|p| panic!("{}: {p}", kind.about)),
            round: &kind.round,
        })
        .collect();
    judge(&judged, rounds());
}

/// A kind, and how serde reads and writes its spec.
pub(super) struct Judged<'k> {
    pub(super) about: String,
    pub(super) crd: Crd,
    pub(super) round: &'k dyn Fn(&Json) -> Result<Json, String>,
}

/// Compares the CRDs with serde, for this many values of each kind.
pub(super) fn judge(kinds: &[Judged<'_>], rounds: usize) {
    let Some(oracle) = or_skip("values between serde and the server") else { return };
    let mut requests = Vec::new();
    let mut meant = Vec::new();
    for (number, kind) in kinds.iter().enumerate() {
        let schema = kind
            .crd
            .spec
            .schema_of(0)
            .and_then(|s| s.properties.get("spec"))
            .map(encode::schema)
            .unwrap_or_default();
        let schema: Json = serde_json::from_str(&json::to_string(&schema)).unwrap_or_default();
        let text = json::to_string(&encode::crd(&kind.crd));
        requests.push(json!({"op": "crd", "crd": text}).to_string());
        meant.push(Meant::Definition(number));
        let mut rng = Rng::of_case(7, number as u64);
        let (group, name) = (&kind.crd.spec.group, &kind.crd.spec.names.kind);
        for _ in 0..rounds {
            let mut spec = instance(&schema, &mut rng, 0);
            if rng.chance(45) {
                spoil(&mut spec, &mut rng);
            }
            let object = |spec: &Json| json!({"apiVersion": format!("{group}/v1"), "kind": name, "metadata": {"name": "a", "namespace": "default"}, "spec": spec});
            let mut push = |spec: Json, meant_by: fn(usize, Json) -> Meant| {
                requests.push(
                    json!({"op": "object", "crd": text, "object": object(&spec).to_string()}).to_string(),
                );
                meant.push(meant_by(number, spec));
            };
            if let Ok(written) = (kind.round)(&spec) {
                push(written, Meant::Written);
            }
            push(spec, Meant::Any);
        }
    }
    let answers = oracle.ask(&requests, 2).unwrap_or_else(|e| panic!("{e}"));
    let mut wrong = Vec::new();
    let (mut written, mut taken) = (0, 0);
    for (meant, answer) in meant.iter().zip(&answers) {
        let answer: Json = serde_json::from_str(answer).unwrap_or_default();
        match meant {
            Meant::Definition(number) => {
                if answer["valid"] != true || !answer["warnings"].as_array().is_none_or(Vec::is_empty) {
                    wrong.push(format!(
                        "{}: refused: {} {}",
                        kinds[*number].about, answer["errors"], answer["warnings"]
                    ));
                }
            }
            Meant::Written(number, spec) => {
                written += 1;
                let back = without_lost_nulls(&answer["result"]["spec"], spec);
                if answer["valid"] != true {
                    wrong.push(format!(
                        "{}: serde writes {spec}, the server says {}",
                        kinds[*number].about,
                        texts(&answer)
                    ));
                } else if !same(&back, spec) {
                    wrong.push(format!(
                        "{}: serde writes {spec}, the server makes {} of it",
                        kinds[*number].about, answer["result"]["spec"]
                    ));
                }
            }
            Meant::Any(number, spec) => {
                if answer["valid"] == true {
                    taken += 1;
                    let kept = &answer["result"]["spec"];
                    if let Err(why) = (kinds[*number].round)(kept) {
                        let Judged { about, crd, .. } = &kinds[*number];
                        let schema = crd.spec.schema_of(0).and_then(|s| s.properties.get("spec"));
                        let limit =
                            schema.and_then(|schema| beyond_schemas(schema, kept)).unwrap_or_default();
                        wrong.push(format!(
                            "{about}: the server takes {spec} as {kept}, serde says {why}{limit}"
                        ));
                    }
                }
            }
        }
    }
    println!("{} kinds, {written} values written by serde, {taken} values taken by the server", kinds.len());
    let limits: Vec<&str> =
        include_str!("serde_limits.txt").lines().filter(|l| !l.starts_with('#')).collect();
    wrong.retain(|w| {
        !limits.iter().any(|l| l.split_once(" -- ").is_some_and(|(pattern, _)| matches(w, pattern)))
    });
    // Two values of each kind are enough to see what is wrong.
    let mut shown: Vec<&String> = Vec::new();
    for line in &wrong {
        let about = |l: &str| l.split(':').next().map(str::to_owned);
        if shown.iter().filter(|l| about(l) == about(line)).count() < 2 {
            shown.push(line);
        }
    }
    let shown: Vec<&str> = shown.into_iter().map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), shown.join("\n"));
}

/// What is in a value although no schema can exclude it.
fn beyond_schemas(schema: &Schema, value: &Json) -> Option<&'static str> {
    match value {
        Json::Array(_) if schema.limits.format == "ipv4" && schema.ty == Some(Type::String) => {
            Some(" (a list as ipv4)")
        }
        Json::Array(items) => items.iter().find_map(|item| beyond_schemas(schema.item()?, item)),
        Json::Object(fields) => fields.iter().find_map(|(name, value)| {
            match schema.properties.get(name).or_else(|| schema.value()) {
                Some(field) if schema.ty.is_none() && field.has_rules() => {
                    Some(" (rules below a value of several types)")
                }
                Some(field) => beyond_schemas(field, value),
                None => schema.ty.is_none().then_some(" (an unknown field beside values of other types)"),
            }
        }),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => None,
    }
}

enum Meant {
    Definition(usize),
    /// A value that serde wrote. The server must accept it and change nothing.
    Written(usize, Json),
    /// Any value. If the server accepts it, serde must read it.
    Any(usize, Json),
}

fn texts(answer: &Json) -> String {
    let errors = answer["errors"].as_array().cloned().unwrap_or_default();
    let texts: Vec<&str> = errors.iter().filter_map(|e| e["text"].as_str()).collect();
    format!("{} {}", texts.join(" | "), answer["decodeError"])
}

/// The server drops nulls of fields that are not nullable. serde reads both in the same way.
fn without_lost_nulls(found: &Json, wanted: &Json) -> Json {
    match (found, wanted) {
        (Json::Object(found), Json::Object(wanted)) => {
            let mut out = serde_json::Map::new();
            for (key, value) in wanted {
                match found.get(key) {
                    Some(f) => _ = out.insert(key.clone(), without_lost_nulls(f, value)),
                    None if value.is_null() => _ = out.insert(key.clone(), Json::Null),
                    None => {}
                }
            }
            for (key, value) in found {
                out.entry(key.clone()).or_insert_with(|| value.clone());
            }
            Json::Object(out)
        }
        (Json::Array(found), Json::Array(wanted)) if found.len() == wanted.len() => {
            found.iter().zip(wanted).map(|(f, w)| without_lost_nulls(f, w)).collect()
        }
        (found, _) => found.clone(),
    }
}

/// Compares two values. Numbers are compared by value.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        (a, b) => a == b,
    }
}

/// Returns a value that matches a schema in most cases.
pub(super) fn instance(schema: &Json, rng: &mut Rng, depth: usize) -> Json {
    if schema["nullable"] == true && rng.chance(15) {
        return Json::Null;
    }
    for junctor in ["oneOf", "anyOf"] {
        if let Some(arms) = schema[junctor].as_array().filter(|a| !a.is_empty()) {
            let mut arm = rng.pick(arms).clone();
            let mut outer = schema.clone();
            outer[junctor] = Json::Null;
            merge(&mut outer, &mut arm);
            return instance(&outer, rng, depth + 1);
        }
    }
    if let Some(values) = schema["enum"].as_array().filter(|v| !v.is_empty()) {
        return rng.pick(values).clone();
    }
    match schema["type"].as_str() {
        Some("object") => object(schema, rng, depth),
        Some("array") => {
            let len = schema["minItems"].as_u64().unwrap_or(rng.below(3) as u64);
            (0..len).map(|_| instance(&schema["items"], rng, depth + 1)).collect()
        }
        Some("integer") => integer(schema, rng),
        Some("number") => json!(*rng.pick(&[0.5, 3.0, -2.25])),
        Some("boolean") => Json::Bool(rng.chance(50)),
        Some("string") => string(schema, rng),
        _ if schema["x-kubernetes-int-or-string"] == true => {
            if rng.chance(50) && schema["maximum"] != 0.0 {
                integer(schema, rng)
            } else {
                string(schema, rng)
            }
        }
        _ if schema["properties"].is_object() && schema["maxProperties"] != 0 && rng.chance(60) => {
            object(schema, rng, depth)
        }
        _ => anything(rng, depth),
    }
}

fn merge(outer: &mut Json, arm: &mut Json) {
    let (Some(o), Some(a)) = (outer.as_object_mut(), arm.as_object()) else { return };
    for (key, value) in a {
        match (key.as_str(), o.get_mut(key)) {
            ("required", Some(Json::Array(list))) => {
                list.extend(value.as_array().cloned().unwrap_or_default())
            }
            ("properties", Some(Json::Object(properties))) => {
                for (name, narrower) in value.as_object().cloned().unwrap_or_default() {
                    merge(properties.entry(name).or_insert_with(|| json!({})), &mut narrower.clone());
                }
            }
            _ => _ = o.insert(key.clone(), value.clone()),
        }
    }
}

fn object(schema: &Json, rng: &mut Rng, depth: usize) -> Json {
    let mut out = serde_json::Map::new();
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let mut banned = Vec::new();
    let not = &schema["not"];
    for arm in std::iter::once(not).chain(not["anyOf"].as_array().into_iter().flatten()) {
        banned.extend(arm["required"].as_array().into_iter().flatten().filter_map(Json::as_str));
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let wanted = required.contains(&name.as_str())
            || (depth < 6 && rng.chance(40) && !banned.contains(&name.as_str()));
        if wanted {
            out.insert(name.clone(), instance(property, rng, depth + 1));
        }
    }
    if schema["additionalProperties"].is_object() {
        // In this matrix, rules of a map are about its keys.
        let keys = if schema["x-kubernetes-validations"].is_array() { KEYS } else { &["k", "l"] };
        for _ in 0..rng.below(3) {
            out.insert(
                (*rng.pick(keys)).to_owned(),
                instance(&schema["additionalProperties"], rng, depth + 1),
            );
        }
    }
    Json::Object(out)
}

fn integer(schema: &Json, rng: &mut Rng) -> Json {
    let bound = |key: &str| schema[key].as_f64().map(|f| f as i64);
    let mut values = vec![0, 1, 7, -1, 100, 300, 70_000, 5_000_000_000];
    values.extend(
        [bound("minimum"), bound("maximum"), bound("maximum").map(|m| m.saturating_add(1))]
            .into_iter()
            .flatten(),
    );
    json!(*rng.pick(&values))
}

fn string(schema: &Json, rng: &mut Rng) -> Json {
    match schema["format"].as_str() {
        Some("ipv4") => json!("10.1.2.3"),
        Some("ipv6") => json!("fe80::1"),
        _ if schema["maxLength"] == 1 => json!(*rng.pick(&["x", "ä", "🦀"])),
        _ => json!(*rng.pick(WORDS)),
    }
}

fn anything(rng: &mut Rng, depth: usize) -> Json {
    match rng.below(if depth > 4 { 5 } else { 7 }) {
        0 => Json::Null,
        1 => Json::Bool(rng.chance(50)),
        2 => json!(rng.below(5)),
        3 => json!(1.5),
        4 => json!(*rng.pick(WORDS)),
        5 => (0..rng.below(3)).map(|_| anything(rng, depth + 1)).collect(),
        _ => {
            let names = [
                "a", "b", "x", "y", "s", "n", "type", "t", "c", "One", "Two", "A", "Some", "Full", "kind",
                "inner", "v",
            ];
            (0..rng.below(3))
                .map(|_| ((*rng.pick(&names)).to_owned(), anything(rng, depth + 1)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
    }
}

/// Replaces, adds or removes something at a random place.
fn spoil(value: &mut Json, rng: &mut Rng) {
    match value {
        Json::Object(map) if !map.is_empty() && rng.chance(80) => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let key = rng.pick(&keys).clone();
            match rng.below(6) {
                0 => _ = map.remove(&key),
                1 => {
                    if let Json::Object(more) = anything(rng, 2) {
                        map.extend(more);
                    }
                }
                _ => {
                    if let Some(inner) = map.get_mut(&key) {
                        spoil(inner, rng);
                    }
                }
            }
        }
        Json::Array(items) if !items.is_empty() && rng.chance(80) => {
            let at = rng.below(items.len());
            spoil(&mut items[at], rng);
        }
        other => *other = anything(rng, 2),
    }
}

/// Whether a text matches a pattern with `*` for anything.
fn matches(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    let mut parts = pattern.split('*');
    let Some(after) = rest.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    rest = after;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}
