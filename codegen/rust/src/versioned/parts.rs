//! Splits the tokens of a module into items. syn's parser for modules is not used, because a derive only has the
//! features of syn that serde's derive uses.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use std::vec::IntoIter;

/// An item.
pub(super) enum Part {
    /// A struct or an enum.
    Type(TokenStream),
    /// A module in braces.
    Module(Module),
    /// Another item.
    Other(TokenStream),
}

/// A module.
pub(super) struct Module {
    /// The tokens before its name: attributes, visibility, `mod`.
    pub(super) before: Vec<TokenTree>,
    pub(super) name: Ident,
    pub(super) body: Group,
    pub(super) parts: Vec<Part>,
}

impl Module {
    /// Its attributes, and its visibility.
    pub(super) fn head(&self) -> (TokenStream, TokenStream) {
        let at = attributes(&self.before);
        let (attributes, rest) = self.before.split_at(at);
        let visibility = rest.iter().take(rest.len().saturating_sub(1));
        (attributes.iter().cloned().collect(), visibility.cloned().collect())
    }
}

/// Splits tokens into items.
pub(super) fn parts(tokens: TokenStream) -> Vec<Part> {
    parts_in(tokens, 0)
}

/// Modules inside modules are kept as other items.
fn parts_in(tokens: TokenStream, depth: usize) -> Vec<Part> {
    let mut tokens = tokens.into_iter().collect::<Vec<_>>().into_iter();
    let mut out = Vec::new();
    while let Some(part) = part(&mut tokens, depth) {
        out.push(part);
    }
    out
}

fn part(tokens: &mut IntoIter<TokenTree>, depth: usize) -> Option<Part> {
    let rest = tokens.as_slice();
    if rest.is_empty() {
        return None;
    }
    let at = keyword(rest);
    let word = match rest.get(at) {
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    };
    let is_function = matches!(rest.get(at + 1), Some(TokenTree::Ident(next)) if next == "fn");
    let only_semicolon = matches!(&*word, "use" | "static" | "type") || word == "const" && !is_function;
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => !only_semicolon && group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    let end = rest.iter().skip(at).position(ends).map_or(rest.len(), |i| at + i + 1);
    let item: Vec<TokenTree> = tokens.by_ref().take(end).collect();
    Some(match (&*word, item.get(at + 1), item.get(at + 2)) {
        ("struct" | "enum" | "union", Some(TokenTree::Ident(_)), _) => Part::Type(item.into_iter().collect()),
        ("mod", Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) if depth < 2 => {
            let parts = parts_in(body.stream(), depth + 1);
            let (name, body) = (name.clone(), body.clone());
            Part::Module(Module { before: item.into_iter().take(at + 1).collect(), name, body, parts })
        }
        _ => Part::Other(item.into_iter().collect()),
    })
}

/// The number of tokens of the attributes.
fn attributes(tokens: &[TokenTree]) -> usize {
    let mut at = 0;
    loop {
        let is = |at: usize, c: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
        let bracket = if is(at + 1, '!') { at + 2 } else { at + 1 };
        match tokens.get(bracket) {
            Some(TokenTree::Group(group)) if is(at, '#') && group.delimiter() == Delimiter::Bracket => {
                at = bracket + 1;
            }
            _ => return at,
        }
    }
}

/// The index of the keyword of an item, such as `struct`.
fn keyword(tokens: &[TokenTree]) -> usize {
    let mut at = attributes(tokens);
    if matches!(tokens.get(at), Some(TokenTree::Ident(word)) if word == "pub") {
        at += 1;
        if matches!(tokens.get(at), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
        {
            at += 1;
        }
    }
    at
}
