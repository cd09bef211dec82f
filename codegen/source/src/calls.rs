//! Finds calls of kube's `merge_crds` in the tokens of code, including code in macros.

use crdgen_rust::attrs::meta::split;
use crdgen_rust::syntax::nesting;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// The name of kube's function.
pub(super) const NAME: &str = "merge_crds";

/// A call, before the names in it are resolved.
pub(super) struct Call {
    pub(super) module: usize,
    pub(super) span: Span,
    /// The path of the function, such as `kube::core::crd::merge_crds`.
    pub(super) path: Vec<String>,
    /// Whether the path begins with `::`.
    pub(super) leading: bool,
    /// Its arguments. Local variables in them are replaced by their values.
    pub(super) arguments: Vec<TokenStream>,
}

/// Finds the calls in the code of an item.
pub(super) fn find_calls(module: usize, code: TokenStream, out: &mut Vec<Call>) {
    find(module, code, &mut Vec::new(), out);
}

/// `locals` are the variables in scope, each with the code of its value.
fn find(module: usize, code: TokenStream, locals: &mut Vec<(String, TokenStream)>, out: &mut Vec<Call>) {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let known = locals.len();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "let" => locals.extend(local(&tokens[i + 1..])),
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Parenthesis
                    && let Some((path, leading)) = called(&tokens[..i])
                {
                    let arguments = arguments(group, locals);
                    out.push(Call { module, span: group.span(), path, leading, arguments });
                }
                find(module, group.stream(), locals, out);
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    locals.truncate(known);
}

/// The variable that a `let` declares, with its value.
fn local(tokens: &[TokenTree]) -> Option<(String, TokenStream)> {
    let mut tokens =
        tokens.iter().skip_while(|token| matches!(token, TokenTree::Ident(word) if word == "mut"));
    let TokenTree::Ident(name) = tokens.next()? else { return None };
    let is = |token: &&TokenTree, sign: char| matches!(token, TokenTree::Punct(it) if it.as_char() == sign);
    let value = tokens.skip_while(|token| !is(token, '=') && !is(token, ';')).skip(1);
    Some((name.to_string(), value.take_while(|token| !is(token, ';')).cloned().collect()))
}

/// The path of the function that is called after these tokens, and whether it begins with `::`. `None` if it is another
/// function, a method, or a declaration.
fn called(before: &[TokenTree]) -> Option<(Vec<String>, bool)> {
    let is = |token: &TokenTree, sign: char| matches!(token, TokenTree::Punct(it) if it.as_char() == sign);
    let (last, mut rest) = before.split_last()?;
    if !matches!(last, TokenTree::Ident(name) if name == NAME) {
        return None;
    }
    let mut path = vec![NAME.to_owned()];
    let leading = loop {
        match rest {
            [.., TokenTree::Ident(word)] if word == "fn" => return None,
            [.., dot] if is(dot, '.') => return None,
            [more @ .., first, last] if is(first, ':') && is(last, ':') => rest = more,
            _ => break false,
        }
        match rest {
            [more @ .., TokenTree::Ident(name)] if is_segment(name) => {
                path.push(name.to_string());
                rest = more;
            }
            _ => break true,
        }
    };
    path.reverse();
    Some((path, leading))
}

/// Whether a word is part of a path, and not a keyword in front of one, such as `return`.
fn is_segment(name: &Ident) -> bool {
    let name = name.to_string();
    nesting::is_identifier(&name) || matches!(name.as_str(), "crate" | "self" | "super" | "Self")
}

/// The arguments of a call. Local variables are replaced by their values.
fn arguments(group: &Group, locals: &[(String, TokenStream)]) -> Vec<TokenStream> {
    let value = |part: Vec<TokenTree>| {
        let name: Vec<&TokenTree> = part
            .iter()
            .filter(|token| !matches!(token, TokenTree::Punct(it) if it.as_char() == '&'))
            .collect();
        if let [TokenTree::Ident(name)] = name.as_slice()
            && let Some((_, value)) = locals.iter().rev().find(|(local, _)| name == local)
        {
            return value.clone();
        }
        part.into_iter().collect()
    };
    split(group.stream()).into_iter().map(value).collect()
}
