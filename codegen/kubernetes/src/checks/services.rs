//! Checks of services.

use super::at::{At, Mistakes};
use super::rows::{Check::*, Row, check};
use super::selectors::LABELS;
use super::words::{network, port, port_or_name, wrong_address};
use super::{PROTOCOLS, networks};
use crate::meta::texts;
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::net::Ip;
use crdgen_core::value::Value;
use crdgen_core::{json, names};
use std::collections::BTreeSet;

/// Whether a service has addresses.
pub(crate) fn needs_address(spec: &Value) -> bool {
    spec.text("type") != "ExternalName"
}

/// Whether a service can be reached from outside of the cluster.
pub(crate) fn is_reached(spec: &Value) -> bool {
    match spec.text("type") {
        "LoadBalancer" | "NodePort" => true,
        "ClusterIP" => !texts(spec, "externalIPs").is_empty(),
        _ => false,
    }
}

/// Whether a load balancer asks nodes if they have pods of a service.
pub(crate) fn needs_health_check(spec: &Value) -> bool {
    spec.text("type") == "LoadBalancer" && spec.text("externalTrafficPolicy") == "Local"
}

/// Whether a service has no address on purpose.
pub(crate) fn is_headless(spec: &Value) -> bool {
    needs_address(spec)
        && texts(spec, "clusterIPs").first().copied().unwrap_or(spec.text("clusterIP")) == "None"
}

/// Whether a spec is so.
fn is(at: &At<'_>, check: fn(&Value) -> bool) -> bool {
    at.value.is_some_and(check)
}

pub(super) const SERVICE: &[Row] = &[("spec", All(SPEC))];

const SPEC: &[Row] = &[
    ("", Code(changes)),
    ("", If(|at| is(at, needs_address) && !is(at, is_headless), &[("ports", Required(""))])),
    ("", If(|at| at.get("type").text() == "ExternalName", EXTERNAL_NAME)),
    ("", Code(headless)),
    ("ports", Code(ports)),
    ("selector", LABELS),
    ("sessionAffinity", OneOf(&["ClientIP", "None"])),
    ("", Code(affinity)),
    ("", Code(addresses)),
    ("externalIPs[]", Code(external)),
    ("type", Of(&["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"])),
    ("ports", Code(ports_twice)),
    ("", Code(only_load_balancers)),
    ("", Code(policies)),
];

const EXTERNAL_NAME: &[Row] = &[
    ("clusterIPs", Code(not_external)),
    ("ipFamilies", Code(not_external)),
    ("ipFamilyPolicy", Code(not_external)),
    ("externalName", Code(external_name)),
];

fn not_external(at: &At<'_>, out: &mut Mistakes) {
    let is_set = at.is_set() && at.value.is_none_or(|it| it.as_list().is_none_or(|it| !it.is_empty()));
    out.extend(is_set.then(|| at.forbidden("may not be set for ExternalName services")));
}

fn external_name(at: &At<'_>, out: &mut Mistakes) {
    match at.text().strip_suffix('.').unwrap_or(at.text()) {
        "" => out.push(at.required("")),
        name => out.extend(names::dns1123_subdomain(name).iter().map(|why| at.invalid_text(name, why))),
    }
}

fn headless(at: &At<'_>, out: &mut Mistakes) {
    let ty = at.get("type").text();
    if is(at, is_headless) && matches!(ty, "LoadBalancer" | "NodePort") {
        let first = at.shown_as(at.field.child("clusterIPs").index(0));
        out.push(first.invalid_text("None", &format!("may not be set to 'None' for {ty} services")));
    }
}

fn external(at: &At<'_>, out: &mut Mistakes) {
    match wrong_address(at.text()) {
        None => networks::special(at, out),
        Some(why) => out.push(at.invalid(why)),
    }
}

fn affinity(at: &At<'_>, out: &mut Mistakes) {
    const LONGEST: i64 = 86400;
    let config = at.get("sessionAffinityConfig");
    match at.get("sessionAffinity").text() {
        "None" if config.is_set() => {
            out.push(config.forbidden("must not be set when session affinity is None"));
        }
        "ClientIP" => {
            let seconds = config.get("clientIP.timeoutSeconds");
            if seconds.is_set() && seconds.int().is_none_or(|seconds| !(1..=LONGEST).contains(&seconds)) {
                out.push(seconds.invalid(&format!("must be greater than 0 and less than {LONGEST}")));
            }
        }
        _ => {}
    }
}

/// The mistakes in the addresses of the spec of a service and in their families.
pub(crate) fn address_mistakes(spec: &Value) -> Mistakes {
    let mut out = Mistakes::new();
    addresses(&At::new(spec, None).shown_as("spec".into()), &mut out);
    out
}

fn addresses(spec: &At<'_>, out: &mut Mistakes) {
    if !is(spec, needs_address) {
        return;
    }
    let (list, families) = (spec.get("clusterIPs"), spec.get("ipFamilies"));
    let all = list.texts();
    match (spec.get("clusterIP").text(), all.first()) {
        ("", None) => {}
        ("", Some(_)) => out.push(list.invalid("must be empty when `clusterIP` is not specified")),
        (_, None) => out.push(list.required("")),
        (address, Some(first)) if address != *first => {
            out.push(list.invalid("first value must match `clusterIP`"));
        }
        _ => {}
    }
    check(&[("", SetOf(&["IPv4", "IPv6"]))], &families, out);
    check(&[("ipFamilyPolicy", OneOf(&["PreferDualStack", "RequireDualStack", "SingleStack"]))], spec, out);
    let before = out.len();
    for (i, item) in list.each().enumerate() {
        if i == 0 && item.text() == "None" {
            if all.len() > 1 {
                out.push(list.invalid("'None' must be the first and only value"));
            }
        } else if let Some(why) = wrong_address(item.text()) {
            out.push(item.invalid(why));
        }
    }
    let is_wrong = out.len() > before;
    if all.len() > 2 {
        out.push(list.invalid("may only hold up to 2 values"));
    }
    if is_wrong {
        return;
    }
    let found: Vec<&str> = all.iter().filter_map(|text| family(text)).collect();
    if let [first, rest @ ..] = &found[..]
        && rest.contains(first)
    {
        out.push(list.invalid("may specify no more than one IP for each IP family"));
    }
    if is(spec, is_headless) {
        return;
    }
    // The addresses of a service must have its families.
    for (i, (item, wanted)) in list.each().zip(families.texts()).enumerate() {
        if family(item.text()).is_some_and(|found| found != wanted) {
            let why = format!("expected an {wanted} value as indicated by `ipFamilies[{i}]`");
            out.push(item.invalid(&why));
        }
    }
}

fn family(address: &str) -> Option<&'static str> {
    Ip::parse(address).ok().map(|(ip, _)| if ip.bits() == 32 { "IPv4" } else { "IPv6" })
}

/// What must not change, unless the type changes from or to one without addresses.
fn changes(at: &At<'_>, out: &mut Mistakes) {
    const STAYS: &str = "may not change once set";
    let (Some(old), Some(spec)) = (at.old, at.value) else { return };
    let (addresses, families) = (at.get("clusterIPs"), at.get("ipFamilies"));
    let is_checked = needs_address(spec) && needs_address(old);
    let headless = (is_headless(old), is_headless(spec));
    let first_of = |at: &At<'_>| addresses.shown_as(at.field.index(0));
    let is_other_first =
        |was: &[&str], is: &[&str]| was.first().zip(is.first()).is_some_and(|(was, is)| was != is);
    if is_checked && headless != (true, true) {
        let (was, is) = (addresses.old_texts(), addresses.texts());
        if was.len() == is.len() {
            let changed = was.iter().zip(&is).enumerate().filter(|(_, (was, is))| was != is);
            out.extend(changed.map(|(i, _)| addresses.shown_as(addresses.field.index(i)).invalid(STAYS)));
        } else {
            let first = first_of(&addresses);
            out.extend(is.is_empty().then(|| first.invalid("primary clusterIP can not be unset")));
            out.extend(is_other_first(&was, &is).then(|| first.invalid(STAYS)));
            out.extend(not_single(at, &was, &is, "clusterIP"));
        }
    }
    if is_checked && headless == (false, false) {
        let (was, is) = (families.old_texts(), families.texts());
        if was.len() == is.len() {
            let changed = was.iter().zip(&is).filter(|(was, is)| was != is);
            out.extend(changed.map(|_| families.shown_as(families.field.index(0)).invalid(STAYS)));
        } else {
            out.extend(is_other_first(&was, &is).then(|| first_of(&families).invalid(STAYS)));
            out.extend(not_single(at, &was, &is, "ipFamily"));
        }
    }
    let is_balancer = |spec: &Value| spec.text("type") == "LoadBalancer";
    let (class, health) = (at.get("loadBalancerClass"), at.get("healthCheckNodePort"));
    if is_balancer(spec) && is_balancer(old) && class.text() != class.old_text() {
        out.push(class.invalid(STAYS));
    }
    let old_port = health.old.and_then(Value::as_int).unwrap_or_default();
    if needs_health_check(spec) && needs_health_check(old) && health.number() != old_port {
        out.push(health.forbidden("field is immutable"));
    }
}

/// A service that loses its second address or family must say that it wants only one.
fn not_single(at: &At<'_>, was: &[&str], is: &[&str], what: &str) -> Option<Mistake> {
    let policy = at.get("ipFamilyPolicy");
    let why = format!("must be set to 'SingleStack' when releasing the secondary {what}");
    (was.len() > is.len() && is.len() == 1 && policy.text() != "SingleStack")
        .then(|| policy.invalid_text(policy.text(), &why))
}

/// What only load balancers have.
fn only_load_balancers(at: &At<'_>, out: &mut Mistakes) {
    let is_other = at.get("type").text() != "LoadBalancer";
    let ranges = at.get("loadBalancerSourceRanges");
    let ranges = ranges.shown_as(at.field.child("LoadBalancerSourceRanges"));
    let class = at.get("loadBalancerClass");
    let only = |at: &At<'_>| at.forbidden("may only be used when `type` is 'LoadBalancer'");
    out.extend((is_other && !ranges.is_empty()).then(|| only(&ranges)));
    for range in ranges.each() {
        let text = range.text().trim();
        out.extend(network(text).iter().map(|why| range.invalid_text(text, why)));
    }
    for at in [at.get("allocateLoadBalancerNodePorts"), class.clone()] {
        out.extend((is_other && at.is_set()).then(|| only(&at)));
    }
    if !is_other {
        check(&[("", NameIfSet(names::qualified_name))], &class, out);
    }
}

fn policies(at: &At<'_>, out: &mut Mistakes) {
    let (external, health) = (at.get("externalTrafficPolicy"), at.get("healthCheckNodePort"));
    match (is(at, is_reached), external.text()) {
        (_, "") | (true, "Cluster" | "Local") => {}
        (true, _) => out.push(external.unsupported(&["Cluster", "Local"])),
        (false, _) => out.push(external.invalid("may only be set for externally-accessible services")),
    }
    if health.is_set() && health.int() != Some(0) {
        if is(at, needs_health_check) {
            out.extend(port(&health));
        } else {
            let why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
            out.push(health.invalid(why));
        }
    }
    let internal = at.get("internalTrafficPolicy");
    if is(at, needs_address) || !internal.is_empty() {
        check(&[("", OneOf(&["Cluster", "Local"]))], &internal, out);
    }
    let ways = OneOf(&["PreferClose", "PreferSameZone", "PreferSameNode"]);
    check(&[("trafficDistribution", ways)], at, out);
}

/// The pairs of protocols and ports that occur twice.
fn ports_twice(at: &At<'_>, out: &mut Mistakes) {
    let (mut nodes, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    for one in at.each() {
        let (protocol, node) = (one.get("protocol").text(), one.get("nodePort"));
        if node.number() != 0 && !nodes.insert((node.number(), protocol)) {
            out.push(node.duplicate());
        }
    }
    for one in at.each() {
        let (protocol, number) = (one.get("protocol").text(), one.get("port").number());
        if !numbers.insert((number, protocol)) {
            let shown = format!(
                r#"{{"Name":"","Protocol":{},"AppProtocol":null,"Port":{number},"TargetPort":0,"NodePort":0}}"#,
                json::to_string(&protocol.into()),
            );
            out.push(one.mistake(Kind::Duplicate, shown));
        }
    }
}

fn ports(at: &At<'_>, out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    for one in at.each() {
        let name = one.get("name");
        if name.is_empty() {
            out.extend((at.items().len() > 1).then(|| name.required("")));
        } else {
            out.extend(name.wrong_text(names::dns1123_label(name.text())));
            out.extend((!seen.insert(name.text())).then(|| name.duplicate()));
        }
        check(&[("port", Port), ("protocol", Of(PROTOCOLS))], &one, out);
        out.extend(port_or_name(&one.get("targetPort")));
        let node = one.get("nodePort");
        if node.number() != 0 && at.root("spec.type").text() == "ClusterIP" {
            out.push(node.forbidden("may not be used when `type` is 'ClusterIP'"));
        }
        check(&[("appProtocol", NameIfSet(names::qualified_name))], &one, out);
    }
}
