//! Checks of when a job fails, and when it succeeds.

use super::at::{At, Mistakes};
use super::rows::{Check::*, Row, check};
use crate::number::atoi;
use crdgen_core::diag::Kind;
use crdgen_core::{go, names};
use std::collections::BTreeSet;
use std::fmt;

/// The most bytes in the list of indexes of a rule.
const MOST_BYTES: usize = 64 * 1024;

/// When a job fails.
pub(super) const FAILURE_POLICY: &[Row] = &[("rules", Most(20)), ("rules[]", All(FAILURE))];

const FAILURE: &[Row] = &[
    ("action", Code(action)),
    ("onExitCodes", In(&[("", Code(exit_codes))])),
    ("onPodConditions", Most(20)),
    ("onPodConditions[]", All(CONDITION)),
    ("", Code(one_of_two)),
];

const CONDITION: &[Row] = &[
    ("type", Name(names::qualified_name)),
    ("status", Required("valid values: [\"False\" \"True\" \"Unknown\"]")),
    ("status", OneOfOrEmpty(&["False", "True", "Unknown"])),
];

/// When a job succeeds.
const SUCCESS_POLICY: &[Row] = &[
    ("rules", Required("at least one rules must be specified when the successPolicy is specified")),
    ("rules", Most(20)),
    ("rules[]", Code(success_rule)),
];

/// The policy of success in the spec of a job.
pub(super) fn success(spec: &At<'_>, out: &mut Mistakes) {
    let policy = spec.get("successPolicy");
    if spec.get("completionMode").text() == "Indexed" {
        return check(&[("", In(SUCCESS_POLICY))], &policy, out);
    }
    if policy.is_set() {
        out.push(policy.invalid_of("SuccessPolicy", "requires indexed completion mode"));
    }
}

/// The spec of the job, or of the jobs of a cron job.
fn job<'v>(at: &At<'v>) -> At<'v> {
    let template = at.root("spec.jobTemplate");
    if template.is_set() { template.get("spec") } else { at.root("spec") }
}

fn action(at: &At<'_>, out: &mut Mistakes) {
    let spec = job(at);
    if at.text() == "FailIndex" && !spec.get("backoffLimitPerIndex").is_set() {
        out.push(at.invalid("requires the backoffLimitPerIndex to be set"));
    }
    const ACTIONS: &[Row] = &[
        ("", Required("valid values: [\"Count\" \"FailIndex\" \"FailJob\" \"Ignore\"]")),
        ("", OneOfOrEmpty(&["Count", "FailIndex", "FailJob", "Ignore"])),
    ];
    check(ACTIONS, at, out);
}

fn one_of_two(at: &At<'_>, out: &mut Mistakes) {
    let why = match (at.get("onExitCodes").is_set(), !at.get("onPodConditions").is_empty()) {
        (true, true) => "specifying both OnExitCodes and OnPodConditions is not supported",
        (false, false) => "specifying one of OnExitCodes and OnPodConditions is required",
        _ => return,
    };
    out.push(at.mistake(Kind::Invalid, why));
}

const OPERATOR: &[Row] = &[
    ("operator", Required("valid values: [\"In\" \"NotIn\"]")),
    ("operator", OneOfOrEmpty(&["In", "NotIn"])),
];

fn exit_codes(at: &At<'_>, out: &mut Mistakes) {
    check(OPERATOR, at, out);
    let name = at.get("containerName");
    let spec = job(at);
    let has = |list| spec.get(list).each().any(|container| container.get("name").text() == name.text());
    if name.is_set() && !has("template.spec.containers") && !has("template.spec.initContainers") {
        let why = "must be one of the container or initContainer names in the pod template";
        out.push(name.invalid(why));
    }
    let values = at.get("values");
    out.extend(values.is_empty().then(|| values.invalid("at least one value is required")));
    check(&[("", Most(255))], &values, out);
    let mut seen = BTreeSet::new();
    for value in values.each() {
        if value.number() == 0 && at.get("operator").text() == "In" {
            out.push(value.invalid("must not be 0 for the In operator"));
        }
        out.extend((!seen.insert(value.number())).then(|| value.duplicate()));
    }
    if !values.each().map(|value| value.number()).is_sorted() {
        out.push(values.invalid("must be ordered"));
    }
}

fn success_rule(at: &At<'_>, out: &mut Mistakes) {
    let completions = job(at).get("completions").number();
    let (indexes, count) = (at.get("succeededIndexes"), at.get("succeededCount"));
    if !count.is_set() && !indexes.is_set() {
        out.push(at.required("at least one of succeededCount or succeededIndexes must be specified"));
    }
    let found = indexes.is_set().then(|| number_of_indexes(indexes.text(), completions));
    check(&[("", Longest(MOST_BYTES))], &indexes, out);
    if let Some(Err(why)) = &found {
        out.push(indexes.invalid(&format!("error parsing succeededIndexes: {why}")));
    }
    check(&[("", NotNegative)], &count, out);
    let mut at_most = |most: i64, of: &str| {
        if count.is_set() && count.number() > most {
            let why = format!("must be less than or equal to {most} (the number of {of})");
            out.push(count.invalid(&why));
        }
    };
    at_most(completions, "specified completions");
    if let Some(found) = found {
        // A list that cannot be read has no indexes.
        at_most(found.unwrap_or_default(), "indexes in the specified succeededIndexes field");
    }
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
