//! Finds calls of kube's `merge_crds`, which merges several versions into one CRD and chooses the storage version.

use super::calls::Call;
use super::eval::unknown;
use super::modules::{Contents, derives};
use super::named::Named;
use super::types::Scope;
use super::{At, Program};
use crate::recipe::Unknown;
use crate::value::Value;
use crdgen_rust::attrs::meta::split;
use crdgen_rust::kind::{self, Kind};
use crdgen_rust::lower::plain;
use crdgen_rust::report::Report;
use crdgen_rust::syntax::nesting;
use proc_macro2::TokenStream;
use std::collections::HashSet;
use std::rc::Rc;
use syn::Expr;

/// A call of `merge_crds` in the sources.
pub struct Merge {
    /// The versions that the call merges, in their order.
    pub versions: Result<Vec<Version>, Unknown>,
    /// The name of the storage version.
    pub stored: Result<String, Unknown>,
    /// The place of the call.
    pub at: Option<At>,
}

/// A version of a kind that a call merges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// Whether the objects are namespaced.
    pub namespaced: bool,
    /// The name of the version.
    pub name: String,
}

/// Chains of `use` in real code are shorter.
const MAX_HOPS: usize = 64;

impl Contents<'_> {
    /// A function in an `impl` block of the struct that a derive generates for a kind, with its module.
    pub(super) fn function_of_kind(
        &mut self,
        module: usize,
        path: &[String],
        leading: bool,
    ) -> Option<(usize, Rc<syn::ImplItemFn>)> {
        let (function, ty) = path.split_last()?;
        let item = self.kind_named(module, ty, leading)?;
        let (home, key) = (self.item(item).module, (self.own_kind(item).own_name(), function.clone()));
        Some((home, Rc::clone(self.modules[home].methods.get(&key)?)))
    }

    /// The kind that a path names. The sources contain no item for the struct that the derive generates.
    pub(super) fn kind_named(&mut self, module: usize, path: &[String], leading: bool) -> Option<usize> {
        self.kind_at(module, path, leading, 0, &mut HashSet::new())
    }

    /// `seen` are the names that have been looked up, each with its module: modules may import each other.
    fn kind_at(
        &mut self,
        module: usize,
        path: &[String],
        leading: bool,
        hops: usize,
        seen: &mut HashSet<(usize, String)>,
    ) -> Option<usize> {
        let (last, modules) = path.split_last()?;
        if hops > MAX_HOPS {
            return None;
        }
        let home = match modules {
            [] if !leading => module,
            _ => match self.resolve(module, modules, leading)? {
                Named::Module(home) => home,
                _ => return None,
            },
        };
        if !seen.insert((home, last.clone())) {
            return None;
        }
        if let Some(item) = self.kind_in(home, last) {
            return Some(item);
        }
        let uses = self.modules[home].uses.iter();
        let uses =
            uses.filter(|it| it.name.as_ref().is_none_or(|name| name == last)).map(|it| match &it.name {
                Some(_) => (it.path.clone(), it.leading),
                None => ([it.path.as_slice(), std::slice::from_ref(last)].concat(), it.leading),
            });
        let uses: Vec<(Vec<String>, bool)> = uses.collect();
        uses.into_iter().find_map(|(path, leading)| self.kind_at(home, &path, leading, hops + 1, seen))
    }

    /// The kind with this struct name in a module.
    fn kind_in(&mut self, module: usize, name: &str) -> Option<usize> {
        let types = &self.modules[module].types;
        // Macros may still add types.
        if self.modules[module].kinds.as_ref().is_none_or(|(count, _)| *count != types.len()) {
            let is_kind = |item: &usize| {
                let derived = derives(&self.item(*item).input.attrs, &self.cfg_of(*item));
                derived.iter().any(|derived| derived == "CustomResource")
            };
            let kinds = types.values().copied().filter(is_kind);
            let kinds = kinds.map(|item| (self.own_kind(item).own_name(), item)).collect();
            self.modules[module].kinds = Some((types.len(), kinds));
        }
        self.modules[module].kinds.as_ref()?.1.get(name).copied()
    }

    /// The kind that an item declares.
    pub(super) fn own_kind(&self, item: usize) -> Kind {
        let cfgs = self.cfg_of(item);
        kind::kind(&self.item(item).input, &|tokens| cfgs.enabled(tokens), &mut Report::default())
    }
}

impl Program<'_> {
    /// Returns the calls of `merge_crds` in the first crate.
    pub fn merges(&self) -> Vec<Merge> {
        let calls = self.world.take_calls();
        calls.into_iter().filter_map(|call| self.merge(&call)).collect()
    }

    /// The call, or none if it calls another function with the same name.
    fn merge(&self, call: &Call) -> Option<Merge> {
        let [crds, stored] = call.arguments.as_slice() else { return None };
        let named = self.world.resolve(call.module, &call.path, call.leading);
        // The sources of kube may have been read. Without them, kube's function is not found.
        if let Some(Named::Function(_, module)) = named
            && !self.world.is_of_kube(module)
        {
            return None;
        }
        let scope = Scope::new(call.module, Vec::new());
        let stored = match nesting::parse2::<Expr>(stored.clone()).map(|expr| self.eval(&expr, &scope)) {
            Ok(Ok(Value::Str(name))) => Ok(name),
            Ok(_) | Err(_) => unknown(stored),
        };
        let versions = self.versions(crds, call.module);
        Some(Merge { versions, stored, at: self.world.at_module(call.module, call.span) })
    }

    /// The versions in `vec![A::crd(), B::crd()]`.
    fn versions(&self, crds: &TokenStream, module: usize) -> Result<Vec<Version>, Unknown> {
        let Ok(Expr::Macro(list)) = nesting::parse2::<Expr>(crds.clone()) else { return unknown(crds) };
        if !list.mac.path.is_ident("vec") {
            return unknown(crds);
        }
        let parts = split(list.mac.tokens).into_iter().map(|part| part.into_iter().collect::<TokenStream>());
        parts.map(|part| self.version(&part, module).map_or_else(|| unknown(&part), Ok)).collect()
    }

    /// The version whose CRD `A::crd()` or `<A as CustomResourceExt>::crd()` returns.
    fn version(&self, code: &TokenStream, module: usize) -> Option<Version> {
        let Ok(Expr::Call(call)) = nesting::parse2::<Expr>(code.clone()) else { return None };
        let Expr::Path(path) = *call.func else { return None };
        let (last, ty) = {
            let mut names: Vec<String> = path.path.segments.iter().map(|part| plain(&part.ident)).collect();
            (names.pop()?, names)
        };
        let (ty, leading) = match path.qself.map(|of| *of.ty) {
            Some(syn::Type::Path(ty)) => {
                let names = ty.path.segments.iter().map(|part| plain(&part.ident)).collect();
                (names, ty.path.leading_colon.is_some())
            }
            Some(_) => return None,
            None => (ty, path.path.leading_colon.is_some()),
        };
        if last != "crd" || !call.args.is_empty() {
            return None;
        }
        let world = &self.world;
        let item = world.kind_named(module, &ty, leading)?;
        let root = world.own_kind(item).kube.root;
        Some(Version { group: root.group, kind: root.kind, namespaced: root.namespaced, name: root.version })
    }
}
