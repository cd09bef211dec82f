//! The walk over all nodes, in junctors and unsupported keywords too, with their places.

use crate::ir::{Additional, Dependency, Foreign, Items, Limits, Schema};
use crate::path::Path;

/// Calls for each node, parents first.
pub fn each_node(schema: &Schema, path: &Path<'_>, call: &mut dyn FnMut(&Schema, &Path<'_>)) {
    call(schema, path);
    let Schema { properties, items, additional_properties, limits, foreign, .. } = schema;
    let under = path.child("properties");
    for (name, property) in properties.iter() {
        each_node(property, &under.key(name), call);
    }
    let at = path.child("items");
    match items {
        Some(Items::One(item)) => each_node(item, &at, call),
        Some(Items::Many(all)) => each_of(all, &at, call),
        None => {}
    }
    each_additional(additional_properties.as_ref(), &path.child("additionalProperties"), call);
    let Limits { all_of, any_of, one_of, not, .. } = limits;
    each_of(all_of, &path.child("allOf"), call);
    each_of(any_of, &path.child("anyOf"), call);
    each_of(one_of, &path.child("oneOf"), call);
    if let Some(not) = not {
        each_node(not, &path.child("not"), call);
    }
    if let Some(foreign) = foreign {
        each_foreign(foreign, path, call);
    }
}

fn each_of(all: &[Schema], path: &Path<'_>, call: &mut dyn FnMut(&Schema, &Path<'_>)) {
    for (i, schema) in all.iter().enumerate() {
        each_node(schema, &path.index(i), call);
    }
}

fn each_additional(
    additional: Option<&Additional>,
    path: &Path<'_>,
    call: &mut dyn FnMut(&Schema, &Path<'_>),
) {
    match additional {
        Some(Additional::Schema(schema)) => each_node(schema, path, call),
        Some(Additional::Allow(_)) | None => {}
    }
}

fn each_foreign(foreign: &Foreign, path: &Path<'_>, call: &mut dyn FnMut(&Schema, &Path<'_>)) {
    let Foreign {
        id: _,
        schema: _,
        reference: _,
        pattern_properties,
        dependencies,
        additional_items,
        definitions,
    } = foreign;
    for (keyword, schemas) in [("patternProperties", pattern_properties), ("definitions", definitions)] {
        let under = path.child(keyword);
        for (name, schema) in schemas.iter() {
            each_node(schema, &under.key(name), call);
        }
    }
    each_additional(additional_items.as_ref(), &path.child("additionalItems"), call);
    let under = path.child("dependencies");
    for (name, dependency) in dependencies.iter() {
        match dependency {
            Dependency::Schema(schema) => each_node(schema, &under.key(name), call),
            Dependency::Properties(_) | Dependency::Nothing => {}
        }
    }
}
