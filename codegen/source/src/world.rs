//! The sources that were read. A crate is read when a path names it for the first time, so the answer to a question may add to
//! what is known. Nothing that is known changes, and numbers of items and modules stay the same.

use crate::calls::Call;
use crate::modules::{
    Access, Associated, Contents, CrateSource, MacroScope, Module, Sources, TypeItem, Unread,
};
use crate::named::Named;
use crate::{At, Cfgs, Found};
use crdgen_rust::kind::Kind;
use proc_macro2::{Span, TokenStream};
use std::cell::RefCell;
use std::rc::Rc;

/// What was read of a crate and of its dependencies.
pub(crate) struct World<'s>(RefCell<Contents<'s>>);

impl<'s> World<'s> {
    /// Reads a crate from its root file. Also returns what is wrong in it.
    pub(crate) fn read(sources: &'s mut dyn Sources, root: CrateSource) -> (World<'s>, Vec<Found>) {
        let mut contents = Contents::new(sources);
        contents.load(root);
        let found = contents.take_found();
        (World(RefCell::new(contents)), found)
    }
}

/// Defines questions that the contents answer. The methods there have the same names.
macro_rules! questions {
    ($($borrow:ident $name:ident($($arg:ident: $ty:ty),*) $(-> $out:ty)?;)*) => {
        impl World<'_> {
            $(pub(crate) fn $name(&self, $($arg: $ty),*) $(-> $out)? { self.0.$borrow().$name($($arg),*) })*
        }
    };
}

impl World<'_> {
    pub(crate) fn item(&self, item: usize) -> Rc<TypeItem> {
        Rc::clone(self.0.borrow().item(item))
    }

    /// The code of an item, and the `cfg` values that are set in its crate.
    pub(crate) fn input(&self, item: usize) -> (Rc<syn::DeriveInput>, Rc<Cfgs>) {
        (Rc::clone(&self.item(item).input), self.cfg_of(item))
    }

    /// A part of a module.
    pub(crate) fn module<T>(&self, module: usize, part: impl FnOnce(&Module) -> T) -> T {
        part(&self.0.borrow().modules[module])
    }
}

// About what is known.
questions! {
    borrow name(item: usize) -> String;
    borrow at(item: usize, span: Span) -> Option<At>;
    borrow at_module(module: usize, span: Span) -> Option<At>;
    borrow is_in(at: &At, item: usize) -> bool;
    borrow cfgs(module: usize) -> Rc<Cfgs>;
    borrow cfg_of(item: usize) -> Rc<Cfgs>;
    borrow variable(module: usize, name: &str) -> Option<String>;
    borrow spelled(module: usize, path: &[String]) -> Vec<String>;
    borrow is_of_first_crate(module: usize) -> bool;
    borrow is_of_kube(module: usize) -> bool;
    borrow is_of_dependency(item: usize) -> bool;
    borrow is_of_crate(item: usize, name: &str) -> bool;
    borrow is_built() -> bool;
    borrow kinds() -> Vec<usize>;
    borrow no_kinds() -> Vec<(usize, Span)>;
    borrow own_kind(item: usize) -> Kind;
    borrow by_path() -> Vec<(At, String, String)>;
    borrow private_around(module: usize) -> Option<At>;
    borrow access(item: usize) -> Option<Access>;
    borrow associated(name: &str) -> Vec<Rc<Associated>>;
}

// These may read other crates, or declare what a block or a macro contains.
questions! {
    borrow_mut kubernetes() -> Option<u32>;
    borrow_mut resolve(module: usize, path: &[String], leading: bool) -> Option<Named>;
    borrow_mut resolve_in_crate(module: usize, full: &str) -> Option<Named>;
    borrow_mut homes(item: usize) -> Vec<(usize, String)>;
    borrow_mut exported(module: usize, name: &str) -> Option<String>;
    borrow_mut kind_named(module: usize, path: &[String], leading: bool) -> Option<usize>;
    borrow_mut function_of_kind(module: usize, path: &[String], leading: bool) -> Option<(usize, Rc<syn::ImplItemFn>)>;
    borrow_mut version_of(item: usize, name: &str) -> Option<String>;
    borrow_mut beside(module: usize, path: &str) -> Result<String, Unread>;
    borrow_mut expanded(module: usize, mac: &syn::Macro, among: MacroScope) -> Option<TokenStream>;
    borrow_mut in_block(module: usize, block: &syn::Block, text: String) -> usize;
    borrow_mut take_found() -> Vec<Found>;
    borrow_mut take_calls() -> Vec<Call>;
}
