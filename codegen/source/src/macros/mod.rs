//! Macros that the sources declare with `macro_rules!`, and calls of them.

mod fragment;
mod rules;

pub(super) use rules::Macro;

use proc_macro2::TokenStream;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// More tokens than macros that declare types generate in real crates. A macro that calls itself twice doubles its
/// tokens at each step.
const MAX_TOKENS: usize = 500_000;

/// The macros of all crates.
pub(super) struct Macros {
    /// The macros that are in scope by name at the current place. If several have the same name, the last one is used.
    pub(super) scope: Vec<(String, Rc<Macro>)>,
    /// All macros by crate and name.
    pub(super) all: HashMap<(usize, String), Vec<Rc<Macro>>>,
    /// Calls of macros that are not known yet.
    pub(super) waiting: Vec<Call>,
    /// How many more tokens macros may generate.
    pub(super) left: usize,
    /// The byte range of the call whose items are being declared.
    pub(super) call: Option<Range<usize>>,
}

/// A macro call in the place of items.
pub(super) struct Call {
    pub(super) module: usize,
    pub(super) mac: syn::Macro,
    /// The folder with the files of modules that the generated items declare, also with `#[path]`.
    pub(super) directory: String,
    pub(super) beside: String,
    pub(super) depth: usize,
}

impl Default for Macros {
    fn default() -> Self {
        let (scope, waiting) = (Vec::new(), Vec::new());
        Macros { scope, all: HashMap::new(), waiting, left: MAX_TOKENS, call: None }
    }
}

impl Macros {
    /// Declares the macro of `macro_rules! name { … }`.
    pub(super) fn declare(&mut self, krate: usize, name: &str, tokens: TokenStream) {
        let declared = Rc::new(Macro::new(tokens));
        self.all.entry((krate, name.to_owned())).or_default().push(Rc::clone(&declared));
        self.scope.push((name.to_owned(), declared));
    }

    /// The start of a module's scope, for [`Macros::leave`].
    pub(super) fn enter(&self) -> usize {
        self.scope.len()
    }

    /// Removes the macros of a module from the scope.
    pub(super) fn leave(&mut self, start: usize) {
        self.scope.truncate(start);
    }

    /// The byte range of the macro call that generates the current item.
    pub(super) fn call(&self) -> Option<Range<usize>> {
        self.call.clone()
    }

    /// Until the result is passed to [`Macros::set_call`], the following items do not come from a macro.
    pub(super) fn take_call(&mut self) -> Option<Range<usize>> {
        self.call.take()
    }

    pub(super) fn set_call(&mut self, call: Option<Range<usize>>) {
        self.call = call;
    }
}
