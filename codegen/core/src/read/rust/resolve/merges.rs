//! Finds calls of kube's `merge_crds`, which merges several versions into one CRD and chooses the storage version.

use super::calls::{Call, NAME};
use super::eval::unknown;
use super::modules::{World, derives};
use super::named::Named;
use super::types::Scope;
use super::{At, Program};
use crate::read::rust::attrs::meta::split;
use crate::read::rust::kind::{self, Kind};
use crate::read::rust::lower::plain;
use crate::read::rust::report::Report;
use crate::recipe::Unknown;
use crate::syntax::nesting;
use crate::value::Value;
use proc_macro2::TokenStream;
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

impl World<'_> {
    /// A function in an `impl` block of the struct that a derive generates for a kind, with its module.
    pub(super) fn function_of_kind(
        &mut self,
        module: usize,
        path: &[String],
        leading: bool,
    ) -> Option<(usize, Rc<syn::ImplItemFn>)> {
        let (function, ty) = path.split_last()?;
        let item = self.kind_named(module, ty, leading, 0)?;
        let (home, key) = (self.item(item).module, (self.own_kind(item).own_name(), function.clone()));
        Some((home, Rc::clone(self.modules[home].methods.get(&key)?)))
    }

    /// The kind that a path names. The sources contain no item for the struct that the derive generates.
    fn kind_named(&mut self, module: usize, path: &[String], leading: bool, hops: usize) -> Option<usize> {
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
        uses.into_iter().find_map(|(path, leading)| self.kind_named(home, &path, leading, hops + 1))
    }

    /// The kind with this struct name in a module.
    fn kind_in(&self, module: usize, name: &str) -> Option<usize> {
        let is_so = |item: &usize| {
            let derived = derives(&self.item(*item).input.attrs, &self.cfg_of(*item));
            derived.iter().any(|derived| derived == "CustomResource")
                && self.own_kind(*item).own_name() == name
        };
        self.modules[module].types.values().copied().find(is_so)
    }

    fn own_kind(&self, item: usize) -> Kind {
        let cfgs = self.cfg_of(item);
        kind::kind(&self.item(item).input, &|tokens| cfgs.enabled(tokens), &mut Report::default())
    }
}

impl Program<'_> {
    /// Returns the calls of `merge_crds` in the first crate.
    pub fn merges(&self) -> Vec<Merge> {
        let calls = self.world.borrow_mut().take_calls();
        calls.into_iter().filter_map(|call| self.merge(&call)).collect()
    }

    /// The call, or none if it calls another function with the same name.
    fn merge(&self, call: &Call) -> Option<Merge> {
        let is_own = matches!(
            self.world.borrow_mut().resolve(call.module, &[NAME.to_owned()], false),
            Some(Named::Function(..))
        );
        let [crds, stored] = call.arguments.as_slice() else { return None };
        if is_own {
            return None;
        }
        let scope = Scope::new(call.module, Vec::new());
        let stored = match nesting::parse2::<Expr>(stored.clone()).map(|expr| self.eval(&expr, &scope)) {
            Ok(Ok(Value::Str(name))) => Ok(name),
            Ok(_) | Err(_) => unknown(stored),
        };
        let versions = self.versions(crds, call.module);
        Some(Merge { versions, stored, at: self.world.borrow().at_module(call.module, call.span) })
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
        let mut world = self.world.borrow_mut();
        let item = world.kind_named(module, &ty, leading, 0)?;
        let root = world.own_kind(item).kube.root;
        Some(Version { group: root.group, kind: root.kind, namespaced: root.namespaced, name: root.version })
    }
}
