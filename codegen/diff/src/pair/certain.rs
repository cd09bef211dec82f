//! Changes that need no proof: they cannot break anything, whatever else changes.

use crdgen_core::compare::changes::{Change, Class, Part};
use crdgen_core::ir::{Limits, Schema};

use crate::causes::has_junctors;
use crate::place::Place;

/// Whether a change cannot be a reason why the server rejects an object that it accepted before. `root` is the place of whole objects.
pub(super) fn is_certain<'s>(change: &Change, place: &Place<'s>, root: &Place<'s>) -> bool {
    let is_gone = change.now.is_none();
    match (&change.part, change.class) {
        // The server dropped the field, and nothing fills it in.
        (Part::Field(_), Class::Compatible) if !is_gone => {
            place.new.is_some_and(|field| field.default.is_none())
        }
        // The server drops the field before it checks the object, and nothing asks for it.
        (Part::Field(name), Class::DataLoss) if is_gone => !is_asked_for(name, place, root),
        // Without a constraint, it accepts more.
        (Part::Required(_), Class::Client) => true,
        (Part::Keyword(keyword), Class::Looser) => is_gone && CONSTRAINTS.contains(keyword),
        (Part::Rule, Class::Looser) => is_gone,
        _ => false,
    }
}

const CONSTRAINTS: [&str; 11] = [
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "uniqueItems",
];

/// Whether what is around a place in the new schema may ask for a field of it: a rule, a junctor, a count, or a set of such values.
fn is_asked_for<'s>(name: &str, place: &Place<'s>, root: &Place<'s>) -> bool {
    let (Some(old), Some(new)) = (root.old, root.new) else { return true };
    let asks = |schema: &Schema| {
        let Limits { enumeration, min_properties, unique_items, required, .. } = &schema.limits;
        let is_set = schema.ext.list_type.as_deref() == Some("set");
        has_junctors(schema)
            || !schema.rules.is_empty()
            || !enumeration.is_empty()
            || min_properties.is_some()
            || *unique_items
            || is_set
            || required.iter().any(|own| own == name)
    };
    (0..place.steps.len()).any(|len| place.around(len, old, new).new.is_none_or(asks))
}
