//! Reads and sets fields of untyped objects, with the error messages of the server's accessors.

use super::refusal::Mismatch;
use crate::value::{Map, Value};

/// The value at a path. None if the value or something on the path is missing or null.
pub(super) fn nested<'v>(object: &'v Value, path: &[&str]) -> Result<Option<&'v Value>, Mismatch> {
    let mut at = object;
    for (i, name) in path.iter().enumerate() {
        match at {
            Value::Null => return Ok(None),
            Value::Map(map) => match map.get(name) {
                Some(value) => at = value,
                None => return Ok(None),
            },
            other => return Err(wrong(&path[..=i], other, "map[string]interface{}")),
        }
    }
    Ok(Some(at))
}

/// The integer at a path.
pub(super) fn nested_int(object: &Value, path: &[&str]) -> Result<Option<i64>, Mismatch> {
    match nested(object, path)? {
        None => Ok(None),
        Some(Value::Int(i)) => Ok(Some(*i)),
        Some(other) => Err(wrong(path, other, "int64")),
    }
}

/// The string at a path.
pub(super) fn nested_str<'v>(object: &'v Value, path: &[&str]) -> Result<Option<&'v str>, Mismatch> {
    match nested(object, path)? {
        None => Ok(None),
        Some(Value::Str(s)) => Ok(Some(s)),
        Some(other) => Err(wrong(path, other, "string")),
    }
}

/// Sets the value at a path, and creates missing objects on the path.
pub(crate) fn set_nested(object: &mut Value, path: &[&str], value: Value) -> Result<(), Mismatch> {
    let [way @ .., last] = path else { return Ok(()) };
    let mut at = object;
    for (i, name) in way.iter().enumerate() {
        let Value::Map(map) = at else { return Err(no_map(&path[..i])) };
        at = map.entry_or_insert_with(name, || Value::Map(Map::new()));
    }
    let Value::Map(map) = at else { return Err(no_map(way)) };
    map.insert(*last, value);
    Ok(())
}

fn no_map(path: &[&str]) -> Mismatch {
    Mismatch::NoObject(owned(path))
}

fn wrong(path: &[&str], value: &Value, expected: &'static str) -> Mismatch {
    Mismatch::Type { path: owned(path), value: value.clone(), expected }
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|name| (*name).to_owned()).collect()
}

/// A text in the metadata, or an empty text.
pub(super) fn meta_text<'v>(object: &'v Value, name: &str) -> &'v str {
    object.get("metadata").and_then(|m| m.get(name)).and_then(Value::as_str).unwrap_or_default()
}

/// The metadata. It is created if it is missing. None if it is not an object.
pub(super) fn metadata_mut(object: &mut Value) -> Option<&mut Map<Value>> {
    let metadata = object.as_map_mut()?.entry_or_insert_with("metadata", || Value::Map(Map::new()));
    metadata.as_map_mut()
}

/// Sets a field of the metadata, or removes it. Metadata that is not an object stays as it is.
pub(crate) fn set_meta(object: &mut Value, name: &str, value: Option<Value>) {
    match value {
        Some(value) => {
            if let Some(metadata) = metadata_mut(object) {
                metadata.insert(name, value);
            }
        }
        None => {
            let metadata = object.as_map_mut().and_then(|map| map.get_mut("metadata"));
            if let Some(Value::Map(metadata)) = metadata {
                metadata.remove(name);
            }
        }
    }
}

/// A text, or none if it is empty.
pub(super) fn text(s: &str) -> Option<Value> {
    (!s.is_empty()).then(|| Value::from(s))
}
