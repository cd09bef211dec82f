//! Code on its way to the compiler. A derive runs unoptimized, and what it hands over token by token takes most
//! of its time: so text that is always the same is left to the compiler's own lexer, and only what the user
//! wrote goes over as tokens, with its places.

extern crate proc_macro;

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::fmt::Write;
use std::str::FromStr;

pub(super) use crate::syntax::facade::krate;

/// Code in the making.
pub(super) struct Tokens<'a> {
    done: TokenStream,
    /// Tokens that come next. All at once they are added faster.
    trees: Vec<TokenTree>,
    /// What is not lexed yet, and comes after them.
    text: String,
    /// Where the facade is, if it is not `::crdgen`.
    krate: Option<&'a syn::Path>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(krate: Option<&'a syn::Path>) -> Tokens<'a> {
        Tokens { done: TokenStream::new(), trees: Vec::new(), text: String::new(), krate }
    }

    pub(super) fn krate(&self) -> Option<&'a syn::Path> {
        self.krate
    }

    /// Whole tokens; `$` is the facade.
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

    /// What has tokens already.
    pub(super) fn tokens(&mut self, it: &impl ToTokens) {
        self.flush();
        it.to_tokens(&mut self.done);
    }

    /// One token. Below about eight tokens that is cheaper than text.
    pub(super) fn tree(&mut self, it: impl Into<TokenTree>) {
        if !self.text.is_empty() {
            self.flush();
        }
        self.trees.push(it.into());
    }

    /// A text as a literal.
    pub(super) fn literal(&mut self, text: &str) {
        // What a reader of code would stumble on is escaped.
        let readable = text.is_ascii() && !text.contains('\r') && !text.contains('\0');
        if readable && !text.contains('"') && !text.contains('\\') {
            _ = write!(self.text, "\"{text}\"");
        } else if readable && !text.contains("\"##") {
            _ = write!(self.text, "r##\"{text}\"##");
        } else {
            self.tokens(&Literal::string(text));
        }
    }

    /// Tokens between delimiters.
    pub(super) fn group(&mut self, delimiter: Delimiter, inside: impl FnOnce(&mut Tokens<'a>)) {
        self.group_at(delimiter, Span::call_site(), inside);
    }

    /// Tokens between delimiters at a place.
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

/// Fixed text and literals: that it can be lexed, the tests know. proc_macro2 would lex it once more itself.
fn lex(text: &str) -> TokenStream {
    if proc_macro::is_available() {
        proc_macro::TokenStream::from_str(text).unwrap_or_default().into()
    } else {
        TokenStream::from_str(text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Tokens, krate};
    use proc_macro2::{Delimiter, TokenStream};
    use quote::quote;

    #[test]
    fn as_quote_does() {
        let path: syn::Path = syn::parse_quote!(own::place);
        for path in [None, Some(&path)] {
            let mut out = Tokens::new(path);
            out.code("impl $::Schema for");
            out.tokens(&quote!(Name<T>));
            out.group(Delimiter::Brace, |out| out.code("const A: $::B = &$::b(1);"));
            let crdgen = krate(path);
            let wanted = quote!(impl #crdgen::Schema for Name<T> { const A: #crdgen::B = &#crdgen::b(1); });
            // Punctuation from a lexer remembers whether it was joined, and is printed that way.
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
