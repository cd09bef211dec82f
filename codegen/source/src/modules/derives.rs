//! The derives of an item, including those in `cfg_attr`.

use crate::cfg::Cfgs;
use crdgen_rust::attrs::meta::split;
use crdgen_rust::syntax::nesting;
use proc_macro2::{Span, TokenTree};

/// Whether an item derives a schema, by any of the derive's names.
pub(crate) fn derives_schema(attrs: &[syn::Attribute], cfgs: &Cfgs) -> bool {
    let derived = derives(attrs, cfgs);
    derived.iter().any(|d| matches!(d.as_str(), "Schema" | "JsonSchema" | "KubeSchema" | "CELSchema"))
}

/// The last names of all derives, including those in `cfg_attr`.
pub(crate) fn derives(attrs: &[syn::Attribute], cfgs: &Cfgs) -> Vec<String> {
    derive_paths(attrs, cfgs).into_iter().filter_map(|mut path| path.names.pop()).collect()
}

/// A derive as written in the source.
pub(crate) struct DerivePath {
    pub(crate) names: Vec<String>,
    pub(crate) span: Span,
}

/// The paths of all derives.
pub(crate) fn derive_paths(attrs: &[syn::Attribute], cfgs: &Cfgs) -> Vec<DerivePath> {
    let mut out = Vec::new();
    for attr in attrs {
        collect(&attr.meta, cfgs, &mut out);
    }
    out
}

/// The file that `#[path = "…"]` names, also inside of `cfg_attr`.
pub(super) fn path(attrs: &[syn::Attribute], cfgs: &Cfgs) -> Option<String> {
    attrs.iter().find_map(|attr| path_in(&attr.meta, cfgs))
}

fn path_in(meta: &syn::Meta, cfgs: &Cfgs) -> Option<String> {
    match meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => {
            crdgen_rust::attrs::string_of(quote::ToTokens::to_token_stream(&pair.value))
        }
        syn::Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let mut parts = split(list.tokens.clone()).into_iter();
            let condition = parts.next()?;
            if !cfgs.enabled(&condition.into_iter().collect()) {
                return None;
            }
            parts.find_map(|part| {
                let inner = nesting::parse2::<syn::Meta>(part.into_iter().collect()).ok()?;
                path_in(&inner, cfgs)
            })
        }
        syn::Meta::NameValue(_) | syn::Meta::List(_) | syn::Meta::Path(_) => None,
    }
}

fn collect(meta: &syn::Meta, cfgs: &Cfgs, out: &mut Vec<DerivePath>) {
    let syn::Meta::List(list) = meta else { return };
    let mut parts = split(list.tokens.clone()).into_iter();
    if list.path.is_ident("derive") {
        let path = |part: Vec<TokenTree>| {
            let names = part.iter().filter(|token| matches!(token, TokenTree::Ident(_)));
            let names = names.map(ToString::to_string).collect();
            DerivePath { names, span: part.first().map_or_else(Span::call_site, TokenTree::span) }
        };
        out.extend(parts.map(path));
    } else if list.path.is_ident("cfg_attr")
        && parts.next().is_some_and(|condition| cfgs.enabled(&condition.into_iter().collect()))
    {
        for part in parts {
            if let Ok(inner) = nesting::parse2::<syn::Meta>(part.into_iter().collect()) {
                collect(&inner, cfgs, out);
            }
        }
    }
}
