//! The types of the running program, by their shapes.

use super::link::{Id, Linked, Linker, Opened, Types, Unknown};
use super::{DefaultFn, Node, Recipe, Schema as HasSchema, Shape, ShapeFn, outline, wire};
use crate::diag::Diags;
use crate::value::Value;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

/// The types of a program.
#[derive(Debug)]
pub(super) struct Program(RefCell<Found>);

#[derive(Debug, Default)]
struct Found {
    /// The types in the order in which they are found.
    shapes: Vec<&'static Shape>,
    /// The numbers of shapes. The address of a shape identifies it.
    numbers: HashMap<*const Shape, Id>,
}

impl Program {
    pub(super) fn new() -> Program {
        Program(RefCell::default())
    }

    /// The number of a shape.
    pub(super) fn id(&self, shape: &'static Shape) -> Id {
        let Found { shapes, numbers } = &mut *self.0.borrow_mut();
        *numbers.entry(std::ptr::from_ref(shape)).or_insert_with(|| {
            shapes.push(shape);
            shapes.len() - 1
        })
    }

    fn shape(&self, id: Id) -> &'static Shape {
        self.0.borrow().shapes[id]
    }
}

impl Types for Program {
    fn open(&self, id: Id) -> Opened<'_> {
        let shape = self.shape(id);
        let node = match &shape.recipe {
            Recipe::Text(text) => wire::decode(outline::recipe(text)),
            Recipe::Known(node) => Some(node()),
            #[cfg(feature = "schemars")]
            Recipe::Written(node) => Some(node()),
        };
        Opened { name: Cow::Borrowed(shape.name), node: node.map(Cow::Owned) }
    }

    fn reference(&self, id: Id, number: usize) -> Option<Id> {
        let shape: &ShapeFn = self.shape(id).refs.get(number)?;
        Some(self.id(shape()))
    }

    fn default(&self, id: Id, number: usize) -> Result<Option<Value>, Unknown> {
        let default: Option<&DefaultFn> = self.shape(id).defaults.get(number);
        Ok(default.and_then(|d| d()))
    }

    fn places(&self, id: Id) -> &'static str {
        self.shape(id).places
    }
}

/// Links a shape of this program.
pub fn link_static(shape: &'static Shape) -> (Linked, Diags) {
    let program = Program::new();
    let mut linker = Linker::new(&program, Vec::new());
    let linked = linker.link(program.id(shape));
    (linked, linker.diags)
}

/// Links a recipe without references.
pub fn link_node(node: &Node) -> (Linked, Diags) {
    static ALONE: Shape = Shape::text("", "", &[], &[]);
    let program = Program::new();
    let mut linker = Linker::new(&program, Vec::new());
    let linked = linker.node(node, program.id(&ALONE));
    (linked, linker.diags)
}

/// Links a type of this program.
pub fn link_type<T: HasSchema + ?Sized>() -> (Linked, Diags) {
    link_static(T::shape())
}
