//! What holds for a value, in words.

use crate::ir::{Additional, Extensions, Limits, Schema};
use crate::json;
use crate::value::Value;

use super::clauses::clause;

/// Something that holds for a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// What it is about.
    pub what: String,
    /// What is said of it; empty where the name says it all.
    pub values: Vec<String>,
}

impl Fact {
    /// Whether the values need lines of their own.
    pub fn is_long(&self) -> bool {
        let values: usize = self.values.iter().map(|value| value.len() + 2).sum();
        self.values.len() > 1 && self.values.iter().all(|value| value.contains(' ')) && values > 80
    }
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
    if matches!(node.additional_properties, Some(Additional::Allow(true)))
        && node.ext.preserve_unknown_fields != Some(true)
    {
        add("keeps unknown fields", Vec::new());
    }
    extensions(&node.ext, &mut add);
    if !node.limits.enumeration.is_empty() {
        add("one of", node.limits.enumeration.iter().map(shown).collect());
    }
    validations(&node.limits, &mut add);
    let Limits { all_of, any_of, one_of, not, .. } = &node.limits;
    for (clauses, words) in [(all_of, "all of"), (any_of, "any of"), (one_of, "exactly one of")] {
        if !clauses.is_empty() {
            add(words, clauses.iter().map(|it| clause(it, node)).collect());
        }
    }
    if let Some(not) = not {
        add("not", vec![clause(not, node)]);
    }
    out
}

/// What the extensions of a schema say.
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
        Some("atomic") => add("is replaced as a whole", Vec::new()),
        Some(_) | None => {}
    }
    if map_type.as_deref() == Some("atomic") {
        add("is replaced as a whole", Vec::new());
    }
    for union in unions {
        add("exactly one is set", union.fields.keys().map(str::to_owned).collect());
    }
}

/// What the validations of a schema say, but for its values and junctors.
pub(super) fn validations(limits: &Limits, add: &mut impl FnMut(&str, Vec<String>)) {
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

/// A value; a string without quotes where it is not empty.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Str(text) if !text.is_empty() => text.clone(),
        other => json::to_string(other),
    }
}

fn number(number: f64) -> String {
    json::to_string(&Value::Float(number))
}
