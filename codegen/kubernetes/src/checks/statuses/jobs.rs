//! The status of jobs. The server checks most of it only if it has changed.

use super::{Mistakes, list};
use crate::checks::find;
use crate::checks::job_policies::{number_of_indexes, overlap};
use crate::checks::words::{in_go, invalid, invalid_text, negative, required};
use crate::meta::own;
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::time::Time;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

/// A job with a status.
#[derive(Clone, Copy)]
struct Job<'j> {
    spec: &'j Value,
    status: &'j Value,
}

impl<'j> Job<'j> {
    fn of(object: &'j Value) -> Job<'j> {
        let part = |name| object.get(name).unwrap_or(&Value::Null);
        Job { spec: part("spec"), status: part("status") }
    }

    fn is(self, condition: &str) -> bool {
        self.has(condition, "True")
    }

    fn has(self, condition: &str, status: &str) -> bool {
        let mut all = list(self.status, "conditions").iter();
        all.any(|it| own(it, "type") == condition && own(it, "status") == status)
    }

    fn is_finished(self) -> bool {
        self.is("Complete") || self.is("Failed")
    }

    fn field(self, name: &str) -> Option<&'j Value> {
        find(self.status, &[name]).filter(|value| !value.is_null())
    }

    fn number(self, name: &str) -> i64 {
        self.field(name).and_then(Value::as_int).unwrap_or_default()
    }

    fn text(self, name: &str) -> Option<&'j str> {
        self.field(name).and_then(Value::as_str)
    }

    fn of_spec(self, name: &str) -> Option<&'j Value> {
        find(self.spec, &[name]).filter(|value| !value.is_null())
    }
}

fn at(name: &str) -> String {
    format!("status.{name}")
}

fn conditions(why: &str) -> Mistake<'static> {
    Mistake::new(at("conditions"), Kind::Invalid, why)
}

/// The mistakes in the status of a job.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Mistakes {
    let new = Job::of(object);
    let old = Job::of(live.unwrap_or(&Value::Null));
    let mut out = numbers(new);
    out.extend(uncounted(new));
    out.extend(times(new, old));
    out.extend(finished(new, old));
    out.extend(indexes(new, old));
    let changed = |name: &str| new.field(name) != old.field(name);
    let is_finished_anew = new.is_finished() != old.is_finished();
    if (is_finished_anew || changed("terminating")) && new.number("terminating") > 0 && new.is_finished() {
        let why = "terminating>0 is invalid for finished job";
        out.push(invalid(at("terminating"), &Value::Int(new.number("terminating")), why));
    }
    let ready = new.field("ready").filter(|_| changed("ready") || changed("active"));
    if let Some(ready) = ready.filter(|_| new.number("ready") > new.number("active")) {
        out.push(invalid(at("ready"), ready, "cannot set more ready pods than active"));
    }
    for other in ["Failed", "FailureTarget"] {
        if new.is("SuccessCriteriaMet") && new.is(other) {
            out.push(conditions(&format!("cannot set SuccessCriteriaMet=True and {other}=true conditions")));
        }
    }
    if new.of_spec("successPolicy").is_some() && new.is("Complete") && !new.is("SuccessCriteriaMet") {
        let why = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
        out.push(conditions(why));
    }
    out.extend(changes(new, old));
    out
}

fn numbers(new: Job<'_>) -> Mistakes {
    let all = ["active", "succeeded", "failed", "ready", "terminating"];
    all.iter().filter_map(|name| negative(at(name), new.field(name))).collect()
}

/// The pods that are not counted yet.
fn uncounted(new: Job<'_>) -> Mistakes {
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    let pods = new.field("uncountedTerminatedPods").unwrap_or(&Value::Null);
    for name in ["succeeded", "failed"] {
        for (i, uid) in list(pods, name).iter().filter_map(Value::as_str).enumerate() {
            let field = at(&format!("uncountedTerminatedPods.{name}[{i}]"));
            if uid.is_empty() {
                out.push(invalid_text(field, uid, "must not be empty"));
            } else if !seen.insert(uid) {
                out.push(crate::checks::words::duplicate(field, uid));
            }
        }
    }
    out
}

fn times(new: Job<'_>, old: Job<'_>) -> Mistakes {
    let mut out = Vec::new();
    let changed = |name: &str| new.field(name) != old.field(name);
    let turned = |condition: &str| new.is(condition) != old.is(condition);
    let (completed, started) = (new.text("completionTime"), new.text("startTime"));
    if (turned("Complete") || turned("Failed")) && new.is("Complete") && new.is("Failed") {
        out.push(conditions("cannot set Complete=True and Failed=true conditions"));
    }
    if (turned("Complete") || turned("FailureTarget")) && new.is("Complete") && new.is("FailureTarget") {
        out.push(conditions("cannot set Complete=True and FailureTarget=true conditions"));
    }
    if turned("Complete") || changed("completionTime") {
        match completed {
            Some(time) if !new.is("Complete") => {
                let why = "cannot set completionTime when there is no Complete=True condition";
                out.push(invalid_text(at("completionTime"), time, why));
            }
            None if new.is("Complete") => {
                out.push(required(at("completionTime"), "completionTime is required for Complete jobs"));
            }
            _ => {}
        }
    }
    let instant = |time: &str| Time::parse(time).map(|time| time.instant());
    if let (true, Some(end), Some(start)) =
        (changed("startTime") || changed("completionTime"), completed, started)
        && instant(end) < instant(start)
    {
        out.push(invalid_text(at("completionTime"), end, "must be equal to or after `startTime`"));
    }
    out
}

fn finished(new: Job<'_>, old: Job<'_>) -> Mistakes {
    let mut out = Vec::new();
    let changed = |name: &str| new.field(name) != old.field(name);
    let turned = |condition: &str| new.is(condition) != old.is(condition);
    let is_anew = new.is_finished() != old.is_finished();
    if (turned("Failed") || changed("failedIndexes")) && new.is("Failed") && !new.is("FailureTarget") {
        out.push(conditions("cannot set Failed=True condition without the FailureTarget=true condition"));
    }
    if (turned("Complete") || turned("SuccessCriteriaMet"))
        && new.is("Complete")
        && !new.is("SuccessCriteriaMet")
    {
        out.push(conditions(
            "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
        ));
    }
    if !new.is_finished() {
        return out;
    }
    if (is_anew || changed("active")) && new.number("active") > 0 {
        let why = "active>0 is invalid for finished job";
        out.push(invalid(at("active"), &Value::Int(new.number("active")), why));
    }
    let is_empty = new.of_spec("suspend") == Some(&Value::Bool(true))
        && new.of_spec("completions") == Some(&Value::Int(0));
    if (is_anew || changed("startTime")) && !is_empty && new.field("startTime").is_none() {
        out.push(required(at("startTime"), "startTime is required for finished job"));
    }
    let pods = new.field("uncountedTerminatedPods").filter(|_| is_anew || changed("uncountedTerminatedPods"));
    if let Some(pods) =
        pods.filter(|it| ["failed", "succeeded"].iter().any(|name| !list(it, name).is_empty()))
    {
        let why = format!("{}: must be empty for finished job", in_go(pods, &["succeeded", "failed"]));
        out.push(Mistake::new(at("uncountedTerminatedPods"), Kind::Invalid, why));
    }
    out
}

fn indexes(new: Job<'_>, old: Job<'_>) -> Mistakes {
    let mut out = Vec::new();
    let completions = new.of_spec("completions").and_then(Value::as_int);
    let has_limit = new.of_spec("backoffLimitPerIndex").is_some();
    let changed = |name: &str| new.field(name) != old.field(name);
    let (completed, failed) = (new.text("completedIndexes").unwrap_or_default(), new.text("failedIndexes"));
    let unreadable = |name: &str, indexes: &str| {
        let why = number_of_indexes(indexes, completions?).err()?;
        Some(invalid_text(at(name), indexes, &format!("error parsing {name}: {why}")))
    };
    if changed("completedIndexes") {
        out.extend(unreadable("completedIndexes", completed));
    }
    if let Some(failed) = failed.filter(|_| has_limit && changed("failedIndexes")) {
        out.extend(unreadable("failedIndexes", failed));
    }
    let is_indexed = new.of_spec("completionMode").and_then(Value::as_str) == Some("Indexed");
    if changed("completedIndexes") && !completed.is_empty() && !is_indexed {
        let why = "cannot set non-empty completedIndexes when non-indexed completion mode";
        out.push(invalid_text(at("completedIndexes"), completed, why));
    }
    let Some(failed) = failed else { return out };
    if changed("failedIndexes") && !has_limit {
        let why = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
        out.push(invalid_text(at("failedIndexes"), failed, why));
    }
    let both = completions.filter(|_| changed("failedIndexes") || changed("completedIndexes"));
    if let Some(index) = both.and_then(|completions| overlap(completed, failed, completions)) {
        let why = format!("failedIndexes and completedIndexes overlap at index: {index}");
        out.push(invalid_text(at("failedIndexes"), failed, &why));
    }
    out
}

/// What was so before stays so.
fn changes(new: Job<'_>, old: Job<'_>) -> Mistakes {
    let mut out = Vec::new();
    for condition in ["Failed", "Complete", "FailureTarget"] {
        if old.is(condition) && !new.is(condition) {
            out.push(conditions(&format!("cannot disable the terminal {condition}=True condition")));
        }
    }
    let is_scaled = new.of_spec("completionMode").and_then(Value::as_str) == Some("Indexed")
        && new.of_spec("completions") == new.of_spec("parallelism");
    for (name, counts) in [("failed", true), ("succeeded", !is_scaled)] {
        if counts && new.number(name) < old.number(name) {
            let why = format!("cannot decrease the {name} counter");
            out.push(invalid(at(name), &Value::Int(new.number(name)), &why));
        }
    }
    let (was, is) = (old.text("completionTime"), new.text("completionTime"));
    if let Some(time) = is.filter(|_| was.is_some() && was != is) {
        out.push(invalid_text(at("completionTime"), time, "field is immutable"));
    }
    let goes_on = old.has("Suspended", "True") && new.has("Suspended", "False");
    let is_suspended = new.of_spec("suspend") == Some(&Value::Bool(true));
    let (was, is) = (old.field("startTime"), new.field("startTime"));
    if was.is_some() && was != is && !goes_on && !is_suspended {
        let shown = is.unwrap_or(&Value::Null);
        out.push(invalid(at("startTime"), shown, "field is immutable for unsuspended job once set"));
    }
    if old.is("SuccessCriteriaMet") && !new.is("SuccessCriteriaMet") {
        out.push(conditions("cannot disable the SuccessCriteriaMet=True condition"));
    }
    if old.is("Complete") && !old.is("SuccessCriteriaMet") && new.is("SuccessCriteriaMet") {
        let why = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
        out.push(conditions(why));
    }
    out
}
