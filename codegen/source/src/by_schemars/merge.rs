//! Merges schemas into others: flattened fields, and variants with a tag.

use super::{Generated, Generator, insert, object, of_type};
use crate::types::{Id, Instance};
use crate::value::{Map, Value};

/// Whether a schema contains others that apply to the same value.
pub(super) fn has_subschema(map: &Map<Value>) -> bool {
    ["if", "allOf", "anyOf", "oneOf", "$ref"].iter().any(|key| map.contains_key(key))
}

impl Generator<'_, '_> {
    /// The schema of a type whose fields become fields of another type.
    pub(super) fn flattened(&mut self, id: Id) -> Generated {
        let is_option = self.is_option(id);
        let mut inner = self.forwarded(id);
        while let Instance::Known("std::option::Option", parts) = self.program.instance(inner) {
            inner = self.forwarded(parts.first().copied().unwrap_or(inner));
        }
        let mut schema = self.schema(inner)?;
        if let Some(names) = unit_variants(&mut schema) {
            let variant = |name: &Value| {
                let key = name.as_str().unwrap_or_default();
                object([
                    ("type", "object".into()),
                    ("properties", object([(key, of_type("null"))])),
                    ("required", Value::List(vec![name.clone()])),
                ])
            };
            if let Some(map) = schema.as_map_mut()
                && let Value::List(all) = map.entry_or_insert_with("oneOf", || Value::List(Vec::new()))
            {
                all.extend(names.iter().map(variant));
            }
        }
        if is_option && let Some(map) = schema.as_map_mut() {
            map.remove("required");
            let anything = Value::Map(Map::new());
            if let Some(one_of) = map.remove("oneOf") {
                let either = Value::List(vec![object([("oneOf", one_of)]), anything.clone()]);
                flatten(&mut schema, object([("anyOf", either)]));
            }
            if let Some(Value::List(all)) = schema.as_map_mut().and_then(|map| map.get_mut("anyOf"))
                && !all.contains(&anything)
            {
                all.push(anything);
            }
        }
        allow_unknown(&mut schema);
        Ok(schema)
    }
}

/// Removes the strings for unit variants from a schema and returns them. In a flattened enum, unit variants are not
/// strings.
fn unit_variants(schema: &mut Value) -> Option<Vec<Value>> {
    let names = |map: &mut Map<Value>| match map.get("type").and_then(Value::as_str) {
        Some("string") => match map.remove("enum") {
            Some(Value::List(names)) => Some(names),
            _ => None,
        },
        _ => None,
    };
    let map = schema.as_map_mut()?;
    if let Some(names) = names(map) {
        map.remove("type");
        return Some(names);
    }
    let Some(Value::List(all)) = map.get_mut("oneOf") else { return None };
    let names = names(all.first_mut()?.as_map_mut()?)?;
    all.remove(0);
    Some(names)
}

/// Removes the keywords that forbid unknown fields, because the struct around the flattened one decides about these.
fn allow_unknown(schema: &mut Value) {
    let Some(map) = schema.as_map_mut() else { return };
    for key in ["additionalProperties", "unevaluatedProperties"] {
        if map.get(key) == Some(&Value::Bool(false)) {
            map.remove(key);
        }
    }
    for (key, value) in map.iter_mut() {
        match (key, value) {
            ("properties" | "patternProperties", Value::Map(all)) => all.values_mut().for_each(allow_unknown),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::List(all)) => {
                all.iter_mut().for_each(allow_unknown);
            }
            ("items" | "additionalProperties" | "not", one) => allow_unknown(one),
            _ => {}
        }
    }
}

/// Whether a schema forbids unknown fields, also in the schemas inside.
pub(super) fn forbids_unknown(schema: &Value) -> bool {
    let mut open = schema.clone();
    allow_unknown(&mut open);
    open != *schema
}

/// Adds the keywords of another schema.
pub(super) fn flatten(schema: &mut Value, other: Value) {
    let mut other = match other {
        Value::Map(other) => other,
        Value::Bool(true) => {
            if let Some(map) = schema.as_map_mut()
                && !map.contains_key("additionalProperties")
                && !map.contains_key("unevaluatedProperties")
            {
                let key = if has_subschema(map) { "unevaluatedProperties" } else { "additionalProperties" };
                map.insert(key, true.into());
            }
            return;
        }
        _ => return,
    };
    let Some(map) = schema.as_map_mut() else { return };
    unevaluated(map, &other);
    unevaluated(&mut other, map);
    for (key, value) in other {
        add(map, key, value);
    }
}

fn unevaluated(map: &mut Map<Value>, other: &Map<Value>) {
    if (other.contains_key("unevaluatedProperties") || has_subschema(other))
        && let Some(additional) = map.remove("additionalProperties")
    {
        map.insert("unevaluatedProperties", additional);
    }
}

fn add(map: &mut Map<Value>, key: String, value: Value) {
    match (key.as_str(), map.get_mut(&key), value) {
        (_, None, value) => _ = map.insert(key, value),
        ("required" | "allOf", Some(Value::List(all)), Value::List(more)) => all.extend(more),
        ("properties" | "patternProperties", Some(Value::Map(all)), Value::Map(more)) => {
            more.into_iter().for_each(|(name, schema)| _ = all.insert(name, schema));
        }
        ("oneOf" | "anyOf", Some(_), value) => {
            let current = map.remove(&key).unwrap_or(Value::Null);
            let both = vec![object([(&key, current)]), object([(&key, value)])];
            add(map, "allOf".to_owned(), Value::List(both));
        }
        _ => {}
    }
}

/// Adds the tag of a variant to its fields.
pub(super) fn tag(schema: &mut Value, tag: &str, name: &str, deny_unknown: bool) {
    let is_unit = schema.get("type").and_then(Value::as_str) == Some("null");
    insert(schema, "type", "object".into());
    let Some(map) = schema.as_map_mut() else { return };
    if let Value::Map(all) = map.entry_or_insert_with("properties", || Value::Map(Map::new())) {
        all.insert(tag, object([("type", "string".into()), ("const", name.into())]));
    }
    if let Value::List(all) = map.entry_or_insert_with("required", || Value::List(Vec::new())) {
        all.insert(0, tag.into());
    }
    if deny_unknown && is_unit {
        map.entry_or_insert_with("additionalProperties", || false.into());
    }
}
