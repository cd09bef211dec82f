//! Unfolding: what vendor extensions mean, written with plain OpenAPI keywords.

use crate::check::structural::{is_all_of_form, is_any_of_form};
use crate::ir::{Additional, Items, Limits, Schema, Type};

/// Adds to each int-or-string node the `anyOf` that says so, unless it is written out already.
pub fn int_or_string(schema: &mut Schema) {
    if schema.ext.int_or_string && !says_int_or_string(schema) {
        if schema.limits.any_of.is_empty() {
            schema.limits.any_of = either();
        } else {
            let clause =
                Schema { limits: Limits { any_of: either(), ..Limits::default() }, ..Schema::default() };
            schema.limits.all_of.insert(0, clause);
        }
    }
    each_child(schema, int_or_string);
}

/// Whether an author has written it out already.
fn says_int_or_string(schema: &Schema) -> bool {
    is_any_of_form(schema) || is_all_of_form(schema)
}

fn either() -> Vec<Schema> {
    vec![Schema::of(Type::Integer), Schema::of(Type::String)]
}

/// Calls `change` for the schemas of fields, items and values. Junctors hold no extensions.
pub(super) fn each_child(schema: &mut Schema, change: impl Fn(&mut Schema)) {
    if let Some(Items::One(items)) = &mut schema.items {
        change(items);
    }
    for child in schema.properties.values_mut() {
        change(child);
    }
    if let Some(Additional::Schema(value)) = &mut schema.additional_properties {
        change(value);
    }
}
