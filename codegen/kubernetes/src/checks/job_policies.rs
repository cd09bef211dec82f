//! Checks of when a job fails, and when it succeeds.

use super::find;
use super::words::{invalid, invalid_text, negative, required, too_many, unsupported};
use crate::meta::own;
use crate::mistake::Mistake;
use crate::number::atoi;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use crdgen_core::{go, json, names};
use std::collections::BTreeSet;
use std::fmt;

type Mistakes = Vec<Mistake<'static>>;

/// The most rules of a policy, and the most conditions of a rule.
const MOST_RULES: usize = 20;
const MOST_CODES: usize = 255;
/// The most bytes in the list of indexes of a rule.
const MOST_BYTES: usize = 64 * 1024;

const ACTIONS: [&str; 4] = ["Count", "FailIndex", "FailJob", "Ignore"];
const OPERATORS: [&str; 2] = ["In", "NotIn"];
const STATUS: [&str; 3] = ["False", "True", "Unknown"];

fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_list).unwrap_or_default()
}

/// More items than there can be, if there are.
fn more_than(most: usize, field: String, found: &[Value]) -> Option<Mistake<'static>> {
    (found.len() > most).then(|| too_many(field, found.len(), most))
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
        let rules = list(policy, "rules");
        out.extend(more_than(MOST_RULES, format!("{at}.podFailurePolicy.rules"), rules));
        for (i, rule) in rules.iter().enumerate() {
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
    out.extend(more_than(MOST_RULES, format!("{at}.onPodConditions"), conditions));
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
    out.extend(more_than(MOST_CODES, field(), values));
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
    out.extend(more_than(MOST_RULES, format!("{at}.rules"), rules));
    let completions = find(spec, &["completions"]).and_then(Value::as_int).unwrap_or_default();
    for (i, rule) in rules.iter().enumerate() {
        out.extend(success_rule(rule, completions, &format!("{at}.rules[{i}]")));
    }
    out
}

fn success_rule(rule: &Value, completions: i64, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let count = rule.get("succeededCount").filter(|it| !it.is_null());
    let indexes = rule.get("succeededIndexes").and_then(Value::as_str);
    if count.is_none() && indexes.is_none() {
        let why = "at least one of succeededCount or succeededIndexes must be specified";
        out.push(required(at.to_owned(), why));
    }
    let found = indexes.map(|indexes| number_of_indexes(indexes, completions));
    if let Some(indexes) = indexes {
        let field = || format!("{at}.succeededIndexes");
        if indexes.len() > MOST_BYTES {
            let why = format!("may not be more than {MOST_BYTES} bytes");
            out.push(Mistake::new(field(), Kind::TooLong, why));
        }
        if let Some(Err(why)) = &found {
            out.push(invalid_text(field(), indexes, &format!("error parsing succeededIndexes: {why}")));
        }
    }
    let Some((count, number)) = count.and_then(|count| Some((count, count.as_int()?))) else { return out };
    let field = || format!("{at}.succeededCount");
    out.extend(negative(field(), Some(count)));
    let mut at_most = |most: i64, of: &str| {
        if number > most {
            out.push(invalid(
                field(),
                count,
                &format!("must be less than or equal to {most} (the number of {of})"),
            ));
        }
    };
    at_most(completions, "specified completions");
    if let Some(found) = found {
        // A list that cannot be read has no indexes.
        at_most(found.unwrap_or_default(), "indexes in the specified succeededIndexes field");
    }
    out
}

/// Why a list of indexes cannot be read.
#[derive(Debug, PartialEq)]
pub(super) enum BadIndexes<'s> {
    /// More than one `-`.
    Hyphens(&'s str),
    NoNumber(&'s str),
    TooLarge(&'s str),
    Order(i64, i64),
}

impl fmt::Display for BadIndexes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadIndexes::Hyphens(text) => write!(
                f,
                "the fragment {} violates the requirement that an index interval can have at most two parts separated by '-'",
                go::quote(text)
            ),
            BadIndexes::NoNumber(text) => {
                write!(f, "cannot convert string to integer for index: {}", go::quote(text))
            }
            BadIndexes::TooLarge(text) => write!(f, "too large index: {}", go::quote(text)),
            BadIndexes::Order(previous, current) => {
                write!(f, "non-increasing order, previous: {previous}, current: {current}")
            }
        }
    }
}

/// The first index that is in two lists.
pub(super) fn overlap(one: &str, other: &str, completions: i64) -> Option<i64> {
    let (one, other) = (runs(one, completions), runs(other, completions));
    let mut others = other.iter().copied().peekable();
    for (first, end) in one {
        while others.next_if(|(_, last)| *last < first).is_some() {}
        if let Some((start, _)) = others.peek().filter(|(start, _)| *start <= end) {
            return Some(first.max(*start));
        }
    }
    None
}

/// The runs of indexes in a list, in order and apart. The server says elsewhere what it cannot read.
fn runs(list: &str, completions: i64) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64)> = intervals(list, completions).filter_map(Result::ok).collect();
    all.sort_unstable();
    let mut out: Vec<(i64, i64)> = Vec::new();
    for (first, end) in all {
        match out.last_mut() {
            Some((_, last)) if first <= *last => *last = end.max(*last),
            _ => out.push((first, end)),
        }
    }
    out
}

/// The first and the last index of each part of a list.
fn intervals(list: &str, completions: i64) -> impl Iterator<Item = Result<(i64, i64), BadIndexes<'_>>> {
    let index = move |text| match atoi(text) {
        Err(_) => Err(BadIndexes::NoNumber(text)),
        Ok(index) if index >= completions => Err(BadIndexes::TooLarge(text)),
        Ok(index) => Ok(index),
    };
    list.split(',').filter(|_| !list.is_empty()).map(move |interval| {
        let ends: Vec<&str> = interval.split('-').collect();
        match ends[..] {
            [one] => index(one).map(|one| (one, one)),
            [first, end] => match (index(first)?, index(end)?) {
                (first, end) if first >= end => Err(BadIndexes::Order(first, end)),
                ends => Ok(ends),
            },
            _ => Err(BadIndexes::Hyphens(interval)),
        }
    })
}

/// How many indexes there are in a list such as `1,3-5`.
pub(super) fn number_of_indexes(list: &str, completions: i64) -> Result<i64, BadIndexes<'_>> {
    let (mut last, mut number) = (None, 0);
    for interval in intervals(list, completions) {
        let (first, end) = interval?;
        if let Some(last) = last.filter(|last| *last >= first) {
            return Err(BadIndexes::Order(last, first));
        }
        number += end - first + 1;
        last = Some(end);
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn the_first_common_index() {
        for (one, other, expected) in [
            ("1,3-5", "2,4", Some(4)),
            ("1,3-5", "2,6", None),
            ("7,0-9", "8,2", Some(2)),
            ("0-9,1-2", "5", Some(5)),
            ("", "1", None),
            ("x,3", "3,4-1", Some(3)),
        ] {
            assert_eq!(overlap(one, other, 100), expected, "{one} {other}");
            assert_eq!(overlap(other, one, 100), expected, "{other} {one}");
        }
    }

    #[test]
    fn long_lists_take_no_longer_than_reading_them() {
        let list =
            |from: i64| (0..100_000).map(|at| (from + 2 * at).to_string()).collect::<Vec<_>>().join(",");
        assert_eq!(overlap(&list(0), &list(1), 1_000_000), None);
    }
}
