//! What the tokens of an expression are, for editors that color them. The expression need not be complete.

use std::ops::Range;

use crate::build::macros;
use crate::lexer::{Kind, Token, lex};
use crate::library::Libraries;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// A variable.
    Variable,
    /// A field.
    Field,
    /// A function.
    Function,
    /// A macro.
    Macro,
    /// The first part of a function's name.
    Namespace,
    /// `true`, `false`, `null` or `in`.
    Keyword,
    /// A string or bytes.
    String,
    /// A number.
    Number,
    /// An operator.
    Operator,
}

/// Returns the tokens of an expression with their bytes. Brackets, dots and commas are not among them.
pub fn highlight<'l>(text: &str, libraries: impl Into<Libraries<'l>>) -> Vec<(Range<usize>, Highlight)> {
    let libraries = libraries.into();
    let tokens = lex(text).tokens;
    let kind_at = |i: Option<usize>| i.and_then(|i| tokens.get(i)).map_or(Kind::Eof, |token| token.kind);
    let name = |i: usize, Token { start, end, .. }: &Token| {
        let name = text.get(*start as usize..*end as usize).unwrap_or_default();
        let is_member = match kind_at(i.checked_sub(1)) {
            Kind::Dot => true,
            // `a.?b`
            Kind::Question => kind_at(i.checked_sub(2)) == Kind::Dot,
            _ => false,
        };
        match kind_at(Some(i + 1)) {
            Kind::LParen if macros::all(libraries.kube).any(|known| known == name) => Highlight::Macro,
            Kind::LParen => Highlight::Function,
            _ if is_member => Highlight::Field,
            Kind::Dot if libraries.functions.is_namespace(name) => Highlight::Namespace,
            _ => Highlight::Variable,
        }
    };
    let is = |(i, token): (usize, &Token)| {
        let found = match token.kind {
            Kind::Eof
            | Kind::LBracket
            | Kind::RBracket
            | Kind::LBrace
            | Kind::RBrace
            | Kind::LParen
            | Kind::RParen
            | Kind::Dot
            | Kind::Comma => return None,
            Kind::Equals
            | Kind::NotEquals
            | Kind::Less
            | Kind::LessEquals
            | Kind::GreaterEquals
            | Kind::Greater
            | Kind::And
            | Kind::Or
            | Kind::Minus
            | Kind::Exclam
            | Kind::Question
            | Kind::Colon
            | Kind::Plus
            | Kind::Star
            | Kind::Slash
            | Kind::Percent => Highlight::Operator,
            Kind::True | Kind::False | Kind::Null | Kind::In => Highlight::Keyword,
            Kind::Float | Kind::Int | Kind::Uint => Highlight::Number,
            Kind::String | Kind::Bytes => Highlight::String,
            Kind::Ident => name(i, token),
            Kind::EscIdent => Highlight::Field,
        };
        Some((token.start as usize..token.end as usize, found))
    };
    tokens.iter().enumerate().filter_map(is).collect()
}

#[cfg(test)]
mod tests {
    use super::{Highlight::*, highlight};
    use crate::Kube;

    #[test]
    fn tokens_are_classified() {
        let of = |text| {
            let found = highlight(text, Kube::CURRENT).into_iter();
            found.map(|(range, what)| (&text[range], what)).collect::<Vec<_>>()
        };
        assert_eq!(
            of("self.a.?b.all(x, x in ['\u{e4}']) && sets.contains(size(-1))"),
            [
                ("self", Variable),
                ("a", Field),
                ("?", Operator),
                ("b", Field),
                ("all", Macro),
                ("x", Variable),
                ("x", Variable),
                ("in", Keyword),
                ("'\u{e4}'", String),
                ("&&", Operator),
                ("sets", Namespace),
                ("contains", Function),
                ("size", Function),
                ("-", Operator),
                ("1", Number),
            ]
        );
        // An expression that is being written.
        assert_eq!(of("self.a == "), [("self", Variable), ("a", Field), ("==", Operator)]);
    }
}
