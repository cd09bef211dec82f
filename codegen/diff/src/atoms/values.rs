//! Values at the edges of schemas: at their bounds, and one beyond.

use crdgen_core::ir::{Additional, Limits, Schema, Type};
use crdgen_core::value::{Map, Value};

use super::texts;
use crate::place::Place;
use std::collections::BTreeSet;

/// The maximum number of values of an enum, and of the items of a list.
const MOST_VALUES: usize = 200;
const MOST_ITEMS: i64 = 1100;

/// How many different examples of a schema there are.
const VARIANTS: usize = 4;

/// The values of a place at the edges of its old schema, its new schema and some clauses.
pub(super) fn edges(place: &Place<'_>, clauses: &[&Schema]) -> Vec<Value> {
    let Some(schema) = place.old.or(place.new) else { return Vec::new() };
    let all: Vec<&Schema> = place.schemas().chain(clauses.iter().copied()).collect();
    let limits: Vec<&Limits> = all.iter().map(|schema| &schema.limits).collect();
    let mut out = Vec::new();
    for values in limits.iter().map(|limits| &limits.enumeration) {
        out.extend(values.iter().take(MOST_VALUES).cloned());
    }
    let examples = (0..VARIANTS).map(|variant| place.examples.value(place.name(), schema, variant, 0));
    match &schema.ty {
        Some(Type::String) => out.extend(texts::edges(place, schema, &limits)),
        Some(Type::Integer) => out.extend(integers(&limits)),
        Some(Type::Number) => {
            out.extend(integers(&limits));
            out.extend(fractions(&limits));
        }
        Some(Type::Array) => out.extend(lists(place, schema, &all)),
        Some(Type::Object) => out.extend(maps(place, schema, &limits)),
        Some(Type::Boolean) => out.extend([Value::Bool(true), Value::Bool(false)]),
        // The limits of all types apply.
        None => {
            out.extend(integers(&limits));
            out.extend(texts::edges(place, schema, &limits));
        }
        Some(Type::Other(_)) => {}
    }
    out.extend(examples);
    // The server drops a null, unless no schema lists the field, or replaces it by a default.
    let may_keep = |schema: &&Schema| schema.nullable || schema.default.is_some();
    if place.old.is_none() || place.new.is_none() || all.iter().any(may_keep) {
        out.push(Value::Null);
    }
    // Any value is possible where the old schema lists nothing, and the new schema may allow some only.
    let keeps_others = |old: &Schema| {
        old.preserves_unknown_fields() || matches!(old.additional_properties, Some(Additional::Allow(true)))
    };
    if schema.ty.is_none() || place.old.is_none_or(keeps_others) {
        out.extend([
            Value::from("text"),
            Value::Int(1),
            Value::Float(1.5),
            Value::Bool(true),
            Value::List(Vec::new()),
            Value::Map(Map::new()),
        ]);
    }
    out
}

/// Integers at the bounds.
fn integers(limits: &[&Limits]) -> Vec<Value> {
    let mut out = Vec::new();
    let bounds = limits.iter().flat_map(|it| [it.minimum, it.maximum]).flatten();
    for bound in bounds.filter(|bound| bound.abs() < 9e15) {
        let whole = bound.floor() as i64;
        out.extend([whole, whole - 1, whole + 1, whole + 2].map(Value::Int));
    }
    for step in limits.iter().filter_map(|it| it.multiple_of).filter(|step| *step >= 1.0 && *step < 9e15) {
        let step = step as i64;
        out.extend([step, step + 1, step * 2, step * 3, -step].map(Value::Int));
        let bounds = limits.iter().flat_map(|it| [it.minimum, it.maximum]).flatten();
        for bound in bounds.filter(|bound| bound.abs() < 9e15) {
            let inside = (bound as i64).div_euclid(step).saturating_mul(step);
            out.extend([inside, inside.saturating_add(step)].map(Value::Int));
        }
    }
    if limits.iter().any(|it| !it.format.is_empty()) {
        out.extend([i64::from(i32::MAX) + 1, i64::from(i32::MIN) - 1, i64::MAX, i64::MIN].map(Value::Int));
    }
    out.extend([0, 1, -1, 2].map(Value::Int));
    out
}

/// How close a number is to a multiple that the server takes for one, and which multiples may be too large.
const CLOSE: f64 = 1.000_000_000_4;
const FAR: f64 = 5e15 + 1.0;

fn fractions(limits: &[&Limits]) -> Vec<Value> {
    let mut out = Vec::new();
    for bound in limits.iter().flat_map(|it| [it.minimum, it.maximum, it.multiple_of]).flatten() {
        // What is very close to a multiple is one for the server.
        out.extend([bound, bound - 0.5, bound + 0.5, bound * CLOSE, bound / CLOSE].map(Value::Float));
    }
    // There is a number of times a factor from where on the server finds no multiples of it.
    for step in limits.iter().filter_map(|it| it.multiple_of) {
        out.extend([step * FAR, -step, step * 2.0].map(Value::Float));
    }
    let bounds = limits.iter().flat_map(|it| [it.minimum, it.maximum]).flatten();
    out.extend(between(bounds.collect()).map(Value::Float));
    out.extend([0.5, -0.5, 1e39, -1e39].map(Value::Float));
    out
}

/// The numbers in the middle between two that are next to each other.
pub(super) fn between(mut numbers: Vec<f64>) -> impl Iterator<Item = f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let pairs: Vec<f64> = numbers.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    pairs.into_iter()
}

/// The counts at the bounds, without those that are too large to try.
fn counts(bounds: impl Iterator<Item = i64>) -> impl Iterator<Item = usize> {
    bounds
        .flat_map(|bound| [bound, bound + 1, bound - 1])
        .filter(|count| (0..=MOST_ITEMS).contains(count))
        .map(|it| it as usize)
}

/// Lists with as many items as the bounds say, and lists with equal items or equal keys.
fn lists(place: &Place<'_>, schema: &Schema, all: &[&Schema]) -> Vec<Value> {
    let Some(items) = schema.item() else { return Vec::new() };
    let name = place.name();
    let some = |count: usize| place.examples.items(name, items, count);
    let mut out = Vec::new();
    let item = || place.examples.value(name, items, 0, 0);
    out.push(Value::List(vec![item(), item()]));
    let mut both = some(2);
    out.push(Value::List(both.clone()));
    both.reverse();
    out.push(Value::List(both));
    for keys in all.iter().map(|schema| &schema.ext.list_map_keys).filter(|keys| !keys.is_empty()) {
        // The second item differs from the first one, but has its keys.
        for variant in 0..VARIANTS {
            let (first, mut second) = (item(), place.examples.value(name, items, variant, 1));
            let key_of = |key: &String| {
                let made = || items.properties.get(key).map(|it| place.examples.value(key, it, 0, 0));
                first.get(key).cloned().or_else(made)
            };
            let values: Vec<(&String, Value)> =
                keys.iter().filter_map(|key| Some((key, key_of(key)?))).collect();
            let mut first = first.clone();
            for item in [&mut first, &mut second] {
                if let Some(map) = item.as_map_mut() {
                    for (key, value) in &values {
                        map.insert(key.as_str(), value.clone());
                    }
                }
            }
            // Other keys make a difference for the old schema.
            let others =
                all.iter().flat_map(|schema| &schema.ext.list_map_keys).filter(|key| !keys.contains(key));
            for key in others {
                let Some(inner) = items.properties.get(key) else { continue };
                for (number, item) in [&mut first, &mut second].into_iter().enumerate() {
                    if let Some(map) = item.as_map_mut() {
                        map.insert(key.as_str(), place.examples.value(key, inner, number, number));
                    }
                }
            }
            out.push(Value::List(vec![first, second]));
        }
    }
    let bounds = all.iter().flat_map(|it| [it.limits.min_items, it.limits.max_items]).flatten();
    // The smallest comes first, because rules take longer on long lists.
    for count in counts(bounds).collect::<BTreeSet<usize>>() {
        out.push(Value::List(some(count)));
        out.extend(distinct(place, schema, items, some(count)).map(Value::List));
    }
    out.push(Value::List(Vec::new()));
    out
}

/// The same items, but no two of them are equal, or have the same keys. `None` if they differ already, or if they have no
/// fields for that.
fn distinct(place: &Place<'_>, schema: &Schema, items: &Schema, mut all: Vec<Value>) -> Option<Vec<Value>> {
    let keys = &schema.ext.list_map_keys;
    let is_same = |first: &Value, second: &Value| match keys.is_empty() {
        true => first == second,
        false => keys.iter().all(|key| first.get(key) == second.get(key)),
    };
    let is_equal = matches!(all.as_slice(), [first, second, ..] if is_same(first, second));
    let is_simple = |ty: &Option<Type>| matches!(ty, Some(Type::String | Type::Integer | Type::Number));
    let is_free = |field: &Schema| is_simple(&field.ty) && field.limits.enumeration.is_empty();
    let may_differ = |name: &str, field: &Schema| {
        is_free(field) && (keys.is_empty() || keys.iter().any(|key| key == name))
    };
    let (name, field) =
        items.properties.iter().find(|(name, field)| may_differ(name, field)).filter(|_| is_equal)?;
    for (number, item) in all.iter_mut().enumerate() {
        item.as_map_mut()?.insert(name, place.examples.value(name, field, 0, number));
    }
    Some(all)
}

/// Maps with as many entries as the bounds say.
fn maps(place: &Place<'_>, schema: &Schema, limits: &[&Limits]) -> Vec<Value> {
    let value = |key: &str| match (schema.properties.get(key), schema.value()) {
        (Some(inner), _) | (None, Some(inner)) => place.examples.value(key, inner, 0, 0),
        (None, None) => Value::from("text"),
    };
    let mut out = Vec::new();
    // The server drops a field that only the new schema keeps, so that only that one may reject it. The new schema may also reject all
    // fields that it does not list.
    let is_closed = |old: &Schema| !old.preserves_unknown_fields() && old.value().is_none();
    let rejects = |new: &Schema| matches!(new.additional_properties, Some(Additional::Allow(false)));
    let keeps = |new: &Schema| place.old.is_some_and(is_closed) && new.preserves_unknown_fields();
    if place.new.is_some_and(|new| keeps(new) || rejects(new)) {
        for variant in 0..VARIANTS {
            let mut example = place.examples.value(place.name(), schema, variant, 0);
            if let Some(map) = example.as_map_mut() {
                map.insert("unknown", Value::from("text"));
                out.push(example);
            }
        }
    }
    let bounds = limits.iter().flat_map(|it| [it.min_properties, it.max_properties]).flatten();
    for count in counts(bounds) {
        let example = place.examples.value(place.name(), schema, 0, 0);
        let mut map = example.as_map().cloned().unwrap_or_default();
        let listed = schema.properties.keys().map(str::to_owned);
        let has_others = schema.properties.is_empty() || schema.preserves_unknown_fields();
        let others = (0..count).filter(|_| has_others).map(|at| format!("key-{at}"));
        for key in listed.chain(others) {
            if map.len() < count && !map.contains_key(&key) {
                let value = value(&key);
                map.insert(key, value);
            }
        }
        out.push(Value::Map(map));
    }
    out.push(Value::Map(Map::new()));
    out
}
