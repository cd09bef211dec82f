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

/// Questions about what is known.
impl World<'_> {
    pub(crate) fn item(&self, item: usize) -> Rc<TypeItem> {
        Rc::clone(self.0.borrow().item(item))
    }

    /// A part of a module.
    pub(crate) fn module<T>(&self, module: usize, part: impl FnOnce(&Module) -> T) -> T {
        part(&self.0.borrow().modules[module])
    }

    /// The name of an item with its modules.
    pub(crate) fn name(&self, item: usize) -> String {
        self.0.borrow().name(item)
    }

    /// The place of a span in an item.
    pub(crate) fn at(&self, item: usize, span: Span) -> Option<At> {
        self.0.borrow().at(item, span)
    }

    /// The place of a span in a module.
    pub(crate) fn at_module(&self, module: usize, span: Span) -> Option<At> {
        self.0.borrow().at_module(module, span)
    }

    /// Whether a place is in an item.
    pub(crate) fn is_in(&self, at: &At, item: usize) -> bool {
        self.0.borrow().is_in(at, item)
    }

    /// The `cfg` values that are set in the crate of a module.
    pub(crate) fn cfgs(&self, module: usize) -> Rc<Cfgs> {
        self.0.borrow().cfgs(module)
    }

    /// The same for the crate of an item.
    pub(crate) fn cfg_of(&self, item: usize) -> Rc<Cfgs> {
        self.0.borrow().cfg_of(item)
    }

    /// The value of a variable when the crate of a module is compiled.
    pub(crate) fn variable(&self, module: usize, name: &str) -> Option<String> {
        self.0.borrow().variable(module, name)
    }

    /// The full path of a name. It follows `use` in the crate itself, and does not read other crates.
    pub(crate) fn spelled(&self, module: usize, path: &[String]) -> Vec<String> {
        self.0.borrow().spelled(module, path)
    }

    pub(crate) fn is_of_first_crate(&self, module: usize) -> bool {
        self.0.borrow().is_of_first_crate(module)
    }

    /// The minor version of Kubernetes whose types k8s-openapi has in the first crate.
    pub(crate) fn kubernetes(&self) -> Option<u32> {
        self.0.borrow_mut().kubernetes()
    }

    pub(crate) fn is_of_kube(&self, module: usize) -> bool {
        self.0.borrow().is_of_kube(module)
    }

    /// Whether an item is in a crate whose code the project cannot change.
    pub(crate) fn is_of_dependency(&self, item: usize) -> bool {
        self.0.borrow().is_of_dependency(item)
    }

    pub(crate) fn is_of_crate(&self, item: usize, name: &str) -> bool {
        self.0.borrow().is_of_crate(item, name)
    }

    /// Whether the first crate includes a file that only a build script writes.
    pub(crate) fn is_built(&self) -> bool {
        self.0.borrow().is_built()
    }

    /// The kinds of the first crate, in the order of its source.
    pub(crate) fn kinds(&self) -> Vec<usize> {
        self.0.borrow().kinds()
    }

    /// Types of the first crate with `#[kube(…)]` that is never read.
    pub(crate) fn no_kinds(&self) -> Vec<(usize, Span)> {
        self.0.borrow().no_kinds()
    }

    /// The kind that an item declares.
    pub(crate) fn own_kind(&self, item: usize) -> Kind {
        self.0.borrow().own_kind(item)
    }

    /// Paths in the first crate for which a `use` line would be enough, with their replacements.
    pub(crate) fn by_path(&self) -> Vec<(At, String, String)> {
        self.0.borrow().by_path()
    }

    /// Where the outermost private module around a module is declared.
    pub(crate) fn private_around(&self, module: usize) -> Option<At> {
        self.0.borrow().private_around(module)
    }

    /// The changes after which the root of the crate can call code in the module of an item.
    pub(crate) fn access(&self, item: usize) -> Option<Access> {
        self.0.borrow().access(item)
    }
}

/// Questions that may read other crates, or declare what a block or a macro contains.
impl World<'_> {
    /// What a path names in a module.
    pub(crate) fn resolve(&self, module: usize, path: &[String], leading: bool) -> Option<Named> {
        self.0.borrow_mut().resolve(module, path, leading)
    }

    /// What a full path names in a crate whose types are known by their paths.
    pub(crate) fn resolve_in_crate(&self, module: usize, full: &str) -> Option<Named> {
        self.0.borrow_mut().resolve_in_crate(module, full)
    }

    /// The modules with `impl` blocks of an item in its crate, and the name that each has for it.
    pub(crate) fn homes(&self, item: usize) -> Vec<(usize, String)> {
        self.0.borrow_mut().homes(item)
    }

    /// The associated types with this name.
    pub(crate) fn associated(&self, name: &str) -> Vec<Rc<Associated>> {
        self.0.borrow().associated(name)
    }

    /// The path by which other crates can name what a module declares.
    pub(crate) fn exported(&self, module: usize, name: &str) -> Option<String> {
        self.0.borrow_mut().exported(module, name)
    }

    /// The item whose kind has this path.
    pub(crate) fn kind_named(&self, module: usize, path: &[String], leading: bool) -> Option<usize> {
        self.0.borrow_mut().kind_named(module, path, leading)
    }

    /// A function of the struct that a derive generates for a kind.
    pub(crate) fn function_of_kind(
        &self,
        module: usize,
        path: &[String],
        leading: bool,
    ) -> Option<(usize, Rc<syn::ImplItemFn>)> {
        self.0.borrow_mut().function_of_kind(module, path, leading)
    }

    /// The version of a dependency, by the name that the crate of an item has for it.
    pub(crate) fn version_of(&self, item: usize, name: &str) -> Option<String> {
        self.0.borrow_mut().version_of(item, name)
    }

    /// The text of a file, by its path relative to the file of a module.
    pub(crate) fn beside(&self, module: usize, path: &str) -> Result<String, Unread> {
        self.0.borrow_mut().beside(module, path)
    }

    /// The code that a macro call becomes, if the sources have the macro.
    pub(crate) fn expanded(&self, module: usize, mac: &syn::Macro, among: MacroScope) -> Option<TokenStream> {
        self.0.borrow_mut().expanded(module, mac, among)
    }

    /// The module for the names in a block with this text.
    pub(crate) fn in_block(&self, module: usize, block: &syn::Block, text: String) -> usize {
        self.0.borrow_mut().in_block(module, block, text)
    }

    /// What was wrong in the crates that were read since the last call.
    pub(crate) fn take_found(&self) -> Vec<Found> {
        self.0.borrow_mut().take_found()
    }

    /// The calls of `merge_crds` in the first crate.
    pub(crate) fn take_calls(&self) -> Vec<Call> {
        self.0.borrow_mut().take_calls()
    }
}
