//! Finds calls of kube's `merge_crds` in the tokens of code, including code in macros.

use crate::read::rust::attrs::meta::split;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

/// The name of kube's function.
pub(super) const NAME: &str = "merge_crds";

/// A call, before the names in it are resolved.
pub(super) struct Call {
    pub(super) module: usize,
    pub(super) span: Span,
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
                let called = i.checked_sub(1).and_then(|before| tokens.get(before));
                let is_call = group.delimiter() == Delimiter::Parenthesis
                    && matches!(called, Some(TokenTree::Ident(name)) if name == NAME)
                    && !matches!(i.checked_sub(2).map(|i| &tokens[i]), Some(TokenTree::Ident(word)) if word == "fn");
                if is_call {
                    out.push(call(module, group, locals));
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

fn call(module: usize, group: &Group, locals: &[(String, TokenStream)]) -> Call {
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
    Call { module, span: group.span(), arguments: split(group.stream()).into_iter().map(value).collect() }
}
