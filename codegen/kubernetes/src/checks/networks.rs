//! Checks of endpoints, of ingresses and of what else is about the network.

use super::at::{At, Mistakes};
use super::rows::{Check::*, Row, check, is_new, twice};
use super::selectors::SELECTOR;
use super::words::{NO_ADDRESS, network, port, port_name, wrong_address};
use super::{PROTOCOLS, internal};
use crdgen_core::diag::Kind;
use crdgen_core::go::net::{Ip, Prefix};
use crdgen_core::names;
use crdgen_core::value::Value;

pub(super) const ENDPOINTS: &[Row] = &[
    (
        "subsets[]",
        RequiredIf(
            |at| at.get("addresses").is_empty() && at.get("notReadyAddresses").is_empty(),
            "must specify `addresses` or `notReadyAddresses`",
        ),
    ),
    ("subsets[].addresses[]", All(ADDRESS)),
    ("subsets[].notReadyAddresses[]", All(ADDRESS)),
    ("subsets[].ports", Code(ports)),
];
const ADDRESS: &[Row] = &[
    ("ip", Name(|text| wrong_address(text).map(str::to_owned).into_iter().collect())),
    ("hostname", NameOrEmpty(names::dns1123_label)),
    ("nodeName", NameIfSet(names::dns1123_subdomain)),
    ("ip", Code(special)),
];
const OF_PORT: &[Row] =
    &[("protocol", Known(PROTOCOLS)), ("appProtocol", NameOrEmpty(names::qualified_name))];

pub(super) const SLICE: &[Row] = &[
    (
        "ports[]",
        All(&[
            ("name", NameOrEmpty(names::dns1123_label)),
            ("protocol", If(|at| !at.is_set(), &[("", Required(""))])),
            ("protocol", OneOf(PROTOCOLS)),
            ("appProtocol", NameIfSet(names::qualified_name)),
        ]),
    ),
    ("ports", Unique("name")),
    // Those that are there are not checked again.
    ("", If(|at| at.is_new() || at.get("endpoints").is_changed(), &[("endpoints[]", All(ENDPOINT))])),
    ("addressType", FixedUnseen),
    // Types say this, and the server checks them last.
    ("addressType", Known(&["FQDN", "IPv4", "IPv6"])),
    ("endpoints[].addresses", Required("")),
    ("endpoints[].addresses", Most(100)),
];
const ENDPOINT: &[Row] = &[
    ("addresses", Code(addresses)),
    ("nodeName", NameIfSet(names::dns1123_subdomain)),
    ("hostname", NameOrEmpty(names::dns1123_label)),
    ("hints.forZones", Unique("name")),
    ("hints.forZones[].name", Name(names::label_value)),
];

fn ports(at: &At<'_>, out: &mut Mistakes) {
    for one in at.each() {
        let name = one.get("name");
        match name.is_empty() {
            true if at.items().len() > 1 => out.push(name.required("")),
            _ => check(&[("", NameOrEmpty(names::dns1123_label))], &name, out),
        }
        check(&[("port", Port), ("", All(OF_PORT))], &one, out);
    }
}

/// Addresses that no endpoint can have.
pub(super) fn special(at: &At<'_>, out: &mut Mistakes) {
    let text = at.text();
    let Ok((ip, _)) = Ip::parse(text) else {
        return out.push(at.invalid_text(text, "must be a valid IP address"));
    };
    let unspecified = format!("may not be unspecified ({text})");
    let reasons = [
        (ip.is_unspecified(), unspecified.as_str()),
        (ip.is_loopback(), "may not be in the loopback range (127.0.0.0/8, ::1/128)"),
        (ip.is_link_local_unicast(), "may not be in the link-local range (169.254.0.0/16, fe80::/10)"),
        (
            ip.is_link_local_multicast(),
            "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
        ),
    ];
    out.extend(reasons.into_iter().filter(|(is_so, _)| *is_so).map(|(_, why)| at.invalid(why)));
}

fn addresses(list: &At<'_>, out: &mut Mistakes) {
    let ty = list.root("addressType").text();
    for at in list.each() {
        match (ty, Ip::parse(at.text())) {
            ("IPv4" | "IPv6", Err(_)) => out.push(at.invalid_text(at.text(), NO_ADDRESS)),
            ("IPv4" | "IPv6", Ok((ip, _))) => {
                if matches!(ip, Ip::V4(_)) != (ty == "IPv4") {
                    out.push(list.invalid_text(at.text(), &format!("must be an {ty} address")));
                }
                special(&at, out);
            }
            ("FQDN", _) => {
                let name = at.text().strip_suffix('.').unwrap_or(at.text());
                out.extend(names::dns1123_subdomain(name).iter().map(|why| at.invalid_text(name, why)));
            }
            _ => {}
        }
    }
}

pub(super) const INGRESS: &[Row] = &[
    ("", If(is_new, &[("spec.ingressClassName", Code(annotated))])),
    ("spec", Code(any_backend)),
    ("spec.defaultBackend", In(BACKEND)),
    ("spec.rules[]", All(RULE)),
    ("spec.tls[].hosts[]", Name(host)),
    ("spec.tls[].secretName", NameOrEmpty(names::dns1123_subdomain)),
    ("spec.ingressClassName", NameIfSet(names::dns1123_subdomain)),
];
const RULE: &[Row] = &[
    ("host", NameOrEmpty(no_address)),
    ("host", NameOrEmpty(host)),
    ("http", In(&[("paths", Required("")), ("paths[]", Code(path))])),
];
const BACKEND: &[Row] = &[("", Code(backend))];
const RESOURCE: &[Row] = &[
    ("apiGroup", NameIfSet(names::dns1123_subdomain)),
    ("kind", NeedsName(names::path_segment)),
    ("name", NeedsName(names::path_segment)),
];
const SERVICE: &[Row] = &[("name", NeedsName(names::dns1123_label))];

fn annotated(at: &At<'_>, out: &mut Mistakes) {
    const CLASS: &str = "kubernetes.io/ingress.class";
    let class = at.root("metadata.annotations").value.and_then(|all| all.get(CLASS)?.as_str());
    if let Some(class) = class.filter(|class| at.is_set() && *class != at.text()) {
        let annotation = At::new(at.object, None).get("annotations");
        let annotation = annotation.shown_as(annotation.field.name(CLASS));
        let why = "must match `ingressClassName` when both are specified";
        out.push(annotation.invalid_text(class, why));
    }
}

fn any_backend(at: &At<'_>, out: &mut Mistakes) {
    if at.get("rules").is_empty() && !at.get("defaultBackend").is_set() {
        out.push(at.invalid_as("null", "either `defaultBackend` or `rules` must be specified"));
    }
}

/// A name, which is not an address.
pub(super) fn no_address(name: &str) -> Vec<String> {
    let is_address = Ip::parse(name).is_ok();
    is_address.then(|| "must be a DNS name, not an IP address".to_owned()).into_iter().collect()
}

fn host(name: &str) -> Vec<String> {
    match name.split_once('*') {
        None => names::dns1123_subdomain(name),
        Some(("", rest))
            if rest.strip_prefix('.').is_some_and(|rest| names::dns1123_subdomain(rest).is_empty()) =>
        {
            Vec::new()
        }
        Some(_) => vec![
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of \
             lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex \
             used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                .to_owned(),
        ],
    }
}

fn path(at: &At<'_>, out: &mut Mistakes) {
    let (path, ty) = (at.get("path"), at.get("pathType"));
    let text = path.text();
    let is_strict = match ty.text() {
        // Without it, nothing else of the path is checked.
        _ if !ty.is_set() => return out.push(ty.required("pathType must be specified")),
        known @ ("Exact" | "Prefix" | "ImplementationSpecific") => {
            let is_strict = known != "ImplementationSpecific";
            if !text.starts_with('/') && (is_strict || !text.is_empty()) {
                out.push(path.invalid_text(text, "must be an absolute path"));
            }
            is_strict
        }
        _ => {
            out.push(ty.unsupported(&["Exact", "ImplementationSpecific", "Prefix"]));
            false
        }
    };
    if is_strict && text.starts_with('/') {
        let parts = ["//", "/./", "/../", "%2f", "%2F"].into_iter().filter(|part| text.contains(part));
        out.extend(parts.map(|part| path.invalid(&format!("must not contain '{part}'"))));
        let ends = ["/..", "/."].into_iter().filter(|end| text.ends_with(end));
        out.extend(ends.map(|end| path.invalid(&format!("cannot end with '{end}'"))));
    }
    backend(&at.get("backend"), out);
}

fn backend(at: &At<'_>, out: &mut Mistakes) {
    let (service, resource) = (at.get("service"), at.get("resource"));
    match (service.is_set(), resource.is_set()) {
        (true, true) => {
            return out.push(at.invalid_text("", "cannot set both resource and service backends"));
        }
        (false, false) => return out.push(at.invalid_text("", "resource or service backend is required")),
        (false, true) => return check(RESOURCE, &resource, out),
        (true, false) => check(SERVICE, &service, out),
    }
    let (name, number) = (service.get("port.name"), service.get("port.number"));
    match (name.is_empty(), number.number() == 0) {
        (true, true) => out.push(at.required("port name or number is required")),
        (true, false) => out.extend(port(&number)),
        (false, false) => out.push(at.invalid_text("", "cannot set both port name & port number")),
        (false, true) => out.extend(name.wrong_text(port_name(name.text()))),
    }
}

pub(super) const INGRESS_CLASS: &[Row] = &[
    ("spec.controller", Required("")),
    ("spec.controller", Code(controller)),
    ("spec.controller", Code(fixed_text)),
    ("spec.parameters", In(PARAMETERS)),
];
const PARAMETERS: &[Row] = &[
    ("apiGroup", NameIfSet(names::dns1123_subdomain)),
    ("kind", NeedsName(names::path_segment)),
    ("name", NeedsName(names::path_segment)),
    ("", Code(scope)),
];

/// A text that never changes. A missing one is empty.
fn fixed_text(at: &At<'_>, out: &mut Mistakes) {
    if at.is_changed() {
        out.push(at.invalid_text(at.text(), "field is immutable"));
    }
}

fn controller(at: &At<'_>, out: &mut Mistakes) {
    match at.text().split_once('/') {
        _ if at.is_empty() => {}
        Some((host, rest)) if !host.is_empty() && !rest.is_empty() => {
            out.extend(names::dns1123_subdomain(host).iter().map(|why| at.invalid_text(host, why)));
            out.extend(super::words::http_path(rest).iter().map(|why| at.invalid_text(rest, why)));
        }
        _ => out.push(at.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")")),
    }
    check(&[("", Longest(250))], at, out);
}

fn scope(at: &At<'_>, out: &mut Mistakes) {
    let (scope, namespace) = (at.get("scope"), at.get("namespace"));
    match (scope.text(), namespace.is_set()) {
        ("Namespace", false) => out.push(namespace.required("`parameters.scope` is set to 'Namespace'")),
        ("Namespace", true) => out.extend(namespace.wrong_text(names::dns1123_label(namespace.text()))),
        ("Cluster", false) => {}
        ("Cluster", true) => out.push(namespace.forbidden("`parameters.scope` is set to 'Cluster'")),
        _ => out.push(scope.unsupported(&["Cluster", "Namespace"])),
    }
}

pub(super) const NETWORK_POLICY: &[Row] = &[
    ("spec.podSelector", SELECTOR),
    ("spec.ingress[]", All(&[("ports[]", Code(port_of_policy)), ("from[]", Code(peer))])),
    ("spec.egress[]", All(&[("ports[]", Code(port_of_policy)), ("to[]", Code(peer))])),
    ("spec.policyTypes", Code(directions)),
];

fn directions(at: &At<'_>, out: &mut Mistakes) {
    match at.items().len() {
        0..=2 => check(&[("[]", Of(&["Ingress", "Egress"]))], at, out),
        _ => out.push(at.invalid("may not specify more than two policyTypes")),
    }
}

fn port_of_policy(at: &At<'_>, out: &mut Mistakes) {
    check(&[("protocol", OneOfOrEmpty(&["TCP", "UDP", "SCTP"]))], at, out);
    let (number, end) = (at.get("port"), at.get("endPort"));
    let end_without = |of: &str| {
        let why = format!("may not be specified when `port` is {of}");
        end.is_set().then(|| end.invalid(&why))
    };
    match number.value {
        None => out.extend(end_without("not specified")),
        Some(Value::Str(name)) => {
            out.extend(end_without("non-numeric"));
            out.extend(number.wrong_text(port_name(name)));
        }
        Some(_) => {
            out.extend(port(&number));
            if end.is_set() && end.number() < number.number() {
                out.push(end.invalid("must be greater than or equal to `port`"));
            }
            out.extend(Some(&end).filter(|end| end.is_set()).and_then(port));
        }
    }
}

fn peer(at: &At<'_>, out: &mut Mistakes) {
    check(&[("podSelector", SELECTOR), ("namespaceSelector", SELECTOR)], at, out);
    let has_selector = at.get("podSelector").is_set() || at.get("namespaceSelector").is_set();
    match (at.get("ipBlock").is_set(), has_selector) {
        (false, false) => out.push(at.required("must specify a peer")),
        (false, true) => {}
        (true, has_selector) => {
            block(&at.get("ipBlock"), out);
            let why = "may not specify both ipBlock and another peer";
            out.extend(has_selector.then(|| at.forbidden(why)));
        }
    }
}

fn block(at: &At<'_>, out: &mut Mistakes) {
    let (before, cidr) = (out.len(), at.get("cidr"));
    check(&[("", NeedsName(network))], &cidr, out);
    let Ok(whole) = Prefix::parse(cidr.text()) else { return };
    for part in at.get("except").each().filter(|_| out.len() == before).collect::<Vec<_>>() {
        let wrong = part.wrong_text(network(part.text()));
        let is_inside = Prefix::parse(part.text())
            .is_ok_and(|inner| whole.contains(inner.ip) && whole.bits() < inner.bits());
        if wrong.is_empty() && !is_inside {
            out.push(part.invalid_text(part.text(), "must be a strict subset of `cidr`"));
        }
        out.extend(wrong);
    }
}

pub(super) const IP_ADDRESS: &[Row] = &[
    ("spec.parentRef", RequiredIf(|at| !at.is_set(), "")),
    ("spec.parentRef", In(PARENT)),
    ("spec.parentRef", FixedUnseen),
];
const PARENT: &[Row] = &[
    ("group", NameOrEmpty(names::dns1123_subdomain)),
    ("resource", NeedsName(names::path_segment)),
    ("name", NeedsName(names::path_segment)),
    ("namespace", NameOrEmpty(names::path_segment)),
];

pub(super) const SERVICE_CIDR: &[Row] =
    &[("", If(is_new, &[("spec.cidrs", Code(cidrs))])), ("spec.cidrs", Code(more_cidrs))];

fn cidrs(at: &At<'_>, out: &mut Mistakes) {
    match at.items() {
        [] => out.push(at.required("at least one CIDR required")),
        [one, other] => {
            check(&[("[]", Name(super::words::strict_network))], at, out);
            let family =
                |text: &Value| Some(Prefix::parse(text.as_str()?).ok()?.masked().to_string().contains(':'));
            if family(one).is_some() && family(one) == family(other) {
                let why = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
                out.push(at.invalid(why));
            }
        }
        [_] => check(&[("[]", Name(super::words::strict_network))], at, out),
        _ => {
            let shown = internal::shown(at.root("spec").value, "ServiceCIDRSpec");
            out.push(at.invalid_as(&shown, "may only hold up to 2 values"));
        }
    }
}

/// A second network can come later.
fn more_cidrs(at: &At<'_>, out: &mut Mistakes) {
    if at.is_new() {
        return;
    }
    let (was, is) = (at.old_texts(), at.texts());
    let changed = |item: &At<'_>, old: Option<&&str>| (Some(&item.text()) != old).then(|| item.immutable());
    match (was.len(), is.len()) {
        (1, 2) => {
            out.extend(at.each().take(1).filter_map(|item| changed(&item, was.first())));
            cidrs(at, out);
        }
        (old, new) if old == new => {
            out.extend(at.each().enumerate().filter_map(|(i, item)| changed(&item, was.get(i))));
        }
        _ => out.push(at.immutable()),
    }
}

/// The addresses of load balancers in the status of services.
pub(super) const SERVICE_STATUS: &[Row] = &[("status.loadBalancer.ingress", Code(balancers_of_service))];
/// The same in that of ingresses.
pub(super) const INGRESS_STATUS: &[Row] =
    &[("status.loadBalancer.ingress[]", All(&[("", Code(old_address)), ("hostname", All(HOST_NAME))]))];

const HOST_NAME: &[Row] = &[("", NameOrEmpty(names::dns1123_subdomain)), ("", NameOrEmpty(no_address))];

fn balancers_of_service(at: &At<'_>, out: &mut Mistakes) {
    if at.root("spec.type").text() != "LoadBalancer" && !at.is_empty() {
        return out.push(at.forbidden("may only be used when `spec.type` is 'LoadBalancer'"));
    }
    for address in at.each() {
        old_address(&address, out);
        let mode = address.get("ipMode");
        match (address.get("ip").is_empty(), mode.is_set()) {
            (false, false) => out.push(mode.required("must be specified when `ip` is set")),
            (true, true) => out.push(mode.forbidden("may not be specified when `ip` is not set")),
            (false, true) => check(&[("", OneOf(&["Proxy", "VIP"]))], &mode, out),
            (true, false) => {}
        }
        check(&[("hostname", All(HOST_NAME))], &address, out);
    }
}

/// An address of a load balancer. Those that were there before stay.
fn old_address(at: &At<'_>, out: &mut Mistakes) {
    let ip = at.get("ip");
    let old = at.live.map(|live| At::new(live, None).get("status.loadBalancer.ingress"));
    let was_there = old.is_some_and(|old| old.each().any(|it| it.get("ip").text() == ip.text()));
    if let Some(why) = wrong_address(ip.text()).filter(|_| !ip.is_empty() && !was_there) {
        out.push(ip.invalid(why));
    }
}

/// The items of a list that are there again, as this type of the server.
pub(super) fn twice_in_go(at: &At<'_>, ty: &str, out: &mut Mistakes) {
    let again = twice(at, |item| Some(internal::shown(Some(item), ty)));
    out.extend(again.map(|item| item.mistake(Kind::Duplicate, internal::shown(item.value, ty))));
}
