//! The structs that the derive `Fragment` of `stackable-operator` generates: the fields of another struct, each with the
//! type that its own type has for configurations that are not complete. The generated struct has the name `…Fragment`.

use super::derives;
use crate::cfg::Cfgs;
use crdgen_rust::attrs::meta::split;
use crdgen_rust::syntax::nesting;
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};

/// The items that the derive generates for a struct, as far as they matter for schemas. None if the struct does not have
/// the derive.
pub(super) fn items(input: &syn::ItemStruct, cfgs: &Cfgs) -> Option<Vec<syn::Item>> {
    let is_there = derives::derives(&input.attrs, cfgs).iter().any(|name| name == "Fragment")
        && input.attrs.iter().any(|attr| attr.path().is_ident("fragment_attrs"));
    let syn::Fields::Named(fields) = &input.fields else { return None };
    if !is_there {
        return None;
    }
    // With `#[fragment(path_overrides(…))]` the trait is in the same crate, which is read already.
    let mut has_path = false;
    derives::each(&input.attrs, cfgs, &mut |meta| {
        if let syn::Meta::List(list) = meta
            && list.path.is_ident("fragment")
        {
            let is_name = |token: &TokenTree| matches!(token, TokenTree::Ident(it) if it == "path_overrides");
            has_path |= split(list.tokens.clone()).iter().any(|part| part.first().is_some_and(is_name));
        }
    });
    let fragment_trait = match has_path {
        true => quote!(FromFragment),
        false => quote!(::stackable_operator::config::fragment::FromFragment),
    };
    let (own, name, vis) = (&input.ident, format_ident!("{}Fragment", input.ident), &input.vis);
    let attributes = forwarded(&input.attrs, cfgs);
    let fields = fields.named.iter().map(|field| {
        let (attributes, vis, ident, ty) =
            (forwarded(&field.attrs, cfgs), &field.vis, &field.ident, &field.ty);
        quote!(#attributes #vis #ident: <#ty as #fragment_trait>::Fragment)
    });
    let generics = &input.generics;
    let (impl_generics, arguments, bounds) = generics.split_for_impl();
    let items = quote! {
        #attributes
        #vis struct #name #generics #bounds { #(#fields),* }
        impl #impl_generics FromFragment for #own #arguments {
            type Fragment = #name #arguments;
            type RequiredFragment = #name #arguments;
        }
    };
    Some(nesting::parse2::<syn::File>(items).ok()?.items)
}

/// The attributes that the derive writes: the documentation, and what is in `#[fragment_attrs(…)]`.
fn forwarded(attributes: &[syn::Attribute], cfgs: &Cfgs) -> TokenStream {
    let mut out = TokenStream::new();
    derives::each(attributes, cfgs, &mut |meta| match meta {
        syn::Meta::List(list) if list.path.is_ident("fragment_attrs") => {
            for part in split(list.tokens.clone()) {
                let part: TokenStream = part.into_iter().collect();
                out.extend(quote!(#[#part]));
            }
        }
        meta if meta.path().is_ident("doc") => out.extend(quote!(#[#meta])),
        syn::Meta::Path(_) | syn::Meta::List(_) | syn::Meta::NameValue(_) => {}
    });
    out
}
