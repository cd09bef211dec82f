//! Compares the rules of two schemas for the same place.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use super::absent::{self, Before};
use super::limit::Limit;
use super::presence;
use crate::cel::{self, Ast, Expr, ExprId, Kube, escape};
use crate::ir::{Rule, Schema};

/// Reports the rules of the first schema that a value may break although it follows the rules of the second one. A rule that
/// is written in another way, with other white space or parentheses, is the same rule. `is_unchanged` is `false` if a conversion changes the value.
pub(super) fn compare(tight: &Schema, loose: &Schema, is_unchanged: bool, out: &mut Vec<Limit>) {
    let mut new = without(&tight.rules, &loose.rules);
    let mut gone = without(&loose.rules, &tight.rules);
    if new.len() * gone.len() <= MAX_PAIRS {
        let is_same = |a: &Known<'_>, b: &Known<'_>| {
            a.is_optional() == b.is_optional() && a.is_same(b, &|ast, id| is_object(tight, ast, id))
        };
        let same: Vec<bool> = gone.iter().map(|old| new.iter().any(|rule| is_same(old, rule))).collect();
        new.retain(|rule| !gone.iter().any(|old| is_same(old, rule)));
        let mut same = same.into_iter();
        gone.retain(|_| !same.next().unwrap_or(false));
    }
    let alone = new.len() == 1 && gone.len() == 1;
    let are_few = new.len() * gone.len() <= MAX_IMPLIED;
    if are_few {
        new.retain(|rule| !gone.iter().any(|old| old.implies(rule)));
    }
    let known = Rules::new(loose);
    for rule in new {
        // A rule replaces the rule that has its message, and the only rule that is gone.
        let message = &rule.rule.message;
        let replaced =
            gone.iter().position(|old| alone || !message.is_empty() && old.rule.message == *message);
        let old = replaced.map(|at| gone.remove(at));
        if !are_few && old.as_ref().is_some_and(|old| old.implies(&rule)) {
            continue;
        }
        // A conversion may set fields that the other schema does not have.
        let before = if rule.is_optional() { Before::Optional } else { Before::Value };
        let is_always_true = |ast: &Ast| {
            absent::is_always_true(ast, before, tight, loose) || presence::implies_rule(ast, tight, loose)
        };
        let is_implied = |ast: &Ast| is_always_true(ast) || known.order(ast);
        if is_unchanged && rule.ast.as_ref().is_some_and(is_implied) {
            continue;
        }
        out.push(Limit::Rule {
            index: rule.index,
            own: one_line(&rule.rule.rule),
            other: old.map(|old| one_line(&old.rule.rule)),
            is_transition: rule.is_transition(),
        });
    }
}

/// The rules of a schema that the server checks for each object, parsed when they are needed.
struct Rules<'s> {
    schema: &'s Schema,
    all: OnceCell<Vec<Ast>>,
}

impl<'s> Rules<'s> {
    fn new(schema: &'s Schema) -> Rules<'s> {
        Rules { schema, all: OnceCell::new() }
    }

    /// Whether the order of the values that all rules compare implies another rule.
    fn order(&self, rule: &Ast) -> bool {
        let all = self.all.get_or_init(|| {
            let rules = self.schema.rules.iter().take(MAX_IMPLIED);
            let parsed = rules.filter_map(|rule| cel::parse(&rule.rule, Kube::STORED).ok());
            parsed.filter(|ast| !ast.has_name("oldSelf")).collect()
        });
        rule.follows_in_order(all.iter())
    }
}

/// A rule with its index in the schema.
struct Known<'s> {
    index: usize,
    rule: &'s Rule,
    ast: Option<Ast>,
}

impl Known<'_> {
    /// Whether the server also checks it on create although it uses `oldSelf`.
    fn is_optional(&self) -> bool {
        self.rule.optional_old_self == Some(true)
    }

    /// Whether it is the same rule, whatever its white space, parentheses and escapes.
    fn is_same(&self, other: &Known<'_>, is_object: &dyn Fn(&Ast, ExprId) -> bool) -> bool {
        matches!((&self.ast, &other.ast), (Some(a), Some(b)) if a.is_same_escaped(b, is_object))
    }

    /// Whether the server checks it only on updates.
    fn is_transition(&self) -> bool {
        !self.is_optional() && self.ast.as_ref().is_some_and(|ast| ast.has_name("oldSelf"))
    }

    /// Whether whatever follows this rule follows the other one, in all requests in which the server checks that one.
    fn implies(&self, other: &Known<'_>) -> bool {
        self.is_optional() == other.is_optional()
            && (!self.is_transition() || other.is_transition())
            && matches!((&self.ast, &other.ast), (Some(a), Some(b)) if a.implies(b))
    }
}

/// The rules that are not in the other list with the same text.
fn without<'s>(rules: &'s [Rule], others: &[Rule]) -> Vec<Known<'s>> {
    let key = |rule: &Rule| (rule.rule.clone(), rule.optional_old_self == Some(true));
    let others: HashSet<(String, bool)> = others.iter().map(key).collect();
    let rest = rules.iter().enumerate().filter(|(_, rule)| !others.contains(&key(rule)));
    rest.map(|(index, rule)| Known { index, rule, ast: cel::parse(&rule.rule, Kube::STORED).ok() }).collect()
}

/// Whether an expression in a rule of a schema is an object with fields, and not a map.
fn is_object(schema: &Schema, ast: &Ast, id: ExprId) -> bool {
    part(schema, ast, id).is_some_and(|it| it.value().is_none())
}

/// The schema of a part of the object.
fn part<'s>(schema: &'s Schema, ast: &Ast, id: ExprId) -> Option<&'s Schema> {
    match ast.expr(id) {
        Expr::Ident(name) => matches!(&**name, "self" | "oldSelf").then_some(schema),
        Expr::Select { operand, field, test_only: false } => {
            let name = escape::unescape(field).unwrap_or(Cow::Borrowed(field));
            part(schema, ast, *operand)?.properties.get(&name)
        }
        _ => None,
    }
}

/// How many pairs of rules are compared at most.
const MAX_PAIRS: usize = 10_000;

/// In how many pairs of rules it is decided whether one says more than the other at most, because this takes longer.
const MAX_IMPLIED: usize = 100;

fn one_line(rule: &str) -> String {
    rule.split_whitespace().collect::<Vec<_>>().join(" ")
}
