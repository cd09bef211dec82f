//! The text of a part of an expression.

use std::ops::Range;

use super::ast::{Ast, Expr, ExprId, Literal, ops};
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

/// A part of an expression that selects a field: `operand.field`, `operand.?field` or `has(operand.field)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The value that has the field.
    pub operand: ExprId,
    /// The name of the field, as the expression writes it.
    pub field: String,
    /// Where the name is, in bytes.
    pub at: Range<usize>,
}

/// Returns all selections of fields in an expression, in the order of the text.
pub fn selections(text: &str, ast: &Ast) -> Vec<Selection> {
    let tokens = lex(text).tokens;
    let mut out = Vec::new();
    let mut rest = vec![ast.root()];
    while let Some(id) = rest.pop() {
        ast.children(id, &mut |child| rest.push(child));
        let (operand, field) = match ast.expr(id) {
            Expr::Select { operand, field, test_only: _ } => (*operand, &**field),
            Expr::Call { function, target: None, args } if function == ops::OPT_SELECT => match &**args {
                [operand, field] => match ast.expr(*field) {
                    Expr::Literal(Literal::String(field)) => (*operand, &**field),
                    _ => continue,
                },
                _ => continue,
            },
            _ => continue,
        };
        // The place of a selection is its dot, and that of `has` is not.
        let written = match ast.macro_call(id).map(|call| &*call.args) {
            Some([argument]) => *argument,
            Some(_) | None => id,
        };
        let from = tokens.partition_point(|token| token.at < ast.offset(written));
        let name = tokens.iter().skip(from).find(|token| !joins(token));
        let Some(name) = name.filter(|name| matches!(name.kind, Kind::Ident | Kind::EscIdent)) else {
            continue;
        };
        let at = name.start as usize..name.end as usize;
        out.push(Selection { operand, field: field.to_owned(), at });
    }
    out.sort_by_key(|selection| selection.at.start);
    // The expansion of a macro may have a part several times.
    out.dedup_by(|a, b| a.at == b.at && a.operand == b.operand);
    out
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
    fn fields() {
        let text = "has(a.b) && a.?c.orValue(1) == a.d.all(x, x.e > a.b).f";
        let ast = parse(text, Kube::STORED).unwrap();
        let found: Vec<&str> = selections(text, &ast).into_iter().map(|it| &text[it.at]).collect();
        assert_eq!(found, ["b", "c", "d", "e", "b", "f"]);
    }

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
