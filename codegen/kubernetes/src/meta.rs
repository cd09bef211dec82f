//! The metadata of objects.

use crdgen_core::value::{Map, Value};

/// A text in the metadata, or an empty text.
pub fn text<'v>(object: &'v Value, name: &str) -> &'v str {
    object.get("metadata").and_then(|metadata| metadata.get(name)?.as_str()).unwrap_or_default()
}

/// The texts in a list at the root of an object or another map.
pub fn texts<'v>(object: &'v Value, name: &str) -> Vec<&'v str> {
    let found = object.get(name).and_then(Value::as_list);
    found.unwrap_or_default().iter().filter_map(Value::as_str).collect()
}

/// Whether the metadata has a field.
pub fn has(object: &Value, name: &str) -> bool {
    object.get("metadata").is_some_and(|metadata| metadata.get(name).is_some())
}

/// Sets a field of the metadata, or removes it.
pub fn set(object: &mut Value, name: &str, value: Option<Value>) {
    let Value::Map(map) = object else { return };
    let metadata = map.entry_or_insert_with("metadata", || Value::Map(Map::new()));
    if metadata.is_null() && value.is_some() {
        *metadata = Value::Map(Map::new());
    }
    let Value::Map(metadata) = metadata else { return };
    match value {
        Some(value) => drop(metadata.insert(name, value)),
        None => drop(metadata.remove(name)),
    }
}

/// The names of the finalizers.
pub fn finalizers(object: &Value) -> Vec<&str> {
    let found = object.get("metadata").and_then(|metadata| metadata.get("finalizers")?.as_list());
    found.unwrap_or_default().iter().filter_map(Value::as_str).collect()
}

/// Sets the names of the finalizers.
pub fn set_finalizers(object: &mut Value, names: Vec<String>) {
    set(object, "finalizers", (!names.is_empty()).then(|| names.into()));
}

/// The owner references.
pub fn owners(object: &Value) -> &[Value] {
    let found = object.get("metadata").and_then(|metadata| metadata.get("ownerReferences")?.as_list());
    found.unwrap_or_default()
}

/// A requirement of a selector.
fn expression(expression: &Value) -> String {
    let key = expression.text("key");
    let mut values = texts(expression, "values");
    values.sort_unstable();
    let values = values.join(",");
    match expression.text("operator") {
        "In" => format!("{key} in ({values})"),
        "NotIn" => format!("{key} notin ({values})"),
        "DoesNotExist" => format!("!{key}"),
        _ => key.to_owned(),
    }
}

/// A selector of labels, or labels alone, which ReplicationControllers have, as a text.
pub fn selector_text(selector: &Value) -> String {
    let labels = selector.get("matchLabels").unwrap_or(selector);
    let pairs = labels.as_map().into_iter().flat_map(|labels| labels.iter());
    let pairs = pairs.filter_map(|(key, value)| Some((key, format!("{key}={}", value.as_str()?))));
    let expressions = selector.get("matchExpressions").and_then(Value::as_list).unwrap_or_default();
    let expressions = expressions.iter().map(|it| (it.text("key"), expression(it)));
    let mut all: Vec<(&str, String)> = pairs.chain(expressions).collect();
    all.sort_by_key(|(key, _)| *key);
    let all: Vec<String> = all.into_iter().map(|(_, text)| text).collect();
    all.join(",")
}

/// Whether the server's own code leaves a value out of what it writes.
pub fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Str(text) => text.is_empty(),
        Value::List(items) => items.is_empty(),
        Value::Map(members) => members.is_empty(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
    }
}

/// Whether the object is being deleted.
pub fn is_deleting(object: &Value) -> bool {
    !text(object, "deletionTimestamp").is_empty()
}

/// Sets a value at a path of fields.
pub fn set_at(object: &mut Value, path: &[&str], value: Value) {
    let Some((first, rest)) = path.split_first() else {
        *object = value;
        return;
    };
    if !matches!(object, Value::Map(_)) {
        *object = Value::Map(Map::new());
    }
    if let Value::Map(map) = object {
        set_at(map.entry_or_insert_with(first, || Value::Map(Map::new())), rest, value);
    }
}

/// Sets a condition in the status. Its time stays unless its status changes.
pub fn set_condition(object: &mut Value, mut condition: Value, now: &str) {
    let Value::Map(map) = object else { return };
    let status = map.entry_or_insert_with("status", || Value::Map(Map::new()));
    let Value::Map(status) = status else { return };
    let all = status.entry_or_insert_with("conditions", || Value::Null);
    if !matches!(all, Value::List(_)) {
        *all = Value::List(Vec::new());
    }
    let Value::List(all) = all else { return };
    let old = all.iter_mut().find(|old| old.text("type") == condition.text("type"));
    let since = old.as_deref().filter(|old| old.text("status") == condition.text("status"));
    let since = since.map_or(now, |old| old.text("lastTransitionTime")).to_owned();
    if let Value::Map(condition) = &mut condition {
        condition.insert("lastTransitionTime", since.into());
    }
    match old {
        Some(old) => *old = condition,
        None => all.push(condition),
    }
}

/// A map with these members.
pub fn map<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect())
}
