//! Completeness: fields that junctors mention must also be defined outside of them. Like the server, this only checks
//! the junctors at the root of a schema.

use crate::diag::codes::schema as codes;
use crate::diag::{Diag, Diags};
use crate::ir::{Junctors, Schema};
use crate::path::Path;

pub(super) fn check(schema: &Schema, path: &Path<'_>, out: &mut Diags) {
    junctors(schema, Some(schema), path, path, out);
}

/// Compares the junctors of `inner`, which is at `inside`, with the schema `outer` at `outside`.
fn junctors(inner: &Schema, outer: Option<&Schema>, outside: &Path<'_>, inside: &Path<'_>, out: &mut Diags) {
    let Junctors { all_of, any_of, one_of, not } = inner.limits.junctors();
    if let Some(not) = not {
        nested(not, outer, outside, &inside.child("not"), out);
    }
    for (name, all) in [("allOf", all_of), ("anyOf", any_of), ("oneOf", one_of)] {
        let inside = inside.child(name);
        for (i, branch) in all.iter().enumerate() {
            nested(branch, outer, outside, &inside.index(i), out);
        }
    }
}

fn nested(inner: &Schema, outer: Option<&Schema>, outside: &Path<'_>, inside: &Path<'_>, out: &mut Diags) {
    let Some(outer) = outer else {
        out.push(missing(outside, inside));
        return;
    };
    junctors(inner, Some(outer), outside, inside, out);
    if let Some(item) = inner.item() {
        nested(item, outer.item(), &outside.child("items"), &inside.child("items"), out);
    }
    let (outside_properties, inside_properties) = (outside.child("properties"), inside.child("properties"));
    for (name, property) in inner.properties.iter() {
        let (outside, inside) = (outside_properties.key(name), inside_properties.key(name));
        match outer.properties.get(name) {
            Some(definition) => nested(property, Some(definition), &outside, &inside, out),
            None => out.push(missing(&outside, &inside)),
        }
    }
    // `additionalProperties` is forbidden inside junctors, and this is reported elsewhere.
}

fn missing(outside: &Path<'_>, inside: &Path<'_>) -> Diag {
    Diag::required(&codes::INCOMPLETE, outside, format!("because it is defined in {inside}"))
        .help(format!("define `{outside}` with its type: inside of allOf, anyOf, oneOf and not, a schema can only constrain it"))
}
