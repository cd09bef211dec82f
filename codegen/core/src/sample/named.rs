//! Names of objects that rules ask for, and texts.

use crate::cel::ast::{Ast, Expr, ExprId, Literal};
use crate::cel::{self, Kube};
use crate::go::base64_encode;
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
        let Ok(ast) = cel::parse(&rule.rule, Kube::STORED) else { continue };
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

/// Texts that the rules of a text may ask for: one that matches a pattern, or that starts and ends with other texts, as PEM does. In
/// a `byte` format, rules see what the base64 means.
pub(super) fn of_rules(schema: &Schema) -> Vec<String> {
    let (mut out, mut ends) = (Vec::new(), [None, None]);
    for rule in schema.rules.iter().filter(|rule| CALLS.iter().any(|call| rule.rule.contains(call))) {
        let Ok(ast) = cel::parse(&rule.rule, Kube::STORED) else { continue };
        let mut open: Vec<ExprId> = vec![ast.root()];
        while let Some(id) = open.pop() {
            ast.children(id, &mut |child| open.push(child));
            let Expr::Call { function, args, .. } = ast.expr(id) else { continue };
            let text = args.first().and_then(|arg| match ast.expr(*arg) {
                Expr::Literal(Literal::String(text)) => Some(text.to_string()),
                _ => None,
            });
            match CALLS.iter().position(|call| *call == &**function) {
                Some(MATCHES) => {
                    let pattern = text.and_then(|text| Regexp::parse(&text).ok());
                    out.extend(pattern.and_then(|pattern| pattern.sample()));
                }
                Some(at) => ends[at] = ends[at].take().or(text),
                None => {}
            }
        }
    }
    if ends.iter().any(Option::is_some) {
        let [start, end] = ends.map(Option::unwrap_or_default);
        out.push(format!("{start}{NAME}{end}"));
    }
    if schema.limits.format == "byte" {
        out.iter_mut().for_each(|text| *text = base64_encode(text.as_bytes()));
    }
    out
}

/// The functions that say what a text is like.
const CALLS: [&str; 3] = ["startsWith", "endsWith", "matches"];
const MATCHES: usize = 2;

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
