//! Answers to writes of Kubernetes' own kinds: the operation `native`.

use crdgen_core::finding::unsearched;
use crdgen_core::rpc::{Above, handle_with};
use crdgen_core::value::Value;
use crdgen_kubernetes::rpc::NATIVE;

use crate::json::parse;

/// Returns crdgen's answer to a request.
///
/// # Panics
/// Panics if the answer is not JSON.
pub fn answer(request: &str) -> Value {
    let answer = handle_with(request, Above { operations: &[NATIVE], changes: &unsearched });
    parse(&answer).unwrap_or_else(|why| panic!("{why}: {answer}"))
}

/// What two answers are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// Whether the object is accepted.
    Verdicts,
    /// Why it is rejected.
    Errors,
    /// What is stored.
    Stored,
    /// The warnings.
    Warnings,
}

/// What is compared of two answers, and whether it is the same. Nothing if the server does not answer.
pub fn compare(ours: &Value, theirs: &Value) -> Vec<(Sort, bool)> {
    let accepted = |answer: &Value| answer.get("accepted").and_then(Value::as_bool);
    let Some(is_accepted) = accepted(theirs) else { return Vec::new() };
    let is_same = accepted(ours) == Some(is_accepted);
    let mut out = vec![(Sort::Verdicts, is_same)];
    if is_same {
        out.push(match is_accepted {
            true => (Sort::Stored, ours.get("stored") == theirs.get("stored")),
            false => (Sort::Errors, errors(ours) == errors(theirs)),
        });
        out.push((Sort::Warnings, warnings(ours) == warnings(theirs)));
    }
    out
}

fn texts<'v>(answer: &'v Value, list: &str) -> &'v [Value] {
    answer.get(list).and_then(Value::as_list).unwrap_or_default()
}

/// The code and the errors of an answer, in a fixed order: the server goes through maps in any order.
fn errors(answer: &Value) -> (Option<i64>, Vec<&str>) {
    let code = answer.get("code").and_then(Value::as_int);
    let found = texts(answer, "errors").iter().filter_map(|error| error.get("text")?.as_str());
    let mut found: Vec<&str> = found.collect();
    if found.is_empty() {
        found.extend(answer.get("error").and_then(Value::as_str));
    }
    found.sort_unstable();
    (code, found)
}

fn warnings(answer: &Value) -> Vec<&str> {
    let mut found: Vec<&str> = texts(answer, "warnings").iter().filter_map(Value::as_str).collect();
    found.sort_unstable();
    found
}
