//! The status of jobs. The server checks most of it only if it has changed.

use super::at::{At, Mistakes};
use super::job_policies::{number_of_indexes, overlap};
use super::rows::{Check::*, Row};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::time::Time;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

pub(super) const STATUS: &[Row] = &[
    ("status.active", NotNegative),
    ("status.succeeded", NotNegative),
    ("status.failed", NotNegative),
    ("status.ready", NotNegative),
    ("status.terminating", NotNegative),
    ("status", Code(uncounted)),
    ("", Code(|at, out| mistakes(&Job::of(at), out))),
];

/// A job with a status, and its state before.
struct Job<'j> {
    spec: At<'j>,
    status: At<'j>,
    old: At<'j>,
}

/// Whether a status has a condition.
fn has(status: &At<'_>, condition: &str, wanted: &str) -> bool {
    status
        .get("conditions")
        .each()
        .any(|it| it.get("type").text() == condition && it.get("status").text() == wanted)
}

fn is_finished(status: &At<'_>) -> bool {
    has(status, "Complete", "True") || has(status, "Failed", "True")
}

impl<'j> Job<'j> {
    fn of(at: &At<'j>) -> Job<'j> {
        let old = At::new(at.live.unwrap_or(&Value::Null), None).get("status");
        Job { spec: at.get("spec"), status: at.get("status"), old }
    }

    fn is(&self, condition: &str) -> bool {
        has(&self.status, condition, "True")
    }

    fn was(&self, condition: &str) -> bool {
        has(&self.old, condition, "True")
    }

    /// Whether a condition was not so before.
    fn turned(&self, condition: &str) -> bool {
        self.is(condition) != self.was(condition)
    }

    fn changed(&self, name: &'static str) -> bool {
        self.status.get(name).value != self.old.get(name).value
    }

    fn is_finished_anew(&self) -> bool {
        is_finished(&self.status) != is_finished(&self.old)
    }

    fn conditions(&self, why: &str) -> Mistake {
        self.status.get("conditions").mistake(Kind::Invalid, why)
    }

    fn is_indexed(&self) -> bool {
        self.spec.get("completionMode").text() == "Indexed"
    }
}

fn mistakes(job: &Job<'_>, out: &mut Mistakes) {
    times(job, out);
    finished(job, out);
    indexes(job, out);
    let (status, is_anew) = (&job.status, job.is_finished_anew());
    let (ready, ending) = (status.get("ready"), status.get("terminating"));
    if (is_anew || job.changed("terminating")) && ending.number() > 0 && is_finished(status) {
        out.push(ending.invalid("terminating>0 is invalid for finished job"));
    }
    if (job.changed("ready") || job.changed("active")) && ready.number() > status.get("active").number() {
        out.extend(ready.is_set().then(|| ready.invalid("cannot set more ready pods than active")));
    }
    for other in ["Failed", "FailureTarget"] {
        if job.is("SuccessCriteriaMet") && job.is(other) {
            out.push(
                job.conditions(&format!("cannot set SuccessCriteriaMet=True and {other}=true conditions")),
            );
        }
    }
    if job.spec.get("successPolicy").is_set() && job.is("Complete") && !job.is("SuccessCriteriaMet") {
        let why = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
        out.push(job.conditions(why));
    }
    changes(job, out);
}

/// The pods that are not counted yet.
fn uncounted(status: &At<'_>, out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    for list in ["uncountedTerminatedPods.succeeded", "uncountedTerminatedPods.failed"] {
        for uid in status.get(list).each() {
            if uid.is_empty() {
                out.push(uid.invalid("must not be empty"));
            } else if !seen.insert(uid.text()) {
                out.push(uid.duplicate());
            }
        }
    }
}

fn times(job: &Job<'_>, out: &mut Mistakes) {
    let (completed, started) = (job.status.get("completionTime"), job.status.get("startTime"));
    for (other, shown) in [("Failed", "Failed=true"), ("FailureTarget", "FailureTarget=true")] {
        if (job.turned("Complete") || job.turned(other)) && job.is("Complete") && job.is(other) {
            out.push(job.conditions(&format!("cannot set Complete=True and {shown} conditions")));
        }
    }
    if job.turned("Complete") || job.changed("completionTime") {
        match (completed.is_set(), job.is("Complete")) {
            (true, false) => {
                let why = "cannot set completionTime when there is no Complete=True condition";
                out.push(completed.invalid(why));
            }
            (false, true) => {
                out.push(completed.required("completionTime is required for Complete jobs"));
            }
            _ => {}
        }
    }
    let instant = |time: &At<'_>| Time::parse(time.text()).map(|time| time.instant());
    let is_changed = job.changed("startTime") || job.changed("completionTime");
    if is_changed && completed.is_set() && started.is_set() && instant(&completed) < instant(&started) {
        out.push(completed.invalid("must be equal to or after `startTime`"));
    }
}

fn finished(job: &Job<'_>, out: &mut Mistakes) {
    let (status, is_anew) = (&job.status, job.is_finished_anew());
    if (job.turned("Failed") || job.changed("failedIndexes")) && job.is("Failed") && !job.is("FailureTarget")
    {
        out.push(job.conditions("cannot set Failed=True condition without the FailureTarget=true condition"));
    }
    if (job.turned("Complete") || job.turned("SuccessCriteriaMet"))
        && job.is("Complete")
        && !job.is("SuccessCriteriaMet")
    {
        let why = "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
        out.push(job.conditions(why));
    }
    if !is_finished(status) {
        return;
    }
    let (active, started, pods) =
        (status.get("active"), status.get("startTime"), status.get("uncountedTerminatedPods"));
    if (is_anew || job.changed("active")) && active.number() > 0 {
        out.push(active.invalid("active>0 is invalid for finished job"));
    }
    let is_empty = job.spec.get("suspend").is_true() && job.spec.get("completions").int() == Some(0);
    if (is_anew || job.changed("startTime")) && !is_empty && !started.is_set() {
        out.push(started.required("startTime is required for finished job"));
    }
    let has_pods = !pods.get("failed").is_empty() || !pods.get("succeeded").is_empty();
    if (is_anew || job.changed("uncountedTerminatedPods")) && has_pods {
        out.push(pods.invalid_of("UncountedTerminatedPods", "must be empty for finished job"));
    }
}

fn indexes(job: &Job<'_>, out: &mut Mistakes) {
    let (completions, has_limit) =
        (job.spec.get("completions").int(), job.spec.get("backoffLimitPerIndex").is_set());
    let (completed, failed) = (job.status.get("completedIndexes"), job.status.get("failedIndexes"));
    let unreadable = |name: &str, at: &At<'_>| {
        let why = number_of_indexes(at.text(), completions?).err()?;
        Some(at.invalid_text(at.text(), &format!("error parsing {name}: {why}")))
    };
    if job.changed("completedIndexes") {
        out.extend(unreadable("completedIndexes", &completed));
    }
    if failed.is_set() && has_limit && job.changed("failedIndexes") {
        out.extend(unreadable("failedIndexes", &failed));
    }
    if job.changed("completedIndexes") && !completed.is_empty() && !job.is_indexed() {
        out.push(completed.invalid("cannot set non-empty completedIndexes when non-indexed completion mode"));
    }
    if !failed.is_set() {
        return;
    }
    if job.changed("failedIndexes") && !has_limit {
        out.push(failed.invalid("cannot set non-null failedIndexes when backoffLimitPerIndex is null"));
    }
    let both = completions.filter(|_| job.changed("failedIndexes") || job.changed("completedIndexes"));
    if let Some(index) = both.and_then(|completions| overlap(completed.text(), failed.text(), completions)) {
        out.push(failed.invalid(&format!("failedIndexes and completedIndexes overlap at index: {index}")));
    }
}

/// What was so before stays so.
fn changes(job: &Job<'_>, out: &mut Mistakes) {
    for condition in ["Failed", "Complete", "FailureTarget"] {
        if job.was(condition) && !job.is(condition) {
            out.push(job.conditions(&format!("cannot disable the terminal {condition}=True condition")));
        }
    }
    let spec = &job.spec;
    let is_scaled = job.is_indexed() && spec.get("completions").value == spec.get("parallelism").value;
    for (name, counts) in [("failed", true), ("succeeded", !is_scaled)] {
        let number = job.status.get(name);
        if counts && number.number() < job.old.get(name).number() {
            out.push(
                number
                    .invalid_as(&number.number().to_string(), &format!("cannot decrease the {name} counter")),
            );
        }
    }
    let completed = job.status.get("completionTime");
    if completed.is_set() && job.old.get("completionTime").is_set() && job.changed("completionTime") {
        out.push(completed.immutable());
    }
    let goes_on = has(&job.old, "Suspended", "True") && has(&job.status, "Suspended", "False");
    if job.old.get("startTime").is_set()
        && job.changed("startTime")
        && !goes_on
        && !spec.get("suspend").is_true()
    {
        let started = job.status.get("startTime");
        out.push(started.invalid("field is immutable for unsuspended job once set"));
    }
    if job.was("SuccessCriteriaMet") && !job.is("SuccessCriteriaMet") {
        out.push(job.conditions("cannot disable the SuccessCriteriaMet=True condition"));
    }
    if job.was("Complete") && !job.was("SuccessCriteriaMet") && job.is("SuccessCriteriaMet") {
        let why = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
        out.push(job.conditions(why));
    }
}
