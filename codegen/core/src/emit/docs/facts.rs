//! What holds for a value, in words.

use crate::ir::{Additional, Extensions, Limits, Schema};
use crate::json;
use crate::value::Value;

use crate::encode::schema;

/// Something that holds for a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub what: String,
    /// What is said of it; empty where the name says it all.
    pub values: Vec<String>,
}

/// All that holds at a node but for its type, default, fields and rules. `each` says whose node it is if
/// it is not the field's own: that of each item or value.
pub(super) fn of(node: &Schema, each: &str) -> Vec<Fact> {
    let mut out = Vec::new();
    let what = |text: &str| if each.is_empty() { text.to_owned() } else { format!("each {each}: {text}") };
    let mut add = |text: &str, values: Vec<String>| out.push(Fact { what: what(text), values });
    if node.nullable {
        add("may be null", Vec::new());
    }
    let Extensions {
        preserve_unknown_fields,
        embedded_resource: _,
        int_or_string: _,
        list_type,
        list_map_keys,
        map_type,
        unions,
    } = &node.ext;
    let open = matches!(node.additional_properties, Some(Additional::Allow(true)));
    if *preserve_unknown_fields == Some(true) || open {
        add("keeps unknown fields", Vec::new());
    }
    match list_type.as_deref() {
        Some("set") => add("items are unique", Vec::new()),
        Some("map") => add("items are unique by", list_map_keys.clone()),
        Some("atomic") => add("is replaced as a whole", Vec::new()),
        Some(_) | None => {}
    }
    if map_type.as_deref() == Some("atomic") {
        add("is replaced as a whole", Vec::new());
    }
    for union in unions {
        add("exactly one is set", union.fields.keys().map(str::to_owned).collect());
    }
    limits(&node.limits, &mut add);
    out
}

fn limits(limits: &Limits, add: &mut impl FnMut(&str, Vec<String>)) {
    let Limits {
        // It stands with the type.
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
        // It stands with the fields.
        required: _,
        enumeration,
        all_of,
        any_of,
        one_of,
        not,
    } = limits;
    if !enumeration.is_empty() {
        add("one of", enumeration.iter().map(shown).collect());
    }
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
    for (clauses, words) in [(all_of, "all of"), (any_of, "any of"), (one_of, "exactly one of")] {
        if !clauses.is_empty() {
            add(words, clauses.iter().map(clause).collect());
        }
    }
    if let Some(not) = not {
        add("not", vec![clause(not)]);
    }
}

/// A schema inside a junctor: in words where it says one simple thing.
fn clause(node: &Schema) -> String {
    let required = Limits { required: node.limits.required.clone(), ..Limits::default() };
    let plain = Schema { limits: required, ..Schema::default() };
    if !node.limits.required.is_empty() && *node == plain {
        return match node.limits.required.as_slice() {
            [one] => format!("{one} is set"),
            all => format!("{} are set", all.join(" and ")),
        };
    }
    match &node.ty {
        Some(ty) if *node == Schema::of(ty.clone()) => format!("is of type {}", ty.as_str()),
        Some(_) | None => json::to_string(&schema(node)),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Str(text) if !text.is_empty() => text.clone(),
        other => json::to_string(other),
    }
}

fn number(number: f64) -> String {
    json::to_string(&Value::Float(number))
}
