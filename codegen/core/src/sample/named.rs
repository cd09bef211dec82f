//! Names of objects that rules ask for.

use crate::cel;
use crate::cel::ast::{Ast, Expr, ExprId, Literal};
use crate::go::regexp::Regexp;
use crate::ir::Schema;

/// The maximum number of names.
const MOST: usize = 12;

/// The name in examples.
pub(super) const NAME: &str = "example";

/// The names near the texts in the rules of a whole object that read its metadata. There is nothing else in the schema that
/// says which names these rules allow.
pub(super) fn names(schema: &Schema) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for rule in schema.rules.iter().filter(|rule| rule.rule.contains("metadata")) {
        let Some(ast) = cel::parse_stored(&rule.rule) else { continue };
        for text in texts(&ast) {
            let of_pattern = Regexp::parse(&text).ok().and_then(|pattern| pattern.sample());
            let near = [format!("{text}{NAME}"), format!("{NAME}{text}"), text];
            for name in near.into_iter().chain(of_pattern) {
                if out.len() < MOST && !name.is_empty() && !out.contains(&name) {
                    out.push(name);
                }
            }
        }
    }
    out
}

/// The texts in an expression.
fn texts(ast: &Ast) -> Vec<String> {
    let mut out = Vec::new();
    let mut open: Vec<ExprId> = vec![ast.root()];
    while let Some(id) = open.pop() {
        match ast.expr(id) {
            Expr::Literal(Literal::String(text)) => out.push(text.to_string()),
            _ => ast.children(id, &mut |child| open.push(child)),
        }
    }
    out
}
