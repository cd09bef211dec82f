//! Expressions in attributes, with their places.

use super::literal::{self, text_of};
use super::report::Spot;
use crate::recipe::Allow;
use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use std::ops::Range;

/// An expression in an attribute.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text of the expression.
    pub text: String,
    /// The place of the expression: its literal, if it is written as one.
    pub span: Span,
    /// The literal, as it is written.
    pub literal: Option<String>,
    /// Whether the expression is a message expression.
    pub message: bool,
    /// The warnings that the attributes next to it allow.
    pub allow: Vec<Allow>,
}

impl Written {
    /// Finds the literal of an expression in the tokens. If there is none, the place of the expression is `otherwise`.
    pub fn find(text: &str, tokens: &TokenStream, otherwise: Span, message: bool) -> Written {
        let found = find(tokens, text);
        Written {
            text: text.to_owned(),
            span: found.as_ref().map_or(otherwise, Literal::span),
            literal: found.map(|literal| literal.to_string()),
            message,
            allow: Vec::new(),
        }
    }

    /// The place of a range of bytes in the expression.
    pub(super) fn spot(&self, bytes: Range<usize>) -> Spot {
        let inside = self.literal.as_deref().and_then(|literal| literal::written(literal, bytes));
        Spot { span: self.span, inside: self.literal.clone().zip(inside) }
    }
}

/// Finds the literal with this text.
pub(super) fn find(tokens: &TokenStream, text: &str) -> Option<Literal> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Literal(literal) => text_of(&literal).is_some_and(|s| s == text).then_some(literal),
        TokenTree::Group(group) => find(&group.stream(), text),
        TokenTree::Ident(_) | TokenTree::Punct(_) => None,
    })
}
