//! What reads a value in addition to its own schema: the junctors around it.

use crate::ir::{Junctors, Limits, Schema};
use crate::path::Step;

/// Whether the junctors of a schema say something about what is at some steps inside of its values. `is_there_too` if it matters, too,
/// whether something is there.
pub fn junctors_read(schema: &Schema, steps: &[Step], is_there_too: bool) -> bool {
    clauses(schema).any(|clause| reads(clause, steps, is_there_too))
}

/// Returns the schemas inside of the junctors of a schema.
pub fn clauses(schema: &Schema) -> impl Iterator<Item = &Schema> {
    let Junctors { all_of, any_of, one_of, not } = schema.limits.junctors();
    all_of.iter().chain(any_of).chain(one_of).chain(not)
}

fn reads(clause: &Schema, steps: &[Step], is_there_too: bool) -> bool {
    let Limits { enumeration, required, min_properties, max_properties, .. } = &clause.limits;
    let Some((step, rest)) = steps.split_first() else { return *clause != Schema::default() };
    let (is_required, inner) = match step {
        Step::Key(name) => (required.contains(name), clause.properties.get(name).or(clause.value())),
        Step::Index(_) => (false, clause.item()),
    };
    let is_counted = min_properties.is_some() || max_properties.is_some();
    !enumeration.is_empty()
        || is_there_too && rest.is_empty() && (is_required || is_counted)
        || inner.is_some_and(|inner| reads(inner, rest, is_there_too))
        || junctors_read(clause, steps, is_there_too)
}
