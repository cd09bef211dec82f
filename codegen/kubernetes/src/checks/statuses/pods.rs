//! The status of pods.

use super::{Mistakes, list};
use crate::checks::find;
use crate::checks::words::{duplicate, forbidden, immutable, in_go, invalid, invalid_text, wrong_address};
use crate::meta::own;
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::net::Ip;
use crdgen_core::names;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

/// The conditions that Kubernetes itself sets.
const CONDITIONS: [&str; 3] = ["Initialized", "PodScheduled", "Ready"];
const NOT_NEGATIVE: &str = "must be a non-negative integer";

/// The mistakes in the status of a pod.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let status = object.get("status").unwrap_or(&nothing);
    let old = live.and_then(|live| live.get("status")).unwrap_or(&nothing);
    let mut out = Vec::new();
    let below_zero = |field: String, at: &Value| {
        let number = at.get("observedGeneration").filter(|it| it.as_int().is_some_and(|it| it < 0))?;
        Some(invalid(field, number, NOT_NEGATIVE))
    };
    for (i, condition) in list(status, "conditions").iter().enumerate() {
        out.extend(below_zero(format!("status.conditions[{i}].observedGeneration"), condition));
        let ty = own(condition, "type");
        if !CONDITIONS.contains(&ty) {
            let field = || format!("status.conditions[{i}].Type");
            out.extend(names::qualified_name(ty).iter().map(|why| invalid_text(field(), ty, why)));
        }
    }
    let field = || "status.nominatedNodeName".to_owned();
    let node = own(status, "nominatedNodeName");
    if !node.is_empty() && node != own(old, "nominatedNodeName") {
        out.extend(names::dns1123_subdomain(node).iter().map(|why| invalid_text(field(), node, why)));
        if live.is_some_and(|live| live.get("spec").is_some_and(|spec| !own(spec, "nodeName").is_empty())) {
            out.push(forbidden(field(), "may not be set on pods that are already bound to a node"));
        }
    }
    out.extend(below_zero("status.observedGeneration".to_owned(), status));
    if own(status, "qosClass") != own(old, "qosClass") {
        out.push(immutable("status.qosClass", Some(&own(status, "qosClass").into())));
    }
    out.extend(claims(object, status));
    out.extend(addresses(status, old, "podIPs"));
    let hosts = list(status, "hostIPs");
    if let Some(first) = hosts.first().map(|first| own(first, "ip")).filter(|ip| *ip != own(status, "hostIP"))
    {
        out.push(invalid_text("status.hostIPs[0].ip".to_owned(), first, "must be equal to `hostIP`"));
    }
    out.extend(addresses(status, old, "hostIPs"));
    out
}

/// The claims of resources that a status names are those of the spec.
fn claims(object: &Value, status: &Value) -> Mistakes {
    let mut out = Vec::new();
    let known = find(object, &["spec", "resourceClaims"]).and_then(Value::as_list).unwrap_or_default();
    let mut seen = BTreeSet::new();
    for (i, claim) in list(status, "resourceClaimStatuses").iter().enumerate() {
        let (field, name) = (format!("status.resourceClaimStatuses[{i}].name"), own(claim, "name"));
        if !known.iter().any(|known| own(known, "name") == name) {
            let why = "must match the name of an entry in `spec.resourceClaims`";
            out.push(invalid_text(field.clone(), name, why));
        }
        if !seen.insert(name) {
            out.push(duplicate(field, name));
        }
    }
    out
}

/// The mistakes in a list of addresses, of which there is at most one of each family.
fn addresses(status: &Value, old: &Value, name: &str) -> Mistakes {
    let ips = |at| list(at, name).iter().map(|it| own(it, "ip")).collect::<Vec<&str>>();
    let (new, old) = (ips(status), ips(old));
    let fresh = new.iter().enumerate().filter(|(_, ip)| !old.contains(ip));
    let wrong =
        fresh.filter_map(|(i, ip)| Some(invalid_text(format!("status.{name}[{i}]"), ip, wrong_address(ip)?)));
    let mut out: Mistakes = wrong.collect();
    let families: BTreeSet<Option<u8>> = new.iter().map(|ip| Some(Ip::parse(ip).ok()?.0.bits())).collect();
    if new.len() > 1 && (families.len() != 2 || new.len() > 2) {
        let shown: Vec<String> =
            new.iter().map(|ip| in_go(&crate::meta::map([("iP", (*ip).into())]), &["iP"])).collect();
        let why = format!("[{}]: may specify no more than one IP for each IP family", shown.join(","));
        out.push(Mistake::new(format!("status.{name}"), Kind::Invalid, why));
    }
    out
}
