//! Checks of services.

use super::words::{
    duplicate, forbidden, invalid, invalid_text, network, port, port_name, required, unsupported,
    wrong_address,
};
use super::{PROTOCOLS, find, selectors};
use crate::meta::{own, texts};
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::net::Ip;
use crdgen_core::value::Value;
use crdgen_core::{json, names};
use std::collections::BTreeSet;

type Mistakes = Vec<Mistake<'static>>;

const TYPES: [&str; 4] = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const LONGEST_SESSION: i64 = 86400;

/// Whether a service has addresses.
pub(crate) fn needs_address(spec: &Value) -> bool {
    own(spec, "type") != "ExternalName"
}

/// Whether a service can be reached from outside of the cluster.
pub(crate) fn is_reached(spec: &Value) -> bool {
    match own(spec, "type") {
        "LoadBalancer" | "NodePort" => true,
        "ClusterIP" => !texts(spec, "externalIPs").is_empty(),
        _ => false,
    }
}

/// Whether a load balancer asks nodes if they have pods of a service.
pub(crate) fn needs_health_check(spec: &Value) -> bool {
    own(spec, "type") == "LoadBalancer" && own(spec, "externalTrafficPolicy") == "Local"
}

/// Whether a service has no address on purpose.
pub(crate) fn is_headless(spec: &Value) -> bool {
    needs_address(spec)
        && texts(spec, "clusterIPs").first().copied().unwrap_or(own(spec, "clusterIP")) == "None"
}

/// The mistakes of a service.
pub(super) fn mistakes(object: &Value, live: Option<&Value>) -> Mistakes {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let ty = own(spec, "type");
    let mut out = Vec::new();
    if let Some(old) = live.map(|live| live.get("spec").unwrap_or(&nothing)) {
        out.extend(changes(spec, old));
    }
    let ports = spec.get("ports").and_then(Value::as_list).unwrap_or_default();
    if needs_address(spec) && !is_headless(spec) && ports.is_empty() {
        out.push(required("spec.ports".to_owned(), ""));
    }
    if ty == "ExternalName" {
        out.extend(external_name(spec));
    }
    if is_headless(spec) && matches!(ty, "LoadBalancer" | "NodePort") {
        let why = format!("may not be set to 'None' for {ty} services");
        out.push(invalid_text("spec.clusterIPs[0]".to_owned(), "None", &why));
    }
    out.extend(all_ports(ports, ty));
    out.extend(selectors::labels(spec.get("selector"), "spec.selector"));
    out.extend(affinity(spec));
    out.extend(address_mistakes(spec));
    for (i, text) in texts(spec, "externalIPs").into_iter().enumerate() {
        let field = format!("spec.externalIPs[{i}]");
        match wrong_address(text) {
            None => out.extend(super::endpoints::special(&field, text)),
            Some(why) => out.push(invalid_text(field, text, why)),
        }
    }
    if !TYPES.contains(&ty) {
        out.push(unsupported("spec.type".to_owned(), ty, &TYPES));
    }
    out.extend(ports_twice(ports));
    out.extend(only_load_balancers(spec, ty));
    out.extend(policies(spec, ty));
    out
}

fn external_name(spec: &Value) -> Mistakes {
    let mut out = Vec::new();
    for name in ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] {
        let is_set = match spec.get(name) {
            None | Some(Value::Null) => false,
            Some(Value::List(items)) => !items.is_empty(),
            Some(_) => true,
        };
        if is_set {
            out.push(forbidden(format!("spec.{name}"), "may not be set for ExternalName services"));
        }
    }
    let name = own(spec, "externalName");
    let field = || "spec.externalName".to_owned();
    match name.strip_suffix('.').unwrap_or(name) {
        "" => out.push(required(field(), "")),
        name => {
            let mistakes = names::dns1123_subdomain(name);
            out.extend(mistakes.iter().map(|why| invalid_text(field(), name, why)));
        }
    }
    out
}

fn affinity(spec: &Value) -> Mistakes {
    let mut out: Mistakes = one_of(spec, "sessionAffinity", &["ClientIP", "None"]).into_iter().collect();
    let config = spec.get("sessionAffinityConfig").filter(|it| !it.is_null());
    let field = |rest: &str| format!("spec.sessionAffinityConfig{rest}");
    match own(spec, "sessionAffinity") {
        "None" if config.is_some() => {
            out.push(forbidden(field(""), "must not be set when session affinity is None"));
        }
        "ClientIP" => {
            let seconds = config.and_then(|config| find(config, &["clientIP", "timeoutSeconds"]));
            if let Some(seconds) = seconds
                && seconds.as_int().is_none_or(|seconds| !(1..=LONGEST_SESSION).contains(&seconds))
            {
                let why = format!("must be greater than 0 and less than {LONGEST_SESSION}");
                out.push(invalid(field(".clientIP.timeoutSeconds"), seconds, &why));
            }
        }
        _ => {}
    }
    out
}

/// The mistakes in the addresses of a service and in their families.
pub(crate) fn address_mistakes(spec: &Value) -> Mistakes {
    if !needs_address(spec) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let (address, addresses, families) =
        (own(spec, "clusterIP"), texts(spec, "clusterIPs"), texts(spec, "ipFamilies"));
    let field = || "spec.clusterIPs".to_owned();
    let nothing = Value::Null;
    let list = spec.get("clusterIPs").unwrap_or(&nothing);
    match (address, addresses.first()) {
        ("", None) => {}
        ("", Some(_)) => out.push(invalid(field(), list, "must be empty when `clusterIP` is not specified")),
        (_, None) => out.push(required(field(), "")),
        (address, Some(first)) if address != *first => {
            out.push(invalid(field(), list, "first value must match `clusterIP`"));
        }
        _ => {}
    }
    for (i, family) in families.iter().enumerate() {
        if !FAMILIES.contains(family) {
            out.push(unsupported(format!("spec.ipFamilies[{i}]"), family, &FAMILIES));
        }
        if families[..i].contains(family) {
            out.push(duplicate(format!("spec.ipFamilies[{i}]"), family));
        }
    }
    out.extend(one_of(spec, "ipFamilyPolicy", &["PreferDualStack", "RequireDualStack", "SingleStack"]));
    let mut is_wrong = false;
    for (i, text) in addresses.iter().enumerate() {
        if i == 0 && *text == "None" {
            if addresses.len() > 1 {
                is_wrong = true;
                out.push(invalid(field(), list, "'None' must be the first and only value"));
            }
        } else if let Some(why) = wrong_address(text) {
            is_wrong = true;
            out.push(invalid_text(format!("spec.clusterIPs[{i}]"), text, why));
        }
    }
    if addresses.len() > 2 {
        out.push(invalid(field(), list, "may only hold up to 2 values"));
    }
    if is_wrong {
        return out;
    }
    let found: Vec<&str> = addresses.iter().filter_map(|text| family(text)).collect();
    if let [first, rest @ ..] = &found[..]
        && !rest.is_empty()
        && rest.contains(first)
    {
        out.push(invalid(field(), list, "may specify no more than one IP for each IP family"));
    }
    if !is_headless(spec) {
        out.extend(other_families(&addresses, &families));
    }
    out
}

const FAMILIES: [&str; 2] = ["IPv4", "IPv6"];

fn family(address: &str) -> Option<&'static str> {
    Ip::parse(address).ok().map(|(ip, _)| if ip.bits() == 32 { "IPv4" } else { "IPv6" })
}

/// The addresses of a service must have its families.
fn other_families(addresses: &[&str], families: &[&str]) -> Mistakes {
    let pairs = addresses.iter().zip(families).enumerate();
    let wrong = pairs.filter(|(_, (address, wanted))| family(address).is_some_and(|found| found != **wanted));
    let mistake = |(i, (address, family)): (usize, (&&str, &&str))| {
        let why = format!("expected an {family} value as indicated by `ipFamilies[{i}]`");
        invalid_text(format!("spec.clusterIPs[{i}]"), address, &why)
    };
    wrong.map(mistake).collect()
}

/// What must not change, unless the type changes from or to one without addresses.
fn changes(spec: &Value, old: &Value) -> Mistakes {
    const STAYS: &str = "may not change once set";
    let mut out = Vec::new();
    let nothing = Value::Null;
    let value = |name: &str| spec.get(name).unwrap_or(&nothing);
    let is_checked = needs_address(spec) && needs_address(old);
    let headless = (is_headless(old), is_headless(spec));
    if is_checked && headless != (true, true) {
        let (was, is) = (texts(old, "clusterIPs"), texts(spec, "clusterIPs"));
        if was.len() == is.len() {
            let changed = was.iter().zip(&is).enumerate().filter(|(_, (was, is))| was != is);
            out.extend(
                changed.map(|(i, _)| invalid(format!("spec.clusterIPs[{i}]"), value("clusterIPs"), STAYS)),
            );
        } else {
            let field = || "spec.clusterIPs[0]".to_owned();
            if is.is_empty() {
                out.push(invalid(field(), value("clusterIPs"), "primary clusterIP can not be unset"));
            }
            if let (Some(was), Some(is)) = (was.first(), is.first())
                && was != is
            {
                out.push(invalid(field(), value("clusterIPs"), STAYS));
            }
            out.extend(not_single(spec, &was, &is, "clusterIP"));
        }
    }
    if is_checked && headless == (false, false) {
        let (was, is) = (texts(old, "ipFamilies"), texts(spec, "ipFamilies"));
        let field = || "spec.ipFamilies[0]".to_owned();
        if was.len() == is.len() {
            let changed = was.iter().zip(&is).filter(|(was, is)| was != is);
            out.extend(changed.map(|_| invalid(field(), value("ipFamilies"), STAYS)));
        } else {
            if let (Some(was), Some(is)) = (was.first(), is.first())
                && was != is
            {
                out.push(invalid(field(), value("clusterIPs"), STAYS));
            }
            out.extend(not_single(spec, &was, &is, "ipFamily"));
        }
    }
    let is_balancer = |spec: &Value| own(spec, "type") == "LoadBalancer";
    if is_balancer(spec)
        && is_balancer(old)
        && own(spec, "loadBalancerClass") != own(old, "loadBalancerClass")
    {
        out.push(invalid("spec.loadBalancerClass".to_owned(), value("loadBalancerClass"), STAYS));
    }
    let port = |spec: &Value| spec.get("healthCheckNodePort").and_then(Value::as_int).unwrap_or_default();
    if needs_health_check(spec) && needs_health_check(old) && port(spec) != port(old) {
        out.push(forbidden("spec.healthCheckNodePort".to_owned(), "field is immutable"));
    }
    out
}

/// A service that loses its second address or family must say that it wants only one.
fn not_single(spec: &Value, was: &[&str], is: &[&str], what: &str) -> Option<Mistake<'static>> {
    let policy = own(spec, "ipFamilyPolicy");
    let why = format!("must be set to 'SingleStack' when releasing the secondary {what}");
    (was.len() > is.len() && is.len() == 1 && policy != "SingleStack")
        .then(|| invalid_text("spec.ipFamilyPolicy".to_owned(), policy, &why))
}

fn one_of(spec: &Value, name: &str, supported: &[&str]) -> Option<Mistake<'static>> {
    let text = find(spec, &[name]).and_then(Value::as_str)?;
    (!supported.contains(&text)).then(|| unsupported(format!("spec.{name}"), text, supported))
}

/// What only load balancers have.
fn only_load_balancers(spec: &Value, ty: &str) -> Mistakes {
    const WHY: &str = "may only be used when `type` is 'LoadBalancer'";
    let mut out = Vec::new();
    let is_other = ty != "LoadBalancer";
    let ranges = texts(spec, "loadBalancerSourceRanges");
    if is_other && !ranges.is_empty() {
        out.push(forbidden("spec.LoadBalancerSourceRanges".to_owned(), WHY));
    }
    for (i, range) in ranges.into_iter().enumerate() {
        out.extend(network(format!("spec.LoadBalancerSourceRanges[{i}]"), range.trim()));
    }
    for name in ["allocateLoadBalancerNodePorts", "loadBalancerClass"] {
        if is_other && spec.get(name).is_some_and(|it| !it.is_null()) {
            out.push(forbidden(format!("spec.{name}"), WHY));
        }
    }
    if let Some(class) = spec.get("loadBalancerClass").and_then(Value::as_str).filter(|_| !is_other) {
        let field = || "spec.loadBalancerClass".to_owned();
        out.extend(names::qualified_name(class).iter().map(|why| invalid_text(field(), class, why)));
    }
    out
}

fn policies(spec: &Value, ty: &str) -> Mistakes {
    let mut out = Vec::new();
    let external = own(spec, "externalTrafficPolicy");
    let field = || "spec.externalTrafficPolicy".to_owned();
    match (is_reached(spec), external) {
        (_, "") => {}
        (true, "Cluster" | "Local") => {}
        (true, _) => out.push(unsupported(field(), external, &["Cluster", "Local"])),
        (false, _) => {
            out.push(invalid_text(field(), external, "may only be set for externally-accessible services"));
        }
    }
    let health = find(spec, &["healthCheckNodePort"]).filter(|it| it.as_int() != Some(0));
    if let Some(number) = health {
        let field = || "spec.healthCheckNodePort".to_owned();
        if needs_health_check(spec) {
            out.extend(port(field(), number));
        } else {
            let why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
            out.push(invalid(field(), number, why));
        }
    }
    if ty != "ExternalName" || !own(spec, "internalTrafficPolicy").is_empty() {
        out.extend(one_of(spec, "internalTrafficPolicy", &["Cluster", "Local"]));
    }
    out.extend(one_of(spec, "trafficDistribution", &["PreferClose", "PreferSameZone", "PreferSameNode"]));
    out
}

/// The pairs of protocols and ports that occur twice.
fn ports_twice(ports: &[Value]) -> Mistakes {
    let mut out = Vec::new();
    let (mut nodes, mut numbers) = (BTreeSet::new(), BTreeSet::new());
    let zero = Value::Int(0);
    let twice = |field: String, shown: String| Mistake::new(field, Kind::Duplicate, shown);
    for (i, one) in ports.iter().enumerate() {
        let (protocol, node) = (own(one, "protocol"), find(one, &["nodePort"]).unwrap_or(&zero));
        if node.as_int() != Some(0) && !nodes.insert((node.as_int(), protocol)) {
            out.push(twice(format!("spec.ports[{i}].nodePort"), json::to_string(node)));
        }
    }
    for (i, one) in ports.iter().enumerate() {
        let (protocol, number) = (own(one, "protocol"), find(one, &["port"]).unwrap_or(&zero));
        if !numbers.insert((number.as_int(), protocol)) {
            let shown = format!(
                r#"{{"Name":"","Protocol":{},"AppProtocol":null,"Port":{},"TargetPort":0,"NodePort":0}}"#,
                json::to_string(&protocol.into()),
                json::to_string(number)
            );
            out.push(twice(format!("spec.ports[{i}]"), shown));
        }
    }
    out
}

fn all_ports(ports: &[Value], ty: &str) -> Mistakes {
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
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
        if node != 0 && ty == "ClusterIP" {
            let why = format!("may not be used when `type` is '{ty}'");
            out.push(forbidden(field("nodePort"), &why));
        }
        if let Some(protocol) = find(one, &["appProtocol"]).and_then(Value::as_str) {
            let mistakes = names::qualified_name(protocol);
            out.extend(mistakes.iter().map(|why| invalid_text(field("appProtocol"), protocol, why)));
        }
    }
    out
}
