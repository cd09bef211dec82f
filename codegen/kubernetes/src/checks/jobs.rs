//! Checks of jobs.

use super::words::{invalid, invalid_text, negative, required, unsupported};
use super::{changed, cron, find, job_policies, pods, selectors, words};
use crate::labels;
use crate::meta::{self, own};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::{Map, Value};
use crdgen_core::{go, names};

const NUMBERS: [&str; 7] = [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
];

/// From here on a job has many pods.
const MANY: i64 = 100_000;
/// How many pods of a job with many of them can run or fail.
const FEW: i64 = 10_000;

/// The mistakes of a job.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    let nothing = Value::Null;
    let mut found = Vec::new();
    if live.is_none() {
        found.extend(of_generated(object));
    }
    found.extend(of_spec(object.get("spec").unwrap_or(&nothing), "spec"));
    found.extend(pods::mistakes("Job", object));
    found.extend(of_selector(object));
    if let Some(live) = live {
        found.extend(completions(object, live));
        let fixed = "field is immutable";
        let fix = |field, path: &[&str]| changed(field, path, fixed, object, live);
        found.extend(fix("spec.selector", &["spec", "selector"]));
        found.extend(template_change(object, live));
        found.extend(fix("spec.completionMode", &["spec", "completionMode"]));
        found.extend(fix("spec.podFailurePolicy", &["spec", "podFailurePolicy"]));
        found.extend(fix("spec.backoffLimitPerIndex", &["spec", "backoffLimitPerIndex"]));
        found.extend(fix("spec.managedBy", &["spec", "managedBy"]));
        found.extend(fix("spec.successPolicy", &["spec", "successPolicy"]));
    }
    found.extend(host_name(object));
    found
}

/// The label of the uid, which the generated selector selects.
const CONTROLLER: &str = "batch.kubernetes.io/controller-uid";

/// Clients cannot send other values of what the server generates.
fn of_generated(object: &Value) -> Vec<Mistake<'static>> {
    let selector = find(object, &["spec", "selector"]).filter(|it| !it.is_null());
    let (false, Some(selector)) = (is_manual(object), selector) else { return Vec::new() };
    let labels = find(object, &["spec", "template", "metadata", "labels"]).unwrap_or(&Value::Null);
    let (uid, name) = (meta::text(object, "uid"), meta::text(object, "name"));
    let expected = [
        ("controller-uid", uid),
        ("job-name", name),
        (CONTROLLER, uid),
        ("batch.kubernetes.io/job-name", name),
    ];
    let is_other = |(label, value): &(&str, &str)| own(labels, label) != *value;
    let mut out: Vec<_> = expected
        .into_iter()
        .filter(is_other)
        .map(|(label, value)| {
            let field = format!("spec.template.metadata.labels[{label}]");
            invalid(field, labels, &format!("must be '{value}'"))
        })
        .collect();
    let labels = meta::map(expected.map(|(label, value)| (label, value.into())));
    let pod = meta::map([("metadata", meta::map([("labels", labels)]))]);
    if !labels::of_labels(selector).is_none_or(|selector| selector.matches(&pod)) {
        let why = format!("{}: `selector` not auto-generated", selectors::shown(selector));
        out.push(Mistake::new("spec.selector", Kind::Invalid, why));
    }
    out
}

/// The selector is there and right, and selects the labels of the template.
fn of_selector(object: &Value) -> Vec<Mistake<'static>> {
    let selector = find(object, &["spec", "selector"]).filter(|selector| !selector.is_null());
    let template = find(object, &["spec", "template"]).unwrap_or(&Value::Null);
    let mut out = selectors::mistakes(selector, "spec.selector");
    let is_selected = match selector {
        None => {
            out.push(required("spec.selector".to_owned(), ""));
            false
        }
        // The server does not look at what a broken selector selects.
        Some(_) if !out.is_empty() => true,
        Some(selector) => labels::of_labels(selector).is_none_or(|selector| selector.matches(template)),
    };
    if !is_selected {
        let labels = find(template, &["metadata", "labels"]).unwrap_or(&Value::Null);
        let field = "spec.template.metadata.labels".to_owned();
        out.push(invalid(field, labels, "`selector` does not match template `labels`"));
    }
    out
}

fn is_manual(object: &Value) -> bool {
    find(object, &["spec", "manualSelector"]).and_then(Value::as_bool) == Some(true)
}

/// Whether the template can change: the job is suspended, and none of its pods runs.
fn is_mutable(live: &Value) -> bool {
    let status = live.get("status").unwrap_or(&Value::Null);
    let is_stopped = status.get("startTime").is_none_or(Value::is_null)
        || status.get("conditions").and_then(Value::as_list).is_some_and(|conditions| {
            conditions.iter().any(|it| own(it, "type") == "Suspended" && own(it, "status") == "True")
        });
    let active = status.get("active").and_then(Value::as_int).unwrap_or_default();
    is_suspended(live) && is_stopped && active == 0
}

fn is_suspended(object: &Value) -> bool {
    find(object, &["spec", "suspend"]).and_then(Value::as_bool) == Some(true)
}

/// Suspended jobs can get other resources, and other directives of where their pods run.
fn template_change(object: &Value, live: &Value) -> Option<Mistake<'static>> {
    let path = ["spec", "template"];
    if !is_mutable(live) {
        return changed("spec.template", &path, "field is immutable", object, live);
    }
    let template = |object: &Value| {
        let spec = find(object, &["spec", "template", "spec"]);
        spec.and_then(Value::as_map).cloned().unwrap_or_default()
    };
    let (new, mut old) = (template(object), template(live));
    for name in ["nodeSelector", "tolerations", "schedulingGates"] {
        match new.get(name) {
            Some(value) => drop(old.insert(name, value.clone())),
            None => drop(old.remove(name)),
        }
    }
    let affinity = |spec: &Map<Value>| {
        let affinity = spec.get("affinity").and_then(Value::as_map);
        let others = affinity.into_iter().flat_map(Map::iter).filter(|(name, _)| *name != "nodeAffinity");
        others.map(|(name, value)| (name.to_owned(), value.clone())).collect::<Map<Value>>()
    };
    if affinity(&new) == affinity(&old) {
        match new.get("affinity") {
            Some(value) => drop(old.insert("affinity", value.clone())),
            None => drop(old.remove("affinity")),
        }
    }
    for name in ["containers", "initContainers"] {
        take_resources(&new, &mut old, name);
    }
    let shown = Value::Map(new.clone());
    (new != old).then(|| invalid("spec.template.spec".to_owned(), &shown, "field is immutable"))
}

fn take_resources(new: &Map<Value>, old: &mut Map<Value>, name: &str) {
    let new = new.get(name).and_then(Value::as_list).unwrap_or_default();
    let Some(Value::List(old)) = old.get_mut(name) else { return };
    if new.len() != old.len() {
        return;
    }
    for (new, old) in new.iter().zip(old) {
        let is_same = own(new, "name") == own(old, "name");
        if let (true, Some(resources), Value::Map(old)) = (is_same, new.get("resources"), old) {
            old.insert("resources", resources.clone());
        }
    }
}

/// The pods of an indexed job get the name of the job with their number as their host name.
fn host_name(object: &Value) -> Option<Mistake<'static>> {
    let last = find(object, &["spec", "completions"]).and_then(Value::as_int).filter(|it| *it > 0)? - 1;
    let name = meta::text(object, "name");
    let host = format!("{name}-{last}");
    let is_wrong = is_indexed(object) && !names::dns1123_label(&host).is_empty();
    let why = format!("will not able to create pod with invalid DNS label: {host}");
    is_wrong.then(|| invalid_text("metadata.name".to_owned(), name, &why))
}

fn is_indexed(object: &Value) -> bool {
    object.get("spec").is_some_and(|spec| own(spec, "completionMode") == "Indexed")
}

/// The mistakes in the spec of a job, besides those of its pods.
fn of_spec(spec: &Value, at: &str) -> Vec<Mistake<'static>> {
    let field = |name: &str| format!("{at}.{name}");
    let mut out: Vec<_> =
        NUMBERS.iter().filter_map(|name| negative(field(name), find(spec, &[name]))).collect();
    let (backoff, failed) = (find(spec, &["backoffLimitPerIndex"]), find(spec, &["maxFailedIndexes"]));
    if failed.is_some() && backoff.is_none() {
        out.push(required(field("backoffLimitPerIndex"), "when maxFailedIndexes is specified"));
    }
    if let Some(manager) = find(spec, &["managedBy"]).and_then(Value::as_str) {
        out.extend(of_manager(field("managedBy"), manager));
    }
    let mode = find(spec, &["completionMode"]).and_then(Value::as_str);
    let is_indexed = mode == Some("Indexed");
    if let Some(mode) = mode.filter(|mode| !matches!(*mode, "NonIndexed" | "Indexed")) {
        out.push(unsupported(field("completionMode"), mode, &["NonIndexed", "Indexed"]));
    }
    if is_indexed && find(spec, &["completions"]).is_none() {
        out.push(required(field("completions"), "when completion mode is Indexed"));
    }
    if is_indexed {
        out.extend(limits_of_indexes(spec, at));
    }
    for (name, value) in [("backoffLimitPerIndex", backoff), ("maxFailedIndexes", failed)] {
        if let Some(value) = value.filter(|_| matches!(mode, None | Some("NonIndexed"))) {
            out.push(invalid(field(name), value, "requires indexed completion mode"));
        }
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

/// How many pods of an indexed job can run and fail: fewer if the job has many of them and limits each.
fn limits_of_indexes(spec: &Value, at: &str) -> Vec<Mistake<'static>> {
    let number = |name: &str| find(spec, &[name]).and_then(Value::as_int);
    let limit = |name: &str, most: i64, why: &str| {
        let number = number(name).filter(|number| *number > most)?;
        Some(invalid(
            format!("{at}.{name}"),
            &Value::Int(number),
            &format!("must be less than or equal to {why}"),
        ))
    };
    let mut out = Vec::new();
    let completions = number("completions");
    out.extend(limit("parallelism", MANY, &format!("{MANY} when completion mode is Indexed")));
    out.extend(completions.and_then(|completions| limit("maxFailedIndexes", completions, "completions")));
    out.extend(limit("maxFailedIndexes", MANY, &MANY.to_string()));
    let is_limited = number("backoffLimitPerIndex").is_some();
    if !is_limited || completions.is_none_or(|completions| completions <= MANY) {
        return out;
    }
    if number("maxFailedIndexes").is_none() {
        let why = format!("must be specified when completions is above {MANY}");
        out.push(required(format!("{at}.maxFailedIndexes"), &why));
    }
    let few = format!("{FEW} when completions are above {MANY} and used with backoff limit per index");
    out.extend(limit("parallelism", FEW, &few));
    out.extend(limit("maxFailedIndexes", FEW, &few));
    out
}

const LONGEST_MANAGER: usize = 63;

/// A controller is named by its domain and a path.
fn of_manager(field: String, manager: &str) -> Vec<Mistake<'static>> {
    let mut out = Vec::new();
    match manager.split_once('/') {
        _ if manager.is_empty() => out.push(required(field.clone(), "")),
        Some((host, path)) if !host.is_empty() && !path.is_empty() => {
            let wrong = names::dns1123_subdomain(host);
            out.extend(wrong.iter().map(|why| invalid_text(field.clone(), host, why)));
            out.extend(words::http_path(field.clone(), path));
        }
        _ => {
            let why = "must be a domain-prefixed path (such as \"acme.io/foo\")";
            out.push(invalid_text(field.clone(), manager, why));
        }
    }
    if manager.len() > LONGEST_MANAGER {
        let why = format!("may not be more than {LONGEST_MANAGER} bytes");
        out.push(Mistake::new(field, Kind::TooLong, why));
    }
    out
}

/// The longest name of a cron job: its jobs get a suffix.
const LONGEST_NAME: usize = 52;

/// The mistakes of a cron job.
pub(super) fn of_cron_job(object: &Value, live: Option<&Value>) -> Vec<Mistake<'static>> {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let field = |name: &str| format!("spec.{name}");
    let mut out = Vec::new();
    let before = |name: &str| live.and_then(|live| find(live, &["spec", name])).and_then(Value::as_str);
    let schedule = own(spec, "schedule");
    let has_zone = |text: &str| text.contains("TZ");
    let zone_in = |text: &str| {
        let is_old = before("schedule").is_some_and(has_zone);
        let why = match (is_old, spec.get("timeZone").is_some_and(|zone| !zone.is_null())) {
            (true, true) => "cannot use both timeZone field and TZ or CRON_TZ in schedule",
            (true, false) => return None,
            (false, _) => "cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
        };
        has_zone(text).then_some(why)
    };
    match schedule {
        // Its type says that it is required, and the server checks types last.
        "" => {}
        text => {
            let bad = cron::check(text).err();
            out.extend(bad.map(|why| invalid_text(field("schedule"), text, &why.to_string())));
            out.extend(zone_in(text).map(|why| invalid_text(field("schedule"), text, why)));
        }
    }
    let number = |name: &str| negative(field(name), find(spec, &[name]));
    out.extend(number("startingDeadlineSeconds"));
    let zone =
        find(spec, &["timeZone"]).and_then(Value::as_str).filter(|zone| before("timeZone") != Some(*zone));
    if let Some(zone) = zone {
        out.extend(wrong_zone(zone).iter().map(|why| invalid_text(field("timeZone"), zone, why)));
    }
    let policies = ["Allow", "Forbid", "Replace"];
    let policy = own(spec, "concurrencyPolicy");
    if !policies.contains(&policy) {
        out.push(unsupported(field("concurrencyPolicy"), policy, &policies));
    }
    let job = find(spec, &["jobTemplate", "spec"]).unwrap_or(&nothing);
    out.extend(of_spec(job, "spec.jobTemplate.spec"));
    out.extend(pods::mistakes("CronJob", object));
    if let Some(selector) = job.get("selector").filter(|it| !it.is_null()) {
        let why = format!("{}: `selector` will be auto-generated", selectors::shown(selector));
        out.push(Mistake::new("spec.jobTemplate.spec.selector", Kind::Invalid, why));
    }
    if find(job, &["manualSelector"]).and_then(Value::as_bool) == Some(true) {
        let why = "true: supported values: \"nil\", \"false\"";
        out.push(Mistake::new("spec.jobTemplate.spec.manualSelector", Kind::NotSupported, why));
    }
    out.extend(number("successfulJobsHistoryLimit"));
    out.extend(number("failedJobsHistoryLimit"));
    let name = meta::text(object, "name");
    if live.is_none() && name.len() > LONGEST_NAME {
        let why = format!("must be no more than {LONGEST_NAME} characters");
        out.push(invalid_text("metadata.name".to_owned(), name, &why));
    }
    if schedule.is_empty() {
        out.push(required(field("schedule"), ""));
    }
    out
}

/// The longest part of the name of a time zone.
const LONGEST_PART: usize = 14;

/// What is wrong with a time zone.
fn wrong_zone(zone: &str) -> Vec<String> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b".-_+".contains(&byte);
    let is_right = |part: &str| {
        (1..=LONGEST_PART).contains(&part.len())
            && !matches!(part, "." | "..")
            && !part.starts_with('-')
            && part.bytes().all(is_part)
    };
    if zone.is_empty() {
        return vec!["timeZone must be nil or non-empty string".to_owned()];
    }
    if !zone.split('/').all(is_right) {
        return vec![format!("unknown time zone {zone}")];
    }
    let local = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    let is_local = zone.eq_ignore_ascii_case("local").then(|| local.to_owned());
    is_local.into_iter().chain(go::zones::offset(zone, 0).err().map(|why| why.to_string())).collect()
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
