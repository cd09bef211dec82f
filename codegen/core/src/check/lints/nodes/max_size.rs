//! Values without a maximum size.

use super::basics::missing_limit;
use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::MAX_SIZE;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &MAX_SIZE,
    topic: Some(Topic::Values),
    fires: "properties: {spec: {type: object, properties: {title: {type: string}}}}",
    silent: "properties: {spec: {type: object, properties: {title: {type: string, maxLength: 100}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    // The server limits the fields that all objects have.
    let is_own = node.parent().is_none_or(|up| up.up.is_some())
        || !matches!(node.name(), Some("apiVersion" | "kind" | "metadata"));
    if let Some(limit) = missing_limit(node.schema).filter(|_| is_own) {
        let help = format!("add `{limit}`; you can raise it later, but not add it");
        out.push(Advice::new(At::Here, format!("no {limit}"), help));
    }
}
