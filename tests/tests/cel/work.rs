//! Limits of time and memory that the server does not have: an evaluation that exceeds one is an error, and everything
//! below has the server's results.

use crdgen_core::value::Value;
use crdgen_tests::ours::answer;

/// The value or the error of each expression.
fn results(expressions: &[String]) -> Vec<String> {
    let texts: Vec<Value> = expressions.iter().map(|text| Value::from(text.as_str())).collect();
    let request = [
        ("op", Value::from("eval")),
        ("schema", Value::from(r#"{"type": "object"}"#)),
        ("self", Value::from("{}")),
        ("exprs", Value::List(texts)),
    ];
    let answer = answer(&Value::Map(request.into_iter().collect()));
    let results = answer.get("results").and_then(Value::as_list).expect("results");
    let text = |result: &Value| {
        let text = ["value", "error", "compile", "program"].iter().find_map(|key| result.get(key)?.as_str());
        text.expect("a result").to_owned()
    };
    results.iter().map(text).collect()
}

/// A list that contains a list twice, so many levels deep. It needs little memory, but has very many elements.
fn twice(levels: usize) -> String {
    format!("[1]{}", ".map(x, [x, x])".repeat(levels))
}

#[track_caller]
fn stops(expression: String, words: &str) {
    let found = results(&[expression]);
    assert_eq!(found, [format!("crdgen stopped the evaluation because {words}")]);
}

#[test]
fn comparison_has_an_end() {
    stops(format!("{0} == {0}", twice(40)), "it takes too many steps");
}

#[test]
fn no_operator_hides_the_limit() {
    let hidden = format!("[0].exists(x, 1 / x == 1) || {0} in [{0}] || true", twice(40));
    stops(hidden, "it takes too many steps");
}

#[test]
fn text_has_an_end() {
    let memory = "its values need more than 256 MiB of memory";
    stops(format!("'%s'.format([{}]).size()", twice(40)), memory);
    let long = "a".repeat(1_000);
    let replaced = format!(".replace('a', '{long}')").repeat(3);
    stops(format!("'{long}'{replaced}.size()"), memory);
    stops(twice(40), memory);
}

#[test]
fn nesting_has_an_end() {
    let (open, close) = ("[".repeat(100), "]".repeat(100));
    let deep = format!("[1]{}", format!(".map(x, {open}x{close})").repeat(50));
    stops(format!("{deep} == {deep}"), "its values are nested more than 1,000 levels deep");
}

#[test]
fn a_list_is_added_without_a_copy() {
    let ten = "x + x + x + x + x + x + x + x + x + x";
    let large = format!("[[1, 2]]{}", format!(".map(x, {ten})").repeat(9));
    let expressions = [
        format!("{large}[0].size()"),
        format!("{large}[0][1999999999]"),
        format!("{large}.all(x, x[1] == 2)"),
        "([1] + [2] + [] + [3]).map(x, x)".to_owned(),
        "([1] + [2]) == [1, 2] && [1, 2] == [1] + [2] && [1] + [2] != [1, 3]".to_owned(),
    ];
    assert_eq!(results(&expressions), ["2000000000", "2", "true", "[1, 2, 3]", "true"]);
}

#[test]
fn a_value_equals_itself_without_a_look_inside() {
    let expressions = [
        format!("{}.all(x, x == x)", twice(60)),
        format!("[{}].all(x, x in [x])", twice(60)),
        // NaN does not equal itself.
        "[[0.0 / 0.0]].all(x, x == x)".to_owned(),
        "[{'a': 0.0 / 0.0}].all(x, x == x)".to_owned(),
    ];
    assert_eq!(results(&expressions), ["true", "true", "false", "false"]);
}

#[test]
fn a_constant_list_is_searched_by_value() {
    let expressions = [
        "1.0 in [1, 2]",
        "dyn(1u) in [1, 2]",
        "dyn('1') in [1, 2]",
        "0.0 / 0.0 in [0.0 / 0.0, 1.0]",
        "-0.0 in [0.0, 1.0]",
    ];
    let expressions: Vec<String> = expressions.iter().map(|text| (*text).to_owned()).collect();
    let found = results(&expressions);
    assert_eq!(found[1..], ["true", "false", "false", "true"]);
}

/// The errors of an object, whose CRD has this rule.
fn errors(rule: &str) -> Vec<String> {
    let definition = format!(
        "---\n{{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {{name: ks.example.com}}, spec: {{group: \
         example.com, scope: Namespaced, names: {{plural: ks, kind: K}}, versions: [{{name: v1, served: true, storage: true, \
         schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object, x-kubernetes-validations: [{rule}, {{rule: \
         'false'}}]}}}}}}}}}}]}}}}"
    );
    let object = "---\n{apiVersion: example.com/v1, kind: K, metadata: {name: a, namespace: a}, spec: {}}";
    let request = [("op", "object"), ("crd", &definition), ("object", object)];
    let answer = answer(&Value::Map(request.into_iter().map(|(k, v)| (k, Value::from(v))).collect()));
    let errors = answer.get("errors").and_then(Value::as_list).expect("errors");
    errors.iter().filter_map(|error| Some(error.get("detail")?.as_str()?.to_owned())).collect()
}

#[test]
fn a_rule_that_exceeds_a_limit_is_the_last_one() {
    let rule = format!("{{rule: \"{0} == {0}\", message: too large}}", twice(40));
    let words = "crdgen stopped the evaluation because it takes too many steps, no further validation rules will be run: too large";
    assert_eq!(errors(&rule), [words]);
    let text = format!("'%s'.format([{}])", twice(40));
    let rule = format!("{{rule: 'false', messageExpression: \"{text}\"}}");
    let words = format!(
        "crdgen stopped the evaluation because its values need more than 256 MiB of memory, no further validation rules will be \
         run: messageExpression: \"{text}\""
    );
    assert_eq!(errors(&rule), [words]);
}
