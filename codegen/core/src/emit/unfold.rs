//! Unfolding: what vendor extensions mean, written with plain OpenAPI keywords.

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

/// The two forms in which an author may write it out.
pub fn says_int_or_string(schema: &Schema) -> bool {
    let is_either = |clauses: &[Schema]| {
        clauses.len() == 2
            && clauses[0] == Schema::of(Type::Integer)
            && clauses[1] == Schema::of(Type::String)
    };
    is_either(&schema.limits.any_of)
        || schema.limits.all_of.first().is_some_and(|first| is_either(&first.limits.any_of))
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
