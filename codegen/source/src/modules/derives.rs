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
    each(attrs, cfgs, &mut |meta| {
        let syn::Meta::List(list) = meta else { return };
        if list.path.is_ident("derive") {
            out.extend(split(list.tokens.clone()).into_iter().map(|part| {
                let names = part.iter().filter(|token| matches!(token, TokenTree::Ident(_)));
                let names = names.map(ToString::to_string).collect();
                DerivePath { names, span: part.first().map_or_else(Span::call_site, TokenTree::span) }
            }));
        }
    });
    out
}

/// The file that `#[path = "…"]` names, also inside of `cfg_attr`.
pub(super) fn path(attrs: &[syn::Attribute], cfgs: &Cfgs) -> Option<String> {
    let mut found = None;
    each(attrs, cfgs, &mut |meta| match meta {
        syn::Meta::NameValue(pair) if found.is_none() && pair.path.is_ident("path") => {
            found = crdgen_rust::attrs::string_of(quote::ToTokens::to_token_stream(&pair.value));
        }
        syn::Meta::NameValue(_) | syn::Meta::List(_) | syn::Meta::Path(_) => {}
    });
    found
}

/// Visits all attributes, including those in `cfg_attr` whose condition is true.
pub(super) fn each(attrs: &[syn::Attribute], cfgs: &Cfgs, visit: &mut dyn FnMut(&syn::Meta)) {
    attrs.iter().for_each(|attr| open(&attr.meta, cfgs, visit));
}

fn open(meta: &syn::Meta, cfgs: &Cfgs, visit: &mut dyn FnMut(&syn::Meta)) {
    let syn::Meta::List(list) = meta else { return visit(meta) };
    if !list.path.is_ident("cfg_attr") {
        return visit(meta);
    }
    let mut parts = split(list.tokens.clone()).into_iter();
    if parts.next().is_some_and(|condition| cfgs.enabled(&condition.into_iter().collect())) {
        for part in parts {
            if let Ok(inner) = nesting::parse2::<syn::Meta>(part.into_iter().collect()) {
                open(&inner, cfgs, visit);
            }
        }
    }
}
