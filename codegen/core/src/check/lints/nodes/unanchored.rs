//! Patterns that match a part of a text.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::UNANCHORED;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &UNANCHORED,
    topic: Some(Topic::Values),
    fires: "properties: {spec: {type: object, properties: {color: {type: string, pattern: '[a-z]+'}}}}",
    silent: "properties: {spec: {type: object, properties: {color: {type: string, pattern: '^[a-z]+$'}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let pattern = node.schema.limits.pattern.as_str();
    // Flags may come first.
    let is_open = |start: &str| start.starts_with("(?") && start.contains('^');
    let (from_start, to_end) = (pattern.starts_with('^') || is_open(pattern), pattern.ends_with(['$', ')']));
    if pattern.is_empty() || from_start && to_end {
        return;
    }
    let part = match (from_start, to_end) {
        (true, _) => "any text that begins like this",
        (false, true) => "any text that ends like this",
        (false, false) => "any text that contains this",
    };
    let help = "begin it with `^` and end it with `$`, or with `.*` if you mean this";
    if !pattern.starts_with(".*") || !pattern.ends_with(".*") {
        out.push(Advice::new(At::Keyword("pattern"), format!("the pattern matches {part}"), help));
    }
}
