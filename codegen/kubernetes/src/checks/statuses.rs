//! Checks of the status of pods and of workloads, which writes of the status meet.

use super::at::{At, Mistakes};
use super::rows::{Check::*, Row, check};
use super::words::wrong_address;
use crdgen_core::go::net::Ip;
use crdgen_core::names;
use std::collections::BTreeSet;

pub(super) const POD: &[Row] = &[
    ("status.conditions[]", Code(condition)),
    ("status.nominatedNodeName", Code(nominated)),
    ("status.observedGeneration", GENERATION),
    ("status.qosClass", Code(quality)),
    ("status.resourceClaimStatuses", Code(claims)),
    ("status.podIPs", Code(addresses)),
    ("status", Code(host_address)),
    ("status.hostIPs", Code(addresses)),
];

const GENERATION: super::rows::Check = Between(0, i64::MAX, "must be a non-negative integer");

fn condition(at: &At<'_>, out: &mut Mistakes) {
    check(&[("observedGeneration", GENERATION)], at, out);
    let ty = at.get("type").shown_as(at.field.child("Type"));
    // Those that Kubernetes itself sets are right.
    if !matches!(ty.text(), "Initialized" | "PodScheduled" | "Ready") {
        out.extend(ty.wrong_text(names::qualified_name(ty.text())));
    }
}

fn nominated(at: &At<'_>, out: &mut Mistakes) {
    if at.is_empty() || at.text() == at.old_text() {
        return;
    }
    out.extend(at.wrong_text(names::dns1123_subdomain(at.text())));
    if !at.root("spec.nodeName").old_text().is_empty() {
        out.push(at.forbidden("may not be set on pods that are already bound to a node"));
    }
}

fn quality(at: &At<'_>, out: &mut Mistakes) {
    if at.text() != at.old_text() {
        out.push(at.invalid_text(at.text(), "field is immutable"));
    }
}

/// The claims of resources that a status names are those of the spec.
fn claims(at: &At<'_>, out: &mut Mistakes) {
    let known = at.root("spec.resourceClaims");
    let mut seen = BTreeSet::new();
    for name in at.each().map(|claim| claim.get("name")) {
        if !known.each().any(|known| known.get("name").text() == name.text()) {
            let why = "must match the name of an entry in `spec.resourceClaims`";
            out.push(name.invalid_text(name.text(), why));
        }
        out.extend((!seen.insert(name.text())).then(|| name.duplicate_text(name.text())));
    }
}

fn host_address(status: &At<'_>, out: &mut Mistakes) {
    let hosts = status.get("hostIPs");
    if let Some(first) = hosts.each().next().map(|first| first.get("ip"))
        && first.text() != status.get("hostIP").text()
    {
        out.push(first.invalid_text(first.text(), "must be equal to `hostIP`"));
    }
}

/// A list of addresses, of which there is at most one of each family.
fn addresses(at: &At<'_>, out: &mut Mistakes) {
    let old = at.old.map(|old| At::new(old, None));
    let had: Vec<&str> =
        old.iter().flat_map(|old| old.each().map(|it| it.get("ip").text()).collect::<Vec<_>>()).collect();
    for item in at.each() {
        let ip = item.get("ip").shown_as(item.field);
        let why = wrong_address(ip.text()).filter(|_| !had.contains(&ip.text()));
        out.extend(why.map(|why| ip.invalid_text(ip.text(), why)));
    }
    let family = |item: At<'_>| Ip::parse(item.get("ip").text()).ok().map(|(ip, _)| ip.bits());
    let families: BTreeSet<Option<u8>> = at.each().map(family).collect();
    let number = at.items().len();
    if number > 2 || number > 1 && families.len() != 2 {
        out.push(at.invalid_of("[PodIP", "may specify no more than one IP for each IP family"));
    }
}

/// Numbers that are never negative, those of them that are never more than `replicas`, and what the server calls the number of pods
/// that are ready, which those that are available are part of.
fn numbers(status: &At<'_>, all: &[&'static str], parts: &[&'static str], ready: &str, out: &mut Mistakes) {
    for name in all {
        check(&[(name, NotNegative)], status, out);
    }
    let number = |name| status.get(name).number();
    let mut wrong = |name, why: &str| out.push(status.get(name).invalid_as(&number(name).to_string(), why));
    for name in parts.iter().filter(|name| number(name) > number("replicas")) {
        wrong(name, "cannot be greater than status.replicas");
    }
    if !parts.is_empty() && number("availableReplicas") > number("readyReplicas") {
        wrong("availableReplicas", &format!("cannot be greater than {ready}"));
    }
    let count = status.get("collisionCount");
    let had = count.old.and_then(|old| old.as_int()).filter(|_| all.contains(&"collisionCount"));
    if had.is_some_and(|had| count.int().is_none_or(|count| count < had)) {
        wrong("collisionCount", "cannot be decremented");
    }
}

pub(super) const DEPLOYMENT: &[Row] = &[("status", Code(deployment))];
pub(super) const REPLICA_SET: &[Row] = &[("status", Code(replica_set))];
pub(super) const STATEFUL_SET: &[Row] = &[("status", Code(stateful_set))];
pub(super) const DAEMON_SET: &[Row] = &[("status", Code(daemon_set))];

fn deployment(at: &At<'_>, out: &mut Mistakes) {
    let all = [
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount",
    ];
    numbers(at, &all, &["updatedReplicas", "readyReplicas", "availableReplicas"], "readyReplicas", out);
}

fn replica_set(at: &At<'_>, out: &mut Mistakes) {
    let parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
    let all = [&["replicas"], &parts[..], &["observedGeneration", "terminatingReplicas"]].concat();
    numbers(at, &all, &parts, "readyReplicas", out);
}

fn stateful_set(at: &At<'_>, out: &mut Mistakes) {
    let parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
    let all = [&["replicas"], &parts[..], &["observedGeneration", "collisionCount"]].concat();
    numbers(at, &all, &parts, "status.readyReplicas", out);
}

fn daemon_set(at: &At<'_>, out: &mut Mistakes) {
    let all = [
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount",
    ];
    numbers(at, &all, &[], "", out);
}
