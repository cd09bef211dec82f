//! The types of the program that runs, by their shapes.

use super::link::{Linked, Linker, Opened, Types};
use super::{DefaultFn, Node, Recipe, Schema as HasSchema, Shape, ShapeFn, wire};
use crate::diag::Diags;
use crate::value::Value;
use std::borrow::Cow;

/// The types of a program.
#[derive(Debug)]
pub(super) struct Program;

/// A shape in a program, told apart by where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Static(pub(super) &'static Shape);

impl PartialEq for Static {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Types for Program {
    type Id = Static;

    fn open(&self, id: Static) -> Opened<'_> {
        let node = match &id.0.recipe {
            Recipe::Text(text) => wire::decode(text),
            Recipe::Known(node) => Some(node()),
            #[cfg(feature = "schemars")]
            Recipe::Written(node) => Some(node()),
            #[cfg(feature = "k8s")]
            Recipe::Kubernetes(ty) => Some(Node::plain(ty.schema())),
        };
        Opened { name: Cow::Borrowed(id.0.name), node: node.map(Cow::Owned) }
    }

    fn reference(&self, id: Static, number: usize) -> Option<Static> {
        let shape: &ShapeFn = id.0.refs.get(number)?;
        Some(Static(shape()))
    }

    fn default(&self, id: Static, number: usize) -> Result<Option<Value>, String> {
        let default: Option<&DefaultFn> = id.0.defaults.get(number);
        Ok(default.and_then(|d| d()))
    }
}

/// The schema of a shape of this program.
pub fn link_static(shape: &'static Shape) -> (Linked, Diags) {
    let mut linker = Linker::new(&Program, Vec::new());
    let linked = linker.link(Static(shape));
    (linked, linker.diags)
}

/// The schema of a recipe that refers to nothing.
pub fn link_node(node: &Node) -> (Linked, Diags) {
    static ALONE: Shape = Shape::text("", "", &[], &[]);
    let mut linker = Linker::new(&Program, Vec::new());
    let linked = linker.node(node, Static(&ALONE));
    (linked, linker.diags)
}

/// The schema of a type of this program.
pub fn link_type<T: HasSchema + ?Sized>() -> (Linked, Diags) {
    link_static(T::shape())
}
