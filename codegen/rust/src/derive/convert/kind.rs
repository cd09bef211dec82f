//! The conversion of a kind around a spec.

use super::shape::{Empty, Fallible, Part, first_span};
use super::{To, Writer};
use crate::convert::{Around, StatusOf};
use crate::derive::item::location;
use crate::derive::tokens::Tokens;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// Where a conversion finds the fields of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Member,
    /// Next to the metadata.
    Flat,
}

impl<'a> Writer<'a> {
    /// Converts the kind around a spec: the metadata stays the same, the spec and the status are converted.
    pub(super) fn kind(&self, out: &mut Tokens<'a>, around: &Around) {
        let (krate, name, old) = (&self.krate, &around.name, &around.old);
        let error = quote!(#krate::convert::Error);
        let own = &self.plan.name;
        let spec: syn::Type = if around.spec_optional {
            syn::parse_quote!(::core::option::Option<#own>)
        } else {
            syn::parse_quote!(#own)
        };
        let status =
            around.status.as_ref().map(|ty| -> syn::Type { syn::parse_quote!(::core::option::Option<#ty>) });
        let direction = |out: &mut Tokens<'a>, to: To| {
            let source = if to == To::New { quote!(__old) } else { quote!(self) };
            let target = if to == To::New { quote!(#name) } else { quote!(#old) };
            let part = |label: &str, ty: &syn::Type, layout: Layout| {
                let span = first_span(ty);
                let member = Ident::new(label, span);
                let value = quote!(#source.#member);
                if layout == Layout::Member {
                    let part = Part { label, span, ty: Some(ty), keys: &[], omit_empty: false };
                    return self.part_of(&part, to, Fallible::Yes, value);
                }
                let mut shape = self.tokens();
                self.shape(&mut shape, ty, Empty::Kept);
                let shape = shape.finish();
                let direction = if to == To::New { quote!(up) } else { quote!(down) };
                quote_spanned! {span=>
                    <#shape as #krate::convert::Shape<_, #ty, #error>>::#direction(#value, &[], __context)?
                }
            };
            let spec = part("spec", &spec, if around.no_spec { Layout::Flat } else { Layout::Member });
            let lonely = |made: bool| match made {
                true => quote!(status: __context.added_field("status", ::core::default::Default::default),),
                false => TokenStream::new(),
            };
            let status = match (around.status_of, to) {
                (StatusOf::Both, _) => status.as_ref().map_or_else(TokenStream::new, |ty| {
                    let status = part("status", ty, Layout::Member);
                    quote!(status: #status,)
                }),
                (StatusOf::New, to) => lonely(to == To::New),
                (StatusOf::Old, to) => lonely(to == To::Old),
            };
            let keeps = matches!((around.status_of, to), (StatusOf::New, To::Old) | (StatusOf::Old, To::New));
            let keep = keeps.then(|| {
                quote!(__context.removed_field("status", &#source.status, ::core::default::Default::default);)
            });
            out.tokens(&quote! {
                #keep
                ::core::result::Result::Ok(#target { metadata: #source.metadata, spec: #spec, #status })
            });
        };
        self.implementation(out, name, old, Fallible::Yes, &direction);
        let test = around.test.then(|| {
            let last = |path: &syn::Path| {
                path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("_")
            };
            let test = format_ident!(
                "conversion_of_{}_and_{}",
                name.to_string().to_lowercase(),
                last(old).to_lowercase()
            );
            let at = location(name.span());
            quote_spanned!(name.span()=> #krate::__conversion_test!(#test, #old, #name, #at);)
        });
        out.tokens(&test);
    }
}
