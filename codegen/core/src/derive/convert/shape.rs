//! The shape of a type: what is inside of it, and how it converts. The shapes are types of `crdgen::convert`, which
//! convert the values: code for each field would take the compiler much longer.

use super::{To, Writer, at, here};
use crate::read::rust::convert::{How, Move};
use crate::read::rust::facts;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;

impl Writer<'_> {
    /// The shape of a type: containers item by item, and everything else by its own conversion.
    pub(super) fn shape(&self, ty: &syn::Type) -> TokenStream {
        let span = first_span(ty);
        let of = |container: &str, inside: &syn::Type| {
            let (container, inside) = (self.shape_called(container, span), self.shape(inside));
            quote_spanned!(span=> #container<#inside>)
        };
        let named = facts::name_of(ty).filter(|_| !is_plain(ty));
        let (name, args) = named.unwrap_or_default();
        match (name.as_str(), args.as_slice()) {
            ("Option", [inner]) => of("Optional", inner),
            ("Box", [inner]) => of("Boxed", inner),
            ("Vec", [item]) => of("Items", item),
            ("BTreeMap", [_, value]) => of("Entries", value),
            ("HashMap", [_, value]) => of("Hashed", value),
            _ => self.shape_called("Own", span),
        }
    }

    /// The shape of an `Option` whose value is left out if nothing is in it.
    pub(super) fn shape_unless_empty(&self, ty: &syn::Type) -> TokenStream {
        let named = facts::name_of(ty).unwrap_or_default();
        let ("Option", [inner]) = (named.0.as_str(), named.1.as_slice()) else { return self.shape(ty) };
        let span = first_span(ty);
        let (container, inside) = (self.shape_called("UnlessEmpty", span), self.shape(inner));
        quote_spanned!(span=> #container<#inside>)
    }

    /// A shape by its name. The compiler reports a missing conversion there.
    pub(super) fn shape_called(&self, name: &str, span: Span) -> TokenStream {
        let (crdgen, name) = (&self.crdgen, Ident::new(name, span));
        at(span, quote_spanned!(span=> #crdgen::convert::#name))
    }

    /// The value of a part by its shape.
    pub(super) fn part(
        &self,
        part: Part<'_>,
        keys: &[String],
        value: &TokenStream,
        to: To,
        fallible: bool,
    ) -> TokenStream {
        let (crdgen, Part { label, span, shape, ty }) = (&self.crdgen, part);
        let context = Ident::new("__context", here(span));
        let context = match keys {
            [] => context.into_token_stream(),
            keys => quote_spanned!(span=> #context.keyed(&[#(#keys),*])),
        };
        let ty = ty.map_or_else(|| quote_spanned!(span=> _), ToTokens::to_token_stream);
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

/// A part of a value that converts by its shape.
pub(super) struct Part<'a> {
    /// Its name, in the annotation and in errors.
    pub(super) label: &'a str,
    /// Where errors about it belong.
    pub(super) span: Span,
    pub(super) shape: TokenStream,
    /// Its type in the newer version, if the derive knows it.
    pub(super) ty: Option<&'a syn::Type>,
}

/// Where errors about a type belong: at its first token. `Spanned` collects all tokens to give the same.
pub(super) fn first_span(ty: &syn::Type) -> Span {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() && path.path.leading_colon.is_none() => {
            path.path.segments.first().map_or_else(Span::call_site, |segment| segment.ident.span())
        }
        _ => ty.span(),
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
