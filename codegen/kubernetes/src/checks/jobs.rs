//! Checks of jobs and cron jobs.

use super::at::{At, Mistakes};
use super::job_policies::{FAILURE_POLICY, success};
use super::pods::ending;
use super::rows::{Check::*, Row, check, is_new};
use super::words::http_path;
use super::workloads::check_selected;
use super::{cron, selectors};
use crate::labels;
use crate::meta;
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::value::{Map, Value};
use crdgen_core::{go, names};

/// From here on a job has many pods.
const MANY: i64 = 100_000;
/// How many pods of a job with many of them can run or fail.
const FEW: i64 = 10_000;

pub(super) const JOB: &[Row] = &[
    ("", If(is_new, &[("spec", Code(generated))])),
    ("spec", All(SPEC)),
    ("spec", Code(ending)),
    ("spec", Code(selected)),
    ("spec.completions", Code(completions)),
    ("spec.selector", FixedAs("*LabelSelector")),
    ("spec.template", Code(template_change)),
    ("spec.completionMode", Fixed),
    ("spec.podFailurePolicy", FixedAs("*PodFailurePolicy")),
    ("spec.backoffLimitPerIndex", Fixed),
    ("spec.managedBy", Fixed),
    ("spec.successPolicy", FixedAs("*SuccessPolicy")),
    ("metadata.name", Code(host_name)),
];

pub(super) const CRON_JOB: &[Row] = &[
    ("spec.schedule", Code(schedule)),
    ("spec.startingDeadlineSeconds", NotNegative),
    ("spec.timeZone", Code(zone)),
    ("spec.concurrencyPolicy", Of(&["Allow", "Forbid", "Replace"])),
    ("spec.jobTemplate.spec", All(SPEC)),
    ("spec.jobTemplate.spec", Code(ending)),
    ("spec.jobTemplate.spec.selector", Code(no_selector)),
    ("spec.jobTemplate.spec.manualSelector", Code(not_manual)),
    ("spec.successfulJobsHistoryLimit", NotNegative),
    ("spec.failedJobsHistoryLimit", NotNegative),
    ("", If(is_new, &[("metadata.name", Name(short))])),
    // Its type says this, and the server checks types last.
    ("spec.schedule", Required("")),
];

const ONLY_INDEXED: super::rows::Check = InvalidIf(|at| at.is_set(), "requires indexed completion mode");

/// The spec of a job, besides its pods.
const SPEC: &[Row] = &[
    ("parallelism", NotNegative),
    ("completions", NotNegative),
    ("activeDeadlineSeconds", NotNegative),
    ("backoffLimit", NotNegative),
    ("ttlSecondsAfterFinished", NotNegative),
    ("backoffLimitPerIndex", NotNegative),
    ("maxFailedIndexes", NotNegative),
    (
        "",
        If(
            |at| at.get("maxFailedIndexes").is_set(),
            &[("backoffLimitPerIndex", Required("when maxFailedIndexes is specified"))],
        ),
    ),
    ("managedBy", In(&[("", Code(manager))])),
    ("completionMode", OneOf(&["NonIndexed", "Indexed"])),
    (
        "",
        If(
            is_indexed,
            &[("completions", Required("when completion mode is Indexed")), ("", Code(limits_of_indexes))],
        ),
    ),
    (
        "",
        If(
            |at| matches!(at.get("completionMode").text(), "" | "NonIndexed"),
            &[("backoffLimitPerIndex", ONLY_INDEXED), ("maxFailedIndexes", ONLY_INDEXED)],
        ),
    ),
    (
        "podFailurePolicy",
        Code(|at, out| {
            if at.is_set() {
                check(FAILURE_POLICY, at, out)
            }
        }),
    ),
    ("", Code(success)),
    ("", If(|at| at.get("podFailurePolicy").is_set(), &[("podReplacementPolicy", OneOf(&["Failed"]))])),
    (
        "",
        If(
            |at| !at.get("podFailurePolicy").is_set(),
            &[("podReplacementPolicy", OneOf(&["Failed", "TerminatingOrFailed"]))],
        ),
    ),
];

fn is_indexed(spec: &At<'_>) -> bool {
    spec.get("completionMode").text() == "Indexed"
}

/// The label of the uid, which the generated selector selects.
const CONTROLLER: &str = "batch.kubernetes.io/controller-uid";

/// Clients cannot send other values of what the server generates.
fn generated(spec: &At<'_>, out: &mut Mistakes) {
    let selector = spec.get("selector");
    let (false, Some(value)) = (spec.get("manualSelector").is_true(), selector.value) else { return };
    let labels = spec.get("template.metadata.labels");
    let (uid, name) = (meta::text(spec.object, "uid"), meta::text(spec.object, "name"));
    let expected = [
        ("controller-uid", uid),
        ("job-name", name),
        (CONTROLLER, uid),
        ("batch.kubernetes.io/job-name", name),
    ];
    for (label, wanted) in expected {
        if labels.value.map_or("", |labels| labels.text(label)) != wanted {
            let at = labels.shown_as(labels.field.key(label));
            out.push(at.invalid(&format!("must be '{wanted}'")));
        }
    }
    let labels = meta::map(expected.map(|(label, value)| (label, value.into())));
    let pod = meta::map([("metadata", meta::map([("labels", labels)]))]);
    if !labels::of_labels(value).is_none_or(|selector| selector.matches(&pod)) {
        out.push(selector.invalid_of("LabelSelector", "`selector` not auto-generated"));
    }
}

/// The selector is there and right, and selects the labels of the template.
fn selected(spec: &At<'_>, out: &mut Mistakes) {
    let (selector, before) = (spec.get("selector"), out.len());
    selectors::selector(&selector, out);
    if !selector.is_set() {
        out.push(selector.required(""));
    } else if out.len() > before {
        // The server does not look at what a broken selector selects.
        return;
    }
    check_selected(&selector, &spec.get("template"), out);
}

/// Whether the template can change: the job is suspended, and none of its pods runs.
fn is_mutable(live: &Value) -> bool {
    let live = At::new(live, None);
    let conditions = live.get("status.conditions");
    let is_stopped = !live.get("status.startTime").is_set()
        || conditions
            .each()
            .any(|it| it.get("type").text() == "Suspended" && it.get("status").text() == "True");
    live.get("spec.suspend").is_true() && is_stopped && live.get("status.active").number() == 0
}

/// Suspended jobs can get other resources, and other directives of where their pods run.
fn template_change(at: &At<'_>, out: &mut Mistakes) {
    let Some(live) = at.live else { return };
    if !is_mutable(live) {
        return check(&[("", FixedAs("PodTemplateSpec"))], at, out);
    }
    let spec = |template: Option<&Value>| {
        template.and_then(|it| it.get("spec")?.as_map()).cloned().unwrap_or_default()
    };
    let (new, mut old) = (spec(at.value), spec(at.old));
    let take = |name: &str, old: &mut Map<Value>| match new.get(name) {
        Some(value) => drop(old.insert(name, value.clone())),
        None => drop(old.remove(name)),
    };
    for name in ["nodeSelector", "tolerations", "schedulingGates"] {
        take(name, &mut old);
    }
    let affinity = |spec: &Map<Value>| {
        let affinity = spec.get("affinity").and_then(Value::as_map);
        let others = affinity.into_iter().flat_map(Map::iter).filter(|(name, _)| *name != "nodeAffinity");
        others.map(|(name, value)| (name.to_owned(), value.clone())).collect::<Map<Value>>()
    };
    if affinity(&new) == affinity(&old) {
        take("affinity", &mut old);
    }
    for name in ["containers", "initContainers"] {
        take_resources(&new, &mut old, name);
    }
    if new != old {
        let shown = Value::Map(new);
        out.push(At { value: Some(&shown), ..at.get("spec") }.invalid_of("PodSpec", "field is immutable"));
    }
}

fn take_resources(new: &Map<Value>, old: &mut Map<Value>, name: &str) {
    let new = new.get(name).and_then(Value::as_list).unwrap_or_default();
    let Some(Value::List(old)) = old.get_mut(name) else { return };
    if new.len() != old.len() {
        return;
    }
    for (new, old) in new.iter().zip(old) {
        let is_same = new.text("name") == old.text("name");
        if let (true, Some(resources), Value::Map(old)) = (is_same, new.get("resources"), old) {
            old.insert("resources", resources.clone());
        }
    }
}

/// The pods of an indexed job get the name of the job with their number as their host name.
fn host_name(at: &At<'_>, out: &mut Mistakes) {
    let last = at.root("spec.completions").number() - 1;
    let host = format!("{}-{last}", at.text());
    if last >= 0 && is_indexed(&at.root("spec")) && !names::dns1123_label(&host).is_empty() {
        let why = format!("will not able to create pod with invalid DNS label: {host}");
        out.push(at.invalid_text(at.text(), &why));
    }
}

/// How many pods of an indexed job can run and fail: fewer if the job has many of them and limits each.
fn limits_of_indexes(spec: &At<'_>, out: &mut Mistakes) {
    let limit = |name: &'static str, most: i64, why: &str| {
        let at = spec.get(name);
        let is_more = at.int().is_some_and(|number| number > most);
        is_more.then(|| at.invalid(&format!("must be less than or equal to {why}")))
    };
    let (completions, failed) = (spec.get("completions").int(), spec.get("maxFailedIndexes"));
    out.extend(limit("parallelism", MANY, &format!("{MANY} when completion mode is Indexed")));
    out.extend(completions.and_then(|completions| limit("maxFailedIndexes", completions, "completions")));
    out.extend(limit("maxFailedIndexes", MANY, &MANY.to_string()));
    let is_limited = spec.get("backoffLimitPerIndex").is_set();
    if !is_limited || completions.is_none_or(|completions| completions <= MANY) {
        return;
    }
    if !failed.is_set() {
        out.push(failed.required(&format!("must be specified when completions is above {MANY}")));
    }
    let few = format!("{FEW} when completions are above {MANY} and used with backoff limit per index");
    out.extend(limit("parallelism", FEW, &few));
    out.extend(limit("maxFailedIndexes", FEW, &few));
}

/// A controller is named by its domain and a path.
fn manager(at: &At<'_>, out: &mut Mistakes) {
    match at.text().split_once('/') {
        _ if at.is_empty() => out.push(at.required("")),
        Some((host, path)) if !host.is_empty() && !path.is_empty() => {
            out.extend(names::dns1123_subdomain(host).iter().map(|why| at.invalid_text(host, why)));
            out.extend(http_path(path).iter().map(|why| at.invalid_text(path, why)));
        }
        _ => out.push(at.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")")),
    }
    check(&[("", Longest(63))], at, out);
}

fn schedule(at: &At<'_>, out: &mut Mistakes) {
    if at.is_empty() {
        return;
    }
    out.extend(cron::check(at.text()).err().map(|why| at.invalid(&why.to_string())));
    let has_zone = |text: &str| text.contains("TZ");
    let why = match (has_zone(at.old_text()), at.root("spec.timeZone").is_set()) {
        (true, true) => "cannot use both timeZone field and TZ or CRON_TZ in schedule",
        (true, false) => return,
        (false, _) => "cannot use TZ or CRON_TZ in schedule, use timeZone field instead",
    };
    out.extend(has_zone(at.text()).then(|| at.invalid(why)));
}

fn zone(at: &At<'_>, out: &mut Mistakes) {
    if at.is_set() && (at.is_new() || at.is_changed()) {
        out.extend(at.wrong_text(wrong_zone(at.text())));
    }
}

fn no_selector(at: &At<'_>, out: &mut Mistakes) {
    let why = "`selector` will be auto-generated";
    out.extend(at.is_set().then(|| at.invalid_of("LabelSelector", why)));
}

fn not_manual(at: &At<'_>, out: &mut Mistakes) {
    let why = "true: supported values: \"nil\", \"false\"";
    out.extend(at.is_true().then(|| at.mistake(Kind::NotSupported, why)));
}

/// The jobs of a cron job get a suffix.
fn short(name: &str) -> Vec<String> {
    const LONGEST: usize = 52;
    let is_long = name.len() > LONGEST;
    is_long.then(|| format!("must be no more than {LONGEST} characters")).into_iter().collect()
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
fn completions(at: &At<'_>, out: &mut Mistakes) {
    let change: Option<Mistake> = at
        .is_changed()
        .then(|| match is_indexed(&at.root("spec")) {
            false => Some(at.immutable()),
            true if at.value == at.root("spec.parallelism").value => None,
            true => Some(at.invalid("can only be modified in tandem with spec.parallelism")),
        })
        .flatten();
    out.extend(change);
}
