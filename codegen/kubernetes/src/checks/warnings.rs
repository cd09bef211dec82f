//! What the server warns about in Kubernetes' own kinds.

use super::at::{At, Mistakes};
use super::pods::all_containers;
use super::rows::{Check::*, Row, check, is_new, twice};
use super::services::is_headless;
use crate::field::Field;
use crate::mistake::Mistake;
use crdgen_core::go::net::{Ip, Prefix};
use crdgen_core::value::Value;
use crdgen_core::{go, names};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What is deprecated about labels of nodes.
const NODE_LABELS: [(&str, &str); 8] = [
    ("beta.kubernetes.io/arch", r#"deprecated since v1.14; use "kubernetes.io/arch" instead"#),
    ("beta.kubernetes.io/os", r#"deprecated since v1.14; use "kubernetes.io/os" instead"#),
    (
        "failure-domain.beta.kubernetes.io/region",
        r#"deprecated since v1.17; use "topology.kubernetes.io/region" instead"#,
    ),
    (
        "failure-domain.beta.kubernetes.io/zone",
        r#"deprecated since v1.17; use "topology.kubernetes.io/zone" instead"#,
    ),
    (
        "beta.kubernetes.io/instance-type",
        r#"deprecated since v1.17; use "node.kubernetes.io/instance-type" instead"#,
    ),
    ("app.kubernetes.io/created-by", "deprecated since v1.9"),
    (
        "scheduler.alpha.kubernetes.io/preferAvoidPods",
        "deprecated since v1.22; use Taints and Tolerations instead",
    ),
    ("node-role.kubernetes.io/master", r#"use "node-role.kubernetes.io/control-plane" instead"#),
];

fn node_label(name: &str) -> Option<&'static str> {
    NODE_LABELS.iter().find(|(label, _)| *label == name).map(|(_, why)| *why)
}

/// Whether the server looks at the template again.
fn is_again(at: &At<'_>) -> bool {
    let generation = at.root("metadata.generation");
    at.is_new() || generation.old != generation.value
}

const NAME: &str = "which can result in surprising behavior; a DNS label is recommended:";
const OF_NEW: &[Row] =
    &[("", If(is_new, &[("metadata.name", Code(|at, out| name(at, "Pod names and hostnames", out)))]))];
const TEMPLATE: &[Row] = &[("spec", If(is_again, &[("template", Code(pod))]))];

pub(super) const POD: &[Row] = &[(
    "",
    If(is_new, &[("metadata.name", Code(|at, out| name(at, "the Pod's hostname", out))), ("", Code(pod))]),
)];
/// Deployments, ReplicaSets and ReplicationControllers.
pub(super) const WORKLOAD: &[Row] = &[("", All(OF_NEW)), ("", All(TEMPLATE))];
pub(super) const DAEMON_SET: &[Row] = TEMPLATE;
pub(super) const POD_TEMPLATE: &[Row] = &[("", If(is_again, &[("template", Code(pod))]))];
pub(super) const JOB: &[Row] =
    &[("", All(OF_NEW)), ("spec", If(is_again, &[("", Code(many_indexes))])), ("", All(TEMPLATE))];
pub(super) const CRON_JOB: &[Row] = &[
    ("", All(OF_NEW)),
    ("spec.jobTemplate.spec", If(is_again, &[("", Code(many_indexes)), ("template", Code(pod))])),
];
pub(super) const STATEFUL_SET: &[Row] = &[
    ("", All(TEMPLATE)),
    ("spec.volumeClaimTemplates[]", Code(claim_of_set)),
    (
        "spec.revisionHistoryLimit",
        WarnIf(
            |at| at.number() < 0,
            "a negative value retains all historical revisions; a value >= 0 is recommended",
        ),
    ),
];
pub(super) const ENDPOINTS: &[Row] = &[(
    "",
    If(
        |at| !is_managed(at, "endpoints.kubernetes.io/managed-by", &["endpoint-controller"]),
        &[("subsets[].addresses[].ip", ADDRESS), ("subsets[].notReadyAddresses[].ip", ADDRESS)],
    ),
)];
pub(super) const SLICE: &[Row] = &[
    ("", If(|at| at.is_new() && at.get("addressType").text() == "FQDN", &[("", Code(full_names))])),
    (
        "",
        If(
            |at| !is_managed(at, "endpointslice.kubernetes.io/managed-by", SLICES),
            &[("endpoints[].addresses[]", ADDRESS)],
        ),
    ),
];
const SLICES: &[&str] = &["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];
pub(super) const NETWORK_POLICY: &[Row] =
    &[("spec.ingress[].from[].ipBlock", All(BLOCK)), ("spec.egress[].to[].ipBlock", All(BLOCK))];
const BLOCK: &[Row] = &[("cidr", NETWORK), ("except[]", NETWORK)];
pub(super) const INGRESS: &[Row] =
    &[("", If(|at| at.is_new() && at.get("spec.ingressClassName").is_empty(), &[("", Code(ingress))]))];
/// The status of services and ingresses.
pub(super) const BALANCERS: &[Row] = &[("status.loadBalancer.ingress[]", Code(balancer))];
pub(super) const SERVICE: &[Row] = &[
    ("", Code(hints)),
    ("spec", Code(service)),
    ("spec.clusterIPs[]", ADDRESS),
    ("spec.externalIPs[]", ADDRESS),
    ("spec.loadBalancerIP", ADDRESS),
    ("spec.loadBalancerSourceRanges[]", NETWORK),
];
pub(super) const PERSISTENT_VOLUME: &[Row] = &[
    ("metadata.annotations", Code(|at, out| annotations(at, &OLD_ANNOTATIONS, out))),
    ("spec.persistentVolumeReclaimPolicy", WarnIf(|at| at.text() == "Recycle", RECYCLE)),
    ("spec.nodeAffinity.required.nodeSelectorTerms[]", Code(node_keys)),
    ("spec", Code(|at, out| plugins(at, &OLD_PLUGINS, out))),
];
const RECYCLE: &str = "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.";
pub(super) const CLAIM: &[Row] = &[
    ("metadata.annotations", Code(|at, out| annotations(at, &OLD_ANNOTATIONS[..1], out))),
    ("spec", Code(claim)),
];
pub(super) const CSI_DRIVER: &[Row] = &[("spec", If(has_new_requests, &[("", Code(driver))]))];

fn has_new_requests(spec: &At<'_>) -> bool {
    spec.is_new() || spec.get("tokenRequests").is_changed()
}
pub(super) const SECRET: &[Row] = &[("", Code(certificate))];
pub(super) const STORAGE_CLASS: &[Row] =
    &[("allowedTopologies[].matchLabelExpressions[].key", Code(node_key))];

const ADDRESS: super::rows::Check = Code(address);
const NETWORK: super::rows::Check = Code(network);

const OLD_ANNOTATIONS: [(&str, &str); 2] = [
    (
        "volume.beta.kubernetes.io/storage-class",
        r#"deprecated since v1.8; use "storageClassName" attribute instead"#,
    ),
    (
        "volume.beta.kubernetes.io/mount-options",
        r#"deprecated since v1.31; use "mountOptions" attribute instead"#,
    ),
];

/// A warning that names no field.
fn warn(at: &At<'_>, why: impl Into<String>, out: &mut Mistakes) {
    out.push(Mistake::warning(Field::other("", &at.field.steps()), why));
}

fn annotations(at: &At<'_>, known: &[(&str, &str)], out: &mut Mistakes) {
    for (name, why) in known {
        let is_there = at.value.is_some_and(|all| all.get(name).is_some());
        out.extend(is_there.then(|| at.shown_as(at.field.key(name)).warning(*why)));
    }
}

/// Names that make hostnames should be labels.
fn name(at: &At<'_>, what: &str, out: &mut Mistakes) {
    let mistakes = names::dns1123_label(at.text());
    if !mistakes.is_empty() {
        out.push(at.warning(format!("this is used in {what}, {NAME} [{}]", mistakes.join(" "))));
    }
}

/// A certificate that cannot be read.
fn certificate(at: &At<'_>, out: &mut Mistakes) {
    let text = at.get("data").value.map_or("", |data| data.text("tls.crt"));
    let bytes = go::base64_decode(text).unwrap_or_default();
    let has_none = !String::from_utf8_lossy(&bytes).contains("-----BEGIN ");
    if at.get("type").text() == "kubernetes.io/tls" && has_none {
        warn(at, "tls: failed to find any PEM data in certificate input", out);
    }
}

/// Large indexed jobs are hard to follow.
fn many_indexes(at: &At<'_>, out: &mut Mistakes) {
    let is_large = at.get("completions").number() > 100_000 && at.get("parallelism").number() > 10_000;
    if is_large && at.get("completionMode").text() == "Indexed" {
        out.push(at.warning(
            "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might \
             not be able to track completedIndexes when a big number of indexes fail",
        ));
    }
}

fn is_managed(at: &At<'_>, label: &str, by: &[&str]) -> bool {
    at.get("metadata.labels").value.is_some_and(|labels| by.contains(&labels.text(label)))
}

fn full_names(at: &At<'_>, out: &mut Mistakes) {
    out.push(at.shown_as("spec.addressType".into()).warning("FQDN endpoints are deprecated"));
}

/// An address that is not written as it should be. The checks have rejected what Go does not read.
fn address(at: &At<'_>, out: &mut Mistakes) {
    let Ok((ip, _)) = Ip::parse(at.text()) else { return };
    let (text, canonical) = (at.text(), ip.to_string());
    if canonical != text {
        let (text, canonical) = (go::quote(text), go::quote(&canonical));
        out.push(
            at.warning(format!("IPv6 address {text} should be in RFC 5952 canonical format ({canonical})")),
        );
    }
}

/// A network that is not written as it should be.
fn network(at: &At<'_>, out: &mut Mistakes) {
    let text = at.text();
    let ip = text.split('/').next().and_then(|ip| Ip::parse(ip).ok());
    let (Ok(prefix), Some((ip, _))) = (Prefix::parse(text), ip) else { return };
    let (masked, quoted) = (prefix.masked(), go::quote(text));
    if masked != prefix {
        let (network, single) = (go::quote(&masked.to_string()), go::quote(&format!("{ip}/{}", ip.bits())));
        out.push(at.warning(format!(
            "CIDR value {quoted} is ambiguous in this context (should be {network} or {single}?)"
        )));
    } else if prefix.to_string() != text {
        let canonical = go::quote(&prefix.to_string());
        out.push(at.warning(format!(
            "IPv6 CIDR value {quoted} should be in RFC 5952 canonical format ({canonical})"
        )));
    }
}

/// The server leaves out the field of the address.
fn balancer(at: &At<'_>, out: &mut Mistakes) {
    address(&at.get("ip").shown_as(at.field.clone()), out);
}

fn ingress(at: &At<'_>, out: &mut Mistakes) {
    let name = "kubernetes.io/ingress.class";
    if let Some(annotation) = annotation(at, name) {
        warn(
            &annotation,
            format!(r#"annotation "{name}" is deprecated, please use 'spec.ingressClassName' instead"#),
            out,
        );
    }
}

fn hints(at: &At<'_>, out: &mut Mistakes) {
    let name = "service.kubernetes.io/topology-aware-hints";
    if let Some(annotation) = annotation(at, name) {
        let why = "is deprecated, please use service.kubernetes.io/topology-mode instead";
        warn(&annotation, format!("annotation {name} {why}"), out);
    }
}

fn annotation<'v>(at: &At<'v>, name: &str) -> Option<At<'v>> {
    let all = at.get("metadata.annotations");
    let is_there = all.value.is_some_and(|all| all.get(name).is_some());
    is_there.then(|| all.shown_as(all.field.key(name)))
}

fn service(spec: &At<'_>, out: &mut Mistakes) {
    let has = |name| !spec.get(name).is_empty();
    let is_external = spec.get("type").text() == "ExternalName";
    let is_headless = spec.get("type").text() == "ClusterIP" && spec.value.is_some_and(is_headless);
    let has_affinity = spec.get("sessionAffinity").text() != "None";
    let is_old = spec.get("trafficDistribution").text() == "PreferClose";
    for (is_so, why) in [
        (is_headless && has("loadBalancerIP"), "spec.loadBalancerIP is ignored for headless services"),
        (is_headless && has("externalIPs"), "spec.externalIPs is ignored for headless services"),
        (is_headless && has_affinity, "spec.SessionAffinity is ignored for headless services"),
        (
            has("externalIPs") && !is_headless && !is_external,
            "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
        ),
        (
            is_external && has("externalIPs"),
            r#"spec.externalIPs is ignored when spec.type is "ExternalName""#,
        ),
        (
            !is_external && has("externalName"),
            r#"spec.externalName is ignored when spec.type is not "ExternalName""#,
        ),
        (is_old, r#"spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone""#),
    ] {
        if is_so {
            warn(spec, why, out);
        }
    }
}

/// The plugins for PersistentVolumes that are deprecated.
const OLD_PLUGINS: [(&str, &str); 6] = [
    ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("storageos", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
];
/// Those for volumes of pods.
const OLD_VOLUMES: [(&str, &str); 9] = [
    ("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"),
    ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("flocker", "deprecated in v1.22, non-functional in v1.25+"),
    ("storageos", "deprecated in v1.22, non-functional in v1.25+"),
    ("quobyte", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
];

fn plugins(at: &At<'_>, known: &[(&'static str, &'static str)], out: &mut Mistakes) {
    for (name, why) in known.iter().filter(|(name, _)| at.get(name).is_set()) {
        let field = if *name == "storageos" { "storageOS" } else { name };
        out.push(at.shown_as(at.field.child(field)).warning(*why));
    }
}

fn claim(spec: &At<'_>, out: &mut Mistakes) {
    for name in ["resources.requests", "resources.limits"] {
        fraction(&spec.get(name), "storage", out);
    }
}

/// An amount of bytes that is not whole.
fn fraction(amounts: &At<'_>, name: &str, out: &mut Mistakes) {
    let Some(amount) = amounts.member(name) else { return };
    if amount.quantity().is_some_and(|quantity| quantity.scaled(-3) % 1000 != 0) {
        let text = go::quote(amount.text());
        out.push(amount.warning(format!("fractional byte value {text} is invalid, must be an integer")));
    }
}

fn claim_of_set(at: &At<'_>, out: &mut Mistakes) {
    let spec = at.get("spec");
    let field = if at.is_new() { at.field.clone() } else { at.field.child("Spec") };
    claim(&spec.shown_as(field), out);
}

/// Tokens in volume attributes may be logged.
fn driver(at: &At<'_>, out: &mut Mistakes) {
    if !at.get("tokenRequests").is_empty() && !at.get("serviceAccountTokenInSecrets").is_set() {
        warn(
            at,
            "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
            out,
        );
    }
}

fn node_key(at: &At<'_>, out: &mut Mistakes) {
    out.extend(node_label(at.text()).map(|why| at.warning(why)));
}

/// The labels of nodes in a term of a selector.
fn node_keys(term: &At<'_>, out: &mut Mistakes) {
    for key in term.get("matchExpressions").each().map(|it| it.get("key")) {
        out.extend(node_label(key.text()).map(|why| key.warning(format!("{} is {why}", key.text()))));
    }
}

/// The same, and values that no label has.
fn preferred_node(term: &At<'_>, out: &mut Mistakes) {
    for expression in term.get("matchExpressions").each() {
        let key = expression.get("key");
        out.extend(node_label(key.text()).map(|why| key.warning(format!("{} is {why}", key.text()))));
        for value in expression.get("values").each() {
            let mistakes = names::label_value(value.text());
            out.extend(
                mistakes.iter().map(|why| value.warning(format!("{} is invalid, {why}", value.text()))),
            );
        }
    }
}

const SECCOMP: &str = r#"non-functional in v1.27+; use the "seccompProfile" field instead"#;
const POD_SECCOMP: &str = "seccomp.security.alpha.kubernetes.io/pod";
const NO_SELECTOR: super::rows::Check =
    WarnIf(|at| !at.is_set(), "a null labelSelector results in matching no pod");

/// Annotations that are deprecated.
const OF_PODS: [(&str, &str); 3] = [
    (
        "scheduler.alpha.kubernetes.io/critical-pod",
        r#"non-functional in v1.16+; use the "priorityClassName" field instead"#,
    ),
    ("security.alpha.kubernetes.io/sysctls", r#"non-functional in v1.11+; use the "sysctls" field instead"#),
    (
        "security.alpha.kubernetes.io/unsafe-sysctls",
        r#"non-functional in v1.11+; use the "sysctls" field instead"#,
    ),
];

/// Pods and templates of them.
fn pod(at: &At<'_>, out: &mut Mistakes) {
    check(BEFORE_CONTAINERS, at, out);
    let (annotated, spec) = (at.get("metadata.annotations"), at.get("spec"));
    if !spec.get("securityContext.seccompProfile").is_set() {
        annotations(&annotated, &[(POD_SECCOMP, SECCOMP)], out);
    }
    let containers = all_containers(&spec);
    for container in &containers {
        let name = container.get("name").text();
        let profiles = [
            ("seccompProfile", "container.seccomp.security.alpha.kubernetes.io", SECCOMP),
            (
                "appArmorProfile",
                "container.apparmor.security.beta.kubernetes.io",
                r#"deprecated since v1.30; use the "appArmorProfile" field instead"#,
            ),
        ];
        for (profile, prefix, why) in profiles {
            if !container.get("securityContext").get(profile).is_set() {
                annotations(&annotated, &[(&format!("{prefix}/{name}"), why)], out);
            }
        }
        for resource in ["memory", "ephemeral-storage"] {
            fraction(&container.get("resources.limits"), resource, out);
            fraction(&container.get("resources.requests"), resource, out);
        }
        env(&container.get("env"), out);
    }
    ports(&containers, out);
    check(AFTER_CONTAINERS, at, out);
}

const BEFORE_CONTAINERS: &[Row] = &[
    ("spec.nodeSelector", Code(node_selector)),
    (
        "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[]",
        Code(node_keys),
    ),
    (
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[].preference",
        Code(preferred_node),
    ),
    ("spec.topologySpreadConstraints[]", Code(constraint)),
    ("metadata.annotations", Code(|at, out| annotations(at, &OF_PODS, out))),
    ("spec.volumes[]", Code(|at, out| plugins(at, &OLD_VOLUMES, out))),
    ("spec.volumes[].ephemeral.volumeClaimTemplate.spec", Code(claim)),
    ("spec.hostAliases", Code(|at, out| repeated(at, "ip", out))),
    ("spec.imagePullSecrets", Code(|at, out| repeated(at, "name", out))),
    ("spec.imagePullSecrets[].name", WarnIf(|at| at.is_empty(), "invalid empty name \"\"")),
    ("spec.overhead", Code(|at, out| fraction(at, "memory", out))),
    ("spec.overhead", Code(|at, out| fraction(at, "ephemeral-storage", out))),
];

const AFTER_CONTAINERS: &[Row] = &[
    (
        "spec.terminationGracePeriodSeconds",
        WarnIf(|at| at.number() < 0, "must be >= 0; negative values are invalid and will be treated as 1"),
    ),
    ("spec.affinity.podAffinity", All(TERMS)),
    ("spec.affinity.podAntiAffinity", All(TERMS)),
    ("spec.dnsConfig.nameservers[]", ADDRESS),
    ("spec.hostAliases[].ip", ADDRESS),
];

const TERMS: &[Row] = &[
    ("requiredDuringSchedulingIgnoredDuringExecution[].labelSelector", NO_SELECTOR),
    ("preferredDuringSchedulingIgnoredDuringExecution[].podAffinityTerm.labelSelector", NO_SELECTOR),
];

fn node_selector(at: &At<'_>, out: &mut Mistakes) {
    for (name, label) in at.members() {
        out.extend(node_label(name).map(|why| label.warning(why)));
    }
}

fn constraint(at: &At<'_>, out: &mut Mistakes) {
    let key = at.get("topologyKey");
    out.extend(node_label(key.text()).map(|why| key.warning(format!("{} is {why}", key.text()))));
    check(&[("labelSelector", NO_SELECTOR)], at, out);
}

/// Aliases of hosts and secrets for images that occur twice.
fn repeated(at: &At<'_>, name: &'static str, out: &mut Mistakes) {
    let text = |item: &Value| Some(item.text(name).to_owned());
    for item in twice(at, text).map(|item| item.get(name)) {
        out.push(item.warning(format!("duplicate {name} {}", go::quote(item.text()))));
    }
}

/// Variables that hide another one of the same name, unless they refer to it.
fn env(at: &At<'_>, out: &mut Mistakes) {
    for variable in twice(at, |variable| Some(variable.text("name").to_owned())) {
        let (name, value) = (variable.get("name").text(), variable.get("value").text());
        let reference = format!("$({name})");
        if variable.get("valueFrom").is_set() || value == reference || !value.contains(&reference) {
            let name = go::quote(name);
            out.push(variable.warning(format!(
                "hides previous definition of {name}, which may be dropped when using apply"
            )));
        }
    }
}

/// How many pairs of ports are compared at most. Each of thousands may be the same as all others, and headers show 4,096 characters.
const MOST_PAIRS: usize = 100_000;

/// Ports of several containers that are the same, or almost.
fn ports(containers: &[At<'_>], out: &mut Mistakes) {
    let all: Vec<At<'_>> =
        containers.iter().flat_map(|container| container.get("ports").each().collect::<Vec<_>>()).collect();
    let mut pairs = 0;
    let mut before: HashMap<(i64, &str), Vec<&At<'_>>> = HashMap::new();
    for port in &all {
        let number = |of: &At<'_>, name| of.get(name).number();
        let (inner, on_host) = (number(port, "containerPort"), number(port, "hostPort"));
        let (ip, protocol) = (port.get("hostIP").text(), port.get("protocol").text());
        if !ip.is_empty() && on_host == 0 {
            let name = port.get("name").text();
            out.push(port.warning(format!(
                "hostIP set without hostPort: {{Name:{name} HostPort:0 ContainerPort:{inner} Protocol:{protocol} HostIP:{ip}}}"
            )));
        }
        let same = before.entry((inner, protocol)).or_default();
        pairs += same.len();
        if pairs > MOST_PAIRS {
            break;
        }
        for other in same.iter() {
            let (other_port, other_ip) = (number(other, "hostPort"), other.get("hostIP").text());
            let is_same_host = other_port == on_host;
            let what = if is_same_host && other_ip == ip {
                "duplicate"
            } else if on_host == 0 || other_port == 0 {
                "overlapping"
            } else if is_same_host && other_ip.is_empty() != ip.is_empty() {
                "dangerously ambiguous"
            } else {
                continue;
            };
            out.push(port.warning(format!("{what} port definition with {}", other.field)));
        }
        same.push(port);
    }
    let mut named: HashMap<&str, &At<'_>> = HashMap::new();
    for port in &all {
        let name = port.get("name").text();
        match named.entry(name) {
            _ if name.is_empty() => {}
            Entry::Vacant(first) => _ = first.insert(port),
            Entry::Occupied(first) => {
                let (name, other) = (go::quote(name), &first.get().field);
                out.push(port.warning(format!(
                    "duplicate port name {name} with {other}, services and probes that select ports by name will use {other}"
                )));
            }
        }
    }
}
