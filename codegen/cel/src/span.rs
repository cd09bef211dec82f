//! The text of a part of an expression.

use std::ops::Range;

use super::ast::{Ast, ExprId};
use super::lexer::{Kind, Token, lex};

/// Returns the byte range from the first to the last token of a node, including its closing brackets.
pub fn of_node(text: &str, ast: &Ast, id: ExprId) -> Range<usize> {
    Spans::new(text, ast).of(id)
}

/// Finds the texts of any number of nodes.
#[derive(Debug)]
pub(crate) struct Spans<'t> {
    text: &'t str,
    ast: &'t Ast,
    tokens: Vec<Token>,
}

impl<'t> Spans<'t> {
    pub(crate) fn new(text: &'t str, ast: &'t Ast) -> Spans<'t> {
        Spans { text, ast, tokens: lex(text).tokens }
    }

    /// The byte range of a node, as [`of_node`] returns it.
    pub(crate) fn of(&self, id: ExprId) -> Range<usize> {
        of_tokens(self.text, self.ast, &self.tokens, id)
    }
}

fn of_tokens(text: &str, ast: &Ast, tokens: &[Token], id: ExprId) -> Range<usize> {
    let (mut first, mut last) = (u32::MAX, 0);
    let mut stack = vec![id];
    while let Some(id) = stack.pop() {
        let at = ast.offset(id);
        if at as usize <= text.len() {
            (first, last) = (first.min(at), last.max(at));
        }
        ast.children(id, &mut |child| stack.push(child));
    }
    if first > last {
        return 0..text.len();
    }
    let mut start = tokens.partition_point(|t| t.at < first).min(tokens.len().saturating_sub(1));
    // The place of a call is its parenthesis, and its name is before that.
    if tokens[start].kind == Kind::LParen && start > 0 && tokens[start - 1].kind == Kind::Ident {
        start -= 1;
        while start > 1 && tokens[start - 1].kind == Kind::Dot && tokens[start - 2].kind == Kind::Ident {
            start -= 2;
        }
    }
    let mut end = tokens.partition_point(|t| t.at <= last).max(start + 1).min(tokens.len());
    // The place of a selection is its dot, and its field follows.
    while end < tokens.len() && joins(&tokens[end - 1]) {
        end += 1;
    }
    let mut open = 0;
    let mut behind = start;
    for token in &tokens[start..] {
        match token.kind {
            Kind::LParen | Kind::LBracket | Kind::LBrace => open += 1,
            Kind::RParen | Kind::RBracket | Kind::RBrace => open -= 1,
            _ => {}
        }
        behind += 1;
        if open < 0 {
            behind -= 1;
            break;
        }
        if behind >= end && open == 0 && !calls(tokens.get(behind), &tokens[behind - 1], behind == end) {
            break;
        }
    }
    let last = &tokens[behind.clamp(start + 1, tokens.len()) - 1];
    tokens[start].start as usize..(last.end as usize).min(text.len())
}

/// Returns the byte range of the word, or else the one character, that begins at a byte.
pub fn of_word(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let start = at.min(text.len());
    start..start + word.max(first)
}

fn joins(token: &Token) -> bool {
    matches!(token.kind, Kind::Dot | Kind::Question)
}

/// Whether the arguments of a function follow its name.
fn calls(next: Option<&Token>, before: &Token, at_end: bool) -> bool {
    at_end && before.kind == Kind::Ident && next.is_some_and(|t| t.kind == Kind::LParen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kube, parse};

    #[test]
    fn whole_expressions() {
        for text in [
            "a",
            "a.b",
            "a.b.c",
            "a.b(c)",
            "a[b]",
            "a[b].c",
            "f(a, b)",
            "a + b",
            "a.all(x, x > 1)",
            "a.all(x, x.all(y, y in [1, 2]))",
            "has(a.b)",
            "{'a': [1]}",
            "a ? b : c.d",
            "a.?b",
            "'ä' + b",
            "size(a.b)",
            "size([])",
            "sets.contains([a], [b])",
        ] {
            let ast = parse(text, Kube::STORED).unwrap();
            assert_eq!(of_node(text, &ast, ast.root()), 0..text.len(), "{text}");
        }
    }
}
