//! Calls of kube's `merge_crds`, which makes one definition of several versions and chooses the one that is stored.

use super::eval::unknown;
use super::modules::{World, derives};
use super::paths::Named;
use super::types::Scope;
use super::{At, Program};
use crate::read::rust::attrs::meta::split;
use crate::read::rust::kind::{self, Kind};
use crate::read::rust::lower::plain;
use crate::read::rust::report::Report;
use crate::recipe::Unknown;
use crate::syntax::nesting;
use crate::value::Value;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::rc::Rc;
use syn::Expr;

/// kube's function.
pub(super) const NAME: &str = "merge_crds";

/// A call in the sources.
pub struct Merge {
    /// The versions that it merges, in their order.
    pub versions: Result<Vec<Version>, Unknown>,
    /// The name of the version that it stores.
    pub stored: Result<String, Unknown>,
    /// Where the call is.
    pub at: Option<At>,
}

/// A version of a kind that a call merges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The API group.
    pub group: String,
    /// The kind.
    pub kind: String,
    /// Whether objects belong to a namespace.
    pub namespaced: bool,
    /// The name of the version.
    pub name: String,
}

/// A call as the module has it, before anything is resolved.
pub(super) struct Call {
    module: usize,
    span: Span,
    /// What is given to it, with local variables in the place of their names.
    arguments: Vec<TokenStream>,
}

/// Longer chains of `use` are no sane code.
const MAX_HOPS: usize = 64;

/// The calls in the code of an item of a module.
pub(super) fn calls(module: usize, code: TokenStream, out: &mut Vec<Call>) {
    find(module, code, &mut Vec::new(), out);
}

/// `locals` has the variables that are in scope, each with the code of its value.
fn find(module: usize, code: TokenStream, locals: &mut Vec<(String, TokenStream)>, out: &mut Vec<Call>) {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let known = locals.len();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "let" => locals.extend(local(&tokens[i + 1..])),
            TokenTree::Group(group) => {
                let called = i.checked_sub(1).and_then(|before| tokens.get(before));
                let is_call = group.delimiter() == Delimiter::Parenthesis
                    && matches!(called, Some(TokenTree::Ident(name)) if name == NAME)
                    && !matches!(i.checked_sub(2).map(|i| &tokens[i]), Some(TokenTree::Ident(word)) if word == "fn");
                if is_call {
                    out.push(call(module, group, locals));
                }
                find(module, group.stream(), locals, out);
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    locals.truncate(known);
}

/// The variable after a `let`, with its value.
fn local(tokens: &[TokenTree]) -> Option<(String, TokenStream)> {
    let mut tokens =
        tokens.iter().skip_while(|token| matches!(token, TokenTree::Ident(word) if word == "mut"));
    let TokenTree::Ident(name) = tokens.next()? else { return None };
    let is = |token: &&TokenTree, sign: char| matches!(token, TokenTree::Punct(it) if it.as_char() == sign);
    let value = tokens.skip_while(|token| !is(token, '=') && !is(token, ';')).skip(1);
    Some((name.to_string(), value.take_while(|token| !is(token, ';')).cloned().collect()))
}

fn call(module: usize, group: &Group, locals: &[(String, TokenStream)]) -> Call {
    let value = |part: Vec<TokenTree>| {
        let name: Vec<&TokenTree> = part
            .iter()
            .filter(|token| !matches!(token, TokenTree::Punct(it) if it.as_char() == '&'))
            .collect();
        if let [TokenTree::Ident(name)] = name.as_slice()
            && let Some((_, value)) = locals.iter().rev().find(|(local, _)| name == local)
        {
            return value.clone();
        }
        part.into_iter().collect()
    };
    Call { module, span: group.span(), arguments: split(group.stream()).into_iter().map(value).collect() }
}

impl World<'_> {
    /// A function in an `impl` block of a struct that a derive generates, with its module.
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

    /// The kind that a path names: the struct that its derive generates is no item of the sources.
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

    /// The kind whose struct has this name in a module.
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
        kind::kind(&self.item(item).input, &|tokens| cfgs.holds(tokens), &mut Report::default())
    }
}

impl Program<'_> {
    /// The calls of `merge_crds` in the first crate.
    pub fn merges(&self) -> Vec<Merge> {
        let calls = self.world.borrow_mut().take_calls();
        calls.into_iter().filter_map(|call| self.merge(&call)).collect()
    }

    /// None if it is another function of the same name.
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

    /// The version whose definition `A::crd()` or `<A as CustomResourceExt>::crd()` gives.
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
