//! Checks of jobs.

use super::{changed, find, negative, pods};
use crate::meta::own;
use crate::status::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::value::Value;

const NUMBERS: [&str; 7] = [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
];

/// The mistakes of a job.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    let mut found: Vec<_> = NUMBERS.iter().filter_map(|name| negative(object, name)).collect();
    found.extend(mode(object));
    found.extend(pods::mistakes("Job", object));
    if let Some(live) = live {
        found.extend(completions(object, live));
        let fixed = "field is immutable";
        let mut fix = |field, path: &[&str]| found.extend(changed(field, path, fixed, object, live));
        fix("spec.selector", &["spec", "selector"]);
        // A suspended job that has never run can get other resources and another place. We do not check which fields these are.
        if !is_suspended(live) {
            fix("spec.template", &["spec", "template"]);
        }
        fix("spec.completionMode", &["spec", "completionMode"]);
        fix("spec.podFailurePolicy", &["spec", "podFailurePolicy"]);
        fix("spec.backoffLimitPerIndex", &["spec", "backoffLimitPerIndex"]);
        fix("spec.managedBy", &["spec", "managedBy"]);
        fix("spec.successPolicy", &["spec", "successPolicy"]);
    }
    found
}

fn is_suspended(object: &Value) -> bool {
    find(object, &["spec", "suspend"]).and_then(Value::as_bool) == Some(true)
}

fn is_indexed(object: &Value) -> bool {
    object.get("spec").is_some_and(|spec| own(spec, "completionMode") == "Indexed")
}

fn mode(object: &Value) -> Option<Mistake<'static>> {
    let mode = find(object, &["spec", "completionMode"]).and_then(Value::as_str)?;
    if !matches!(mode, "NonIndexed" | "Indexed") {
        let why = format!("{}: supported values: \"NonIndexed\", \"Indexed\"", go::quote(mode));
        return Some(Mistake::new("spec.completionMode", Kind::NotSupported, why));
    }
    let is_counted = find(object, &["spec", "completions"]).is_some();
    let why = "when completion mode is Indexed";
    (is_indexed(object) && !is_counted).then(|| Mistake::new("spec.completions", Kind::Required, why))
}

/// How many pods of an indexed job must succeed can change, together with how many run at once.
fn completions(object: &Value, live: &Value) -> Option<Mistake<'static>> {
    let path = ["spec", "completions"];
    if !is_indexed(object) {
        return changed("spec.completions", &path, "field is immutable", object, live);
    }
    let is_together = find(object, &path) == find(object, &["spec", "parallelism"]);
    let why = "can only be modified in tandem with spec.parallelism";
    changed("spec.completions", &path, why, object, live).filter(|_| !is_together)
}
