//! Checks of the fields of pods that are not about containers and volumes: where pods run, and their names in the network.

use super::{Mistakes, Pod, affinity, always_named, between, forbidden, invalid, invalid_text, list, named};
use super::{not_found, number, own, required, resources, set, text, too_long, unless_known, unsupported};
use super::{unless_none_or_known, windows};
use crate::checks::selectors;
use crate::checks::words::{NO_ADDRESS, duplicate};
use crate::meta::texts;
use crdgen_core::go::net::Ip;
use crdgen_core::names;
use crdgen_core::value::Value;
use std::collections::BTreeSet;

const DNS_POLICIES: [&str; 4] = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const UNSATISFIABLE: [&str; 2] = ["DoNotSchedule", "ScheduleAnyway"];
const NODE_POLICIES: [&str; 2] = ["Honor", "Ignore"];
const OPERATORS: [&str; 4] = ["Equal", "Exists", "Lt", "Gt"];
const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const PREEMPTION: [&str; 2] = ["PreemptLowerPriority", "Never"];
const MOST_NAME_SERVERS: usize = 3;
const MOST_SEARCHES: usize = 32;
const LONGEST_SEARCHES: usize = 2048;
const LONGEST_HOST_NAME: usize = 64;

pub(super) fn dns_policy(pod: &Pod<'_>) -> Mistakes {
    unless_known(pod.field("dnsPolicy"), own(pod.spec, "dnsPolicy"), &DNS_POLICIES).into_iter().collect()
}

/// The mistakes in the fields after the affinity.
pub(super) fn mistakes(pod: &Pod<'_>) -> Mistakes {
    let spec = pod.spec;
    let field = |name: &str| pod.field(name);
    let mut out = dns(pod);
    for (i, gate) in list(spec, "readinessGates").iter().enumerate() {
        let field = field(&format!("readinessGates[{i}].conditionType"));
        out.extend(always_named(names::qualified_name, &field, own(gate, "conditionType")));
    }
    let mut seen = BTreeSet::new();
    for (i, gate) in list(spec, "schedulingGates").iter().enumerate() {
        let (field, name) = (field(&format!("schedulingGates[{i}]")), own(gate, "name"));
        out.extend(always_named(names::qualified_name, &field, name));
        if !seen.insert(name) {
            out.push(duplicate(field, name));
        }
    }
    let constraints = list(spec, "topologySpreadConstraints");
    for (i, constraint) in constraints.iter().enumerate() {
        let field = field(&format!("topologySpreadConstraints[{i}]"));
        out.extend(spread(constraint, &constraints[i + 1..], &field));
    }
    out.extend(windows::host_processes(pod));
    out.extend(users(pod));
    out.extend(host_name(pod));
    out.extend(named(
        names::dns1123_subdomain,
        &field("serviceAccountName"),
        own(spec, "serviceAccountName"),
    ));
    out.extend(named(names::dns1123_subdomain, &field("nodeName"), own(spec, "nodeName")));
    if let Some(seconds) = number(spec, "activeDeadlineSeconds") {
        out.extend(between(field("activeDeadlineSeconds"), seconds, 1, i64::from(i32::MAX)));
    }
    for name in ["hostname", "subdomain"] {
        out.extend(named(names::dns1123_label, &field(name), own(spec, name)));
    }
    for (i, one) in list(spec, "tolerations").iter().enumerate() {
        out.extend(toleration(one, &field(&format!("tolerations[{i}]"))));
    }
    for (i, alias) in list(spec, "hostAliases").iter().enumerate() {
        let field = |name: &str| field(&format!("hostAliases[{i}].{name}"));
        out.extend(address(field("ip"), own(alias, "ip")));
        for (j, name) in texts(alias, "hostnames").into_iter().enumerate() {
            out.extend(always_named(names::dns1123_subdomain, &field(&format!("hostnames[{j}]")), name));
        }
    }
    out.extend(named(names::dns1123_subdomain, &field("priorityClassName"), own(spec, "priorityClassName")));
    if let Some(class) = text(spec, "runtimeClassName") {
        out.extend(always_named(names::dns1123_subdomain, &field("runtimeClassName"), class));
    }
    if let Some(policy) = text(spec, "preemptionPolicy") {
        out.extend(unless_known(field("preemptionPolicy"), policy, &PREEMPTION));
    }
    if let Some(overhead) = set(spec, "overhead") {
        out.extend(resources::overhead(pod, overhead, &field("overhead")));
    }
    out.extend(windows::of_system(pod));
    out.extend(files_of_variables(pod));
    out
}

fn address(field: String, ip: &str) -> Mistakes {
    if Ip::parse(ip).is_err() { vec![invalid_text(field, ip, NO_ADDRESS)] } else { Vec::new() }
}

fn dns(pod: &Pod<'_>) -> Mistakes {
    let at = pod.field("dnsConfig");
    let nothing = Value::Null;
    let config = set(pod.spec, "dnsConfig");
    let servers = texts(config.unwrap_or(&nothing), "nameservers");
    if own(pod.spec, "dnsPolicy") == "None" {
        if config.is_none() {
            return vec![required(at, "must provide `dnsConfig` when `dnsPolicy` is None")];
        }
        if servers.is_empty() {
            let why = "must provide at least one DNS nameserver when `dnsPolicy` is None";
            return vec![required(format!("{at}.nameservers"), why)];
        }
    }
    let Some(config) = config else { return Vec::new() };
    let shown = |name: &str| config.get(name).unwrap_or(&nothing);
    let mut out = Vec::new();
    if servers.len() > MOST_NAME_SERVERS {
        let why = format!("must not have more than {MOST_NAME_SERVERS} nameservers");
        out.push(invalid(format!("{at}.nameservers"), shown("nameservers"), &why));
    }
    for (i, server) in servers.into_iter().enumerate() {
        out.extend(address(format!("{at}.nameservers[{i}]"), server));
    }
    let searches = texts(config, "searches");
    if searches.len() > MOST_SEARCHES {
        let why = format!("must not have more than {MOST_SEARCHES} search paths");
        out.push(invalid(format!("{at}.searches"), shown("searches"), &why));
    }
    if searches.join(" ").len() > LONGEST_SEARCHES {
        let why = format!(
            "must not have more than {LONGEST_SEARCHES} characters (including spaces) in the search list"
        );
        out.push(invalid(format!("{at}.searches"), shown("searches"), &why));
    }
    for (i, search) in searches.into_iter().enumerate().filter(|(_, search)| *search != ".") {
        let search = search.strip_suffix('.').unwrap_or(search);
        let field = format!("{at}.searches[{i}]");
        out.extend(search_mistakes(search).into_iter().map(|why| invalid_text(field.clone(), search, &why)));
    }
    for (i, option) in list(config, "options").iter().enumerate() {
        if own(option, "name").is_empty() {
            out.push(required(format!("{at}.options[{i}]"), "must not be empty"));
        }
    }
    out
}

/// What is wrong with a domain, in which underscores are allowed too.
fn search_mistakes(search: &str) -> Vec<String> {
    const LONGEST: usize = 253;
    let is_end =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_inside = |byte: &u8| is_end(Some(byte)) || matches!(byte, b'-' | b'_');
    let is_part = |part: &str| {
        let bytes = part.strip_prefix('_').unwrap_or(part).as_bytes();
        is_end(bytes.first()) && is_end(bytes.last()) && bytes.iter().all(is_inside)
    };
    let mut out = Vec::new();
    if search.len() > LONGEST {
        out.push(format!("must be no more than {LONGEST} characters"));
    }
    if !search.split('.').all(is_part) {
        out.push(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with \
             an alphanumeric character (e.g. 'example.com', regex used for validation is \
             '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')"
                .to_owned(),
        );
    }
    out
}

/// What pods with users of their own do not share with their host.
fn users(pod: &Pod<'_>) -> Mistakes {
    if pod.spec.get("hostUsers").and_then(Value::as_bool) != Some(false) {
        return Vec::new();
    }
    let why = "when `hostUsers` is false";
    let mut out = Vec::new();
    // The server's code names two of the fields like this.
    for (name, shown) in [("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")] {
        if pod.is(name) {
            out.push(forbidden(pod.field(shown), why));
        }
    }
    let devices = pod.containers().filter(|(_, container)| !list(container, "volumeDevices").is_empty());
    out.extend(devices.map(|(at, _)| forbidden(format!("{at}.volumeDevices"), why)));
    out
}

fn host_name(pod: &Pod<'_>) -> Mistakes {
    let Some(name) = text(pod.spec, "hostnameOverride") else { return Vec::new() };
    let field = || pod.field("hostnameOverride");
    let mut out = Vec::new();
    for other in ["setHostnameAsFQDN", "hostNetwork"] {
        if pod.is(other) {
            out.push(forbidden(field(), &format!("may not be specified when {other} is true")));
        }
    }
    if name.len() > LONGEST_HOST_NAME {
        out.push(too_long(field(), LONGEST_HOST_NAME));
    }
    out.extend(always_named(names::dns1123_subdomain, &field(), name));
    out
}

/// Variables come from files of empty volumes.
fn files_of_variables(pod: &Pod<'_>) -> Mistakes {
    let mut out = Vec::new();
    for (at, container) in pod.containers() {
        for (i, variable) in list(container, "env").iter().enumerate() {
            let from = set(variable, "valueFrom").and_then(|from| set(from, "fileKeyRef"));
            let Some(name) = from.map(|from| own(from, "volumeName")) else { continue };
            let field = format!("{at}.env[{i}].valueFrom.fileKeyRef.volumeName");
            match list(pod.spec, "volumes").iter().rfind(|volume| own(volume, "name") == name) {
                None => out.push(not_found(field, name)),
                Some(volume) if set(volume, "emptyDir").is_none() => {
                    out.push(invalid_text(field, name, "referenced volume must be of type emptyDir"));
                }
                Some(_) => {}
            }
        }
    }
    out
}

fn spread(constraint: &Value, others: &[Value], at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let positive = |name: &str, number: i64| {
        (number <= 0).then(|| invalid(field(name), &Value::Int(number), "must be greater than zero"))
    };
    let mut out = Vec::new();
    out.extend(positive("maxSkew", number(constraint, "maxSkew").unwrap_or_default()));
    let (key, policy) = (own(constraint, "topologyKey"), own(constraint, "whenUnsatisfiable"));
    if key.is_empty() {
        out.push(required(field("topologyKey"), "can not be empty"));
    }
    if !UNSATISFIABLE.contains(&policy) {
        out.push(unsupported(field("whenUnsatisfiable"), policy, &UNSATISFIABLE));
    }
    let is_same =
        |other: &Value| own(other, "topologyKey") == key && own(other, "whenUnsatisfiable") == policy;
    if others.iter().any(is_same) {
        let shown = format!("{{{key}, {policy}}}");
        out.push(duplicate(field("{topologyKey, whenUnsatisfiable}"), &shown));
    }
    if let Some(least) = number(constraint, "minDomains") {
        out.extend(positive("minDomains", least));
        if policy != UNSATISFIABLE[0] {
            let why = format!("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {policy}");
            out.push(invalid(field("minDomains"), &Value::Int(least), &why));
        }
    }
    for name in ["nodeAffinityPolicy", "nodeTaintsPolicy"] {
        out.extend(unless_none_or_known(field(name), text(constraint, name), &NODE_POLICIES));
    }
    let selector = set(constraint, "labelSelector");
    out.extend(affinity::label_keys(constraint, selector, at));
    out.extend(selectors::mistakes(selector, &field("labelSelector")));
    out
}

pub(in crate::checks) fn toleration(toleration: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let text = |name: &str| own(toleration, name);
    let (operator, value) = (text("operator"), text("value"));
    let mut out = named(names::qualified_name, &field("key"), text("key"));
    if text("key").is_empty() && operator != "Exists" {
        let why =
            "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
        out.push(invalid_text(field("operator"), operator, why));
    }
    if set(toleration, "tolerationSeconds").is_some() && text("effect") != "NoExecute" {
        let why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
        out.push(invalid_text(field("effect"), text("effect"), why));
    }
    match operator {
        "Equal" | "" => {
            let mistakes = names::label_value(value);
            if !mistakes.is_empty() {
                out.push(invalid_text(field("operator"), value, &mistakes.join(";")));
            }
        }
        "Exists" if !value.is_empty() => {
            let why = "value must be empty when `operator` is 'Exists'";
            out.push(invalid_text(field("operator"), value, why));
        }
        "Exists" => {}
        other => {
            // Comparisons of numbers are off by default.
            let is_comparison = matches!(other, "Lt" | "Gt");
            let known = if is_comparison { &OPERATORS[..] } else { &OPERATORS[..2] };
            out.push(unsupported(field("operator"), other, known));
        }
    }
    if !text("effect").is_empty() && !EFFECTS.contains(&text("effect")) {
        out.push(unsupported(field("effect"), text("effect"), &EFFECTS));
    }
    out
}
