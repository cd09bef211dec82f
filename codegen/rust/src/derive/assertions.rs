//! Assertions that the compiler evaluates. They check what the attributes of one item require of another item.

use super::kubernetes::Local;
use super::tokens::{Tokens, crate_path};
use crate::{Ask, Assertion};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// Writes the assertions of an item, each at the attribute that requires it.
pub(super) fn assertions(all: &[Assertion], path: Option<&syn::Path>) -> TokenStream {
    let krate = crate_path(path);
    let all = all.iter().map(|Assertion { ty, ask, span, code, message, help }| {
        let text = format!("{message} [{}]\n  help: {help}", code.id);
        // With this span, lints ignore the code as generated, and errors point to the attribute.
        let span = Span::call_site().located_at(*span);
        let ask = match ask {
            Ask::CanBeInASet => quote!(can_be_in_a_set(SHAPE)),
            Ask::HasField(name) => quote!(has_field(SHAPE, #name)),
            Ask::HasValue(name) => quote!(has_value(SHAPE, #name)),
            Ask::HasNoNull(name) => quote!(has_no_null(SHAPE, #name)),
            Ask::HasOneType => quote!(has_one_type(SHAPE)),
            Ask::CanBeANumber => quote!(can_be_a_number(SHAPE)),
            Ask::Takes(value) => quote!(takes(SHAPE, #value)),
        };
        // Items with generic parameters have no assertions.
        let mut local = Local::new(&syn::Generics::default());
        let ty = local.replace(ty);
        let mut types = Tokens::new(path);
        local.declare(&mut types);
        let types = types.finish();
        quote_spanned! {span=>
            const _: () = {
                #types
                const SHAPE: &'static #krate::__private::Shape = <#ty as #krate::Schema>::SHAPE;
                ::core::assert!(#krate::__private::outline::#ask, "{}", #text);
            };
        }
    });
    all.collect()
}
