//! Operation `cel`: what the rules of a definition compile to and what they cost.

use super::Answer;
use super::request::{Request, definition};
use super::rules;
use crate::value::Value;

/// Compiles and costs all rules; those that `old` has as stored ones.
pub(super) fn rules(request: &Request) -> Answer {
    let (crd, _) = definition(&request.crd)?;
    let old = match request.old.as_str() {
        "" => None,
        text => Some(definition(text).map_err(|e| format!("old: {e}"))?.0),
    };
    match rules::answer(&crd, old.as_ref(), request.server()?, &rules::why_no_rules) {
        Value::Map(answer) => Ok(answer),
        other => Err(format!("unexpected answer {}", crate::json::to_string(&other))),
    }
}
