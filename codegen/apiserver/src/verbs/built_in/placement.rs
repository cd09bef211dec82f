//! Checks of the fields of pods that are not about containers and volumes: where pods run, and their names in the network.

use super::words::{NO_ADDRESS, invalid, invalid_text, required, unsupported};
use super::{find, selectors};
use crate::meta::{own, texts};
use crate::status::Mistake;
use crdgen_core::go::net::Ip;
use crdgen_core::names;
use crdgen_core::value::Value;

type Mistakes = Vec<Mistake<'static>>;

const DNS_POLICIES: [&str; 4] = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const UNSATISFIABLE: [&str; 2] = ["DoNotSchedule", "ScheduleAnyway"];
const OPERATORS: [&str; 2] = ["Equal", "Exists"];
const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/// The mistakes, in the order in which the server looks at the fields.
pub(super) fn mistakes(spec: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    let policy = own(spec, "dnsPolicy");
    if !DNS_POLICIES.contains(&policy) {
        out.push(unsupported(field("dnsPolicy"), policy, &DNS_POLICIES));
    }
    out.extend(selectors::labels(spec.get("nodeSelector"), &field("nodeSelector")));
    out.extend(nodes(spec, at));
    if policy == "None" && find(spec, &["dnsConfig"]).is_none_or(Value::is_null) {
        out.push(required(field("dnsConfig"), "must provide `dnsConfig` when `dnsPolicy` is None"));
    }
    for (i, constraint) in list(spec, "topologySpreadConstraints").iter().enumerate() {
        out.extend(spread(constraint, &field(&format!("topologySpreadConstraints[{i}]"))));
    }
    for name in ["serviceAccountName", "nodeName"] {
        out.extend(named(names::dns1123_subdomain, field(name), own(spec, name)));
    }
    if let Some(seconds) = find(spec, &["activeDeadlineSeconds"]).filter(|it| !it.is_null())
        && seconds.as_int().is_none_or(|seconds| !(1..=i64::from(i32::MAX)).contains(&seconds))
    {
        let why = "must be between 1 and 2147483647, inclusive";
        out.push(invalid(field("activeDeadlineSeconds"), seconds, why));
    }
    for name in ["hostname", "subdomain"] {
        out.extend(named(names::dns1123_label, field(name), own(spec, name)));
    }
    for (i, one) in list(spec, "tolerations").iter().enumerate() {
        out.extend(toleration(one, &field(&format!("tolerations[{i}]"))));
    }
    for (i, alias) in list(spec, "hostAliases").iter().enumerate() {
        let field = |name: &str| field(&format!("hostAliases[{i}].{name}"));
        let ip = own(alias, "ip");
        if Ip::parse(ip).is_err() {
            out.push(invalid_text(field("ip"), ip, NO_ADDRESS));
        }
        for (j, name) in texts(alias, "hostnames").into_iter().enumerate() {
            let mistakes = names::dns1123_subdomain(name);
            let field = || field(&format!("hostnames[{j}]"));
            out.extend(mistakes.iter().map(|why| invalid_text(field(), name, why)));
        }
    }
    out
}

fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_list).unwrap_or_default()
}

/// The mistakes in a name, unless there is none.
fn named<W: AsRef<str>>(check: fn(&str) -> Vec<W>, field: String, name: &str) -> Mistakes {
    let mistakes = if name.is_empty() { Vec::new() } else { check(name) };
    mistakes.iter().map(|why| invalid_text(field.clone(), name, why.as_ref())).collect()
}

/// A selector of nodes has a term.
fn nodes(spec: &Value, at: &str) -> Option<Mistake<'static>> {
    let name = "requiredDuringSchedulingIgnoredDuringExecution";
    let required_nodes = find(spec, &["affinity", "nodeAffinity", name]).filter(|it| !it.is_null())?;
    let field = format!("{at}.affinity.nodeAffinity.{name}.nodeSelectorTerms");
    list(required_nodes, "nodeSelectorTerms")
        .is_empty()
        .then(|| required(field, "must have at least one node selector term"))
}

fn spread(constraint: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let mut out = Vec::new();
    let skew = constraint.get("maxSkew").and_then(Value::as_int).unwrap_or_default();
    if skew <= 0 {
        out.push(invalid(field("maxSkew"), &Value::Int(skew), "must be greater than zero"));
    }
    if own(constraint, "topologyKey").is_empty() {
        out.push(required(field("topologyKey"), "can not be empty"));
    }
    let policy = own(constraint, "whenUnsatisfiable");
    if !UNSATISFIABLE.contains(&policy) {
        out.push(unsupported(field("whenUnsatisfiable"), policy, &UNSATISFIABLE));
    }
    out
}

fn toleration(toleration: &Value, at: &str) -> Mistakes {
    let field = |name: &str| format!("{at}.{name}");
    let text = |name: &str| own(toleration, name);
    let (operator, value) = (text("operator"), text("value"));
    let mut out = named(names::qualified_name, field("key"), text("key"));
    if text("key").is_empty() && operator != "Exists" {
        let why =
            "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
        out.push(invalid_text(field("operator"), operator, why));
    }
    let is_timed = toleration.get("tolerationSeconds").is_some_and(|seconds| !seconds.is_null());
    if is_timed && text("effect") != "NoExecute" {
        let why = "effect must be 'NoExecute' when `tolerationSeconds` is set";
        out.push(invalid_text(field("effect"), text("effect"), why));
    }
    match operator {
        "Equal" | "" => {
            let mistakes = names::label_value(value);
            out.extend(mistakes.iter().map(|why| invalid_text(field("operator"), value, why)));
        }
        "Exists" if !value.is_empty() => {
            let why = "value must be empty when `operator` is 'Exists'";
            out.push(invalid_text(field("operator"), value, why));
        }
        "Exists" => {}
        other => out.push(unsupported(field("operator"), other, &OPERATORS)),
    }
    if !text("effect").is_empty() && !EFFECTS.contains(&text("effect")) {
        out.push(unsupported(field("effect"), text("effect"), &EFFECTS));
    }
    out
}
