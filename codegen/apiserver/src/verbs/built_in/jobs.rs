//! Checks of jobs.

use super::words::{invalid, invalid_text, negative, required, unsupported};
use super::{changed, cron, find, job_policies, pods};
use crate::meta::{self, own};
use crate::select;
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

const MOST_PARALLEL: i64 = 100_000;

/// The mistakes of a job.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    let nothing = Value::Null;
    let mut found = of_spec(object.get("spec").unwrap_or(&nothing), "spec");
    found.extend(pods::mistakes("Job", object));
    let is_manual = find(object, &["spec", "manualSelector"]).and_then(Value::as_bool) == Some(true);
    if live.is_none() && is_manual {
        found.extend(of_selector(object));
    }
    if let Some(live) = live {
        found.extend(of_selector(object));
        found.extend(completions(object, live));
        let fixed = "field is immutable";
        let mut fix = |field, path: &[&str]| found.extend(changed(field, path, fixed, object, live));
        fix("spec.selector", &["spec", "selector"]);
        if !is_suspended(live) || is_other_template(object, live) {
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

/// The labels of the template must be selected. New jobs get both from the server.
fn of_selector(object: &Value) -> Vec<Mistake<'static>> {
    let selector = find(object, &["spec", "selector"]).filter(|selector| !selector.is_null());
    let template = find(object, &["spec", "template"]).unwrap_or(&Value::Null);
    let is_selected = selector.is_some_and(|selector| {
        select::of_labels(selector).is_none_or(|selector| selector.matches(template))
    });
    let mut out = Vec::new();
    if selector.is_none() {
        out.push(required("spec.selector".to_owned(), ""));
    }
    if !is_selected {
        let labels = find(template, &["metadata", "labels"]).unwrap_or(&Value::Null);
        let field = "spec.template.metadata.labels".to_owned();
        out.push(invalid(field, labels, "`selector` does not match template `labels`"));
    }
    out
}

fn is_suspended(object: &Value) -> bool {
    find(object, &["spec", "suspend"]).and_then(Value::as_bool) == Some(true)
}

/// Whether a template has changes besides those that a suspended job can get: other resources, and another place.
fn is_other_template(object: &Value, live: &Value) -> bool {
    let kept = |object: &Value| {
        let mut template = find(object, &["spec", "template"]).cloned().unwrap_or_default();
        let Value::Map(map) = &mut template else { return template };
        for name in ["labels", "annotations"] {
            map.get_mut("metadata").and_then(Value::as_map_mut).map(|map| map.remove(name));
        }
        let Some(Value::Map(spec)) = map.get_mut("spec") else { return template };
        for name in ["affinity", "nodeSelector", "tolerations", "schedulingGates"] {
            spec.remove(name);
        }
        for name in ["containers", "initContainers"] {
            let Some(Value::List(containers)) = spec.get_mut(name) else { continue };
            containers.iter_mut().filter_map(Value::as_map_mut).for_each(|it| drop(it.remove("resources")));
        }
        template
    };
    kept(object) != kept(live)
}

fn is_indexed(object: &Value) -> bool {
    object.get("spec").is_some_and(|spec| own(spec, "completionMode") == "Indexed")
}

/// The mistakes in the spec of a job, besides those of its pods.
fn of_spec(spec: &Value, at: &str) -> Vec<Mistake<'static>> {
    let field = |name: &str| format!("{at}.{name}");
    let mut out: Vec<_> =
        NUMBERS.iter().filter_map(|name| negative(field(name), find(spec, &[name]))).collect();
    let manager = find(spec, &["managedBy"]).and_then(Value::as_str);
    if let Some(manager) = manager.filter(|manager| !manager.contains('/')) {
        let why = "must be a domain-prefixed path (such as \"acme.io/foo\")";
        out.push(invalid_text(field("managedBy"), manager, why));
    }
    let mode = find(spec, &["completionMode"]).and_then(Value::as_str);
    let is_indexed = mode == Some("Indexed");
    if let Some(mode) = mode.filter(|mode| !matches!(*mode, "NonIndexed" | "Indexed")) {
        out.push(unsupported(field("completionMode"), mode, &["NonIndexed", "Indexed"]));
    }
    if is_indexed && find(spec, &["completions"]).is_none() {
        out.push(required(field("completions"), "when completion mode is Indexed"));
    }
    let parallel = find(spec, &["parallelism"]);
    if let Some(parallel) =
        parallel.filter(|it| is_indexed && it.as_int().is_some_and(|it| it > MOST_PARALLEL))
    {
        let why = format!("must be less than or equal to {MOST_PARALLEL} when completion mode is Indexed");
        out.push(invalid(field("parallelism"), parallel, &why));
    }
    let (backoff, failed) = (find(spec, &["backoffLimitPerIndex"]), find(spec, &["maxFailedIndexes"]));
    for (name, value) in [("backoffLimitPerIndex", backoff), ("maxFailedIndexes", failed)] {
        if let Some(value) = value.filter(|_| matches!(mode, None | Some("NonIndexed"))) {
            out.push(invalid(field(name), value, "requires indexed completion mode"));
        }
    }
    if is_indexed && failed.is_some() && backoff.is_none() {
        out.push(required(field("backoffLimitPerIndex"), "when maxFailedIndexes is specified"));
    }
    out.extend(job_policies::mistakes(spec, at));
    let replacement = find(spec, &["podReplacementPolicy"]).and_then(Value::as_str);
    let replacements: &[&str] = match find(spec, &["podFailurePolicy"]).is_some_and(|it| !it.is_null()) {
        true => &["Failed"],
        false => &["Failed", "TerminatingOrFailed"],
    };
    if let Some(policy) = replacement.filter(|policy| !replacements.contains(policy)) {
        out.push(unsupported(field("podReplacementPolicy"), policy, replacements));
    }
    out
}

/// The longest name of a cron job: its jobs get a suffix.
const LONGEST_NAME: usize = 52;

/// The mistakes of a cron job.
pub(super) fn of_cron_job(object: &Value) -> Vec<Mistake<'static>> {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let field = |name: &str| format!("spec.{name}");
    let mut out = Vec::new();
    let name = meta::text(object, "name");
    if name.len() > LONGEST_NAME {
        let why = format!("must be no more than {LONGEST_NAME} characters");
        out.push(invalid_text("metadata.name".to_owned(), name, &why));
    }
    let schedule = own(spec, "schedule");
    match schedule {
        // Its type says that it is required, and the server checks types last.
        "" => {}
        text if text.contains("TZ") => {
            let why = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
            out.push(invalid_text(field("schedule"), text, why));
        }
        text => out.extend(cron::mistake(text).map(|why| invalid_text(field("schedule"), text, &why))),
    }
    let number = |name: &str| negative(field(name), find(spec, &[name]));
    out.extend(number("startingDeadlineSeconds"));
    let zone = find(spec, &["timeZone"]).and_then(Value::as_str);
    out.extend(zone.and_then(wrong_zone).map(|(zone, why)| invalid_text(field("timeZone"), zone, &why)));
    let policies = ["Allow", "Forbid", "Replace"];
    let policy = own(spec, "concurrencyPolicy");
    if !policies.contains(&policy) {
        out.push(unsupported(field("concurrencyPolicy"), policy, &policies));
    }
    let job = find(spec, &["jobTemplate", "spec"]).unwrap_or(&nothing);
    out.extend(of_spec(job, "spec.jobTemplate.spec"));
    out.extend(pods::mistakes("CronJob", object));
    if find(job, &["manualSelector"]).and_then(Value::as_bool) == Some(true) {
        let why = "true: supported values: \"nil\", \"false\"";
        out.push(Mistake::new("spec.jobTemplate.spec.manualSelector", Kind::NotSupported, why));
    }
    out.extend(number("successfulJobsHistoryLimit"));
    out.extend(number("failedJobsHistoryLimit"));
    if schedule.is_empty() {
        out.push(required(field("schedule"), ""));
    }
    out
}

/// The time zone and what is wrong with it.
fn wrong_zone(zone: &str) -> Option<(&str, String)> {
    let why = if zone.is_empty() {
        "timeZone must be nil or non-empty string".to_owned()
    } else if zone.eq_ignore_ascii_case("local") {
        "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones".to_owned()
    } else {
        go::zones::offset(zone, 0).err()?.to_string()
    };
    Some((zone, why))
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
