//! The literal of a value of the older version, which names all fields: the compiler reports those that are forgotten.

use crate::read::rust::convert::Old;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Member;
use syn::spanned::Spanned;

/// The literal of an older struct, with those inside of it whose fields are given one by one.
pub(super) fn literal(
    name: &TokenStream,
    span: Span,
    at: &[Member],
    members: &[(&Old, TokenStream)],
    inside: &[(Vec<Member>, syn::Path)],
) -> TokenStream {
    let mut done: Vec<&Member> = Vec::new();
    let mut code = TokenStream::new();
    for (old, value) in members {
        let Some((member, rest)) = old.path.get(at.len()..).and_then(<[Member]>::split_first) else {
            continue;
        };
        if done.contains(&member) {
            continue;
        }
        done.push(member);
        let mut member = member.clone();
        set_span(&mut member, old.span);
        if rest.is_empty() {
            code.extend(quote!(#member: #value,));
            continue;
        }
        let below: Vec<Member> = old.path[..=at.len()].to_vec();
        let Some((_, ty)) = inside.iter().find(|(path, _)| *path == below) else { continue };
        let members: Vec<(&Old, TokenStream)> = members
            .iter()
            .filter(|(old, _)| old.path.starts_with(&below))
            .map(|(old, value)| (*old, value.clone()))
            .collect();
        let value = literal(&ty.to_token_stream(), ty.span(), &below, &members, inside);
        code.extend(quote!(#member: #value,));
    }
    let body = quote_spanned!(span=> { #code });
    quote!(#name #body)
}

fn set_span(member: &mut Member, span: Span) {
    match member {
        Member::Named(name) => name.set_span(span),
        Member::Unnamed(index) => index.span = span,
    }
}
