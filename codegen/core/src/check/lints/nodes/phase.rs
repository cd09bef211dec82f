//! Phases in the status.

use super::{Advice, At, Lint, Topic, is_in_status};
use crate::diag::codes::api::PHASE;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &PHASE,
    topic: Some(Topic::Status),
    fires: "properties: {status: {type: object, properties: {phase: {type: string}}}}",
    silent: "properties: {status: {type: object, properties: {conditions: {type: array, items: {type: object}}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    let is_phase = |name: &str| name == "phase" || name.ends_with("Phase");
    if node.name().is_some_and(|name| is_phase(name) && is_in_status(node, name)) {
        out.push(Advice::new(At::Here, "a phase in the status", "use conditions"));
    }
}
