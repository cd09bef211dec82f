//! `#[derive(Convert)]`: both directions of a conversion, from its plan.
//!
//! The compiler checks that nothing is forgotten. A literal of the older type names all its fields, and a match on it
//! all its variants; a derive sees neither. On the newer side the plan has all fields and variants.

mod fields;
mod kind;
mod literal;
mod shape;
mod variants;

use super::tokens::krate;
use crate::read::rust::convert::{Body, Plan, plan};
use crate::read::rust::{Report, input};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// `#[derive(Convert)]`
pub fn convert(input: TokenStream) -> TokenStream {
    let input = match input::parse(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut report = Report::of_one_item();
    let plan = plan(&input, &|_| true, &mut report);
    let errors = report.compile_errors();
    let code = plan.map(|plan| {
        let writer = Writer::new(&plan);
        if errors.is_empty() { writer.all() } else { writer.stub() }
    });
    quote!(#errors #code)
}

/// Where a conversion goes.
#[derive(Clone, Copy, PartialEq)]
enum To {
    New,
    Old,
}

struct Writer<'a> {
    plan: &'a Plan,
    crdgen: syn::Path,
    /// The type of the error.
    error: TokenStream,
}

impl<'a> Writer<'a> {
    fn new(plan: &'a Plan) -> Writer<'a> {
        let crdgen = krate(plan.krate.as_ref());
        let error =
            if plan.fallible { quote!(#crdgen::convert::Error) } else { quote!(::core::convert::Infallible) };
        Writer { plan, crdgen, error }
    }

    fn all(&self) -> TokenStream {
        let own = match &self.plan.body {
            Body::Struct(fields) => self.implementation(
                &self.plan.name,
                &self.plan.old,
                &self.error,
                &self.structure(fields, To::New),
                &self.structure(fields, To::Old),
            ),
            Body::Enum(variants) => self.implementation(
                &self.plan.name,
                &self.plan.old,
                &self.error,
                &self.variants(variants, To::New),
                &self.variants(variants, To::Old),
            ),
        };
        let from = self.from();
        let kind = self.plan.kind.as_ref().map(|around| self.kind(around));
        quote!(#own #from #kind)
    }

    /// An implementation for a plan with mistakes, so that the types around it do not report them again.
    fn stub(&self) -> TokenStream {
        let all = quote!(loop {});
        let own = self.implementation(&self.plan.name, &self.plan.old, &self.error, &all, &all);
        let kind = self.plan.kind.as_ref().map(|around| {
            let error = quote!(::core::convert::Infallible);
            self.implementation(&around.name, &around.old, &error, &all, &all)
        });
        quote!(#own #kind)
    }

    fn implementation(
        &self,
        name: &Ident,
        old: &syn::Path,
        error: &TokenStream,
        up: &TokenStream,
        down: &TokenStream,
    ) -> TokenStream {
        let crdgen = &self.crdgen;
        quote! {
            #[automatically_derived]
            #[allow(deprecated, unused, clippy::all)]
            impl #crdgen::convert::Convert<#old> for #name {
                type Error = #error;
                #[inline]
                fn upgrade(
                    __old: #old,
                    __context: &mut #crdgen::convert::Context,
                ) -> ::core::result::Result<Self, Self::Error> {
                    #up
                }
                #[inline]
                fn downgrade(
                    self,
                    __context: &mut #crdgen::convert::Context,
                ) -> ::core::result::Result<#old, Self::Error> {
                    #down
                }
            }
        }
    }

    /// `From` both ways, or `TryFrom`. There is no object that could keep what the other type cannot express.
    fn from(&self) -> TokenStream {
        let (crdgen, name, old) = (&self.crdgen, &self.plan.name, &self.plan.old);
        if self.plan.fallible {
            return quote! {
                #[automatically_derived]
                #[allow(deprecated)]
                impl ::core::convert::TryFrom<#old> for #name {
                    type Error = #crdgen::convert::Error;
                    #[inline]
                    fn try_from(old: #old) -> ::core::result::Result<Self, Self::Error> {
                        #crdgen::convert::Convert::upgrade(old, &mut #crdgen::convert::Context::alone())
                    }
                }
                #[automatically_derived]
                #[allow(deprecated)]
                impl ::core::convert::TryFrom<#name> for #old {
                    type Error = #crdgen::convert::Error;
                    #[inline]
                    fn try_from(new: #name) -> ::core::result::Result<Self, Self::Error> {
                        #crdgen::convert::Convert::downgrade(new, &mut #crdgen::convert::Context::alone())
                    }
                }
            };
        }
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::core::convert::From<#old> for #name {
                #[inline]
                fn from(old: #old) -> Self { #crdgen::convert::upgraded(old) }
            }
            #[automatically_derived]
            #[allow(deprecated)]
            impl ::core::convert::From<#name> for #old {
                #[inline]
                fn from(new: #name) -> Self { #crdgen::convert::downgraded(new) }
            }
        }
    }
}

/// The place of a token, for the names of generated variables. If the token is an argument of a `macro_rules!` macro around the
/// type, names that are written there are different from those of the function.
fn here(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

/// Tokens at the place where errors about them belong. Those with variables need a place of [`here`]; for all others the
/// compiler would then add to each error that it comes from a derive.
fn at(span: Span, tokens: TokenStream) -> TokenStream {
    let at = |mut token: TokenTree| {
        token.set_span(span);
        token
    };
    tokens.into_iter().map(at).collect()
}
