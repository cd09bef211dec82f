//! Whether keywords fit the type they are put on: the server would take most of them and never look
//! at them again, so a rule someone counts on would silently hold nothing.

use super::faults::Mistake;
use super::patch::Union;
use super::types::{Kinds, kinds};
use crate::ir::Schema;

/// Reports what `set` asks of a schema that is not of the right type for it.
pub(super) fn check(schema: &Schema, set: &Schema, report: &mut dyn FnMut(Mistake)) {
    let is = kinds(schema);
    let l = &set.limits;
    let numbers: &[(bool, &'static str)] = &[
        (l.minimum.is_some(), "minimum"),
        (l.maximum.is_some(), "maximum"),
        (l.exclusive_minimum, "exclusive_minimum"),
        (l.exclusive_maximum, "exclusive_maximum"),
        (l.multiple_of.is_some(), "multiple_of"),
    ];
    let strings: &[(bool, &'static str)] = &[
        (l.min_length.is_some(), "min_length"),
        (l.max_length.is_some(), "max_length"),
        (!l.pattern.is_empty(), "pattern"),
    ];
    let lists: &[(bool, &'static str)] = &[
        (l.min_items.is_some(), "min_items"),
        (l.max_items.is_some(), "max_items"),
        (l.unique_items, "unique_items"),
        (set.ext.list_type.is_some(), "list_type"),
        (!set.ext.list_map_keys.is_empty(), "list_map_keys"),
    ];
    let objects: &[(bool, &'static str)] = &[
        (l.min_properties.is_some(), "min_properties"),
        (l.max_properties.is_some(), "max_properties"),
        (set.ext.map_type.is_some(), "map_type"),
    ];
    for (wanted, words, table) in [
        (Kinds::NUMBER | Kinds::INTEGER, "a number", numbers),
        (Kinds::STRING, "a string", strings),
        (Kinds::ARRAY, "a list", lists),
        (Kinds::OBJECT, "an object or map", objects),
    ] {
        if is & wanted != 0 {
            continue;
        }
        for (_, key) in table.iter().filter(|(there, _)| *there) {
            report(Mistake::new(format!("`{key}` needs {words}, and this is {}", Kinds::words(is))).key(key).help(
                match *key {
                    "min_length" | "max_length" | "pattern" => "for the items of a list write items(…), for the values of a map values(…), for its keys keys(…)",
                    _ => "move it to a field of that type, or take it away: the server would never look at it",
                },
            ));
        }
    }
}

/// Reports a union with a field that is always set: it tells nothing, or leaves no choice.
pub(super) fn check_union(schema: &Schema, union: &Union, report: &mut dyn FnMut(Mistake)) {
    let set = |field: &&String| {
        schema.limits.required.contains(field)
            || schema.properties.get(field).is_some_and(|property| property.default.is_some())
    };
    if let Some(field) = union.fields.iter().find(set) {
        report(
            Mistake::new(format!("`{field}` is always set, which leaves no choice"))
                .key(union.mode.key())
                .help("make it an Option without a default, or take it out of the union"),
        );
    }
}
