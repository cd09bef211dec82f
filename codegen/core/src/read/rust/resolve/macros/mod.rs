//! Macros that the sources declare with `macro_rules!`, and calls of them.

mod fragment;
mod rules;

pub(super) use rules::Macro;

use proc_macro2::TokenStream;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// More than the macros of any crates make that declare types. A macro that calls itself twice doubles at each step.
const MAX_TOKENS: usize = 500_000;

/// The macros of all crates.
pub(super) struct Macros {
    /// Those that are known by their names alone at this place of the source; the last of a name counts.
    pub(super) scope: Vec<(String, Rc<Macro>)>,
    /// All, by their crates and names.
    pub(super) all: HashMap<(usize, String), Vec<Rc<Macro>>>,
    /// Calls of macros that were not known yet.
    pub(super) waiting: Vec<Call>,
    /// How many tokens macros may still make.
    pub(super) left: usize,
    /// The call whose items are being declared: its bytes in its file.
    pub(super) call: Option<Range<usize>>,
}

/// A call in the place of items.
pub(super) struct Call {
    pub(super) module: usize,
    pub(super) mac: syn::Macro,
    /// Where the files of modules are that the items declare, and those that `#[path]` names.
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
    /// Adds what `macro_rules! name { … }` declares.
    pub(super) fn declare(&mut self, krate: usize, name: &str, tokens: TokenStream) {
        let declared = Rc::new(Macro::new(tokens));
        self.all.entry((krate, name.to_owned())).or_default().push(Rc::clone(&declared));
        self.scope.push((name.to_owned(), declared));
    }

    /// Where a module starts, for [`Macros::leave`].
    pub(super) fn enter(&self) -> usize {
        self.scope.len()
    }

    /// What a module declares is not known by its name outside of it.
    pub(super) fn leave(&mut self, start: usize) {
        self.scope.truncate(start);
    }

    /// The bytes of the call that made what is declared.
    pub(super) fn call(&self) -> Option<Range<usize>> {
        self.call.clone()
    }

    /// What follows is not made by a macro until this is given back to [`Macros::set_call`].
    pub(super) fn take_call(&mut self) -> Option<Range<usize>> {
        self.call.take()
    }

    pub(super) fn set_call(&mut self, call: Option<Range<usize>>) {
        self.call = call;
    }
}
