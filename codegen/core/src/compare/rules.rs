//! Compares the rules of two schemas for the same place.

use std::collections::HashSet;

use super::tighter::Limit;
use crate::cel::{self, Ast, Expr, Kube};
use crate::ir::{Rule, Schema};

/// Reports the rules that only the first schema has. A rule that is written in another way, with other white space or
/// parentheses, is the same rule.
pub(super) fn compare(tight: &Schema, loose: &Schema, out: &mut Vec<Limit>) {
    let texts = |rules: &[Rule]| rules.iter().map(|rule| rule.rule.clone()).collect::<HashSet<String>>();
    let (of_tight, of_loose) = (texts(&tight.rules), texts(&loose.rules));
    let parsed = |rules: &[Rule], others: &HashSet<String>| -> Vec<(usize, Option<Ast>)> {
        let rest = rules.iter().enumerate().filter(|(_, rule)| !others.contains(&rule.rule));
        rest.map(|(index, rule)| (index, cel::parse(&rule.rule, Kube::STORED).ok())).collect()
    };
    let mut new = parsed(&tight.rules, &of_loose);
    let mut gone = parsed(&loose.rules, &of_tight);
    if new.len() * gone.len() <= MAX_PAIRS {
        new.retain(|(_, ast)| {
            let Some(ast) = ast else { return true };
            let is_same = |(_, other): &(usize, Option<Ast>)| other.as_ref().is_some_and(|o| o.is_same(ast));
            match gone.iter().position(is_same) {
                Some(at) => {
                    gone.remove(at);
                    false
                }
                None => true,
            }
        });
    }
    let alone = new.len() == 1 && gone.len() == 1;
    for (index, ast) in new {
        let rule = &tight.rules[index];
        // A rule replaces the rule that has its message, and the only rule that is gone.
        let replaced = gone.iter().position(|(other, _)| {
            let message = &loose.rules[*other].message;
            alone || !message.is_empty() && *message == rule.message
        });
        let other = replaced.map(|at| one_line(&loose.rules[gone.remove(at).0].rule));
        let is_transition =
            rule.optional_old_self != Some(true) && ast.is_some_and(|ast| uses_old_self(&ast));
        out.push(Limit::Rule { index, own: one_line(&rule.rule), other, is_transition });
    }
}

/// How many pairs of rules are compared at most.
const MAX_PAIRS: usize = 10_000;

/// Whether an expression contains the name `oldSelf`.
fn uses_old_self(ast: &Ast) -> bool {
    let mut stack = vec![ast.root()];
    while let Some(id) = stack.pop() {
        if matches!(ast.expr(id), Expr::Ident(name) if name == "oldSelf") {
            return true;
        }
        ast.children(id, &mut |child| stack.push(child));
    }
    false
}

fn one_line(rule: &str) -> String {
    rule.split_whitespace().collect::<Vec<_>>().join(" ")
}
