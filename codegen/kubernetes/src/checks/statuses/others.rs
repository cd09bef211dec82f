//! The status of nodes, namespaces, claims and budgets.

use super::{Mistakes, list};
use crate::checks::limits::amounts_of_kind;
use crate::checks::words::{
    forbidden, in_go, invalid, invalid_text, negative, network, required, unsupported,
};
use crate::meta::{self, own};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::names;
use crdgen_core::value::{Map, Value};
use std::collections::BTreeSet;

/// A namespace is active until it is deleted.
pub(super) fn namespace(object: &Value) -> Mistakes {
    let phase = object.get("status").map_or("", |status| own(status, "phase"));
    let (wanted, how) =
        if meta::is_deleting(object) { ("Terminating", "not empty") } else { ("Active", "empty") };
    let why = format!("may only be '{wanted}' if `deletionTimestamp` is {how}");
    let mistake = || invalid_text("status.Phase".to_owned(), phase, &why);
    (phase != wanted).then(mistake).into_iter().collect()
}

const RESIZES: [&str; 5] = [
    "ControllerResizeInProgress",
    "ControllerResizeInfeasible",
    "NodeResizeInProgress",
    "NodeResizeInfeasible",
    "NodeResizePending",
];

fn members<'v>(status: &'v Value, name: &str) -> impl Iterator<Item = (&'v str, &'v str)> {
    let found = status.get(name).and_then(Value::as_map).into_iter().flat_map(Map::iter);
    found.filter_map(|(name, value)| Some((name, value.as_str()?)))
}

/// The mistakes in the status of a claim.
pub(super) fn claim(object: &Value) -> Mistakes {
    let Some(status) = object.get("status") else { return Vec::new() };
    let mut out = Vec::new();
    let amount = |field: String, text: &str| {
        let is_negative = Quantity::parse(text).is_ok_and(|amount| amount.sign() < 0);
        // The server shows the whole number.
        let shown =
            Quantity::parse(text).ok().and_then(|amount| amount.as_int()).map_or(Value::Null, Value::Int);
        is_negative.then(|| invalid(field, &shown, "must be a valid resource quantity"))
    };
    let key = |field: &str, name: &str| {
        let is_known = name == "storage" || name.contains('/');
        (!is_known).then(|| unsupported(field.to_owned(), name, &["storage"]))
    };
    for (name, text) in members(status, "capacity") {
        out.extend(amount(format!("status.capacity[{name}]"), text));
    }
    let field = "status.allocatedResourceStatuses";
    for (name, state) in members(status, "allocatedResourceStatuses") {
        out.extend(key(field, name));
        if !RESIZES.contains(&state) {
            out.push(unsupported(field.to_owned(), name, &RESIZES));
        }
    }
    let field = "status.allocatedResources";
    for (name, text) in members(status, "allocatedResources") {
        out.extend(key(field, name).or_else(|| amount(format!("{field}[{name}]"), text)));
    }
    out
}

/// The mistakes in the status of a disruption budget.
pub(super) fn budget(object: &Value) -> Mistakes {
    let Some(status) = object.get("status") else { return Vec::new() };
    let conditions = list(status, "conditions").iter().enumerate();
    let mut out: Mistakes =
        conditions.flat_map(|(i, it)| condition(it, &format!("status.conditions[{i}]"))).collect();
    for name in ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] {
        out.extend(negative(format!("status.{name}"), status.get(name)));
    }
    out
}

fn condition(condition: &Value, at: &str) -> Mistakes {
    let mut out = Vec::new();
    let (ty, status) = (own(condition, "type"), own(condition, "status"));
    let field = |name: &str| format!("{at}.{name}");
    out.extend(names::qualified_name(ty).iter().map(|why| invalid_text(field("type"), ty, why)));
    let states = ["False", "True", "Unknown"];
    if !states.contains(&status) {
        out.push(unsupported(field("status"), status, &states));
    }
    out.extend(negative(field("observedGeneration"), condition.get("observedGeneration")));
    for name in ["lastTransitionTime", "reason"] {
        if own(condition, name).is_empty() {
            out.push(required(field(name), ""));
        }
    }
    out
}

/// The mistakes of a node. All writes check its status.
pub(crate) fn node(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let part = |object: &'_ Value, name: &str| object.get(name).cloned().unwrap_or_default();
    let (spec, status) = (part(object, "spec"), part(object, "status"));
    let mut out: Mistakes = if live.is_none() { taints(&spec) } else { Vec::new() };
    out.extend(["capacity", "allocatable"].iter().flat_map(|part| amounts_of_kind(&status, part)));
    let Some(live) = live else {
        let ranges = list(&spec, "podCIDRs").iter().filter_map(Value::as_str).enumerate();
        out.extend(ranges.filter_map(|(i, range)| network(format!("spec.podCIDRs[{i}]"), range)));
        return out;
    };
    let mut seen = BTreeSet::new();
    for (i, address) in list(&status, "addresses").iter().enumerate() {
        let shown = in_go(address, &["type", "address"]);
        if !seen.insert(shown.clone()) {
            out.push(Mistake::new(format!("status.addresses[{i}]"), Kind::Duplicate, shown));
        }
    }
    let old = part(live, "spec");
    let ranges = (list(&old, "podCIDRs"), list(&spec, "podCIDRs"));
    if !ranges.0.is_empty() && ranges.0 != ranges.1 {
        let why = "node updates may not change podCIDR except from \"\" to valid";
        out.push(forbidden("spec.podCIDRs".to_owned(), why));
    }
    let why = match (own(&old, "providerID"), own(&spec, "providerID")) {
        ("", _) => None,
        (_, "") => Some("field cannot be cleared once set"),
        (old, new) => (old != new).then_some("field cannot be modified once set"),
    };
    out.extend(why.map(|why| invalid("spec.providerID".to_owned(), &nothing, why)));
    out.extend(taints(&spec));
    if own(&old, "externalID") != own(&spec, "externalID") {
        out.push(forbidden("spec.externalID".to_owned(), "may not be updated"));
    }
    out
}

/// The mistakes in the taints of a node. The server says that they are in the metadata.
fn taints(spec: &Value) -> Mistakes {
    const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
    let (mut out, mut seen) = (Vec::new(), BTreeSet::new());
    for (i, taint) in list(spec, "taints").iter().enumerate() {
        let (key, value, effect) = (own(taint, "key"), own(taint, "value"), own(taint, "effect"));
        let field = |name: &str| format!("metadata.taints[{i}].{name}");
        out.extend(names::qualified_name(key).iter().map(|why| invalid_text(field("key"), key, why)));
        let wrong = names::label_value(value);
        if !wrong.is_empty() {
            out.push(invalid_text(field("value"), value, &wrong.join(";")));
        }
        if effect.is_empty() {
            out.push(required(field("effect"), ""));
        } else if !EFFECTS.contains(&effect) {
            out.push(unsupported(field("effect"), effect, &EFFECTS));
        }
        if !seen.insert((key, effect)) {
            let mut whole = taint.clone();
            whole.as_map_mut().map(|taint| taint.entry_or_insert_with("value", || "".into()).is_null());
            let shown = in_go(&whole, &["key", "value", "effect", "timeAdded"]);
            let why = format!("{shown}: taints must be unique by key and effect pair");
            out.push(Mistake::new(format!("metadata.taints[{i}]"), Kind::Duplicate, why));
        }
    }
    out
}
