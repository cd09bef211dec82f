//! Writes JSON Schema (2020-12) in the form that schemars uses, for crdgen's types inside types of schemars. It accepts
//! what the type accepts, and reading it gives exactly the original schema. Objects stay open, as in schemars.

use crate::ir::Schema;
use crate::value::{Map, Value};

/// Converts a structural schema to JSON Schema.
pub fn json_schema(schema: &Schema) -> Value {
    convert(crate::encode::schema(schema), Within::Structure)
}

/// Where a schema is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Structure,
    /// It only restricts the schema around it.
    Junctor,
}

/// Converts a schema of a CRD, with all schemas inside.
fn convert(schema: Value, within: Within) -> Value {
    let Value::Map(map) = schema else { return schema };
    let flag = |key: &str| map.get(key).and_then(Value::as_bool) == Some(true);
    let nullable = flag("nullable");
    let exclusive = [flag("exclusiveMinimum"), flag("exclusiveMaximum")];
    let required: Vec<String> = map
        .get("required")
        .and_then(Value::as_list)
        .unwrap_or_default()
        .iter()
        .filter_map(|r| r.as_str().map(str::to_owned))
        .collect();
    let mut out: Vec<(String, Value)> = Vec::with_capacity(map.len() + 1);
    if flag("x-kubernetes-int-or-string") {
        out.push(("type".to_owned(), Value::from(vec!["integer", "string"])));
    } else if is_closed(&map) {
        // In a CRD, an object without fields keeps nothing. In JSON Schema, it would allow any field.
        out.push(("x-kubernetes-preserve-unknown-fields".to_owned(), Value::Bool(false)));
    }
    for (mut key, value) in map {
        match (key.as_str(), exclusive) {
            ("minimum", [true, _]) => key.replace_range(.., "exclusiveMinimum"),
            ("maximum", [_, true]) => key.replace_range(.., "exclusiveMaximum"),
            _ => {}
        }
        let value = match (key.as_str(), value) {
            ("nullable" | "exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => continue,
            ("properties", Value::Map(all)) => {
                let property = |(name, schema): (String, Value)| {
                    let optional = within == Within::Structure && !required.contains(&name);
                    let schema = if optional {
                        dropped_null(convert(schema, within))
                    } else {
                        convert(schema, within)
                    };
                    (name, schema)
                };
                Value::Map(all.into_iter().map(property).collect())
            }
            ("items" | "additionalProperties", schema) => convert(schema, within),
            ("not", schema) => convert(schema, Within::Junctor),
            ("allOf" | "anyOf" | "oneOf", Value::List(all)) => {
                Value::List(all.into_iter().map(|schema| convert(schema, Within::Junctor)).collect())
            }
            ("example", value) => {
                out.push(("examples".to_owned(), Value::List(vec![value])));
                continue;
            }
            (_, value) => value,
        };
        out.push((key, value));
    }
    let out: Map<Value> = out.into_iter().collect();
    if nullable { or_null(out) } else { out.into() }
}

/// The server never accepts null for an enum. If serde writes null for a missing field, the server drops it.
fn dropped_null(schema: Value) -> Value {
    let Value::Map(map) = schema else { return schema };
    if !map.contains_key("enum") || map.contains_key("default") {
        return map.into();
    }
    let mut out = or_null(map);
    if let Some(map) = out.as_map_mut() {
        map.insert("nullable", Value::Bool(false));
    }
    out
}

/// Whether this is an object without any constraint.
fn is_closed(map: &Map<Value>) -> bool {
    map.get("type").and_then(Value::as_str) == Some("object")
        && !["properties", "additionalProperties", "x-kubernetes-preserve-unknown-fields"]
            .iter()
            .any(|key| map.contains_key(key))
}

/// A schema that also allows null: by its type, unless another keyword would exclude it.
fn or_null(mut map: Map<Value>) -> Value {
    let judges = ["enum", "allOf", "anyOf", "oneOf", "not"].iter().any(|key| map.contains_key(key));
    match map.get_mut("type") {
        Some(ty) if !judges => {
            let one = std::slice::from_ref(&*ty);
            let types: Vec<Value> =
                ty.as_list().unwrap_or(one).iter().cloned().chain(["null".into()]).collect();
            *ty = Value::List(types);
            map.into()
        }
        None if !judges => {
            // This allows anything, including null.
            map.insert("nullable", Value::Bool(true));
            map.into()
        }
        Some(_) | None => {
            let null: Map<Value> = [("type", Value::from("null"))].into_iter().collect();
            let either = Value::List(vec![map.into(), null.into()]);
            Value::Map([("anyOf", either)].into_iter().collect())
        }
    }
}
