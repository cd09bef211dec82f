//! Which parts of a value are replaced as a whole.

use super::Type;
use super::form::Form;
use crate::path::PathElement;
use crate::schema::Relation;
use crdgen_text::value::Value;
use std::fmt::Write as _;

/// Adds the paths of all atomic lists and objects in a value, also of those inside of others.
pub(super) fn find(ty: Type<'_>, value: &Value, path: &mut String, out: &mut Vec<String>) {
    match (ty.form(value), value) {
        (Ok(Form::Map(map)), Value::Map(members)) => {
            if map.relation == Relation::Atomic {
                out.push(path.clone());
            }
            for (name, value) in members.iter() {
                if let Some(field) = map.fields.get(name) {
                    below(ty.of(field.ty), value, (path, &format_args!(".{name}")), out);
                }
            }
        }
        (Ok(Form::List(list)), Value::List(items)) => {
            if list.relation == Relation::Atomic {
                out.push(path.clone());
            }
            for (index, item) in items.iter().enumerate() {
                below(ty.of(list.items), item, (path, &PathElement::Index(index as i64)), out);
            }
        }
        _ => {}
    }
}

fn below(
    ty: Type<'_>,
    value: &Value,
    (path, step): (&mut String, &dyn std::fmt::Display),
    out: &mut Vec<String>,
) {
    let here = path.len();
    // Writing to a string cannot fail.
    _ = write!(path, "{step}");
    find(ty, value, path, out);
    path.truncate(here);
}
