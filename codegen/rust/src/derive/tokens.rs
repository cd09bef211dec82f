//! Builds the code that a derive returns. A derive runs without optimization, and passing tokens to the compiler one by
//! one takes most of its time. So text that is always the same is passed to the compiler's own lexer, and only what the
//! user wrote is passed as tokens, with its spans.

extern crate proc_macro;

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::fmt::Write;
use std::str::FromStr;

pub(super) use crate::syntax::facade::crate_path;

/// Code under construction.
pub(super) struct Tokens<'a> {
    done: TokenStream,
    /// Tokens that come next. They are collected because adding all at once is faster.
    trees: Vec<TokenTree>,
    /// Text that comes after the tokens and is not lexed yet.
    text: String,
    /// The path of the facade, if it is not `::crdgen`.
    krate: Option<&'a syn::Path>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(krate: Option<&'a syn::Path>) -> Tokens<'a> {
        Tokens { done: TokenStream::new(), trees: Vec::new(), text: String::new(), krate }
    }

    pub(super) fn krate(&self) -> Option<&'a syn::Path> {
        self.krate
    }

    /// Adds text that consists of whole tokens. `$` means the facade.
    pub(super) fn code(&mut self, text: &str) {
        let Some(krate) = self.krate else {
            return match text.split_once('$') {
                Some((before, after)) => {
                    self.text.push_str(before);
                    self.text.push_str("::crdgen");
                    self.code(after);
                }
                None => self.text.push_str(text),
            };
        };
        for (i, part) in text.split('$').enumerate() {
            if i > 0 {
                self.tokens(krate);
            }
            self.text.push_str(part);
        }
    }

    /// Adds something that has tokens already.
    pub(super) fn tokens(&mut self, it: &impl ToTokens) {
        self.flush();
        it.to_tokens(&mut self.done);
    }

    /// Adds one token. For fewer than about eight tokens this is faster than text.
    pub(super) fn tree(&mut self, it: impl Into<TokenTree>) {
        if !self.text.is_empty() {
            self.flush();
        }
        self.trees.push(it.into());
    }

    /// Adds a text as a literal.
    pub(super) fn literal(&mut self, text: &str) {
        // Other characters are escaped, since they would confuse readers of the code.
        let readable = text.is_ascii() && !text.contains('\r') && !text.contains('\0');
        if readable && !text.contains('"') && !text.contains('\\') {
            _ = write!(self.text, "\"{text}\"");
        } else if readable && !text.contains("\"##") {
            _ = write!(self.text, "r##\"{text}\"##");
        } else {
            self.tokens(&Literal::string(text));
        }
    }

    /// Adds tokens between delimiters.
    pub(super) fn group(&mut self, delimiter: Delimiter, inside: impl FnOnce(&mut Tokens<'a>)) {
        self.group_at(delimiter, Span::call_site(), inside);
    }

    /// Adds tokens between delimiters, with a span.
    pub(super) fn group_at(
        &mut self,
        delimiter: Delimiter,
        span: Span,
        inside: impl FnOnce(&mut Tokens<'a>),
    ) {
        let mut group = Tokens::new(self.krate);
        inside(&mut group);
        let mut group = Group::new(delimiter, group.finish());
        group.set_span(span);
        self.tree(group);
    }

    pub(super) fn finish(mut self) -> TokenStream {
        self.flush();
        self.done
    }

    fn flush(&mut self) {
        if !self.trees.is_empty() {
            self.done.extend(self.trees.drain(..));
        }
        if self.text.is_empty() {
            return;
        }
        let tokens = lex(&self.text);
        self.text.clear();
        if self.done.is_empty() { self.done = tokens } else { self.done.extend([tokens]) }
    }
}

/// Lexes fixed text and literals. They are always valid (the tests check this), so the compiler's lexer is called
/// directly: proc_macro2 would lex the text once more.
fn lex(text: &str) -> TokenStream {
    if proc_macro::is_available() {
        proc_macro::TokenStream::from_str(text).unwrap_or_default().into()
    } else {
        TokenStream::from_str(text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Tokens, crate_path};
    use proc_macro2::{Delimiter, TokenStream};
    use quote::quote;

    #[test]
    fn writes_the_same_tokens_as_quote() {
        let path: syn::Path = syn::parse_quote!(own::place);
        for path in [None, Some(&path)] {
            let mut out = Tokens::new(path);
            out.code("impl $::Schema for");
            out.tokens(&quote!(Name<T>));
            out.group(Delimiter::Brace, |out| out.code("const A: $::B = &$::b(1);"));
            let krate = crate_path(path);
            let wanted = quote!(impl #krate::Schema for Name<T> { const A: #krate::B = &#krate::b(1); });
            // Punctuation from a lexer remembers whether it was joined, so it prints differently.
            let letters = |tokens: TokenStream| tokens.to_string().replace(' ', "");
            assert_eq!(letters(out.finish()), letters(wanted));
        }
    }

    #[test]
    fn literals() {
        for text in ["", "a \"b\" \\ c\n", "#\"#", "\"##", "\r", "\0", "\u{202e}ä"] {
            let mut out = Tokens::new(None);
            out.literal(text);
            let literal: syn::LitStr = syn::parse2(out.finish()).unwrap();
            assert_eq!(literal.value(), text);
        }
    }
}
