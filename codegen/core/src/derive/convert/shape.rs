//! The shape of a type: what is inside of it, and how it converts. The shapes are types of `crdgen::convert`, which
//! convert the values: code for each field would take the compiler much longer.

use super::{To, Writer};
use crate::read::rust::convert::{How, Move};
use crate::read::rust::facts;
use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::spanned::Spanned;

impl Writer<'_> {
    /// The shape of a type: containers item by item, and everything else by its own conversion.
    pub(super) fn shape(&self, ty: &syn::Type) -> TokenStream {
        let (crdgen, span) = (&self.crdgen, ty.span());
        let of = |container: TokenStream, inside: &syn::Type| {
            let inside = self.shape(inside);
            quote_spanned!(span=> #crdgen::convert::#container<#inside>)
        };
        let named = facts::name_of(ty).filter(|_| !is_plain(ty));
        let (name, args) = named.unwrap_or_default();
        match (name.as_str(), args.as_slice()) {
            ("Option", [inner]) => of(quote_spanned!(span=> Optional), inner),
            ("Box", [inner]) => of(quote_spanned!(span=> Boxed), inner),
            ("Vec", [item]) => of(quote_spanned!(span=> Items), item),
            ("BTreeMap", [_, value]) => of(quote_spanned!(span=> Entries), value),
            ("HashMap", [_, value]) => of(quote_spanned!(span=> Hashed), value),
            _ => quote_spanned!(span=> #crdgen::convert::Own),
        }
    }

    /// The shape of an `Option` whose value is left out if nothing is in it.
    pub(super) fn shape_unless_empty(&self, ty: &syn::Type) -> TokenStream {
        let (crdgen, span) = (&self.crdgen, ty.span());
        let named = facts::name_of(ty).unwrap_or_default();
        let ("Option", [inner]) = (named.0.as_str(), named.1.as_slice()) else { return self.shape(ty) };
        let inside = self.shape(inner);
        quote_spanned!(span=> #crdgen::convert::UnlessEmpty<#inside>)
    }

    /// The value of a part by its shape. `ty` is its type in the newer version.
    pub(super) fn part(
        &self,
        label: &str,
        keys: &[String],
        (shape, ty): (&TokenStream, &TokenStream),
        value: &TokenStream,
        to: To,
        fallible: bool,
    ) -> TokenStream {
        let (crdgen, span) = (&self.crdgen, ty.span());
        let context = match keys {
            [] => quote_spanned!(span=> __context),
            keys => quote_spanned!(span=> __context.keyed(&[#(#keys),*])),
        };
        match (to, fallible) {
            (To::New, false) => quote_spanned!(span=> #context.up::<#shape, _, #ty>(#label, #value)),
            (To::Old, false) => quote_spanned!(span=> #context.down::<#shape, _, #ty>(#label, #value)),
            (To::New, true) => {
                quote_spanned!(span=> #context.try_up::<#shape, _, #ty, #crdgen::convert::Error>(#label, #value)?)
            }
            (To::Old, true) => {
                quote_spanned!(span=> #context.try_down::<#shape, _, #ty, #crdgen::convert::Error>(#label, #value)?)
            }
        }
    }
}

/// Whether a move leaves a value as it is.
pub(super) fn is_unchanged(it: &Move) -> bool {
    matches!(it.how, How::Own { omit_empty: false, .. })
        && it.old.len() == 1
        && matches!(it.new.as_slice(), [new] if is_plain(&new.ty))
}

/// Whether a type is made of the language's and the standard library's own types only: then it is one value.
fn is_plain(ty: &syn::Type) -> bool {
    facts::surely(ty).is_some()
        && facts::name_of(ty).is_some_and(|(_, args)| args.iter().all(|ty| is_plain(ty)))
        || facts::name_of(ty).is_some_and(|(name, args)| {
            matches!(name.as_str(), "Option" | "Box" | "Vec" | "BTreeMap" | "HashMap")
                && !args.is_empty()
                && args.iter().all(|ty| is_plain(ty))
        })
}
