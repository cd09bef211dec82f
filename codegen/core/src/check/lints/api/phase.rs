//! Phases in the status.

use super::{Advice, At, Lint, Topic, is_in_status};
use crate::diag::codes::api::PHASE;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &PHASE,
    topic: Topic::Status,
    fires: "properties: {status: {type: object, properties: {phase: {type: string}}}}",
    silent: "properties: {status: {type: object, properties: {conditions: {type: array, items: {type: object}}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    if is_in_status(node, "phase") {
        out.push(Advice::new(At::Here, "a phase in the status", "use conditions"));
    }
}
