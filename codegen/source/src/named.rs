//! The result of resolving a path.

use std::rc::Rc;

/// What a path names.
#[derive(Clone)]
pub(super) enum Named {
    /// A module.
    Module(usize),
    /// A struct or enum.
    Item(usize),
    /// A type alias, in its module.
    Alias(Rc<syn::ItemType>, usize),
    /// A function, in its module.
    Function(Rc<syn::ItemFn>, usize),
    /// A constant, in its module.
    Constant(Rc<syn::Expr>, usize),
    /// A member of a type: a variant, a function, or a constant.
    Member(Box<Named>, String),
    /// A name in a crate whose source is not read, with its full path.
    Foreign(String),
}

/// A module, a name in it, and which names count.
pub(super) type Search = (usize, String, Names);

/// Which names of a module count.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Names {
    All,
    /// Those that a glob of another module imports.
    Public,
}
