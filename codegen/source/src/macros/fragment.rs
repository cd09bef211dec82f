//! Fragments: parses the tokens of a macro call that match `$name:ty` and the like.

use crdgen_rust::syntax::nesting;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use std::marker::PhantomData;
use syn::parse::{Parse, ParseStream};

/// Parses a fragment at the start of tokens. Returns its code and the remaining tokens, or none if the tokens do not
/// match.
pub(super) fn take<'t>(fragment: &str, tokens: &'t [TokenTree]) -> Option<(TokenStream, &'t [TokenTree])> {
    let first = tokens.first();
    let one = || (tokens[..1].iter().cloned().collect(), &tokens[1..]);
    match fragment {
        "tt" => match first? {
            // The compiler has one token for a lifetime, and proc_macro2 has two.
            TokenTree::Punct(it) if it.as_char() == '\'' => parsed::<syn::Lifetime>(tokens),
            _ => Some(one()),
        },
        "ident" => matches!(first?, TokenTree::Ident(name) if name != "_").then(one),
        "lifetime" => parsed::<syn::Lifetime>(tokens),
        "literal" => parsed::<Literal>(tokens),
        "vis" => parsed::<syn::Visibility>(tokens),
        "ty" => parsed::<syn::Type>(tokens),
        "path" => parsed::<syn::Path>(tokens),
        "meta" => parsed::<syn::Meta>(tokens),
        "item" => parsed::<syn::Item>(tokens),
        "block" => parsed::<syn::Block>(tokens),
        "expr" | "expr_2021" => {
            let (code, rest) = parsed::<syn::Expr>(tokens)?;
            // The group keeps the fragment together, whatever code is around it.
            let group = Group::new(Delimiter::None, code);
            Some((TokenTree::Group(group).into_token_stream(), rest))
        }
        // Patterns and statements declare no types.
        _ => None,
    }
}

/// A literal with its sign.
struct Literal;

impl Parse for Literal {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Option<syn::Token![-]>>()?;
        input.parse::<syn::Lit>().map(|_| Literal)
    }
}

/// Parses something at the start of tokens. Its tokens are those that the parser consumed.
fn parsed<T: Parse>(tokens: &[TokenTree]) -> Option<(TokenStream, &[TokenTree])> {
    struct Before<T>(PhantomData<T>, usize);
    impl<T: Parse> Parse for Before<T> {
        fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
            input.parse::<T>()?;
            let rest: TokenStream = input.parse()?;
            Ok(Before(PhantomData, rest.into_iter().count()))
        }
    }
    let Before(_, left) = nesting::parse2::<Before<T>>(tokens.iter().cloned().collect()).ok()?;
    let count = tokens.len().checked_sub(left)?;
    Some((tokens[..count].iter().cloned().collect(), &tokens[count..]))
}
