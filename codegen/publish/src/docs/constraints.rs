//! Constraints of a value, in words.

use crate::ir::{Extensions, Limits};
use crate::json;
use crate::value::Value;

const LIST_IS_ATOMIC: &str =
    "is replaced as a whole: when you apply a list, it replaces all items, also those that others applied";
const MAP_IS_ATOMIC: &str = "is replaced as a whole: when you apply an object, it replaces all fields, also those that others applied";

/// Describes the extensions of a schema.
pub(super) fn extensions(ext: &Extensions, add: &mut impl FnMut(&str, Vec<String>)) {
    let Extensions {
        preserve_unknown_fields,
        embedded_resource: _,
        int_or_string: _,
        list_type,
        list_map_keys,
        map_type,
        unions,
    } = ext;
    if *preserve_unknown_fields == Some(true) {
        add("keeps unknown fields", Vec::new());
    }
    match list_type.as_deref() {
        Some("set") => add("items are unique", Vec::new()),
        Some("map") => add("items are unique by", list_map_keys.clone()),
        Some("atomic") => add(LIST_IS_ATOMIC, Vec::new()),
        Some(_) | None => {}
    }
    if map_type.as_deref() == Some("atomic") {
        add(MAP_IS_ATOMIC, Vec::new());
    }
    for union in unions {
        add("exactly one is set", union.fields.keys().map(str::to_owned).collect());
    }
}

/// Describes the validations of a schema, except its enum and junctors.
pub(super) fn validations(limits: &Limits, add: &mut impl FnMut(&str, Vec<String>)) {
    let Limits {
        // Shown together with the type.
        format: _,
        maximum,
        exclusive_maximum,
        minimum,
        exclusive_minimum,
        multiple_of,
        max_length,
        min_length,
        pattern,
        max_items,
        min_items,
        unique_items,
        max_properties,
        min_properties,
        // Shown together with the fields.
        required: _,
        enumeration: _,
        all_of: _,
        any_of: _,
        one_of: _,
        not: _,
    } = limits;
    for (bound, exclusive, inclusive_words, exclusive_words) in [
        (minimum, exclusive_minimum, "at least", "more than"),
        (maximum, exclusive_maximum, "at most", "less than"),
    ] {
        if let Some(bound) = bound {
            add(if *exclusive { exclusive_words } else { inclusive_words }, vec![number(*bound)]);
        }
    }
    if let Some(factor) = multiple_of {
        add("multiple of", vec![number(*factor)]);
    }
    for (low, high, unit) in [
        (min_length, max_length, "length"),
        (min_items, max_items, "number of items"),
        (min_properties, max_properties, "number of entries"),
    ] {
        match (low, high) {
            (Some(low), Some(high)) if low == high => add(unit, vec![low.to_string()]),
            (Some(low), Some(high)) => add(unit, vec![format!("{low} to {high}")]),
            (Some(low), None) => add(unit, vec![format!("{low} or more")]),
            (None, Some(high)) => add(unit, vec![format!("up to {high}")]),
            (None, None) => {}
        }
    }
    if !pattern.is_empty() {
        add("pattern", vec![pattern.clone()]);
    }
    if *unique_items {
        add("items are unique", Vec::new());
    }
}

/// A value as text. A string that is not empty has no quotes.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Str(text) if !text.is_empty() => text.clone(),
        other => json::to_string(other),
    }
}

fn number(number: f64) -> String {
    json::to_string(&Value::Float(number))
}
