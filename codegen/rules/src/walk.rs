//! Walks through a schema: along the fields of an object, or through every schema in it.

use crate::ir::{Keyword, Schema, Which};
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

    /// Returns the number of nodes above.
    pub fn depth(&self) -> usize {
        std::iter::successors(self.parent(), |node| node.parent()).count()
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
    for (edge, child) in schema.children().filter(|(edge, _)| edge.is_structural()) {
        let at = path.child(edge.keyword.name());
        match edge.which {
            Which::Name(name) => visit(&below(child, Via::Property(name)), &at.key(name), call),
            Which::Only | Which::Index(_) => {
                let via = if edge.keyword == Keyword::Items { Via::Items } else { Via::Additional };
                visit(&below(child, via), &at, call);
            }
        }
    }
}

/// Calls a function for each schema, parents first, including those in junctors and in unsupported keywords.
pub fn each_schema(schema: &Schema, path: &Path<'_>, call: &mut dyn FnMut(&Schema, &Path<'_>)) {
    call(schema, path);
    for (edge, child) in schema.children() {
        let at = path.child(edge.keyword.name());
        match edge.which {
            Which::Only => each_schema(child, &at, call),
            Which::Name(name) => each_schema(child, &at.key(name), call),
            Which::Index(index) => each_schema(child, &at.index(index), call),
        }
    }
}

/// Returns whether the predicate is true for any schema, including those in junctors and in unsupported keywords.
pub fn any_schema<'s>(schema: &'s Schema, wanted: &mut dyn FnMut(&'s Schema) -> bool) -> bool {
    wanted(schema) || schema.children().any(|(_, child)| any_schema(child, wanted))
}
