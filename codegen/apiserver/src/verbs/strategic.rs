//! Strategic merge patches of Kubernetes' own kinds. Lists with keys are merged by the first of them, as the server's struct
//! tags say for almost all lists.

use crdgen_core::ir::{Additional, Schema};
use crdgen_core::json;
use crdgen_core::keyed::Keyed;
use crdgen_core::value::{Map, Value};
use std::collections::{HashMap, HashSet};

/// Applies a patch.
pub(super) fn merge(object: &mut Value, patch: &Value, schema: Option<&Schema>) {
    match (&mut *object, patch) {
        (Value::Map(members), Value::Map(changes)) => merge_members(members, changes, schema),
        (_, Value::Map(changes)) => {
            let mut members = Map::new();
            merge_members(&mut members, changes, schema);
            *object = Value::Map(members);
        }
        _ => *object = patch.clone(),
    }
}

fn property<'s>(schema: Option<&'s Schema>, name: &str) -> Option<&'s Schema> {
    let schema = schema?;
    match (schema.properties.get(name), &schema.additional_properties) {
        (Some(property), _) => Some(property),
        (None, Some(Additional::Schema(value))) => Some(value),
        (None, Some(Additional::Allow(_)) | None) => None,
    }
}

fn merge_members(members: &mut Map<Value>, changes: &Map<Value>, schema: Option<&Schema>) {
    match changes.get("$patch").and_then(Value::as_str) {
        Some("replace") => {
            let kept = changes.iter().filter(|(name, _)| !name.starts_with('$'));
            *members = kept.map(|(name, value)| (name, value.clone())).collect();
            return;
        }
        Some("delete") => {
            *members = Map::new();
            return;
        }
        _ => {}
    }
    if let Some(kept) = changes.get("$retainKeys").and_then(Value::as_list) {
        let kept: HashSet<&str> = kept.iter().filter_map(Value::as_str).collect();
        members.retain(|name, _| kept.contains(name));
    }
    let orders: Vec<(&str, &[Value], Vec<Value>)> = changes
        .iter()
        .filter_map(|(name, order)| {
            let list = name.strip_prefix("$setElementOrder/")?;
            let before = members.get(list).and_then(Value::as_list).unwrap_or_default();
            Some((list, order.as_list()?, before.to_vec()))
        })
        .collect();
    for (name, change) in changes.iter() {
        if let Some(list) = name.strip_prefix("$deleteFromPrimitiveList/") {
            if let Some(Value::List(items)) = members.get_mut(list) {
                let gone = texts(change.as_list().unwrap_or_default());
                items.retain(|item| !gone.contains(&json::to_string(item)));
            }
            continue;
        }
        if name.starts_with('$') {
            continue;
        }
        let schema = property(schema, name);
        match (members.get_mut(name), change) {
            (_, Value::Null) => drop(members.remove(name)),
            (Some(Value::List(items)), Value::List(changes)) => merge_list(items, changes, schema),
            (Some(member), change) => merge(member, change, schema),
            (None, Value::List(changes)) => {
                let mut items = Vec::new();
                merge_list(&mut items, changes, schema);
                members.insert(name, Value::List(items));
            }
            (None, change) => {
                let mut member = Value::Null;
                merge(&mut member, change, schema);
                members.insert(name, member);
            }
        }
    }
    for (list, order, before) in orders {
        let key = key_of(property(schema, list));
        if let Some(Value::List(items)) = members.get_mut(list) {
            in_order(items, order, &before, key.as_deref());
        }
    }
}

fn texts(items: &[Value]) -> HashSet<String> {
    items.iter().map(json::to_string).collect()
}

/// The field that identifies the items of a list.
fn key_of(schema: Option<&Schema>) -> Option<String> {
    let ext = &schema?.ext;
    if ext.list_type.as_deref() != Some("map") {
        return None;
    }
    ext.list_map_keys.first().cloned()
}

fn merge_list(items: &mut Vec<Value>, changes: &[Value], schema: Option<&Schema>) {
    let is_set = schema.is_some_and(|schema| schema.ext.list_type.as_deref() == Some("set"));
    let Some(key) = key_of(schema) else {
        if is_set {
            let old = texts(items);
            items.extend(changes.iter().filter(|item| !old.contains(&json::to_string(item))).cloned());
        } else {
            *items = changes.to_vec();
        }
        return;
    };
    if changes.iter().any(|change| change.get("$patch").and_then(Value::as_str) == Some("replace")) {
        *items = changes.iter().filter(|change| change.get("$patch").is_none()).cloned().collect();
        return;
    }
    let item_schema = schema.and_then(Schema::item);
    let old = items.clone();
    let mut keyed = Keyed::new(std::mem::take(items), &key);
    for change in changes {
        let is_delete = change.get("$patch").and_then(Value::as_str) == Some("delete");
        let has_key = change.get(&key).is_some();
        if is_delete {
            if has_key {
                keyed.remove(change);
            }
        } else if !has_key || keyed.change(change, |item, change| merge(item, change, item_schema)).is_err() {
            let mut item = Value::Null;
            merge(&mut item, change, item_schema);
            keyed.push(item);
        }
    }
    *items = keyed.into_items();
    let order: Vec<Value> = changes.iter().filter(|change| change.get("$patch").is_none()).cloned().collect();
    in_order(items, &order, &old, Some(&key));
}

/// Sorts a merged list: the items of the patch in their order, and between them the others, as far as the old order says.
fn in_order(items: &mut Vec<Value>, order: &[Value], old: &[Value], key: Option<&str>) {
    let text = |item: &Value| json::to_string(key.and_then(|key| item.get(key)).unwrap_or(item));
    let places = |list: &[Value]| -> HashMap<String, usize> {
        list.iter().enumerate().rev().map(|(at, item)| (text(item), at)).collect()
    };
    let (wanted, before) = (places(order), places(old));
    let (mut patched, mut others) = (Vec::new(), Vec::new());
    for item in items.drain(..) {
        let text = text(&item);
        let was = before.get(&text).copied();
        match wanted.get(&text) {
            Some(at) => patched.push((*at, was, item)),
            None => others.push((was, item)),
        }
    }
    patched.sort_by_key(|(at, ..)| *at);
    others.sort_by_key(|(at, _)| *at);
    let mut others = others.into_iter().peekable();
    for (_, at, item) in patched {
        while let Some((_, other)) =
            others.next_if(|(other, _)| at.is_some() && other.is_some() && *other < at)
        {
            items.push(other);
        }
        items.push(item);
    }
    items.extend(others.map(|(_, item)| item));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crdgen_core::k8s;

    #[test]
    fn containers_are_merged_by_name() {
        let schema = k8s::schema("core/v1.Pod").expect("the schema of pods");
        let read = |text: &str| json::read(text.as_bytes()).expect("JSON");
        for (object, patch, expected) in [
            (
                r#"{"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}}"#,
                r#"{"spec":{"containers":[{"name":"a","image":"2"},{"name":"b","$patch":"delete"},{"name":"c"}]}}"#,
                r#"{"spec":{"containers":[{"image":"2","name":"a"},{"name":"c"}]}}"#,
            ),
            (
                r#"{"spec":{"containers":[{"name":"a","args":["x"]}]}}"#,
                r#"{"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b"},{"name":"a","args":["y"]}]}}"#,
                r#"{"spec":{"containers":[{"name":"b"},{"args":["y"],"name":"a"}]}}"#,
            ),
            // New items come before others, unless the old order says something else.
            (
                r#"{"spec":{"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]}}"#,
                r#"{"spec":{"containers":[{"name":"n"},{"name":"b","image":"1"}]}}"#,
                r#"{"spec":{"containers":[{"name":"n"},{"name":"a"},{"image":"1","name":"b"},{"name":"c"}]}}"#,
            ),
            (r#"{"spec":{"a":1,"b":2}}"#, r#"{"spec":{"$retainKeys":["a"],"a":3}}"#, r#"{"spec":{"a":3}}"#),
            (r#"{"spec":{"a":1}}"#, r#"{"spec":{"a":null}}"#, r#"{"spec":{}}"#),
        ] {
            let mut object = read(object);
            merge(&mut object, &read(patch), Some(&schema));
            assert_eq!(json::to_string(&object), expected, "{patch}");
        }
    }
}
