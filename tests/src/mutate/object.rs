//! Generates objects from schemas: more or less valid ones, and broken ones.

use crdgen_core::json::to_string;
use crdgen_core::value::{Map, Value};

use super::{Edit, schema, wrong};
use crate::case::Case;
use crate::corpus::Seed;
use crate::json::json;
use crate::rng::Rng;

/// Generates case `number` of op `object`: an object for one of the CRDs, with 0 to 3 edits. Some are updates of
/// another object.
pub fn case(seeds: &[Seed], seed: u64, number: u64) -> Option<Case> {
    let mut rng = Rng::of_case(seed ^ 0x6f62_6a65_6374, number);
    let start = rng.pick(seeds);
    let spec = start.value.get("spec")?;
    let versions = spec.get("versions")?.as_list()?;
    let version = rng.pick(versions);
    let root = version.get("schema")?.get("openAPIV3Schema")?;
    let name = version.get("name")?.as_str()?;
    let group = spec.get("group")?.as_str()?;
    let kind = spec.get("names")?.get("kind")?.as_str()?;

    let mut base = sample(root, 4, &mut rng);
    let map = base.as_map_mut()?;
    map.insert("apiVersion", Value::Str(format!("{group}/{name}")));
    map.insert("kind", Value::from(kind));
    map.insert("metadata", json(r#"{"name":"an-object"}"#));
    let mut new = base.clone();
    for _ in 0..rng.below(4) {
        edit(&mut new, &mut rng);
    }
    let mut request = Map::new();
    request.insert("op", Value::from("object"));
    request.insert("crd", Value::Str(start.text.clone()));
    request.insert("version", Value::from(name));
    request.insert("object", Value::Str(to_string(&new)));
    if rng.chance(35) {
        let mut old = base;
        for _ in 0..rng.below(3) {
            edit(&mut old, &mut rng);
        }
        request.insert("old", Value::Str(to_string(&old)));
        let has_status = version.get("subresources").is_some_and(|s| s.get("status").is_some());
        if has_status && rng.chance(30) {
            request.insert("subresource", Value::from("status"));
        }
    }
    Some(Case { name: format!("object-{seed}-{number}: {}", start.name), request: Value::Map(request) })
}

/// Returns a value for a schema. It is often valid, and sometimes empty, null, at a limit or just beyond it.
fn sample(schema: &Value, depth: usize, rng: &mut Rng) -> Value {
    let Some(node) = schema.as_map() else { return Value::Null };
    if rng.chance(2) {
        return Value::Null;
    }
    let number = |key: &str| node.get(key).and_then(Value::as_float);
    if let Some(Value::List(values)) = node.get("enum")
        && !values.is_empty()
        && rng.chance(90)
    {
        return rng.pick(values).clone();
    }
    match node.get("type").and_then(Value::as_str).unwrap_or("") {
        "object" => object(node, depth, rng),
        "array" => {
            let most =
                number("maxItems").map_or(3, |n| n.clamp(0.0, 5.0) as usize + usize::from(rng.chance(5)));
            let least = number("minItems").map_or(0, |n| n.clamp(0.0, 5.0) as usize);
            let count = if depth == 0 { least } else { least + rng.below(most.saturating_sub(least) + 1) };
            let empty = Value::Map(Map::new());
            let items = node.get("items").unwrap_or(&empty);
            Value::List((0..count).map(|_| sample(items, depth.saturating_sub(1), rng)).collect())
        }
        "integer" => integer(number("minimum"), number("maximum"), rng),
        "number" => match rng.below(3) {
            0 => Value::Float(number("minimum").unwrap_or(0.5)),
            1 => Value::Float(number("maximum").unwrap_or(1e10)),
            _ => integer(number("minimum"), number("maximum"), rng),
        },
        "boolean" => Value::Bool(rng.chance(50)),
        "string" => string(node, rng),
        _ if node.get("x-kubernetes-int-or-string").is_some() => {
            if rng.chance(50) {
                Value::Int(rng.below(100) as i64)
            } else {
                Value::from("50%")
            }
        }
        _ => json(pick(rng, &[r#"{"a":1}"#, r#"["x"]"#, r#""free""#, "7", r#"{"b":{"c":[]}}"#])),
    }
}

fn object(node: &Map<Value>, depth: usize, rng: &mut Rng) -> Value {
    let required = node.get("required").and_then(Value::as_list).unwrap_or(&[]);
    let mut out = Map::new();
    for (name, schema) in node.get("properties").and_then(Value::as_map).map(Map::iter).into_iter().flatten()
    {
        let needed = required.iter().any(|r| r.as_str() == Some(name));
        if needed && rng.chance(97) || depth > 0 && rng.chance(55) {
            out.insert(name.to_owned(), sample(schema, depth.saturating_sub(1), rng));
        }
    }
    if let Some(schema @ Value::Map(_)) = node.get("additionalProperties") {
        for _ in 0..rng.below(3) {
            let key = *rng.pick(&["a", "b.c/d", "", "x y"]);
            out.insert(key, sample(schema, depth.saturating_sub(1), rng));
        }
    }
    if node.get("x-kubernetes-embedded-resource").is_some() && rng.chance(90) {
        out.insert("apiVersion", Value::from("v1"));
        out.insert("kind", Value::from("Pod"));
        out.insert("metadata", json(r#"{"name":"inner","labels":{"a":"b"}}"#));
    }
    Value::Map(out)
}

fn integer(minimum: Option<f64>, maximum: Option<f64>, rng: &mut Rng) -> Value {
    let (low, high) = (minimum.unwrap_or(-3.0) as i64, maximum.unwrap_or(1000.0) as i64);
    Value::Int(match rng.below(8) {
        0 => low,
        1 => high,
        2 => low.saturating_sub(1),
        3 => high.saturating_add(1),
        _ => low.saturating_add(rng.below(high.saturating_sub(low).clamp(1, 1000) as usize) as i64),
    })
}

fn string(node: &Map<Value>, rng: &mut Rng) -> Value {
    let formatted = match node.get("format").and_then(Value::as_str).unwrap_or("") {
        "date" => Some("2020-02-29"),
        "date-time" => Some("2020-02-29T12:00:00Z"),
        "duration" => Some("1h30m"),
        "byte" => Some("QUJD"),
        "uuid" => Some("123e4567-e89b-12d3-a456-426614174000"),
        "ipv4" => Some("10.0.0.1"),
        "ipv6" => Some("::1"),
        "cidr" => Some("10.0.0.0/8"),
        "email" => Some("a@b.c"),
        "uri" => Some("https://a.b/c"),
        "hostname" => Some("a.b"),
        _ => None,
    };
    if let Some(text) = formatted.filter(|_| rng.chance(80)) {
        return Value::from(text);
    }
    let least = node.get("minLength").and_then(Value::as_int).unwrap_or(0).clamp(0, 200) as usize;
    let most = node.get("maxLength").and_then(Value::as_int).unwrap_or(12).clamp(0, 200) as usize;
    let length = match rng.below(6) {
        0 => least,
        1 => most,
        2 => most + 1,
        3 => least.saturating_sub(1),
        _ => least + rng.below(most.saturating_sub(least) + 1),
    };
    Value::Str(std::iter::repeat_n(*rng.pick(&["a", "b", "Z", "1", "é", "-"]), length).collect())
}

fn pick(rng: &mut Rng, texts: &[&'static str]) -> &'static str {
    texts[rng.below(texts.len())]
}

/// May break an object.
fn edit(object: &mut Value, rng: &mut Rng) {
    match rng.below(8) {
        0 => {
            // Adds unknown fields at random places.
            for _ in 0..5 {
                if let Some(map) = wrong::some_value(object, rng).as_map_mut() {
                    map.insert("unknown", json(pick(rng, &["1", r#""x""#, r#"{"y":[1]}"#, "null"])));
                    return;
                }
            }
        }
        1 => {
            let metadata = *rng.pick(&[
                r#"{"name":"other"}"#,
                r#"{"name":"Bad Name"}"#,
                r#"{"generateName":"x-"}"#,
                "{}",
                "null",
                r#"{"name":"a","labels":{"x y":"z"}}"#,
                r#"{"name":"a","labels":{"a":1}}"#,
                r#"{"name":"a","finalizers":["bad"]}"#,
                r#"{"name":"a","unknown":1}"#,
                r#"{"name":"a","namespace":"other"}"#,
                r#"{"name":"a","annotations":{"a":null}}"#,
                r#"{"name":"a","creationTimestamp":null,"generation":3}"#,
                r#"{"name":1}"#,
            ]);
            if let Some(map) = object.as_map_mut() {
                map.insert("metadata", json(metadata));
            }
        }
        2 => {
            if let Some(map) = object.as_map_mut() {
                let (key, value) = *rng.pick(&[
                    ("apiVersion", r#""v1""#),
                    ("kind", r#""Other""#),
                    ("kind", "null"),
                    ("apiVersion", "1"),
                    ("status", "{}"),
                    ("status", r#"{"a":1}"#),
                    ("spec", "null"),
                    ("spec", "[]"),
                ]);
                map.insert(key, json(value));
            }
        }
        _ => {
            for _ in 0..10 {
                let place = wrong::some_value(object, rng);
                if let Edit::Any(_, run) = rng.pick(wrong::EDITS)
                    && run(place, rng)
                {
                    return;
                }
            }
        }
    }
}

/// Returns an object for one of the schemas of a CRD, without edits, for callers that need many values.
pub fn object_for(root: &Value, rng: &mut Rng) -> Value {
    sample(root, 4, rng)
}

/// Returns a plain value that a schema mostly accepts, without any randomness.
pub fn plain(root: &Value) -> Value {
    schema::sample(root, 3)
}

/// Generates case `number` of op `object` for real objects: one of them with 0 to 3 edits, or an update of it.
pub fn of_corpus(crds: &[Seed], objects: &[Seed], seed: u64, number: u64) -> Option<Case> {
    let mut rng = Rng::of_case(seed ^ 0x7265_616c, number);
    for _ in 0..20 {
        let object = rng.pick(objects);
        let case = of_seed(crds, object, Some(&mut rng));
        if let Some(mut case) = case {
            case.name = format!("object-{seed}-{number}: {}", case.name);
            return Some(case);
        }
    }
    None
}

/// Returns a real object with its CRD. With `rng`, the object may be edited.
pub fn of_seed(crds: &[Seed], object: &Seed, rng: Option<&mut Rng>) -> Option<Case> {
    let (group, version) = object.value.get("apiVersion")?.as_str()?.split_once('/')?;
    let kind = object.value.get("kind")?.as_str()?;
    let crd = crds.iter().find(|c| {
        let spec = c.value.get("spec");
        let part = |key| spec.and_then(|s| s.get(key));
        part("group").and_then(Value::as_str) == Some(group)
            && part("names").and_then(|n| n.get("kind")).and_then(Value::as_str) == Some(kind)
            && part("versions")
                .and_then(Value::as_list)
                .is_some_and(|v| v.iter().any(|v| v.get("name").and_then(Value::as_str) == Some(version)))
    })?;
    let mut request = Map::new();
    request.insert("op", Value::from("object"));
    request.insert("crd", Value::Str(crd.text.clone()));
    request.insert("version", Value::from(version));
    let mut text = object.text.clone();
    if let Some(rng) = rng {
        let mut new = object.value.clone();
        for _ in 0..rng.below(4) {
            edit(&mut new, rng);
        }
        text = to_string(&new);
        if rng.chance(30) {
            let mut old = object.value.clone();
            for _ in 0..rng.below(3) {
                edit(&mut old, rng);
            }
            request.insert("old", Value::Str(to_string(&old)));
        }
    }
    request.insert("object", Value::Str(text));
    Some(Case { name: object.name.clone(), request: Value::Map(request) })
}
