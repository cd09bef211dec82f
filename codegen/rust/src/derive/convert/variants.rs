//! The conversion of an enum.

use super::place::{Access, bound};
use super::shape::is_unchanged;
use super::{To, Writer, here};
use crate::convert::Variant;
use crate::derive::tokens::Tokens;
use proc_macro2::{Delimiter, Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Member;

impl<'a> Writer<'a> {
    pub(super) fn variants(&self, out: &mut Tokens<'a>, variants: &[Variant], to: To) {
        let old = &self.plan.old;
        let span = self.old_span;
        let (source, back) = match to {
            To::New => (Ident::new("__old", here(span)).into_token_stream(), quote!(Self)),
            To::Old => (quote!(self), old.to_token_stream()),
        };
        // Which variant of the target corresponds to each variant of the source, and the other way round.
        let is_kept = |variant: &&Variant, of_new: bool| match variant {
            Variant::Both { .. } => false,
            Variant::Added { lossy, .. } => of_new && !lossy,
            Variant::Removed { lossy, .. } => !of_new && !lossy,
        };
        let comes_back = variants.iter().any(|variant| is_kept(&variant, to == To::New));
        let goes_away = variants.iter().any(|variant| is_kept(&variant, to == To::Old));
        if comes_back || goes_away {
            out.tokens(&quote!(let __seen = __context.seen(&#source);));
        }
        if comes_back {
            out.tokens(&quote! {
                if let ::core::option::Option::Some(__it) = __context.kept_for::<#back>(__seen.as_ref()) {
                    return ::core::result::Result::Ok(__it);
                }
            });
        }
        // The braces get the span of the type in the attribute, whatever is between them.
        out.tree(Ident::new("match", span));
        out.group_at(Delimiter::Brace, span, |out| out.tokens(&source));
        out.group_at(Delimiter::Brace, span, |out| {
            variants.iter().for_each(|variant| self.arm(out, variant, to))
        });
    }

    fn arm(&self, out: &mut Tokens<'a>, variant: &Variant, to: To) {
        let old_type = &self.plan.old;
        let error = &self.error;
        match (variant, to) {
            (Variant::Both { new, old, label, fields }, _) => {
                let new_name = |out: &mut Tokens<'a>| {
                    out.code("Self::");
                    out.tree(new.clone());
                };
                let old_name = |out: &mut Tokens<'a>| {
                    out.tokens(old_type);
                    out.code("::");
                    out.tree(old.clone());
                };
                let target: &dyn Fn(&mut Tokens<'a>) = if to == To::New { &new_name } else { &old_name };
                let (code, literal) = self.moves(fields, to, Access::Variant, target);
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
                        old_name(out);
                        out.tokens(&quote!({ #(#firsts: #names,)* .. }));
                    }
                    To::Old => {
                        let members: Vec<&Member> =
                            fields.moves.iter().flat_map(|it| &it.new).map(|new| &new.member).collect();
                        let names = members.iter().map(|member| bound("new", member));
                        new_name(out);
                        out.tokens(&quote!({ #(#members: #names,)* }));
                    }
                }
                // If all fields stay as they are, there is nothing to keep.
                if fields.moves.iter().all(is_unchanged) {
                    out.code("=>::core::result::Result::Ok");
                    out.group(Delimiter::Parenthesis, |out| out.tokens(&literal));
                    out.code(",");
                } else {
                    out.tokens(&quote! {
                        => __context.field::<_, #error>(#label, |__context| { #code ::core::result::Result::Ok(#literal) }),
                    });
                }
            }
            (Variant::Added { new, instead, lossy }, To::Old) => {
                out.tokens(&self.instead(&quote!(Self::#new), &quote!(#old_type::#instead), *lossy));
            }
            (Variant::Removed { old, instead, lossy }, To::New) => {
                out.tokens(&self.instead(&quote!(#old_type::#old), &quote!(Self::#instead), *lossy));
            }
            (Variant::Added { .. }, To::New) | (Variant::Removed { .. }, To::Old) => {}
        }
    }

    /// The match arm of a variant that corresponds to another one.
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
