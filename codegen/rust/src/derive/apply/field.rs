//! The fields of a partner.

use super::written::{inside_option, read};
use crate::attrs::{Attrs, place};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;

/// A field of the partner.
pub(super) struct Field<'a> {
    pub(super) field: &'a syn::Field,
    /// The type of the value, without the option around it.
    pub(super) config: TokenStream,
    /// Attributes that the partner has too.
    pub(super) kept: Vec<TokenStream>,
    pub(super) is_key: bool,
    /// The whole value is applied, as its type is.
    pub(super) is_whole: bool,
    pub(super) merge: Merge,
}

/// How a field is merged with what is there.
pub(super) enum Merge {
    /// As its type says.
    Inside,
    /// The value replaces what is there.
    Replace,
    Set,
    /// Items with the same keys are merged.
    Items(Vec<String>),
    /// Items replace those with the same keys.
    WholeItems(Vec<String>),
}

impl Field<'_> {
    /// Whether the partner always has a value: keys that have no default.
    pub(super) fn is_required(&self) -> bool {
        self.is_key && inside_option(&self.field.ty).is_none()
    }

    /// Whether the partner's field has the type of this one, so that functions of serde work for it too.
    pub(super) fn has_the_same_type(&self) -> bool {
        self.is_whole && inside_option(&self.field.ty).is_some()
    }

    pub(super) fn declared(&self) -> TokenStream {
        let Field { field, config, kept, .. } = self;
        let (name, visibility) = (&field.ident, &field.vis);
        if self.is_required() {
            return quote!(#(#kept)* #visibility #name: #config);
        }
        quote! {
            #(#kept)*
            #[serde(default, skip_serializing_if = "::core::option::Option::is_none")]
            #visibility #name: ::core::option::Option<#config>
        }
    }

    pub(super) fn builder(&self) -> Option<TokenStream> {
        let Field { field, config, .. } = self;
        let (name, visibility) = (field.ident.as_ref()?, &field.vis);
        let plain = syn::ext::IdentExt::unraw(name);
        let (builder, doc) = (format_ident!("with_{plain}"), format!("Sets `{plain}`."));
        Some(quote! {
            #[doc = #doc]
            #visibility fn #builder(mut self, value: impl ::core::convert::Into<#config>) -> Self {
                self.#name = ::core::option::Option::Some(::core::convert::Into::into(value));
                self
            }
        })
    }

    pub(super) fn from(&self, krate: &syn::Path) -> TokenStream {
        let name = &self.field.ident;
        if self.is_required() {
            quote!(#name: it.#name)
        } else if !self.is_whole && !self.is_key {
            quote!(#name: #krate::apply::Apply::into_config(it.#name))
        } else if inside_option(&self.field.ty).is_some() {
            quote!(#name: it.#name)
        } else {
            quote!(#name: ::core::option::Option::Some(it.#name))
        }
    }

    pub(super) fn merge(&self, krate: &syn::Path) -> TokenStream {
        let name = &self.field.ident;
        if self.is_required() {
            return quote!(self.#name = applied.#name;);
        }
        match &self.merge {
            Merge::Inside => quote!(#krate::apply::Merge::merge(&mut self.#name, applied.#name);),
            Merge::Replace => quote!(if applied.#name.is_some() { self.#name = applied.#name; }),
            Merge::Set => quote!(#krate::apply::merge_set(&mut self.#name, applied.#name);),
            Merge::Items(keys) => {
                quote!(#krate::apply::merge_items(&mut self.#name, applied.#name, &[#(#keys),*]);)
            }
            Merge::WholeItems(keys) => {
                quote!(#krate::apply::replace_items(&mut self.#name, applied.#name, &[#(#keys),*]);)
            }
        }
    }

    /// The name as serde writes it.
    pub(super) fn name_in_json(&self, container: &Attrs) -> String {
        let attrs = read(&self.field.attrs, place::FIELD);
        let name =
            self.field.ident.as_ref().map(|it| syn::ext::IdentExt::unraw(it).to_string()).unwrap_or_default();
        attrs.serde.rename.unwrap_or_else(|| match container.serde.rename_all {
            Some(case) => case.field(&name),
            None => name,
        })
    }

    /// Requires that items of a list have the keys of the list.
    pub(super) fn check(&self, krate: &syn::Path) -> Option<TokenStream> {
        let Merge::Items(keys) = &self.merge else { return None };
        let ty: &syn::Type = &self.field.ty;
        let same =
            quote!(#krate::apply::same_keys(<#ty as #krate::apply::Apply>::KEYS_OF_ITEMS, &[#(#keys),*]));
        let keys = keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and ");
        let text = format!(
            "the items of this list are identified by {keys}. Write `#[apply(key)]` on these fields of their type, and on no \
             others."
        );
        Some(quote::quote_spanned!(ty.span()=> const _: () = ::core::assert!(#same, #text);))
    }
}
