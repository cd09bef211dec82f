//! Items in blocks of functions. Only the block can use them, so they are declared when the block is evaluated.

use super::{Contents, Opening};

impl Contents<'_> {
    /// The module for the names in a block with this text: a module of its own if the block declares items, else the one
    /// around it.
    pub(crate) fn in_block(&mut self, module: usize, block: &syn::Block, text: String) -> usize {
        let items = block.stmts.iter().filter_map(|statement| match statement {
            // These would declare names of the module around the block, or need files.
            syn::Stmt::Item(syn::Item::Mod(_) | syn::Item::Macro(_)) => None,
            syn::Stmt::Item(item) => Some(item.clone()),
            _ => None,
        });
        let items: Vec<syn::Item> = items.collect();
        if items.is_empty() {
            return module;
        }
        // Blocks that a macro generates have the place of its call, so a place does not identify a block.
        let key = (module, text);
        if let Some(known) = self.blocks.get(&key) {
            return *known;
        }
        if !self.may_nest(0, None) {
            return module;
        }
        let (krate, file) = (self.modules[module].krate, self.modules[module].file);
        let inner = self.empty_module(krate, Some(module), "", file);
        self.modules[inner].is_block = true;
        self.modules[inner].opening = Opening::Generated;
        self.blocks.insert(key, inner);
        self.declare(inner, items, "", "", 0);
        inner
    }

    /// The module that `self` means.
    pub(crate) fn around(&self, module: usize) -> usize {
        let mut at = module;
        while let (true, Some(parent)) = (self.modules[at].is_block, self.modules[at].parent) {
            at = parent;
        }
        at
    }
}
