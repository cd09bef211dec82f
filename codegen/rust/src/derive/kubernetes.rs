//! Types that have the names of Kubernetes' own types. crdgen does not depend on k8s-openapi, so its trait is not
//! implemented for them. The derive replaces each such type by a type of its own, and the facade gives that the schema
//! of the type in k8s-openapi. If the user's own type has such a name, its own schema is used.

use super::kubernetes_names::NAMED;
use super::tokens::Tokens;
use crate::plain;
use proc_macro2::{Delimiter, Ident, Span};
use quote::{ToTokens, format_ident};
use std::borrow::Cow;

/// Whether a type has the name of one of Kubernetes' own types.
pub(super) fn is_kubernetes(ty: &syn::Type) -> bool {
    Local::default().is_in(ty)
}

/// The types that one piece of code replaces.
#[derive(Default)]
pub(super) struct Local {
    /// The name of each type, the path that it replaces, and the text of that path.
    types: Vec<(Ident, syn::Path, String)>,
    /// Names that do not mean a type of Kubernetes: the generic parameters of the item.
    params: Vec<String>,
}

impl Local {
    pub(super) fn new(generics: &syn::Generics) -> Local {
        let params = generics.type_params().map(|p| plain(&p.ident)).collect();
        Local { types: Vec::new(), params }
    }

    /// Replaces every path whose name is that of one of Kubernetes' own types.
    pub(super) fn replace<'a>(&mut self, ty: &'a syn::Type) -> Cow<'a, syn::Type> {
        if !self.is_in(ty) {
            return Cow::Borrowed(ty);
        }
        let mut ty = ty.clone();
        self.put_into(&mut ty);
        Cow::Owned(ty)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Declares the types that replace others.
    pub(super) fn declare(&self, out: &mut Tokens<'_>) {
        for (own, path, _) in &self.types {
            out.code("$::__kubernetes!");
            out.group(Delimiter::Brace, |out| {
                out.tokens(own);
                out.group(Delimiter::Bracket, |out| out.code(types(&name(path)).unwrap_or_default()));
                out.tokens(path);
            });
        }
    }

    fn is_one(&self, path: &syn::Path) -> bool {
        let name = name(path);
        path.segments.iter().all(|s| s.arguments.is_none())
            && path.segments.first().is_some_and(|s| s.ident != "Self")
            && types(&name).is_some()
            && !self.params.contains(&name)
    }

    fn is_in(&self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Path(it) if it.qself.is_none() => {
                self.is_one(&it.path) || arguments(&it.path).any(|ty| self.is_in(ty))
            }
            syn::Type::Array(it) => self.is_in(&it.elem),
            syn::Type::Group(it) => self.is_in(&it.elem),
            syn::Type::Paren(it) => self.is_in(&it.elem),
            syn::Type::Reference(it) => self.is_in(&it.elem),
            syn::Type::Slice(it) => self.is_in(&it.elem),
            syn::Type::Tuple(it) => it.elems.iter().any(|ty| self.is_in(ty)),
            _ => false,
        }
    }

    fn put_into(&mut self, ty: &mut syn::Type) {
        match ty {
            syn::Type::Path(it) if it.qself.is_none() => {
                if self.is_one(&it.path) {
                    let own = self.replacement(&it.path);
                    it.path = own.into();
                } else if let Some(syn::PathArguments::AngleBracketed(list)) =
                    it.path.segments.last_mut().map(|s| &mut s.arguments)
                {
                    for argument in &mut list.args {
                        if let syn::GenericArgument::Type(ty) = argument {
                            self.put_into(ty);
                        }
                    }
                }
            }
            syn::Type::Array(it) => self.put_into(&mut it.elem),
            syn::Type::Group(it) => self.put_into(&mut it.elem),
            syn::Type::Paren(it) => self.put_into(&mut it.elem),
            syn::Type::Reference(it) => self.put_into(&mut it.elem),
            syn::Type::Slice(it) => self.put_into(&mut it.elem),
            syn::Type::Tuple(it) => it.elems.iter_mut().for_each(|ty| self.put_into(ty)),
            _ => {}
        }
    }

    fn replacement(&mut self, path: &syn::Path) -> Ident {
        let text = path.to_token_stream().to_string();
        if let Some((own, ..)) = self.types.iter().find(|(.., other)| *other == text) {
            return own.clone();
        }
        let own = format_ident!("__K{}", self.types.len(), span = Span::call_site());
        self.types.push((own.clone(), path.clone(), text));
        own
    }
}

/// The statics of all types that have a name.
fn types(name: &str) -> Option<&'static str> {
    let found = NAMED.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(NAMED[found].1)
}

/// The last segment of a path.
fn name(path: &syn::Path) -> String {
    path.segments.last().map_or_else(String::new, |s| plain(&s.ident))
}

fn arguments(path: &syn::Path) -> impl Iterator<Item = &syn::Type> {
    let list = match path.segments.last().map(|s| &s.arguments) {
        Some(syn::PathArguments::AngleBracketed(list)) => Some(&list.args),
        _ => None,
    };
    list.into_iter().flatten().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
