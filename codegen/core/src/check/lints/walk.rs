//! The nodes of all schemas of a definition, each once even where versions share a schema.

use crate::check::definition::hoist::{Hoisted, Part, Parts, Place};
use crate::ir::{Additional, Crd, Items, Schema};
use crate::path::Path;

/// A node and those above it.
pub(super) struct Node<'a> {
    pub(super) schema: &'a Schema,
    /// The name of the property; none for items, values of maps, and the root.
    pub(super) name: Option<&'a str>,
    pub(super) up: Option<&'a Node<'a>>,
}

/// Calls for each schema, with its place in the author's document. The last argument tells whether the
/// status subresource is on.
pub(super) fn each_schema(crd: &Crd, call: &mut dyn FnMut(&Schema, &Path<'_>, bool)) {
    let view = Hoisted::new(crd);
    let status =
        |parts: &Parts<'_>| parts.subresources.or(view.shared.subresources).is_some_and(|s| s.status);
    if let Some(schema) = view.shared.schema.and_then(|s| s.open_api_v3_schema.as_ref()) {
        let place = view.shared_place(Part::Schema);
        let any = std::iter::once(&view.shared).chain(&view.versions).any(status);
        let written = Place::as_written(&place.path());
        call(schema, &written.path().child("openAPIV3Schema"), any);
    }
    let spec = Path::ROOT.child("spec");
    let versions = spec.child("versions");
    for (i, (_, parts)) in view.versions().enumerate() {
        if let Some(schema) = parts.schema.and_then(|s| s.open_api_v3_schema.as_ref()) {
            call(schema, &versions.index(i).child("schema").child("openAPIV3Schema"), status(parts));
        }
    }
}

/// Calls for each node outside of junctors, parents first.
pub(super) fn each_node(schema: &Schema, path: &Path<'_>, call: &mut dyn FnMut(&Node<'_>, &Path<'_>)) {
    visit(&Node { schema, name: None, up: None }, path, call);
}

fn visit(node: &Node<'_>, path: &Path<'_>, call: &mut dyn FnMut(&Node<'_>, &Path<'_>)) {
    call(node, path);
    let schema = node.schema;
    let properties = path.child("properties");
    for (name, property) in schema.properties.iter() {
        let below = Node { schema: property, name: Some(name), up: Some(node) };
        visit(&below, &properties.key(name), call);
    }
    match &schema.items {
        Some(Items::One(item)) => {
            visit(&Node { schema: item, name: None, up: Some(node) }, &path.child("items"), call);
        }
        Some(Items::Many(_)) | None => {}
    }
    match &schema.additional_properties {
        Some(Additional::Schema(value)) => {
            let below = Node { schema: value, name: None, up: Some(node) };
            visit(&below, &path.child("additionalProperties"), call);
        }
        Some(Additional::Allow(_)) | None => {}
    }
}
