//! Checks of services.

use super::words::{
    NO_ADDRESS, NO_NETWORK, duplicate, forbidden, invalid, invalid_text, port, port_name, required,
    unsupported,
};
use super::{PROTOCOLS, find, selectors};
use crate::meta::own;
use crate::status::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::net::{Ip, Prefix};
use crdgen_core::value::Value;
use crdgen_core::{json, names};
use std::collections::BTreeSet;

type Mistakes = Vec<Mistake<'static>>;

const TYPES: [&str; 4] = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const LONGEST_SESSION: i64 = 86400;

/// The mistakes of a service.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let ty = own(spec, "type");
    let mut out = Vec::new();
    if let Some(live) = live {
        out.extend(other_address(spec, live));
        out.extend(other_families(spec));
    }
    let addresses = crate::meta::texts(spec, "clusterIPs");
    let address = addresses.first().copied().unwrap_or(own(spec, "clusterIP"));
    let ports = spec.get("ports").and_then(Value::as_list).unwrap_or_default();
    let needs_ports = ty != "ExternalName" && address != "None";
    if needs_ports && ports.is_empty() {
        out.push(required("spec.ports".to_owned(), ""));
    }
    if ty == "ExternalName" {
        let name = own(spec, "externalName");
        let name = name.strip_suffix('.').unwrap_or(name);
        match name {
            "" => out.push(required("spec.externalName".to_owned(), "")),
            name => {
                let mistakes = names::dns1123_subdomain(name);
                let field = || "spec.externalName".to_owned();
                out.extend(mistakes.iter().map(|why| invalid_text(field(), name, why)));
            }
        }
    }
    if address == "None" && matches!(ty, "LoadBalancer" | "NodePort") {
        let why = format!("may not be set to 'None' for {ty} services");
        out.push(invalid_text("spec.clusterIPs[0]".to_owned(), address, &why));
    }
    out.extend(all_ports(ports, ty));
    out.extend(selectors::labels(spec.get("selector"), "spec.selector"));
    if let Some(mistake) = one_of(spec, "sessionAffinity", &["ClientIP", "None"]) {
        out.push(mistake);
    }
    if let Some(seconds) = find(spec, &["sessionAffinityConfig", "clientIP", "timeoutSeconds"])
        && own(spec, "sessionAffinity") == "ClientIP"
        && seconds.as_int().is_none_or(|seconds| !(1..=LONGEST_SESSION).contains(&seconds))
    {
        let field = "spec.sessionAffinityConfig.clientIP.timeoutSeconds".to_owned();
        out.push(invalid(field, seconds, &format!("must be greater than 0 and less than {LONGEST_SESSION}")));
    }
    let is_address = |text: &str| Ip::parse(text).is_ok();
    for (name, list) in
        [("clusterIPs", &addresses), ("externalIPs", &crate::meta::texts(spec, "externalIPs"))]
    {
        let wrong =
            list.iter().enumerate().filter(|(_, text)| !matches!(**text, "" | "None") && !is_address(text));
        out.extend(wrong.map(|(i, text)| invalid_text(format!("spec.{name}[{i}]"), text, NO_ADDRESS)));
    }
    if !TYPES.contains(&ty) {
        out.push(unsupported("spec.type".to_owned(), ty, &TYPES));
    }
    for (i, range) in crate::meta::texts(spec, "loadBalancerSourceRanges").into_iter().enumerate() {
        if Prefix::parse(range.trim()).is_err() {
            out.push(invalid_text(format!("spec.LoadBalancerSourceRanges[{i}]"), range, NO_NETWORK));
        }
    }
    out.extend(policies(spec, ty));
    for (i, family) in crate::meta::texts(spec, "ipFamilies").into_iter().enumerate() {
        if !matches!(family, "IPv4" | "IPv6") {
            out.push(unsupported(format!("spec.ipFamilies[{i}]"), family, &["IPv4", "IPv6"]));
        }
    }
    out.extend(one_of(spec, "ipFamilyPolicy", &["PreferDualStack", "RequireDualStack", "SingleStack"]));
    out
}

/// The first address of a service stays, unless its type changes from or to one without addresses.
fn other_address(spec: &Value, live: &Value) -> Option<Mistake<'static>> {
    let nothing = Value::Null;
    let old = live.get("spec").unwrap_or(&nothing);
    let has_address = |spec: &Value| own(spec, "type") != "ExternalName";
    let first = |spec: &Value| crate::meta::texts(spec, "clusterIPs").first().map(ToString::to_string);
    let (was, mut is) = (first(old)?, first(spec));
    // Clients may change only the older field.
    let single = own(spec, "clusterIP");
    if single != own(old, "clusterIP") && !single.is_empty() {
        is = Some(single.to_owned());
    }
    let is_other = has_address(spec) && has_address(old) && is.as_ref() != Some(&was);
    let list: Value = is.into_iter().collect::<Vec<String>>().into();
    is_other.then(|| invalid("spec.clusterIPs[0]".to_owned(), &list, "may not change once set"))
}

/// The addresses of a service must have its families.
fn other_families(spec: &Value) -> Mistakes {
    let families = crate::meta::texts(spec, "ipFamilies");
    let addresses = crate::meta::texts(spec, "clusterIPs").into_iter();
    let wrong = addresses.zip(families).enumerate().filter(|(_, (address, family))| {
        let found = Ip::parse(address).map(|(ip, _)| if ip.bits() == 32 { "IPv4" } else { "IPv6" });
        found.is_ok_and(|found| found != *family)
    });
    let mistake = |(i, (address, family)): (usize, (&str, &str))| {
        let why = format!("expected an {family} value as indicated by `ipFamilies[{i}]`");
        invalid_text(format!("spec.clusterIPs[{i}]"), address, &why)
    };
    wrong.map(mistake).collect()
}

fn one_of(spec: &Value, name: &str, supported: &[&str]) -> Option<Mistake<'static>> {
    let text = find(spec, &[name]).and_then(Value::as_str)?;
    (!supported.contains(&text)).then(|| unsupported(format!("spec.{name}"), text, supported))
}

fn policies(spec: &Value, ty: &str) -> Mistakes {
    let mut out = Vec::new();
    let external = own(spec, "externalTrafficPolicy");
    let is_reached = matches!(ty, "LoadBalancer" | "NodePort")
        || spec.get("externalIPs").and_then(Value::as_list).is_some_and(|list| !list.is_empty());
    if !external.is_empty() {
        let field = || "spec.externalTrafficPolicy".to_owned();
        if !is_reached {
            out.push(invalid_text(field(), external, "may only be set for externally-accessible services"));
        } else if !matches!(external, "Cluster" | "Local") {
            out.push(unsupported(field(), external, &["Cluster", "Local"]));
        }
    }
    out.extend(one_of(spec, "internalTrafficPolicy", &["Cluster", "Local"]));
    out
}

fn all_ports(ports: &[Value], ty: &str) -> Mistakes {
    let mut out = Vec::new();
    let (mut seen, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    let zero = Value::Int(0);
    for (i, one) in ports.iter().enumerate() {
        let field = |name: &str| format!("spec.ports[{i}].{name}");
        let name = own(one, "name");
        if name.is_empty() {
            if ports.len() > 1 {
                out.push(required(field("name"), ""));
            }
        } else {
            let mistakes = names::dns1123_label(name);
            out.extend(mistakes.iter().map(|why| invalid_text(field("name"), name, why)));
            if !seen.insert(name) {
                out.push(duplicate(field("name"), name));
            }
        }
        let number = find(one, &["port"]).unwrap_or(&zero);
        out.extend(port(field("port"), number));
        let protocol = own(one, "protocol");
        if !PROTOCOLS.contains(&protocol) {
            out.push(unsupported(field("protocol"), protocol, &PROTOCOLS));
        }
        match find(one, &["targetPort"]) {
            Some(Value::Str(text)) => out.extend(port_name(&field("targetPort"), text)),
            target => out.extend(port(field("targetPort"), target.unwrap_or(&zero))),
        }
        let node = find(one, &["nodePort"]).and_then(Value::as_int).unwrap_or_default();
        if node != 0 && matches!(ty, "ClusterIP" | "ExternalName") {
            let why = format!("may not be used when `type` is '{ty}'");
            out.push(forbidden(field("nodePort"), &why));
        }
        if !numbers.insert((number.as_int(), protocol)) {
            let shown = format!(
                r#"{{"Name":"","Protocol":{},"AppProtocol":null,"Port":{},"TargetPort":0,"NodePort":0}}"#,
                json::to_string(&protocol.into()),
                json::to_string(number)
            );
            out.push(Mistake::new(format!("spec.ports[{i}]"), Kind::Duplicate, shown));
        }
    }
    out
}
