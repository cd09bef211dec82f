//! Recognizes JSON Schemas that correspond to a structural schema, keyword by keyword. Most are hand-written, or belong
//! to crdgen's own types. They are used unchanged, so that nothing in them is mistaken for one of serde's patterns.

use super::nodes::RUST_FORMATS;
use crate::ir::Schema;
use crate::value::{Map, Value};

/// The corresponding schema of a CRD, if there is one.
pub(super) fn structural(schema: &Value) -> Option<Schema> {
    let (schema, diags) = crate::decode::schema(node(schema)?);
    schema.filter(|_| diags.is_empty())
}

/// Converts a node that has its own type.
fn node(schema: &Value) -> Option<Value> {
    let map = schema.as_map()?;
    if let Some(inner) = or_null(map) {
        let mut out = node(inner)?;
        out.as_map_mut()?.insert("nullable", map.get("nullable").cloned().unwrap_or(Value::Bool(true)));
        return Some(out);
    }
    let flag = |key: &str| map.get(key).and_then(Value::as_bool);
    let (int_or_string, open) =
        (flag("x-kubernetes-int-or-string") == Some(true), flag("x-kubernetes-preserve-unknown-fields"));
    let (ty, null) = types(map.get("type"), int_or_string)?;
    let has = |key: &str| map.contains_key(key);
    let complete = match ty {
        // Without these keywords, JSON Schema allows any field, but the server drops unknown fields.
        Some("object") => has("properties") != has("additionalProperties") || open.is_some(),
        Some("array") => has("items"),
        Some(_) => true,
        None => int_or_string || open == Some(true),
    };
    if !complete || (has("properties") && has("additionalProperties")) {
        return None;
    }
    let mut out: Vec<(String, Value)> = Vec::with_capacity(map.len() + 1);
    out.extend(ty.map(|ty| ("type".to_owned(), ty.into())));
    out.extend(null.then(|| ("nullable".to_owned(), Value::Bool(true))));
    for (key, value) in map.iter() {
        let value = match (key, value) {
            ("type", _) => continue,
            ("x-kubernetes-preserve-unknown-fields", Value::Bool(false)) => continue,
            ("$schema" | "$id" | "$comment" | "$defs" | "definitions" | "deprecated", _) => continue,
            ("default", Value::Null) => continue,
            ("examples", Value::List(all)) => {
                out.extend(all.first().map(|first| ("example".to_owned(), first.clone())));
                continue;
            }
            ("title" | "description" | "externalDocs" | "nullable" | "default" | "example", value) => {
                value.clone()
            }
            (key, value) if key.starts_with("x-kubernetes-") => value.clone(),
            (key, _) if key.starts_with("x-") => continue,
            ("properties", Value::Map(all)) => {
                let all: Option<Map<Value>> =
                    all.iter().map(|(name, schema)| Some((name, node(schema)?))).collect();
                all?.into()
            }
            ("items" | "additionalProperties", schema) => node(schema)?,
            // This means that the value is nullable.
            ("enum", Value::List(all)) if all.contains(&Value::Null) => return None,
            ("anyOf", value) if int_or_string && says_again(value) => value.clone(),
            ("allOf", Value::List(all)) if int_or_string => {
                let again = |one: &Value| one.get("anyOf").is_some_and(says_again);
                let one = |one: &Value| if again(one) { Some(one.clone()) } else { bounds(one, map) };
                Value::List(all.iter().map(one).collect::<Option<_>>()?)
            }
            (_, value) => limit(key, value, map, map, &mut out)?,
        };
        out.push((key.to_owned(), value));
    }
    Some(out.into_iter().collect::<Map<Value>>().into())
}

/// Whether these are the alternatives that Go's tools write next to int-or-string. This is the only place where types
/// may be inside junctors.
fn says_again(any_of: &Value) -> bool {
    let is = |schema: &Value, ty: &str| {
        schema.as_map().is_some_and(|m| m.len() == 1 && m.get("type").and_then(Value::as_str) == Some(ty))
    };
    matches!(any_of.as_list(), Some([a, b]) if is(a, "integer") && is(b, "string"))
}

/// The other alternative, if there are two and one of them is null.
fn or_null(map: &Map<Value>) -> Option<&Value> {
    let alone = map.keys().all(|key| ["anyOf", "nullable"].contains(&key));
    let all = map.get("anyOf").filter(|_| alone)?.as_list()?;
    match all {
        [inner, null] | [null, inner] if super::is_null(null) => Some(inner),
        _ => None,
    }
}

/// The type, and whether null is allowed too. None if several types are allowed.
fn types(ty: Option<&Value>, int_or_string: bool) -> Option<(Option<&str>, bool)> {
    let Some(ty) = ty else { return Some((None, false)) };
    let one = std::slice::from_ref(ty);
    let all: Option<Vec<&str>> = ty.as_list().unwrap_or(one).iter().map(Value::as_str).collect();
    let all = all?;
    let null = all.contains(&"null");
    match all.into_iter().filter(|ty| *ty != "null").collect::<Vec<_>>()[..] {
        [ty @ ("array" | "boolean" | "integer" | "number" | "object" | "string")] if !int_or_string => {
            Some((Some(ty), null))
        }
        ["integer", "string"] if int_or_string => Some((None, null)),
        _ => None,
    }
}

/// Converts a keyword of `own` that restricts a value whose type is known from `around`. An additional keyword is added
/// to `out`.
fn limit(
    key: &str,
    value: &Value,
    own: &Map<Value>,
    around: &Map<Value>,
    out: &mut Vec<(String, Value)>,
) -> Option<Value> {
    Some(match (key, value) {
        (
            "minLength" | "maxLength" | "pattern" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" | "multipleOf" | "required" | "minimum" | "maximum",
            value,
        ) => value.clone(),
        ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(_)) => value.clone(),
        ("exclusiveMinimum" | "exclusiveMaximum", value) => {
            let bound = if key == "exclusiveMinimum" { "minimum" } else { "maximum" };
            if own.contains_key(bound) {
                return None;
            }
            out.push((bound.to_owned(), value.clone()));
            Value::Bool(true)
        }
        ("format", Value::Str(format)) if !RUST_FORMATS.iter().any(|(f, _)| f == format) => value.clone(),
        ("enum", Value::List(_)) => value.clone(),
        ("allOf" | "anyOf" | "oneOf", Value::List(all)) => {
            let all: Option<Vec<Value>> = all.iter().map(|schema| bounds(schema, around)).collect();
            Value::List(all?)
        }
        ("not", schema) => bounds(schema, around)?,
        _ => return None,
    })
}

/// Converts a schema in a junctor that restricts the schema `around` it.
fn bounds(schema: &Value, around: &Map<Value>) -> Option<Value> {
    let map = schema.as_map()?;
    let mut out: Vec<(String, Value)> = Vec::with_capacity(map.len());
    for (key, value) in map.iter() {
        let value = match (key, value) {
            ("properties", Value::Map(all)) => {
                let known = around.get("properties")?.as_map()?;
                let all: Option<Map<Value>> = all
                    .iter()
                    .map(|(name, schema)| Some((name, bounds(schema, known.get(name)?.as_map()?)?)))
                    .collect();
                all?.into()
            }
            ("items" | "additionalProperties", schema) => bounds(schema, around.get(key)?.as_map()?)?,
            (key, value) => limit(key, value, map, around, &mut out)?,
        };
        out.push((key.to_owned(), value));
    }
    Some(out.into_iter().collect::<Map<Value>>().into())
}
