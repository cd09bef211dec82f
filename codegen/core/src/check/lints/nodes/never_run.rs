//! Rules that never run.

use super::{Advice, At, Lint};
use crate::diag::codes::lint::NEVER_RUNS;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &NEVER_RUNS,
    topic: None,
    fires: "properties: {spec: {x-kubernetes-preserve-unknown-fields: true, properties: {port: {type: integer, x-kubernetes-validations: [{rule: 'self > 1024'}]}}}}",
    silent: "properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {port: {type: integer, x-kubernetes-validations: [{rule: 'self > 1024'}]}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let is_around_untyped = || std::iter::successors(node.parent(), |around| around.parent()).any(is_untyped);
    if node.schema.rules.is_empty() || !is_around_untyped() {
        return;
    }
    for number in 0..node.schema.rules.len() {
        let help = "write a `type` into each schema around the rule";
        let detail = "the rule never runs, because the server runs no rules inside of a value without a type";
        out.push(Advice::new(At::Rule(number), detail, help));
    }
}

fn is_untyped(node: &Node<'_>) -> bool {
    node.schema.ty.is_none() && !node.schema.ext.int_or_string
}
