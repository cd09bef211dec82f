//! What depends on the server that compiles an expression, and not on the version of its environment.

use crdgen_core::cel::{Kube, parse};
use crdgen_core::rules::run::{Explain, Purpose, Question, ask};

#[test]
fn names_in_backticks() {
    let parses = |kube| parse("self.`a-b`", kube).is_ok();
    assert!(parses(Kube::CURRENT) && parses(Kube::CURRENT.for_new()) && parses(Kube::in_newest(30)));
    let issues = parse("self.`a-b`", Kube::of(36)).expect_err("unsupported");
    let messages: Vec<&str> = issues.iter().map(|issue| issue.message.as_str()).collect();
    assert_eq!(messages, ["unsupported syntax: '`'"]);
}

/// The estimated and the actual cost.
fn costs(expression: &str, kube: Kube) -> (u64, u64) {
    let (schema, path, object, old) = (None, "", None, None);
    let (purpose, explain) = (Purpose::Any, Explain::Nothing);
    let question = Question { expression, schema, path, object, old, kube, purpose, explain };
    let answer = ask(&question).unwrap_or_else(|e| panic!("{expression}: {e:?}"));
    (answer.estimate, answer.runs.first().map_or(0, |run| run.cost))
}

#[test]
fn costs_of_both_forms_of_a_call() {
    let text = format!("'{}'", "a".repeat(30));
    let called = format!("matches({text}, 'aaaaaaaaaa')");
    let member = format!("{text}.matches('aaaaaaaaaa')");
    let older = Kube::of(36);
    assert_eq!([costs(&called, Kube::CURRENT), costs(&member, Kube::CURRENT)], [(12, 12), (12, 12)]);
    assert_eq!([costs(&called, older), costs(&member, older)], [(1, 1), (12, 12)]);
    let starts = format!("{text}.startsWith('a')");
    assert_eq!([costs(&starts, Kube::CURRENT).1, costs(&starts, older).1], [1, 3]);
}
