//! The conversion of an enum.

use super::shape::is_unchanged;
use super::{To, Writer, here};
use crate::read::rust::convert::{Old, Variant};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Member;
use syn::spanned::Spanned;

impl Writer<'_> {
    pub(super) fn variants(&self, variants: &[Variant], to: To) -> TokenStream {
        let old = &self.plan.old;
        let span = old.span();
        let (source, back) = match to {
            To::New => (Ident::new("__old", here(span)).into_token_stream(), quote!(Self)),
            To::Old => (quote!(self), quote!(#old)),
        };
        // Which variant of the target corresponds to a variant of the source, and the other way round.
        let is_kept = |variant: &&Variant, of_new: bool| match variant {
            Variant::Both { .. } => false,
            Variant::Added { lossy, .. } => of_new && !lossy,
            Variant::Removed { lossy, .. } => !of_new && !lossy,
        };
        let comes_back = variants.iter().any(|variant| is_kept(&variant, to == To::New));
        let goes_away = variants.iter().any(|variant| is_kept(&variant, to == To::Old));
        let seen = (comes_back || goes_away).then(|| quote!(let __seen = __context.seen(&#source);));
        let kept = comes_back.then(|| {
            quote! {
                if let ::core::option::Option::Some(__it) = __context.kept_for::<#back>(__seen.as_ref()) {
                    return ::core::result::Result::Ok(__it);
                }
            }
        });
        let arms = variants.iter().map(|variant| self.arm(variant, to));
        // The place of a block is its own, whatever is in it: that of the type in the attribute.
        let matched = quote_spanned!(span=> match { #source } { #(#arms)* });
        quote!(#seen #kept #matched)
    }

    fn arm(&self, variant: &Variant, to: To) -> TokenStream {
        let old_type = &self.plan.old;
        let error = &self.error;
        match (variant, to) {
            (Variant::Both { new, old, label, fields }, _) => {
                let new_place = |member: &Member| {
                    let name = bound("new", member);
                    quote!(#name)
                };
                let old_place = |old: &Old| match old.path.split_first() {
                    Some((first, rest)) => {
                        let name = bound("old", first);
                        quote!(#name #(.#rest)*)
                    }
                    None => TokenStream::new(),
                };
                let (new_name, old_name) = (quote!(Self::#new), quote!(#old_type::#old));
                let (code, literal) = self.moves(fields, to, &new_place, &old_place, &new_name, &old_name);
                // Fields that stay as they are have nothing to keep.
                let result = match fields.moves.iter().all(is_unchanged) {
                    true => quote!({ #code ::core::result::Result::Ok(#literal) }),
                    false => quote! {
                        __context.field::<_, #error>(#label, |__context| { #code ::core::result::Result::Ok(#literal) })
                    },
                };
                match to {
                    To::New => {
                        let mut firsts: Vec<&Member> = Vec::new();
                        for first in
                            fields.moves.iter().flat_map(|it| &it.old).filter_map(|old| old.path.first())
                        {
                            if !firsts.contains(&first) {
                                firsts.push(first);
                            }
                        }
                        let names = firsts.iter().map(|first| bound("old", first));
                        quote!(#old_name { #(#firsts: #names,)* .. } => #result,)
                    }
                    To::Old => {
                        let members: Vec<&Member> =
                            fields.moves.iter().flat_map(|it| &it.new).map(|new| &new.member).collect();
                        let names = members.iter().map(|member| bound("new", member));
                        quote!(#new_name { #(#members: #names,)* } => #result,)
                    }
                }
            }
            (Variant::Added { new, instead, lossy }, To::Old) => {
                self.instead(&quote!(Self::#new), &quote!(#old_type::#instead), *lossy)
            }
            (Variant::Removed { old, instead, lossy }, To::New) => {
                self.instead(&quote!(#old_type::#old), &quote!(Self::#instead), *lossy)
            }
            (Variant::Added { .. }, To::New) | (Variant::Removed { .. }, To::Old) => TokenStream::new(),
        }
    }

    /// A variant that corresponds to another one.
    fn instead(&self, source: &TokenStream, target: &TokenStream, lossy: bool) -> TokenStream {
        let keep = match lossy {
            true => quote!(__context.accept_loss();),
            false => quote!(__context.keep_for(__seen, &__it);),
        };
        quote! {
            #source { .. } => {
                let __it = #target {};
                #keep
                ::core::result::Result::Ok(__it)
            }
        }
    }
}

/// The variable of a field of a variant.
fn bound(side: &str, member: &Member) -> Ident {
    let mut name = match member {
        Member::Named(name) => format_ident!("__{side}_of_{name}"),
        Member::Unnamed(index) => format_ident!("__{side}_of_{}", index.index),
    };
    name.set_span(here(name.span()));
    name
}
