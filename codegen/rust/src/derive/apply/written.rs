//! What is written on the items of other derives.

use crate::attrs::{self, Attrs};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Token;
use syn::punctuated::Punctuated;

pub(super) fn read(attributes: &[syn::Attribute], place: u8) -> Attrs {
    attrs::peek(attributes, place, &|_| true)
}

/// Whether a type is written as an option.
pub(super) fn inside_option(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(inside) if last.ident == "Option" => Some(inside),
        _ => None,
    }
}

/// The attributes of serde that the partner has too. A field that may be missing needs neither a default, nor a condition.
pub(super) fn kept(attributes: &[syn::Attribute], keep: &[&str]) -> Vec<TokenStream> {
    let mut kept = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("doc") || attribute.path().is_ident("cfg") {
            kept.push(attribute.to_token_stream());
        }
        if !attribute.path().is_ident("serde") {
            continue;
        }
        // serde reports what it cannot read.
        let metas = attribute.parse_args_with(Punctuated::<syn::Meta, Token![,]>::parse_terminated);
        for meta in metas.into_iter().flatten() {
            if meta.path().get_ident().is_some_and(|name| keep.iter().any(|it| name == it)) {
                kept.push(quote!(#[serde(#meta)]));
            }
        }
    }
    kept
}
