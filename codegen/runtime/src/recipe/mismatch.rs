//! Finds why a schema does not accept a value, as far as types, bounds and common patterns show it. The server rejects
//! every value that is found here, too.

use crate::go::pattern;
use crate::ir::{Additional, Limits, Schema, Type};
use crate::json;
use crate::value::{Map, Value};

/// Returns the reason why a schema does not accept a value, as words that follow the value in a message. Formats and
/// rules are not checked here: the checks of the server do that.
pub fn mismatch(schema: &Schema, value: &Value) -> Option<String> {
    let l = &schema.limits;
    let expected = |what: &str| Some(format!("is not {what}"));
    if !l.enumeration.is_empty() && !l.enumeration.contains(value) {
        return Some("is not one of the allowed values".to_owned());
    }
    match (&schema.ty, value) {
        (_, Value::Null) if schema.nullable => None,
        (Some(Type::String), Value::Str(s)) => text(l, s),
        (Some(Type::String), _) => expected("a string"),
        (Some(Type::Integer), Value::Int(_)) | (Some(Type::Number), Value::Int(_) | Value::Float(_)) => {
            let f = value.as_float()?;
            let low = l.minimum.is_some_and(|min| f < min || (l.exclusive_minimum && f <= min));
            let high = l.maximum.is_some_and(|max| f > max || (l.exclusive_maximum && f >= max));
            (low || high).then(|| "is outside of the bounds".to_owned())
        }
        (Some(Type::Integer), _) => expected("an integer"),
        (Some(Type::Number), _) => expected("a number"),
        (Some(Type::Boolean), Value::Bool(_)) => None,
        (Some(Type::Boolean), _) => expected("a boolean"),
        (Some(Type::Array), Value::List(items)) => list(schema, items),
        (Some(Type::Array), _) => expected("a list"),
        (Some(Type::Object), Value::Map(map)) => object(schema, map),
        (Some(Type::Object), _) => expected("an object"),
        (Some(Type::Other(_)) | None, _) => None,
    }
}

fn text(l: &Limits, text: &str) -> Option<String> {
    let len = text.chars().count() as i64;
    if l.min_length.is_some_and(|min| len < min) || l.max_length.is_some_and(|max| len > max) {
        return Some(format!("has {len} characters, which the length bounds exclude"));
    }
    if !l.pattern.is_empty() && pattern::matches(&l.pattern, text) == Some(false) {
        return Some(format!("does not match the pattern `{}`", l.pattern));
    }
    None
}

fn list(schema: &Schema, items: &[Value]) -> Option<String> {
    let l = &schema.limits;
    let len = items.len() as i64;
    if l.min_items.is_some_and(|min| len < min) || l.max_items.is_some_and(|max| len > max) {
        return Some(format!("has {len} items, which the bounds exclude"));
    }
    if schema.ext.list_type.as_deref() == Some("set")
        && let Some(twice) = items.iter().enumerate().find(|(i, item)| items[..*i].contains(item))
    {
        return Some(format!("has {} twice, but is a set", json::to_string(twice.1)));
    }
    items.iter().find_map(|item| mismatch(schema.item()?, item))
}

fn object(schema: &Schema, map: &Map<Value>) -> Option<String> {
    let l = &schema.limits;
    // The server sets defaults before it checks required fields.
    let missing = |name: &&String| {
        !map.contains_key(name) && schema.properties.get(name).is_none_or(|field| field.default.is_none())
    };
    if let Some(name) = l.required.iter().find(missing) {
        return Some(format!("has no `{name}`, which is required"));
    }
    map.iter().find_map(|(name, value)| {
        let field = match (&schema.additional_properties, schema.properties.get(name)) {
            (_, Some(field)) => field,
            (Some(Additional::Schema(values)), None) => values,
            (Some(Additional::Allow(_)) | None, None) => return None,
        };
        // A null is dropped if it is not kept.
        let why = if value.is_null() { None } else { mismatch(field, value) };
        why.map(|why| format!("has a `{name}` that {why}"))
    })
}
