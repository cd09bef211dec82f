//! Walks through a schema: along the fields of an object, or through every schema in it.

use crate::ir::{Additional, Dependency, Foreign, Items, Limits, Schema};
use crate::path::Path;

/// A schema node outside of junctors, with the path to it.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The schema of the node.
    pub schema: &'a Schema,
    /// The parent node and the step down from it. `None` at the root.
    pub up: Option<(&'a Node<'a>, Via<'a>)>,
}

/// A step down in a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via<'a> {
    /// Into the property with this name.
    Property(&'a str),
    /// Into `items`.
    Items,
    /// Into `additionalProperties`.
    Additional,
}

impl<'a> Node<'a> {
    /// Returns the name of the property. `None` for items, values of maps, and the root.
    pub fn name(&self) -> Option<&'a str> {
        match self.up? {
            (_, Via::Property(name)) => Some(name),
            (_, Via::Items | Via::Additional) => None,
        }
    }

    /// Returns the parent node.
    pub fn parent(&self) -> Option<&'a Node<'a>> {
        self.up.map(|(node, _)| node)
    }
}

/// Calls a function for each node outside of junctors, parents first.
pub fn each_node(schema: &Schema, path: &Path<'_>, call: &mut dyn FnMut(&Node<'_>, &Path<'_>)) {
    visit(&Node { schema, up: None }, path, call);
}

fn visit(node: &Node<'_>, path: &Path<'_>, call: &mut dyn FnMut(&Node<'_>, &Path<'_>)) {
    call(node, path);
    let schema = node.schema;
    let below = |schema, via| Node { schema, up: Some((node, via)) };
    let properties = path.child("properties");
    for (name, property) in schema.properties.iter() {
        visit(&below(property, Via::Property(name)), &properties.key(name), call);
    }
    match &schema.items {
        Some(Items::One(item)) => visit(&below(item, Via::Items), &path.child("items"), call),
        Some(Items::Many(_)) | None => {}
    }
    match &schema.additional_properties {
        Some(Additional::Schema(value)) => {
            visit(&below(value, Via::Additional), &path.child("additionalProperties"), call);
        }
        Some(Additional::Allow(_)) | None => {}
    }
}

/// Calls a function for each schema, parents first, including those in junctors and in unsupported keywords.
pub fn each_schema(schema: &Schema, path: &Path<'_>, call: &mut dyn FnMut(&Schema, &Path<'_>)) {
    call(schema, path);
    let Schema { properties, items, additional_properties, limits, foreign, .. } = schema;
    let under = path.child("properties");
    for (name, property) in properties.iter() {
        each_schema(property, &under.key(name), call);
    }
    let at = path.child("items");
    match items {
        Some(Items::One(item)) => each_schema(item, &at, call),
        Some(Items::Many(all)) => each_of(all, &at, call),
        None => {}
    }
    each_additional(additional_properties.as_ref(), &path.child("additionalProperties"), call);
    let Limits { all_of, any_of, one_of, not, .. } = limits;
    each_of(all_of, &path.child("allOf"), call);
    each_of(any_of, &path.child("anyOf"), call);
    each_of(one_of, &path.child("oneOf"), call);
    if let Some(not) = not {
        each_schema(not, &path.child("not"), call);
    }
    if let Some(foreign) = foreign {
        each_foreign(foreign, path, call);
    }
}

fn each_of(all: &[Schema], path: &Path<'_>, call: &mut dyn FnMut(&Schema, &Path<'_>)) {
    for (i, schema) in all.iter().enumerate() {
        each_schema(schema, &path.index(i), call);
    }
}

fn each_additional(
    additional: Option<&Additional>,
    path: &Path<'_>,
    call: &mut dyn FnMut(&Schema, &Path<'_>),
) {
    match additional {
        Some(Additional::Schema(schema)) => each_schema(schema, path, call),
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
            each_schema(schema, &under.key(name), call);
        }
    }
    each_additional(additional_items.as_ref(), &path.child("additionalItems"), call);
    let under = path.child("dependencies");
    for (name, dependency) in dependencies.iter() {
        match dependency {
            Dependency::Schema(schema) => each_schema(schema, &under.key(name), call),
            Dependency::Properties(_) | Dependency::Nothing => {}
        }
    }
}

/// Returns whether the predicate is true for any schema, including those in junctors and in unsupported keywords.
pub fn any_schema<'s>(schema: &'s Schema, wanted: &mut dyn FnMut(&'s Schema) -> bool) -> bool {
    if wanted(schema) {
        return true;
    }
    let items: &[Schema] = match &schema.items {
        Some(Items::One(item)) => std::slice::from_ref(item),
        Some(Items::Many(all)) => all,
        None => &[],
    };
    let limits = &schema.limits;
    items
        .iter()
        .chain(&limits.all_of)
        .chain(&limits.any_of)
        .chain(&limits.one_of)
        .chain(limits.not.as_deref())
        .chain(schema.properties.values())
        .chain(in_additional(schema.additional_properties.as_ref()))
        .any(|s| any_schema(s, wanted))
        || schema.foreign.as_deref().is_some_and(|f| any_in_foreign(f, wanted))
}

fn any_in_foreign<'s>(foreign: &'s Foreign, wanted: &mut dyn FnMut(&'s Schema) -> bool) -> bool {
    let Foreign {
        id: _,
        schema: _,
        reference: _,
        pattern_properties,
        dependencies,
        additional_items,
        definitions,
    } = foreign;
    let of_dependencies = dependencies.values().filter_map(|d| match d {
        Dependency::Schema(schema) => Some(&**schema),
        Dependency::Properties(_) | Dependency::Nothing => None,
    });
    pattern_properties
        .values()
        .chain(in_additional(additional_items.as_ref()))
        .chain(definitions.values())
        .chain(of_dependencies)
        .any(|s| any_schema(s, wanted))
}

fn in_additional(additional: Option<&Additional>) -> Option<&Schema> {
    match additional {
        Some(Additional::Schema(schema)) => Some(schema),
        Some(Additional::Allow(_)) | None => None,
    }
}
