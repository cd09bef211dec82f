//! Matches old values with new ones: fields by name, items of list maps by their keys. Items of other lists are not
//! matched. On an update, the server accepts a value that breaks a constraint if the matching old value is the same.

use crate::ir::{Schema, Type};
use crate::value::Value;
use std::collections::HashMap;

/// Whether a value is as it was before. List maps are compared without regard to order.
pub fn same(value: &Value, old: &Value, schema: &Schema) -> bool {
    match (value, old) {
        (Value::List(items), Value::List(olds)) => {
            if items.len() != olds.len() {
                return false;
            }
            let correlated = Items::new(Some(old), schema);
            match (&correlated.by_key, schema.item()) {
                (None, _) => items == olds,
                (Some(_), None) => items.is_empty(),
                (Some(_), Some(item_schema)) => {
                    let is_same = |item| correlated.get(item).is_some_and(|old| same(item, old, item_schema));
                    items.iter().all(is_same)
                }
            }
        }
        (Value::Map(map), Value::Map(olds)) => {
            map.len() == olds.len()
                && map.iter().all(|(name, value)| {
                    let member = schema.properties.get(name).or_else(|| schema.value());
                    match (olds.get(name), member) {
                        (Some(old), Some(member)) => same(value, old, member),
                        (Some(_), None) | (None, _) => false,
                    }
                })
        }
        _ => value == old,
    }
}

/// The old items of a list that can be matched with new ones.
pub struct Items<'a> {
    keys: &'a [String],
    by_key: Option<HashMap<String, &'a Value>>,
}

impl<'a> Items<'a> {
    /// Finds the keys of the old items. In lists without keys no items can be matched.
    pub fn new(old: Option<&'a Value>, schema: &'a Schema) -> Items<'a> {
        let keys = schema.ext.list_map_keys.as_slice();
        let olds = old.and_then(Value::as_list).filter(|_| schema.ext.list_type.as_deref() == Some("map"));
        let keyed = schema.ty == Some(Type::Array) && !keys.is_empty();
        let by_key = olds.map(|olds| {
            let mut by_key = HashMap::with_capacity(olds.len());
            for old in olds.iter().filter(|_| keyed) {
                if let Some(key) = key_of(old, keys) {
                    by_key.entry(key).or_insert(old);
                }
            }
            by_key
        });
        Items { keys, by_key }
    }

    /// The old item that belongs to a new one.
    pub fn get(&self, item: &Value) -> Option<&'a Value> {
        let by_key = self.by_key.as_ref()?;
        by_key.get(&key_of(item, self.keys)?).copied()
    }
}

/// The values of an item's keys as text. None if the item is not an object, or a key is missing or not a scalar.
fn key_of(item: &Value, keys: &[String]) -> Option<String> {
    let map = item.as_map()?;
    let mut out = String::new();
    for key in keys {
        match map.get(key)? {
            value @ (Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_)) => {
                out.push_str(&format!("{value:?}\n"));
            }
            Value::Null | Value::List(_) | Value::Map(_) => return None,
        }
    }
    Some(out)
}
