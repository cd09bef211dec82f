//! Names of times.

use super::{Advice, At, Lint, Topic};
use crate::diag::codes::api::TIMESTAMP_NAME;
use crate::walk::Node;

pub(super) const LINT: Lint = Lint {
    code: &TIMESTAMP_NAME,
    topic: Some(Topic::Names),
    fires: "properties: {status: {type: object, properties: {startTimestamp: {type: string, format: date-time}}}}",
    silent: "properties: {status: {type: object, properties: {startTime: {type: string, format: date-time}}}}",
    check,
};

fn check(node: &Node<'_>, out: &mut Vec<Advice>) {
    const WORD: &str = "timestamp";
    let Some(name) = node.name() else { return };
    // The names of fields of Kubernetes are ASCII, so that both have the same bytes.
    let Some(at) = name.to_ascii_lowercase().find(WORD) else { return };
    let (start, rest) = name.split_at(at);
    let short = if rest.starts_with('T') { "Time" } else { "time" };
    let help = format!("write `{start}{short}{}`", &rest[WORD.len()..]);
    out.push(Advice::new(At::Here, format!("the name `{name}` has the word timestamp"), help));
}
