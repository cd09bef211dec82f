//! Edits of any value at any place: wrong types, wrong spellings, too much and too little.

use crdgen_core::value::{Map, Value};

use super::Edit::{self, Any};
use crate::rng::Rng;

/// Returns some value of a document: follows a random path.
pub(super) fn some_value<'a>(document: &'a mut Value, rng: &mut Rng) -> &'a mut Value {
    let mut at = document;
    while rng.chance(85) {
        let open = match at {
            Value::List(items) => items.len(),
            Value::Map(map) => map.len(),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => 0,
        };
        if open == 0 {
            break;
        }
        let i = rng.below(open);
        at = match at {
            Value::List(items) => &mut items[i],
            Value::Map(map) => match map.values_mut().nth(i) {
                Some(value) => value,
                None => unreachable!("the index is below the length"),
            },
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {
                unreachable!("scalars are not open")
            }
        };
    }
    at
}

/// Returns a value of another type.
pub(super) fn other(value: &Value, rng: &mut Rng) -> Value {
    let all = [
        Value::Null,
        Value::Bool(true),
        Value::Int(3),
        Value::Float(1.5),
        Value::from("text"),
        Value::List(vec![value.clone()]),
        Value::Map([("x", value.clone())].into_iter().collect()),
    ];
    let others: Vec<&Value> =
        all.iter().filter(|v| std::mem::discriminant(*v) != std::mem::discriminant(value)).collect();
    (*rng.pick(&others)).clone()
}

fn some_key(map: &Map<Value>, rng: &mut Rng) -> Option<String> {
    map.keys().nth(rng.below(map.len())).map(str::to_owned)
}

fn respell(value: &mut Value, rng: &mut Rng, spell: fn(&str) -> String) -> bool {
    let Some(map) = value.as_map_mut() else { return false };
    let Some(key) = some_key(map, rng) else { return false };
    let new = spell(&key);
    if new == key {
        return false;
    }
    let Some(member) = map.remove(&key) else { return false };
    map.insert(new, member);
    true
}

fn text(value: &mut Value, change: fn(&str) -> String) -> bool {
    let Value::Str(s) = value else { return false };
    let new = change(s);
    let changed = new != *s;
    *s = new;
    changed
}

fn capitalised(s: &str) -> String {
    let mut chars = s.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// The table of edits.
pub(super) const EDITS: &[Edit] = &[
    Any("another type", |value, rng| {
        *value = other(value, rng);
        true
    }),
    Any("null", |value, _| {
        let changed = !value.is_null();
        *value = Value::Null;
        changed
    }),
    Any("a member less", |value, rng| {
        let Some(map) = value.as_map_mut() else { return false };
        some_key(map, rng).is_some_and(|key| map.remove(&key).is_some())
    }),
    Any("a member more", |value, _| {
        value.as_map_mut().is_some_and(|m| m.insert("surplus", Value::from("x")).is_none())
    }),
    Any("a member that is null", |value, rng| {
        let Some(map) = value.as_map_mut() else { return false };
        some_key(map, rng).is_some_and(|key| map.insert(key, Value::Null).is_some())
    }),
    Any("a key in lower case", |value, rng| respell(value, rng, str::to_lowercase)),
    Any("a key in upper case", |value, rng| respell(value, rng, str::to_uppercase)),
    Any("a key with a capital", |value, rng| respell(value, rng, capitalised)),
    Any("a key with a space", |value, rng| respell(value, rng, |k| format!("{k} "))),
    Any("a key without its last letter", |value, rng| {
        respell(value, rng, |k| k.chars().take(k.chars().count().saturating_sub(1)).collect())
    }),
    Any("an item less", |value, rng| {
        let Value::List(items) = value else { return false };
        let i = rng.below(items.len());
        (i < items.len()).then(|| items.remove(i)).is_some()
    }),
    Any("an item twice", |value, rng| {
        let Value::List(items) = value else { return false };
        if items.is_empty() {
            return false;
        }
        let i = rng.below(items.len());
        items.insert(i, items[i].clone());
        true
    }),
    Any("a null item", |value, _| {
        let Value::List(items) = value else { return false };
        items.push(Value::Null);
        true
    }),
    Any("emptied", |value, _| match value {
        Value::List(items) => !std::mem::take(items).is_empty(),
        Value::Map(map) => !std::mem::take(map).is_empty(),
        Value::Str(s) => !std::mem::take(s).is_empty(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
    }),
    Any("a text with a space before", |value, _| text(value, |s| format!(" {s}"))),
    Any("a text with a newline after", |value, _| text(value, |s| format!("{s}\n"))),
    Any("a text in upper case", |value, _| text(value, str::to_uppercase)),
    Any("a text with an emoji", |value, _| text(value, |s| format!("{s}🦀"))),
    Any("a text very long", |value, _| text(value, |s| s.repeat(300 / s.len().max(1) + 1))),
    Any("a number as text", |value, _| match value {
        Value::Int(i) => {
            *value = Value::Str(i.to_string());
            true
        }
        _ => false,
    }),
    Any("a number far out", |value, rng| match value {
        Value::Int(_) | Value::Float(_) => {
            *value = rng
                .pick(&[
                    Value::Int(i64::MAX),
                    Value::Int(i64::MIN),
                    Value::Float(1e300),
                    Value::Float(-0.0),
                    Value::Int(1 << 53),
                    Value::Float(0.1),
                    Value::Float(1.8446744073709552e19),
                ])
                .clone();
            true
        }
        _ => false,
    }),
    Any("a boolean turned", |value, _| match value {
        Value::Bool(b) => {
            *b = !*b;
            true
        }
        _ => false,
    }),
];
