//! Edits of schema nodes that change more than one member: moves, copies, wraps, twins.

use crdgen_core::value::{Map, Value};

use super::Edit::{self, Schema};
use super::wrong;
use crate::json::json;
use crate::rng::Rng;

/// Returns some schema node of a CRD: follows a random path from the root of some version.
pub(super) fn some_node<'a>(document: &'a mut Value, rng: &mut Rng) -> Option<&'a mut Map<Value>> {
    let spec = document.as_map_mut()?.get_mut("spec")?.as_map_mut()?;
    let in_versions = spec.get("versions").and_then(Value::as_list).is_some_and(|v| !v.is_empty());
    let holder =
        if spec.get("validation").is_some_and(|v| v.as_map().is_some()) && (!in_versions || rng.chance(50)) {
            spec.get_mut("validation")?
        } else {
            let Some(Value::List(versions)) = spec.get_mut("versions") else { return None };
            let i = rng.below(versions.len());
            versions.get_mut(i)?.as_map_mut()?.get_mut("schema")?
        };
    let mut at = holder.as_map_mut()?.get_mut("openAPIV3Schema")?.as_map_mut()?;
    while rng.chance(78) {
        let mut ways: Vec<&str> = Vec::new();
        for (key, value) in at.iter() {
            let weight = match key {
                "properties" => 8,
                "items" | "additionalProperties" if value.as_map().is_some() => 6,
                "items" | "not" | "allOf" | "anyOf" | "oneOf" | "definitions" | "patternProperties"
                | "dependencies" => 2,
                _ => 0,
            };
            let open = match value {
                Value::Map(m) => !m.is_empty(),
                Value::List(l) => !l.is_empty(),
                _ => false,
            };
            if open {
                ways.extend(std::iter::repeat_n(key, weight));
            }
        }
        if ways.is_empty() {
            break;
        }
        let way = (*rng.pick(&ways)).to_owned();
        let choice = rng.bits();
        if !leads_on(at, &way, choice) {
            break;
        }
        at = step(at, &way, choice)?;
    }
    Some(at)
}

fn leads_on(at: &Map<Value>, way: &str, choice: u64) -> bool {
    let holder = at.get(way);
    match (way, holder) {
        ("properties" | "definitions" | "patternProperties" | "dependencies", Some(Value::Map(m))) => {
            m.values().nth((choice % m.len() as u64) as usize).is_some_and(|v| v.as_map().is_some())
        }
        (_, Some(Value::List(l))) => l[(choice % l.len() as u64) as usize].as_map().is_some(),
        (_, Some(value)) => value.as_map().is_some(),
        (_, None) => false,
    }
}

fn step<'a>(at: &'a mut Map<Value>, way: &str, choice: u64) -> Option<&'a mut Map<Value>> {
    let of_schemas = matches!(way, "properties" | "definitions" | "patternProperties" | "dependencies");
    match at.get_mut(way)? {
        Value::Map(m) => {
            if !of_schemas {
                return Some(m);
            }
            let i = (choice % m.len() as u64) as usize;
            m.values_mut().nth(i)?.as_map_mut()
        }
        Value::List(l) => {
            let i = (choice % l.len() as u64) as usize;
            l[i].as_map_mut()
        }
        _ => None,
    }
}

fn fill(node: &mut Map<Value>, text: &str) -> bool {
    let Value::Map(members) = json(text) else { return false };
    for (key, value) in members {
        node.insert(key, value);
    }
    true
}

/// Returns one of the properties of a node, with its name.
fn property(node: &mut Map<Value>, rng: &mut Rng) -> Option<(String, Value)> {
    let properties = node.get("properties")?.as_map()?;
    let i = rng.below(properties.len());
    properties.iter().nth(i).map(|(k, v)| (k.to_owned(), v.clone()))
}

fn properties(node: &mut Map<Value>) -> Option<&mut Map<Value>> {
    node.get_mut("properties")?.as_map_mut()
}

fn rename(node: &mut Map<Value>, rng: &mut Rng, to: &str) -> bool {
    let Some((name, value)) = property(node, rng) else { return false };
    let Some(all) = properties(node) else { return false };
    all.remove(&name);
    all.insert(to.to_owned(), value);
    true
}

fn wrap(node: &mut Map<Value>, junctor: &str, keep: &[&str]) -> bool {
    let mut inner = node.clone();
    inner.retain(|key, _| keep.is_empty() || keep.contains(&key));
    if inner.is_empty() {
        return false;
    }
    let inner = Value::Map(inner);
    node.insert(junctor.to_owned(), if junctor == "not" { inner } else { Value::List(vec![inner]) });
    true
}

/// The value validations that a junctor may have.
const VALIDATIONS: &[&str] = &[
    "required",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "enum",
    "format",
    "minItems",
    "maxItems",
];

/// Returns a value that a schema mostly accepts.
pub(super) fn sample(schema: &Value, depth: usize) -> Value {
    let Some(node) = schema.as_map() else { return Value::Null };
    if let Some(Value::List(values)) = node.get("enum")
        && let Some(first) = values.first()
    {
        return first.clone();
    }
    if let Some(default) = node.get("default") {
        return default.clone();
    }
    match node.get("type").and_then(Value::as_str).unwrap_or("") {
        "object" if depth == 0 => Value::Map(Map::new()),
        "object" => {
            let required = node.get("required").and_then(Value::as_list).unwrap_or(&[]);
            let mut out = Map::new();
            for (name, schema) in
                node.get("properties").and_then(Value::as_map).map(Map::iter).into_iter().flatten()
            {
                if required.iter().any(|r| r.as_str() == Some(name)) || depth > 1 {
                    out.insert(name.to_owned(), sample(schema, depth - 1));
                }
            }
            if let Some(schema @ Value::Map(_)) = node.get("additionalProperties") {
                out.insert("k", sample(schema, depth - 1));
            }
            Value::Map(out)
        }
        "array" => match node.get("items") {
            Some(items) if depth > 0 => Value::List(vec![sample(items, depth - 1)]),
            _ => Value::List(Vec::new()),
        },
        "integer" => node.get("minimum").cloned().unwrap_or(Value::Int(1)),
        "number" => node.get("minimum").cloned().unwrap_or(Value::Float(1.5)),
        "boolean" => Value::Bool(true),
        "string" => {
            let length = node.get("minLength").and_then(Value::as_int).unwrap_or(1).clamp(0, 100);
            Value::Str("a".repeat(length as usize))
        }
        _ if node.contains_key("x-kubernetes-int-or-string") => Value::Int(1),
        _ => Value::Map(Map::new()),
    }
}

fn sample_of(node: &Map<Value>) -> Value {
    let mut bare = node.clone();
    bare.remove("default");
    sample(&Value::Map(bare), 3)
}

fn nest(depth: usize) -> Value {
    let mut schema = json(r#"{"type":"string"}"#);
    for i in 0..depth {
        let mut outer = Map::new();
        if i % 3 == 2 {
            outer.insert("type", Value::from("array"));
            outer.insert("items", schema);
        } else {
            outer.insert("type", Value::from("object"));
            outer.insert("properties", Value::Map([("n".to_owned(), schema)].into_iter().collect()));
        }
        schema = Value::Map(outer);
    }
    schema
}

/// The table of edits.
pub(super) const EDITS: &[Edit] = &[
    Schema("empty", |node, _| {
        *node = Map::new();
        true
    }),
    Schema("drop a property", |node, rng| {
        let Some((name, _)) = property(node, rng) else { return false };
        properties(node).and_then(|p| p.remove(&name)).is_some()
    }),
    Schema("property named like a keyword", |node, rng| rename(node, rng, "namespace")),
    Schema("property with a dash", |node, rng| rename(node, rng, "a-b")),
    Schema("property with a dot", |node, rng| rename(node, rng, "a.b/c")),
    Schema("property with odd characters", |node, rng| rename(node, rng, "a b]\"ü")),
    Schema("property with no name", |node, rng| rename(node, rng, "")),
    Schema("property named metadata", |node, rng| rename(node, rng, "metadata")),
    Schema("property named kind", |node, rng| rename(node, rng, "kind")),
    Schema("property named apiVersion", |node, rng| rename(node, rng, "apiVersion")),
    Schema("property named properties", |node, rng| rename(node, rng, "properties")),
    Schema("property copied", |node, rng| {
        let Some((name, value)) = property(node, rng) else { return false };
        properties(node).is_some_and(|p| p.insert(name + "2", value).is_none())
    }),
    Schema("property that is null", |node, rng| {
        let Some((name, _)) = property(node, rng) else { return false };
        properties(node).is_some_and(|p| p.insert(name, Value::Null).is_some())
    }),
    Schema("all properties required", |node, _| {
        let Some(names) = node.get("properties").and_then(Value::as_map) else { return false };
        let names: Vec<Value> = names.keys().map(Value::from).collect();
        node.insert("required", Value::List(names));
        true
    }),
    Schema("map instead of struct", |node, rng| {
        let Some((_, value)) = property(node, rng) else { return false };
        node.remove("properties");
        node.insert("additionalProperties", value);
        true
    }),
    Schema("map and struct", |node, rng| {
        let Some((_, value)) = property(node, rng) else { return false };
        node.insert("additionalProperties", value);
        true
    }),
    Schema("array of itself", |node, _| {
        let inner = Value::Map(node.clone());
        *node = Map::new();
        node.insert("type", Value::from("array"));
        node.insert("items", inner);
        true
    }),
    Schema("map of itself", |node, _| {
        let inner = Value::Map(node.clone());
        *node = Map::new();
        node.insert("type", Value::from("object"));
        node.insert("additionalProperties", inner);
        true
    }),
    Schema("allOf of itself", |node, _| wrap(node, "allOf", &[])),
    Schema("anyOf of itself", |node, _| wrap(node, "anyOf", &[])),
    Schema("oneOf of itself", |node, _| wrap(node, "oneOf", &[])),
    Schema("not of itself", |node, _| wrap(node, "not", &[])),
    Schema("validations in allOf", |node, _| wrap(node, "allOf", VALIDATIONS)),
    Schema("validations in not", |node, _| wrap(node, "not", VALIDATIONS)),
    Schema("properties only in anyOf", |node, _| {
        let Some(inner) = node.remove("properties") else { return false };
        let part: Map<Value> = [("properties", inner)].into_iter().collect();
        node.insert("anyOf", Value::List(vec![Value::Map(part)]));
        true
    }),
    Schema("items only in allOf", |node, _| {
        let Some(inner) = node.remove("items") else { return false };
        let part: Map<Value> = [("items", inner)].into_iter().collect();
        node.insert("allOf", Value::List(vec![Value::Map(part)]));
        true
    }),
    Schema("deep junctors", |node, rng| {
        let junctors = ["allOf", "anyOf", "oneOf"];
        let mut inner = json(r#"{"minLength":1}"#);
        for _ in 0..2 + rng.below(5) {
            let part: Map<Value> = [(*rng.pick(&junctors), Value::List(vec![inner]))].into_iter().collect();
            inner = Value::Map(part);
        }
        let Value::Map(inner) = inner else { return false };
        for (key, value) in inner {
            node.insert(key, value);
        }
        true
    }),
    Schema("int or string, bare", |node, _| {
        *node = Map::new();
        fill(node, r#"{"x-kubernetes-int-or-string":true}"#)
    }),
    Schema("int or string with anyOf", |node, _| {
        *node = Map::new();
        fill(node, r#"{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]}"#)
    }),
    Schema("int or string with allOf", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"pattern":"^a"}]}"#,
        )
    }),
    Schema("int or string, the wrong way round", |node, _| {
        *node = Map::new();
        fill(node, r#"{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"string"},{"type":"integer"}]}"#)
    }),
    Schema("int or string without the extension", |node, _| {
        *node = Map::new();
        fill(node, r#"{"anyOf":[{"type":"integer"},{"type":"string"}]}"#)
    }),
    Schema("int or string with a third", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"},{"type":"boolean"}]}"#,
        )
    }),
    Schema("embedded resource", |node, _| {
        fill(
            node,
            r#"{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}"#,
        )
    }),
    Schema("embedded resource with metadata", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"kind":{"type":"string"},"apiVersion":{"type":"string"},"metadata":{"type":"object","properties":{"name":{"type":"string"},"labels":{"type":"object","additionalProperties":{"type":"string","default":"x"}}},"default":{"name":"a"}},"spec":{"type":"object"}}}"#,
        )
    }),
    Schema("embedded resource in metadata", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"a":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}}}}}"#,
        )
    }),
    Schema("embedded resource with a default", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true,"default":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"b":1}}}}"#,
        )
    }),
    Schema("embedded resource with a default without kind", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true,"default":{"apiVersion":"v1/x/y","metadata":{"name":"A b"}}}"#,
        )
    }),
    Schema("list of type map", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"value":{"type":"integer"}}}}"#,
        )
    }),
    Schema("list of type map with an optional key", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name","p"],"items":{"type":"object","nullable":true,"properties":{"name":{"type":"string","nullable":true},"p":{"type":"array","items":{"type":"string"}}}}}"#,
        )
    }),
    Schema("list of type map with a defaulted key", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","properties":{"name":{"type":"string","default":"a"}}},"default":[{"name":"a"},{}]}"#,
        )
    }),
    Schema("set of objects", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","properties":{"a":{"type":"string"}}}}"#,
        )
    }),
    Schema("set of atomic objects", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"a":{"type":"string"}}}}"#,
        )
    }),
    Schema("set of lists", |node, rng| {
        *node = Map::new();
        let inner = *rng.pick(&["set", "atomic", "map"]);
        fill(
            node,
            &format!(
                r#"{{"type":"array","x-kubernetes-list-type":"set","items":{{"type":"array","x-kubernetes-list-type":"{inner}","items":{{"type":"string"}}}}}}"#
            ),
        )
    }),
    Schema("set with twins by default", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"},"default":["a","a"]}"#,
        )
    }),
    Schema("a default that fits", |node, _| {
        let value = sample_of(node);
        node.insert("default", value);
        true
    }),
    Schema("a default with an unknown field", |node, _| {
        let mut value = sample_of(node);
        let Some(map) = value.as_map_mut() else { return false };
        map.insert("unknown", Value::Int(1));
        node.insert("default", value);
        true
    }),
    Schema("a default broken somewhere", |node, rng| {
        let mut value = sample_of(node);
        let place = wrong::some_value(&mut value, rng);
        *place = wrong::other(place, rng);
        node.insert("default", value);
        true
    }),
    Schema("a default on each property", |node, _| {
        let Some(all) = properties(node) else { return false };
        for schema in all.values_mut() {
            let value = sample(schema, 2);
            if let Some(schema) = schema.as_map_mut() {
                schema.insert("default", value);
            }
        }
        true
    }),
    Schema("a default under a default", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"object","default":{"a":{}},"properties":{"a":{"type":"object","required":["b"],"properties":{"b":{"type":"integer","default":3,"maximum":2}}}}}"#,
        )
    }),
    Schema("deep nesting", |node, rng| {
        let Value::Map(deep) = nest(3 + rng.below(20)) else { return false };
        *node = deep;
        true
    }),
    Schema("a rule on a bounded list", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"array","maxItems":10,"items":{"type":"string","maxLength":10,"x-kubernetes-validations":[{"rule":"self.size() > 1"}]},"x-kubernetes-validations":[{"rule":"self.all(x, self.exists_one(y, x == y))"}]}"#,
        )
    }),
    Schema("an expensive rule", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"array","items":{"type":"array","items":{"type":"string","x-kubernetes-validations":[{"rule":"self.contains('a') && self.matches('a+b+')","message":"m"}]}}}"#,
        )
    }),
    Schema("a transition rule in an uncorrelatable list", |node, _| {
        *node = Map::new();
        fill(
            node,
            r#"{"type":"array","items":{"type":"object","properties":{"a":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}}}"#,
        )
    }),
    Schema("status members beside a spec", |node, _| {
        fill(
            node,
            r#"{"properties":{"spec":{"type":"object","properties":{"replicas":{"type":"integer"},"a":{"type":"string"}}},"status":{"type":"object","properties":{"replicas":{"type":"integer"},"selector":{"type":"string"}}}}}"#,
        )
    }),
    Schema("metadata with a pattern", |node, _| {
        fill(
            node,
            r#"{"properties":{"metadata":{"type":"object","properties":{"name":{"type":"string","pattern":"^a","maxLength":20}}}}}"#,
        )
    }),
    Schema("metadata with labels", |node, _| {
        fill(
            node,
            r#"{"properties":{"metadata":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}}}}}"#,
        )
    }),
    Schema("metadata with a default", |node, _| {
        fill(
            node,
            r#"{"properties":{"metadata":{"type":"object","default":{"name":"a"},"properties":{"name":{"type":"string","default":"a"}}}}}"#,
        )
    }),
    Schema("required twice over", |node, _| {
        let Some(Value::List(items)) = node.get_mut("required") else { return false };
        let Some(first) = items.first().cloned() else { return false };
        items.push(first);
        true
    }),
    Schema("twins in enum", |node, _| {
        let Some(Value::List(items)) = node.get_mut("enum") else { return false };
        let Some(first) = items.first().cloned() else { return false };
        items.push(first);
        true
    }),
    Schema("bounds the wrong way round", |node, _| {
        fill(
            node,
            r#"{"minLength":5,"maxLength":1,"minimum":5,"maximum":1,"minItems":5,"maxItems":1,"minProperties":5,"maxProperties":1}"#,
        )
    }),
];
