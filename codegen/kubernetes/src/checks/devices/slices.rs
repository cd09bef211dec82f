//! Checks of the devices that drivers publish.

use super::amounts::POLICY;
use super::{BINDING, DRIVER, EFFECT, LABEL, POOL, Rule, TAINT, qualified};
use crate::checks::at::{At, Mistakes};
use crate::checks::pods::NODE_SELECTOR;
use crate::checks::rows::{Check, Check::*, Row, check, twice};
use crate::checks::words::declared_label;
use crdgen_core::diag::Kind;
use crdgen_core::go;
use crdgen_core::names;
use crdgen_core::value::Value;

pub(in crate::checks) const SLICE: &[Row] = &[
    ("spec.driver", DRIVER),
    ("spec.pool.name", POOL),
    ("spec.pool.resourceSliceCount", ZeroOrBetween(1, i64::MAX, "must be greater than zero")),
    ("spec.pool.generation", ZeroOrBetween(0, i64::MAX, "must be greater than or equal to zero")),
    ("spec.pool.name", Fixed),
    ("spec.driver", Fixed),
    ("spec.nodeName", Fixed),
    ("spec", Code(nodes)),
    ("spec.devices", UpTo(usize::MAX, &[("", Code(devices))])),
    (
        "spec.sharedCounters",
        UpTo(
            8,
            &[
                ("", Declared(&[("", UniqueBy(&["name"], "io.k8s.api.resource.v1.CounterSet"))])),
                ("[]", All(&[("name", SET), ("counters", COUNTERS)])),
            ],
        ),
    ),
];

pub(in crate::checks) const WARNINGS: &[Row] = &[("spec.driver", Code(small))];

const DEVICE: &[Row] = &[
    ("name", LABEL),
    ("", Code(sizes)),
    ("attributes", Code(attributes)),
    ("", Code(capacity)),
    ("", Code(taints)),
    (
        "consumesCounters",
        UpTo(
            2,
            &[
                (
                    "",
                    Declared(&[(
                        "",
                        UniqueBy(&["counterSet"], "io.k8s.api.resource.v1.DeviceCounterConsumption"),
                    )]),
                ),
                ("[]", All(&[("counterSet", SET), ("counters", COUNTERS)])),
            ],
        ),
    ),
    // The server takes the taints of devices that stay as they are.
    ("", If(|at| !at.is_kept, &[("taints[].effect", EFFECT)])),
    ("", Code(nodes_of_device)),
    ("", All(BINDING)),
];

/// The name of a set of counters.
const SET: Check = Declared(&[("", NeedsName(declared_label))]);
const COUNTERS: Check = Code(counters);

const ATTRIBUTE: &[Row] = &[
    ("string", Longest(64)),
    ("version", NameIfSet(version)),
    ("version", Longest(64)),
    ("", Declared(&[("", Code(one_value))])),
];

fn small(at: &At<'_>, out: &mut Mistakes) {
    if at.text() != at.text().to_lowercase() {
        let driver = go::quote(at.text());
        let why = format!("driver names should be lowercase; {driver} contains uppercase characters");
        out.push(at.warning(why));
    }
}

/// Which nodes are chosen, of which one must be. A selector has these rows, and an empty name this mistake.
fn chosen(at: &At<'_>, selector: &'static [Row], empty: &str, out: &mut Mistakes) -> Vec<&'static str> {
    let mut set = Vec::new();
    let name = at.get("nodeName");
    if name.is_set() && name.is_empty() {
        out.push(name.invalid(empty));
    } else if name.is_set() {
        set.push("`nodeName`");
        check(&[("", Name(names::dns1123_subdomain))], &name, out);
    }
    set.extend(at.get("nodeSelector").is_set().then_some("`nodeSelector`"));
    check(&[("nodeSelector", In(selector))], at, out);
    for (name, shown) in [("allNodes", "`allNodes`"), ("perDeviceNodeSelection", "`perDeviceNodeSelection`")]
    {
        let flag = at.get(name);
        set.extend(flag.is_true().then_some(shown));
        out.extend(flag.is_false().then(|| flag.invalid("must be either unset or set to true")));
    }
    set
}

fn nodes(at: &At<'_>, out: &mut Mistakes) {
    const SELECTOR: &[Row] = &[("", All(NODE_SELECTOR)), ("nodeSelectorTerms", Code(one_term))];
    let set = chosen(at, SELECTOR, "must be either unset or set to a non-empty string", out);
    let why = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
    match set.len() {
        0 => out.push(at.required(why)),
        1 => {}
        _ => {
            let set = format!("{{{}}}", set.join(", "));
            out.push(at.invalid_text(&set, &format!("{why}, but multiple fields are set")));
        }
    }
    if at.get("sharedCounters").is_set() && at.get("devices").is_set() {
        out.push(at.invalid_text("", "only one of `sharedCounters` or `devices` is allowed"));
    }
}

fn one_term(at: &At<'_>, out: &mut Mistakes) {
    if at.items().len() != 1 {
        out.push(at.invalid_of("[NodeSelectorTerm", "must have exactly one node selector term"));
    }
}

fn nodes_of_device(at: &At<'_>, out: &mut Mistakes) {
    if !at.root("spec.perDeviceNodeSelection").is_true() {
        if ["nodeName", "nodeSelector", "allNodes"].into_iter().any(|name| at.get(name).is_set()) {
            let why = "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the \
                       ResourceSlice spec";
            out.push(at.invalid_as("null", why));
        }
        return;
    }
    let set = chosen(at, NODE_SELECTOR, "must not be empty", out);
    let why = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true \
               in the ResourceSlice spec";
    match set.len() {
        0 => out.push(at.required(why)),
        1 => {}
        _ => out.push(at.invalid_text(&format!("{{{}}}", set.join(", ")), why)),
    }
}

fn devices(at: &At<'_>, out: &mut Mistakes) {
    let is_costly =
        |device: At<'_>| ["taints", "consumesCounters"].into_iter().any(|name| !device.get(name).is_empty());
    let most = if at.each().any(is_costly) { 64 } else { 128 };
    let mut found = Mistakes::new();
    check(&[("[]", All(DEVICE))], at, &mut found);
    let name = |device: &Value| device.get("name").and_then(Value::as_str).map(str::to_owned);
    found.extend(twice(at, name).map(|it| it.duplicate_text(it.get("name").text())));
    if at.items().len() > most {
        out.push(at.too_many(most));
        found.retain(|it| it.is_declared);
    }
    out.extend(found);
}

/// The device with the same name before an update.
fn old<'v>(device: &At<'v>) -> Option<&'v Value> {
    let old = device.root("spec.devices").old.and_then(Value::as_list).unwrap_or_default();
    old.iter().find(|it| it.get("name").and_then(Value::as_str) == Some(device.get("name").text()))
}

fn is_unchanged(device: &At<'_>, name: &'static str) -> bool {
    old(device).is_some_and(|old| old.get(name) == device.get(name).value)
}

fn sizes(at: &At<'_>, out: &mut Mistakes) {
    let [attributes, amounts] = ["attributes", "capacity"].map(|name| at.get(name).map().count());
    for (number, most, what) in
        [(attributes + amounts, 32, "attributes and capacities"), (attributes, 48, "attribute values")]
    {
        if number > most {
            let why = format!("the total number of {what} must not exceed {most}");
            out.push(at.invalid_as(&number.to_string(), &why));
        }
    }
}

fn attributes(at: &At<'_>, out: &mut Mistakes) {
    for (name, attribute) in at.members() {
        qualified(at, name, Rule::Coded, out);
        check(ATTRIBUTE, &attribute, out);
    }
}

fn one_value(at: &At<'_>, out: &mut Mistakes) {
    const ALL: &str = "`int`, `bool`, `string`, `version`, `ints`, `bools`, `strings`, `versions`";
    let set: Vec<&str> =
        ["int", "bool", "string", "version"].into_iter().filter(|name| at.get(name).is_set()).collect();
    match set.len() {
        0 => out.push(at.invalid_text("", &format!("must specify one of: {ALL}"))),
        1 => {}
        _ => {
            let why = format!("must specify exactly one of: {ALL}");
            out.push(at.invalid_text(&format!("{{{}}}", set.join(", ")), &why));
        }
    }
}

/// Why a text is not the version of an attribute.
fn version(text: &str) -> Vec<String> {
    let is_number = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
    };
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
    let (numbers, stage) = rest.split_once('-').map_or((rest, None), |(rest, stage)| (rest, Some(stage)));
    let parts = |text: &str, is_part: &dyn Fn(&str) -> bool| {
        text.split('.').all(|part| !part.is_empty() && is_part(part))
    };
    let is_of_stage =
        |part: &str| is_number(part) || is_word(part) && !part.bytes().all(|byte| byte.is_ascii_digit());
    let is_right = numbers.split('.').count() == 3
        && parts(numbers, &is_number)
        && stage.is_none_or(|stage| parts(stage, &is_of_stage))
        && build.is_none_or(|build| parts(build, &is_word));
    let why = || "must be a string compatible with semver.org spec 2.0.0".to_owned();
    (!is_right).then(why).into_iter().collect()
}

fn capacity(at: &At<'_>, out: &mut Mistakes) {
    const FIXED: &[Row] = &[("requestPolicy", Forbidden("allowMultipleAllocations must be true"))];
    const SHARED: &[Row] = &[("", POLICY)];
    if is_unchanged(at, "capacity") {
        return;
    }
    let rows = if at.get("allowMultipleAllocations").is_true() { SHARED } else { FIXED };
    let amounts = at.get("capacity");
    for (name, amount) in amounts.members() {
        qualified(&amounts, name, Rule::Coded, out);
        check(rows, &amount, out);
    }
}

fn taints(at: &At<'_>, out: &mut Mistakes) {
    const MOST: usize = 16;
    let taints = at.get("taints");
    if is_unchanged(at, "taints") {
    } else if taints.items().len() > MOST {
        out.push(taints.too_many(MOST));
    } else {
        check(&[("[]", All(TAINT))], &taints, out);
    }
}

fn counters(at: &At<'_>, out: &mut Mistakes) {
    const MOST: usize = 32;
    const NAMES: Check = Code(|at, out| {
        for (name, _) in at.map() {
            out.extend(declared_label(name).iter().map(|why| at.invalid_text(name, why)));
        }
    });
    check(&[("", Declared(&[("", Required("")), ("", NAMES)]))], at, out);
    let number = at.map().count();
    if number > MOST {
        out.push(at.mistake(Kind::TooMany, format!("{number}: must have at most {MOST} items")));
    }
}
