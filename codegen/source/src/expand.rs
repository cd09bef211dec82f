//! Expands calls of macros that the sources declare, to items and to values.

use super::macros::{Call, Macro};
use super::modules::{Contents, MacroScope};
use crdgen_rust::lower::plain;
use crdgen_rust::syntax::nesting;
use proc_macro2::{TokenStream, TokenTree};
use std::rc::Rc;
use syn::spanned::Spanned;

/// The items of `lazy_static! { static ref NAME: Type = value; }`, as items without `ref`. None if the macro has another name.
fn lazy_statics(mac: &syn::Macro) -> Option<Vec<syn::Item>> {
    let is_lazy = mac.path.segments.last().is_some_and(|name| name.ident == "lazy_static");
    let is_ref = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "ref");
    let tokens = mac.tokens.clone().into_iter().filter(|token| !is_ref(token));
    is_lazy.then(|| nesting::parse2::<syn::File>(tokens.collect()).ok())?.map(|file| file.items)
}

impl Contents<'_> {
    /// Declares the items that a call generates, or keeps the call until the macro is known.
    pub(super) fn call_macro(&mut self, call: Call) {
        let name = call.mac.path.get_ident().map(plain);
        let in_scope = name.and_then(|name| {
            let mut all = self.macros.scope.iter().rev();
            all.find(|(known, _)| *known == name).map(|(_, known)| Rc::clone(known))
        });
        match in_scope {
            Some(known) => self.declare_made(&known, call),
            None => self.macros.waiting.push(call),
        }
    }

    /// Once a crate is read, expands calls that name their macros by paths, or before the macros are declared.
    pub(super) fn call_waiting(&mut self) {
        self.macros.scope.clear();
        let mut open = std::mem::take(&mut self.macros.waiting);
        // Each round may declare more macros, and more calls of them.
        while !open.is_empty() {
            let before = open.len();
            let mut left = Vec::new();
            for call in open {
                if self.is_automod(&call) {
                    let items = self.modules_of_folder(&call).unwrap_or_default();
                    self.declare_code(call, items);
                    continue;
                }
                match self.own_macro(call.module, &call.mac.path) {
                    Some(known) => self.declare_made(&known, call),
                    None => left.push(call),
                }
            }
            let more = std::mem::take(&mut self.macros.waiting);
            let is_done = left.len() == before && more.is_empty();
            open = left;
            open.extend(more);
            if is_done {
                break;
            }
        }
        for call in open {
            if let Some(items) = lazy_statics(&call.mac) {
                self.declare_code(call, items);
            } else if let Some((known, home)) = self.macro_of_dependency(&call) {
                self.declare_expanded(&known, call, &home);
            } else {
                self.report_unexpanded(&call);
            }
        }
    }

    fn is_automod(&self, call: &Call) -> bool {
        let path = self.macro_path(call.module, &call.mac.path);
        path.is_some_and(|(first, name)| first == "automod" && name == "dir")
    }

    fn declare_made(&mut self, known: &Macro, call: Call) {
        self.declare_expanded(known, call, &quote::quote!(crate));
    }

    /// Declares what a macro generates. `home` replaces `$crate`.
    fn declare_expanded(&mut self, known: &Macro, call: Call, home: &TokenStream) {
        let mac = &call.mac;
        let code = known.expand(mac.tokens.clone(), mac.path.span(), home, &mut self.macros.left);
        if let Some(file) = code.and_then(|code| nesting::parse2::<syn::File>(code).ok()) {
            self.declare_code(call, file.items);
        }
    }

    /// Declares items at the place of a call.
    pub(super) fn declare_code(&mut self, call: Call, items: Vec<syn::Item>) {
        let Call { module, mac, directory, beside, depth } = call;
        if !self.may_nest(depth + 1, None) {
            return;
        }
        let (start, end) = (mac.path.span().byte_range(), mac.delimiter.span().close().byte_range());
        // The code that one macro generates by calling another is located at the first call.
        let around = self.macros.take_call();
        self.macros.call = Some(around.clone().unwrap_or(start.start..end.end));
        self.declare(module, items, &directory, &beside, depth + 1);
        self.macros.call = around;
    }

    /// A macro of the crate that contains the module.
    fn own_macro(&mut self, module: usize, path: &syn::Path) -> Option<Rc<Macro>> {
        let (first, name) = self.macro_path(module, path)?;
        self.is_in_crate(module, &first).then(|| self.only_macro(self.modules[module].krate, &name))?
    }

    /// A macro of another crate that the first crate calls, with the path of its crate.
    fn macro_of_dependency(&mut self, call: &Call) -> Option<(Rc<Macro>, TokenStream)> {
        let (first, name) = self.macro_path(call.module, &call.mac.path)?;
        if !self.is_of_first_crate(call.module) || self.is_in_crate(call.module, &first) {
            return None;
        }
        let krate = self.extern_crate(self.modules[call.module].krate, &first)?;
        let home = syn::Ident::new(&first, call.mac.path.span());
        Some((self.only_macro(krate, &name)?, quote::quote!(::#home)))
    }

    /// The code that a macro call becomes, if the sources have the macro.
    pub(super) fn expanded(
        &mut self,
        module: usize,
        mac: &syn::Macro,
        among: MacroScope,
    ) -> Option<TokenStream> {
        let (first, name) = self.macro_path(module, &mac.path)?;
        let (krate, home) = match self.is_in_crate(module, &first) {
            true => (self.modules[module].krate, quote::quote!(crate)),
            false if among == MacroScope::AllCrates => {
                let home = syn::Ident::new(&first, mac.path.span());
                (self.extern_crate(self.modules[module].krate, &first)?, quote::quote!(::#home))
            }
            false => return None,
        };
        let known = self.only_macro(krate, &name)?;
        known.expand(mac.tokens.clone(), mac.path.span(), &home, &mut self.macros.left)
    }

    /// The first and the last name in the path of a macro.
    fn macro_path(&self, module: usize, path: &syn::Path) -> Option<(String, String)> {
        let names: Vec<String> = path.segments.iter().map(|part| plain(&part.ident)).collect();
        let full = match names.as_slice() {
            [name] => {
                let imported = self.modules[module].uses.iter().find(|it| it.name.as_ref() == Some(name));
                imported.map_or_else(|| vec!["crate".to_owned(), name.clone()], |it| it.path.clone())
            }
            _ => names,
        };
        Some((full.first()?.clone(), full.last()?.clone()))
    }

    fn is_in_crate(&self, module: usize, first: &str) -> bool {
        matches!(first, "crate" | "self" | "super") || self.modules[module].modules.contains_key(first)
    }

    /// The macro with this name in a crate. None if there are several, because which one is used depends on the place
    /// of the call.
    fn only_macro(&self, krate: usize, name: &str) -> Option<Rc<Macro>> {
        match self.macros.all.get(&(krate, name.to_owned()))?.as_slice() {
            [only] => Some(Rc::clone(only)),
            _ => None,
        }
    }
}
