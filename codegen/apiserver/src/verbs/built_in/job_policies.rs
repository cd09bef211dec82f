//! Checks of when a job fails, and when it succeeds.

use super::find;
use super::words::{invalid, invalid_text, negative, required, unsupported};
use crate::meta::own;
use crate::status::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{json, names};
use std::collections::BTreeSet;

type Mistakes = Vec<Mistake<'static>>;

const ACTIONS: [&str; 4] = ["Count", "FailIndex", "FailJob", "Ignore"];
const OPERATORS: [&str; 2] = ["In", "NotIn"];
const STATUS: [&str; 3] = ["False", "True", "Unknown"];

fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_list).unwrap_or_default()
}

fn valid(values: &[&str]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
    format!("valid values: [{}]", values.join(" "))
}

/// A text that must be one of several.
fn one_of(field: String, text: &str, values: &[&str]) -> Option<Mistake<'static>> {
    match text {
        "" => Some(required(field, &valid(values))),
        text => (!values.contains(&text)).then(|| unsupported(field, text, values)),
    }
}

/// The mistakes in the policies of the spec of a job.
pub(super) fn mistakes(spec: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    if let Some(policy) = find(spec, &["podFailurePolicy"]).filter(|it| !it.is_null()) {
        for (i, rule) in list(policy, "rules").iter().enumerate() {
            out.extend(failure(spec, rule, &format!("{at}.podFailurePolicy.rules[{i}]")));
        }
    }
    if let Some(policy) = find(spec, &["successPolicy"]).filter(|it| !it.is_null()) {
        let field = format!("{at}.successPolicy");
        if own(spec, "completionMode") == "Indexed" {
            out.extend(success(spec, policy, &field));
        } else {
            let why = format!("{}: requires indexed completion mode", in_go(policy));
            out.push(Mistake::new(field, Kind::Invalid, why));
        }
    }
    out
}

/// A policy of success as Go shows it.
fn in_go(policy: &Value) -> String {
    let shown = |rule: &Value, name: &str| rule.get(name).map_or_else(|| "null".to_owned(), json::to_string);
    if policy.get("rules").is_none_or(Value::is_null) {
        return r#"{"Rules":null}"#.to_owned();
    }
    let rules = list(policy, "rules").iter().map(|rule| {
        let (indexes, count) = (shown(rule, "succeededIndexes"), shown(rule, "succeededCount"));
        format!(r#"{{"SucceededIndexes":{indexes},"SucceededCount":{count}}}"#)
    });
    format!(r#"{{"Rules":[{}]}}"#, rules.collect::<Vec<_>>().join(","))
}

fn failure(spec: &Value, rule: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let action = own(rule, "action");
    let field = || format!("{at}.action");
    if action == "FailIndex" && find(spec, &["backoffLimitPerIndex"]).is_none_or(Value::is_null) {
        out.push(invalid_text(field(), action, "requires the backoffLimitPerIndex to be set"));
    }
    out.extend(one_of(field(), action, &ACTIONS));
    let codes = rule.get("onExitCodes").filter(|it| !it.is_null());
    let conditions = list(rule, "onPodConditions");
    out.extend(codes.into_iter().flat_map(|codes| exit_codes(spec, codes, &format!("{at}.onExitCodes"))));
    for (i, condition) in conditions.iter().enumerate() {
        let at = format!("{at}.onPodConditions[{i}]");
        let ty = own(condition, "type");
        let mistakes = names::qualified_name(ty);
        out.extend(mistakes.iter().map(|why| invalid_text(format!("{at}.type"), ty, why)));
        out.extend(one_of(format!("{at}.status"), own(condition, "status"), &STATUS));
    }
    let why = match (codes.is_some(), !conditions.is_empty()) {
        (true, true) => Some("specifying both OnExitCodes and OnPodConditions is not supported"),
        (false, false) => Some("specifying one of OnExitCodes and OnPodConditions is required"),
        _ => None,
    };
    out.extend(why.map(|why| Mistake::new(at.to_owned(), Kind::Invalid, why)));
    out
}

fn exit_codes(spec: &Value, codes: &Value, at: &str) -> Mistakes {
    let mut out: Mistakes =
        one_of(format!("{at}.operator"), own(codes, "operator"), &OPERATORS).into_iter().collect();
    if let Some(name) = codes.get("containerName").and_then(Value::as_str) {
        let pod = find(spec, &["template", "spec"]).unwrap_or(&Value::Null);
        let containers = ["containers", "initContainers"].into_iter().flat_map(|kind| list(pod, kind));
        if !containers.into_iter().any(|container| own(container, "name") == name) {
            let why = "must be one of the container or initContainer names in the pod template";
            out.push(invalid_text(format!("{at}.containerName"), name, why));
        }
    }
    let (values, field) = (list(codes, "values"), || format!("{at}.values"));
    let shown = codes.get("values").unwrap_or(&Value::Null);
    if values.is_empty() {
        out.push(invalid(field(), shown, "at least one value is required"));
    }
    let numbers: Vec<i64> = values.iter().filter_map(Value::as_int).collect();
    let mut seen = BTreeSet::new();
    for (i, number) in numbers.iter().enumerate() {
        let field = || format!("{at}.values[{i}]");
        if *number == 0 && own(codes, "operator") == "In" {
            out.push(invalid(field(), &Value::Int(0), "must not be 0 for the In operator"));
        }
        if !seen.insert(number) {
            out.push(Mistake::new(field(), Kind::Duplicate, number.to_string()));
        }
    }
    if !numbers.is_sorted() {
        out.push(invalid(field(), shown, "must be ordered"));
    }
    out
}

fn success(spec: &Value, policy: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let rules = list(policy, "rules");
    if rules.is_empty() {
        let why = "at least one rules must be specified when the successPolicy is specified";
        out.push(required(format!("{at}.rules"), why));
    }
    let completions = find(spec, &["completions"]).and_then(Value::as_int).unwrap_or_default();
    for (i, rule) in rules.iter().enumerate() {
        let field = format!("{at}.rules[{i}].succeededCount");
        let count = rule.get("succeededCount").filter(|it| !it.is_null());
        if count.is_none() && rule.get("succeededIndexes").is_none_or(Value::is_null) {
            let why = "at least one of succeededCount or succeededIndexes must be specified";
            out.push(required(format!("{at}.rules[{i}]"), why));
        }
        out.extend(negative(field.clone(), count));
        if let Some(count) = count.filter(|it| it.as_int().is_some_and(|it| it > completions)) {
            let why =
                format!("must be less than or equal to {completions} (the number of specified completions)");
            out.push(invalid(field, count, &why));
        }
    }
    out
}
