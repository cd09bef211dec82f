//! If an expression crashes the server's library, its evaluation ends before the cost is counted.

use crdgen_core::value::Value;
use crdgen_tests::ours::answer;

#[test]
fn a_crash_costs_what_came_before_it() {
    let expressions = [
        (r#"dyn(b"a") in dyn({"a": 1})"#, 0),
        (r#"dyn(semver("1.0.0")) in dyn({"a": 1})"#, 2),
        (r#"dyn({"a": 1}).exists(k, k == "a")"#, 7),
    ];
    let texts: Vec<Value> = expressions.iter().map(|(text, _)| Value::from(*text)).collect();
    let request = [
        ("op", Value::from("eval")),
        ("schema", Value::from(r#"{"type": "object"}"#)),
        ("self", Value::from("{}")),
        ("exprs", Value::List(texts)),
    ];
    let answer = answer(&Value::Map(request.into_iter().collect()));
    let results = answer.get("results").and_then(Value::as_list).expect("results");
    let costs: Vec<i64> = results.iter().filter_map(|r| r.get("cost")?.as_int()).collect();
    assert_eq!(costs, expressions.map(|(_, cost)| cost));
}
