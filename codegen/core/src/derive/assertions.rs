//! Assertions that the compiler evaluates: what one item's attributes ask of another item.

use super::kubernetes::Local;
use super::tokens::{Tokens, krate};
use crate::read::rust::{Ask, Assertion};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// The assertions of an item, each at the attribute that it is about.
pub(super) fn assertions(all: &[Assertion], path: Option<&syn::Path>) -> TokenStream {
    let crdgen = krate(path);
    let all = all.iter().map(|Assertion { ty, ask, span, code, message, help }| {
        let text = format!("{message} [{}]\n  help: {help}", code.id);
        // Generated code at the place of the attribute: lints leave it alone.
        let span = Span::call_site().located_at(*span);
        let ask = match ask {
            Ask::CanBeInASet => quote!(can_be_in_a_set(SHAPE)),
            Ask::HasField(name) => quote!(has_field(SHAPE, #name)),
            Ask::HasValue(name) => quote!(has_value(SHAPE, #name)),
            Ask::CanBeANumber => quote!(can_be_a_number(SHAPE)),
            Ask::Takes(value) => quote!(takes(SHAPE, #value)),
        };
        // There are none on items with parameters.
        let mut local = Local::new(&syn::Generics::default());
        let ty = local.replace(ty);
        let mut types = Tokens::new(path);
        local.declare(&mut types);
        let types = types.finish();
        quote_spanned! {span=>
            const _: () = {
                #types
                const SHAPE: &'static #crdgen::__private::Shape = <#ty as #crdgen::Schema>::SHAPE;
                ::core::assert!(#crdgen::__private::outline::#ask, "{}", #text);
            };
        }
    });
    all.collect()
}
