//! Checks sets and list maps in objects: each item, or each key, must occur once.

use crate::diag::codes::object as codes;
use crate::diag::{Diag, Diags};
use crate::ir::Schema;
use crate::path::Path;
use crate::value::{Map, Value};
use std::collections::HashMap;

/// Checks the sets and list maps in a value.
pub fn validate(value: &Value, schema: &Schema, path: &Path<'_>, out: &mut Diags) {
    match value {
        Value::Map(map) => {
            let of_values = schema.value();
            for (name, value) in map.iter() {
                if let Some(schema) = of_values {
                    validate(value, schema, &path.key(name), out);
                }
                if let Some(schema) = schema.properties.get(name) {
                    validate(value, schema, &path.child(name), out);
                }
            }
        }
        Value::List(items) => {
            match schema.ext.list_type.as_deref() {
                Some("set") => {
                    for i in repeated(items.iter().map(Some)) {
                        report(path, i, items[i].clone(), "remove one of the two", out);
                    }
                }
                Some("map") => list_map(items, &schema.ext.list_map_keys, path, out),
                Some(_) | None => {}
            }
            if let Some(item_schema) = schema.item() {
                for (i, item) in items.iter().enumerate() {
                    validate(item, item_schema, &path.index(i), out);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

fn report(path: &Path<'_>, index: usize, bad: Value, help: &str, out: &mut Diags) {
    if path.has_room(out.len()) {
        out.push(Diag::duplicate(&codes::REPEATED_ITEM, &path.index(index), bad).help(help));
    }
}

fn list_map(items: &[Value], keys: &[String], path: &Path<'_>, out: &mut Diags) {
    let wrong = items.iter().position(|item| !matches!(item, Value::Null | Value::Map(_)));
    if let Some(i) = wrong {
        let detail = "must be an object for an array of list-type map";
        out.push(
            Diag::invalid(&codes::LIST_MAP_ITEM, &path.index(i), items[i].clone(), detail)
                .help("write an object with the keys of the list"),
        );
        return;
    }
    if items.len() <= 1 {
        return;
    }
    let verb = if keys.len() == 1 { "identifies" } else { "identify" };
    let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    let help = format!("{} {verb} the items of this list: change one of the two items", names.join(", "));
    if let [key] = keys {
        let values: Vec<Option<&Value>> = items.iter().map(|item| item.get(key)).collect();
        for i in repeated(values.iter().copied()) {
            let bad: Map<Value> = values[i].map(|v| (key.as_str(), v.clone())).into_iter().collect();
            report(path, i, Value::Map(bad), &help, out);
        }
        return;
    }
    let all: Vec<Value> = items
        .iter()
        .map(|item| {
            let of_item = |key: &'_ String| item.get(key).map(|v| (key.clone(), v.clone()));
            Value::Map(keys.iter().filter_map(of_item).collect())
        })
        .collect();
    for i in repeated(all.iter().map(Some)) {
        report(path, i, all[i].clone(), &help, out);
    }
}

/// The indices at which a value occurs for the second time. Further repetitions are not listed.
fn repeated<'v>(values: impl ExactSizeIterator<Item = Option<&'v Value>>) -> Vec<usize> {
    if values.len() <= 1 {
        return Vec::new();
    }
    let mut seen: HashMap<String, usize> = HashMap::with_capacity(values.len());
    let mut out = Vec::new();
    for (i, value) in values.enumerate() {
        let times = seen.entry(identity(value)).or_default();
        *times += 1;
        if *times == 2 {
            out.push(i);
        }
    }
    out
}

/// A text that differs for different values. Scalars of different types differ, and other values are compared as JSON.
fn identity(value: Option<&Value>) -> String {
    match value {
        None => String::new(),
        Some(value @ (Value::List(_) | Value::Map(_))) => crate::json::to_string(value),
        // Zero and minus zero are equal.
        Some(Value::Float(f)) => format!("{:?}", Value::Float(f + 0.0)),
        Some(scalar) => format!("{scalar:?}"),
    }
}
