//! Answers to the operation `policy`: what validating admission policies decide.

use crdgen_core::finding::unsearched;
use crdgen_core::rpc::{Above, handle_with};
use crdgen_core::value::Value;
use crdgen_kubernetes::policies::rpc::POLICY;

use crate::json::parse;

/// Returns what crdgen decides about a request.
///
/// # Panics
/// Panics if the answer is not JSON.
pub fn decision(request: &str) -> Value {
    let answer = handle_with(request, Above { operations: &[POLICY], changes: &unsearched });
    let answer = parse(&answer).unwrap_or_else(|why| panic!("{why}: {answer}"));
    let mut decision = answer.get("decision").cloned().unwrap_or(answer);
    let evaluations = decision.as_map_mut().and_then(|map| map.get_mut("evaluations"));
    if let Some(Value::List(evaluations)) = evaluations {
        evaluations.iter_mut().for_each(forget_costs);
    }
    decision
}

/// Without conditions that can be evaluated, the oracle counts the costs of something else.
fn forget_costs(evaluation: &mut Value) {
    let Some(evaluation) = evaluation.as_map_mut().filter(|it| it.get("matchError").is_some()) else {
        return;
    };
    let Some(Value::List(validations)) = evaluation.get_mut("validations") else { return };
    for validation in validations {
        if let Some(validation) = validation.as_map_mut() {
            validation.remove("cost");
        }
    }
}
