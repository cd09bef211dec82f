//! The conversion of fields, of a struct or of a variant.

use super::literal::literal;
use super::shape::{Part, first_span, is_unchanged};
use super::{To, Writer, at, here};
use crate::read::rust::convert::{Fields, Function, How, Move, New, Old};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Member;
use syn::spanned::Spanned;

impl Writer<'_> {
    pub(super) fn structure(&self, fields: &Fields, to: To) -> TokenStream {
        let (new, old) = (
            |member: &Member| quote!(self.#member),
            |old: &Old| {
                let path = &old.path;
                let span = here(old.span);
                quote_spanned!(span=> __old #(.#path)*)
            },
        );
        let (code, literal) =
            self.moves(fields, to, &new, &old, &quote!(Self), &self.plan.old.to_token_stream());
        quote!(#code ::core::result::Result::Ok(#literal))
    }

    /// The statements that convert all fields, and the literal of the result.
    pub(super) fn moves(
        &self,
        fields: &Fields,
        to: To,
        new_place: &dyn Fn(&Member) -> TokenStream,
        old_place: &dyn Fn(&Old) -> TokenStream,
        new_name: &TokenStream,
        old_name: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let mut code = TokenStream::new();
        let (mut new_members, mut old_members) = (TokenStream::new(), Vec::new());
        for (i, it) in fields.moves.iter().enumerate() {
            let places: Vec<TokenStream> = match to {
                To::New => it.old.iter().map(old_place).collect(),
                To::Old => it.new.iter().map(|new| new_place(&new.member)).collect(),
            };
            let value = self.value(it, to, &places);
            if let Some(value) = value.as_ref().filter(|_| !self.plan.fallible) {
                match to {
                    To::New => it.new.iter().for_each(|New { member, .. }| {
                        new_members.extend(quote!(#member: #value,));
                    }),
                    To::Old => old_members.extend(it.old.iter().map(|old| (old, value.clone()))),
                }
                continue;
            }
            let new_vars: Vec<Ident> = (0..it.new.len()).map(|j| format_ident!("__new_{i}_{j}")).collect();
            let old_vars: Vec<Ident> = (0..it.old.len()).map(|j| format_ident!("__old_{i}_{j}")).collect();
            let (targets, others) = match to {
                To::New => (&new_vars, &old_vars),
                To::Old => (&old_vars, &new_vars),
            };
            code.extend(match value {
                // In the order of the fields: the first error is the one that is reported.
                Some(value) => quote!(#(let #targets = #value;)*),
                None => self.one(it, to, &places, targets, others),
            });
            match to {
                To::New => it.new.iter().zip(targets).for_each(|(New { member, .. }, var)| {
                    new_members.extend(quote!(#member: #var,));
                }),
                To::Old => old_members.extend(
                    it.old.iter().zip(targets).map(|(old, var)| (old, at(here(old.span), quote!(#var)))),
                ),
            }
        }
        let literal = match to {
            To::New => quote!(#new_name { #new_members }),
            To::Old => literal(old_name, self.plan.old.span(), &[], &old_members, &fields.inside),
        };
        (code, literal)
    }

    /// The value of one field by the conversion of its own type: most fields. It needs no statement, and no variable.
    fn value(&self, it: &Move, to: To, sources: &[TokenStream]) -> Option<TokenStream> {
        let How::Own { keys, omit_empty } = &it.how else { return None };
        let ([new], [old], [source]) = (it.new.as_slice(), it.old.as_slice(), sources) else { return None };
        let (crdgen, ty) = (&self.crdgen, &new.ty);
        if is_unchanged(it) {
            return Some(match to {
                To::New => quote_spanned!(first_span(ty)=> #crdgen::convert::plain::<_, #ty>(#source)),
                To::Old => at(here(old.span), source.clone()),
            });
        }
        let shape = if *omit_empty { self.shape_unless_empty(ty) } else { self.shape(ty) };
        let part = Part { label: &it.label, span: first_span(ty), shape, ty: Some(ty) };
        Some(self.part(part, keys, source, to, self.plan.fallible))
    }

    /// The statement that converts some fields: `sources` are where they are, `targets` the variables of the results,
    /// and `others` those of the other direction.
    fn one(
        &self,
        it: &Move,
        to: To,
        sources: &[TokenStream],
        targets: &[Ident],
        others: &[Ident],
    ) -> TokenStream {
        let (label, error) = (&it.label, &self.error);
        match &it.how {
            // It has a value without a statement.
            How::Own { .. } => TokenStream::new(),
            How::Parts(parts) => self.parts(it, parts, to, sources, targets),
            How::Functions { with, back, object } => {
                let (there, again) = if to == To::New { (with, back) } else { (back, with) };
                let (source_vars, target_vars) = (others, targets);
                let there_call = call(there, source_vars, *object, error);
                let object_var = object.then(|| quote!(let __object = __context.object();));
                let value = tuple(sources);
                let source_pattern = tuple(source_vars);
                let target_pattern = tuple(target_vars);
                let span = here(there.path.span());
                let convert = if it.lossy {
                    quote!({ __context.accept_loss(); let #source_pattern = __value; #there_call })
                } else {
                    // What comes back is only compared.
                    let again_call = call(again, target_vars, *object, error);
                    quote_spanned! {span=>
                        __context.map(__value, |#source_pattern| #there_call, |#target_pattern| #again_call)
                    }
                };
                let converted = inside(span, label, &value, &quote!({ #object_var #convert }), error);
                quote_spanned!(span=> let #target_pattern = #converted;)
            }
            How::Default(path) => {
                let ty = it.new.first().map(|new| &new.ty);
                let span = here(path.as_ref().map_or_else(
                    || {
                        ty.map_or_else(
                            || it.old.first().map_or_else(Span::call_site, |old| old.span),
                            Spanned::span,
                        )
                    },
                    Spanned::span,
                ));
                let default = match path {
                    Some(path) => quote!(#path),
                    None => quote_spanned!(span=> ::core::default::Default::default),
                };
                match (targets, sources) {
                    // The version that is made has the field.
                    ([target], []) if it.lossy => {
                        let ty = ty.map(|ty| quote!(: #ty));
                        quote_spanned!(span=> let #target #ty = #default();)
                    }
                    ([target], []) => {
                        let ty = ty.map(|ty| quote!(: #ty));
                        quote_spanned!(span=> let #target #ty = __context.added_field(#label, #default);)
                    }
                    // It does not.
                    ([], [source]) if !it.lossy => {
                        quote_spanned!(span=> __context.removed_field(#label, &#source, #default);)
                    }
                    _ => quote!(__context.accept_loss();),
                }
            }
        }
    }

    /// A struct that the older version has as several fields.
    fn parts(
        &self,
        it: &Move,
        parts: &[(Ident, String)],
        to: To,
        sources: &[TokenStream],
        targets: &[Ident],
    ) -> TokenStream {
        let Some(new) = it.new.first() else { return TokenStream::new() };
        let (error, label, ty) = (&self.error, &it.label, &new.ty);
        let convert = |part: &Ident, label: &str, source: TokenStream| {
            let span = here(part.span());
            let shape = self.shape_called("Own", span);
            self.part(Part { label, span, shape, ty: None }, &[], &source, to, self.plan.fallible)
        };
        match to {
            To::New => {
                let [target] = targets else { return TokenStream::new() };
                let vars: Vec<Ident> = (0..parts.len()).map(|i| format_ident!("__part_{i}")).collect();
                let members = parts.iter().zip(&vars).map(|((part, label), var)| {
                    let value = convert(part, label, quote!(#var));
                    quote!(#part: #value,)
                });
                let span = here(ty.span());
                let built = quote_spanned!(span=> #ty { #(#members)* });
                quote! {
                    let #target = {
                        #(let #vars = #sources;)*
                        __context.field::<_, #error>(#label, |__context| ::core::result::Result::Ok(#built))?
                    };
                }
            }
            To::Old => {
                let [source] = sources else { return TokenStream::new() };
                let values = parts.iter().map(|(part, label)| convert(part, label, quote!(__whole.#part)));
                let targets = quote!((#(#targets,)*));
                quote! {
                    let #targets = {
                        let __whole = #source;
                        __context.field::<_, #error>(#label, |__context| ::core::result::Result::Ok((#(#values,)*)))?
                    };
                }
            }
        }
    }
}

/// The value of a part by functions, in which it is `__value`.
fn inside(
    span: Span,
    label: &str,
    value: &TokenStream,
    convert: &TokenStream,
    error: &TokenStream,
) -> TokenStream {
    quote_spanned! {span=> {
        let __value = #value;
        __context.enter(#label);
        let __result = #convert;
        __context.leave::<_, _, #error>(#label, __result)?
    }}
}

/// Some values as one: itself, or a tuple.
fn tuple<T: ToTokens>(all: &[T]) -> TokenStream {
    match all {
        [one] => quote!(#one),
        all => quote!((#(#all),*)),
    }
}

/// The call of a function, with its `Result`.
fn call(function: &Function, arguments: &[Ident], object: bool, error: &TokenStream) -> TokenStream {
    let path = &function.path;
    let object = object.then(|| quote!(, &__object));
    let span = here(path.span());
    if function.fallible {
        quote_spanned!(span=> #path(#(#arguments),* #object).map_err(|__error| <#error>::new(__error)))
    } else {
        quote_spanned!(span=> ::core::result::Result::Ok::<_, #error>(#path(#(#arguments),* #object)))
    }
}
