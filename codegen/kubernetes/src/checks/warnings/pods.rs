//! Warnings about pods and their templates.

use super::containers::{all, env, ports, resources};
use super::storage::{fraction, of_claim_spec};
use super::{Term, addresses, annotation, is_set, list, node_label, node_term};
use crate::checks::find;
use crate::meta::{own, texts};
use crdgen_core::go;
use crdgen_core::value::Value;

const SECCOMP: &str = r#"non-functional in v1.27+; use the "seccompProfile" field instead"#;
const POD_SECCOMP: &str = "seccomp.security.alpha.kubernetes.io/pod";
const NO_SELECTOR: &str = "a null labelSelector results in matching no pod";

/// Annotations that are deprecated.
const ANNOTATIONS: [(&str, &str); 3] = [
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

/// Kinds of volumes that are deprecated.
const VOLUMES: [(&str, &str); 9] = [
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

pub(super) fn pod(object: &Value) -> Vec<String> {
    warnings("", object)
}

pub(super) fn template(path: &str, template: &Value) -> Vec<String> {
    warnings(&format!("{path}."), template)
}

/// The warnings about a pod or a template. `root` is the place of a template, with a dot.
fn warnings(root: &str, object: &Value) -> Vec<String> {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let at = |rest: &str| format!("{root}spec.{rest}");
    let mut out = selectors(spec, &at);
    let of_annotation = |name: &str, why: &str| format!("{root}metadata.annotations[{name}]: {why}");
    let found = ANNOTATIONS.into_iter().filter(|(name, _)| annotation(object, name).is_some());
    out.extend(found.map(|(name, why)| of_annotation(name, why)));
    out.extend(volumes(spec, &at));
    out.extend(repeated(spec, &at));
    for name in ["memory", "ephemeral-storage"] {
        let amount = find(spec, &["overhead", name]);
        out.extend(amount.and_then(|amount| fraction(&at(&format!("overhead[{name}]")), amount)));
    }
    let has_profile = |security: Option<&Value>| security.is_some_and(|it| is_set(it, "seccompProfile"));
    if !has_profile(spec.get("securityContext")) && annotation(object, POD_SECCOMP).is_some() {
        out.push(of_annotation(POD_SECCOMP, SECCOMP));
    }
    let containers = all(spec, &format!("{root}spec"));
    for (place, container) in &containers {
        let security = container.get("securityContext");
        let name = format!("container.seccomp.security.alpha.kubernetes.io/{}", own(container, "name"));
        if !has_profile(security) && annotation(object, &name).is_some() {
            out.push(of_annotation(&name, SECCOMP));
        }
        let name = format!("container.apparmor.security.beta.kubernetes.io/{}", own(container, "name"));
        let has_profile = security.is_some_and(|it| is_set(it, "appArmorProfile"));
        if !has_profile && annotation(object, &name).is_some() {
            let why = r#"deprecated since v1.30; use the "appArmorProfile" field instead"#;
            out.push(of_annotation(&name, why));
        }
        out.extend(resources(container, place));
        out.extend(env(container, place));
    }
    out.extend(ports(&containers));
    if spec.get("terminationGracePeriodSeconds").and_then(Value::as_int).is_some_and(|it| it < 0) {
        let why = "must be >= 0; negative values are invalid and will be treated as 1";
        out.push(format!("{}: {why}", at("terminationGracePeriodSeconds")));
    }
    out.extend(affinity(spec, &at));
    if let Some(config) = spec.get("dnsConfig") {
        for (i, text) in texts(config, "nameservers").into_iter().enumerate() {
            out.extend(addresses::address(&at(&format!("dnsConfig.nameservers[{i}]")), text));
        }
    }
    for (i, alias) in list(spec, &["hostAliases"]).iter().enumerate() {
        out.extend(addresses::address(&at(&format!("hostAliases[{i}].ip")), own(alias, "ip")));
    }
    out
}

/// Deprecated labels of nodes.
fn selectors(spec: &Value, at: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut out = Vec::new();
    let labels = spec.get("nodeSelector").and_then(Value::as_map);
    for (name, _) in labels.into_iter().flat_map(|labels| labels.iter()) {
        out.extend(node_label(name).map(|why| format!("{}: {why}", at(&format!("nodeSelector[{name}]")))));
    }
    let affinity = "affinity.nodeAffinity";
    let required = "requiredDuringSchedulingIgnoredDuringExecution";
    for (i, term) in
        list(spec, &["affinity", "nodeAffinity", required, "nodeSelectorTerms"]).iter().enumerate()
    {
        out.extend(node_term(
            term,
            Term::Required,
            &at(&format!("{affinity}.{required}.nodeSelectorTerms[{i}]")),
        ));
    }
    let preferred = "preferredDuringSchedulingIgnoredDuringExecution";
    for (i, term) in list(spec, &["affinity", "nodeAffinity", preferred]).iter().enumerate() {
        let place = at(&format!("{affinity}.{preferred}[{i}].preference"));
        out.extend(
            term.get("preference").into_iter().flat_map(|term| node_term(term, Term::Preferred, &place)),
        );
    }
    for (i, constraint) in list(spec, &["topologySpreadConstraints"]).iter().enumerate() {
        let key = own(constraint, "topologyKey");
        let place = at(&format!("topologySpreadConstraints[{i}]"));
        out.extend(node_label(key).map(|why| format!("{place}.topologyKey: {key} is {why}")));
        if !is_set(constraint, "labelSelector") {
            out.push(format!("{place}.labelSelector: {NO_SELECTOR}"));
        }
    }
    out
}

fn volumes(spec: &Value, at: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut out = Vec::new();
    for (i, volume) in list(spec, &["volumes"]).iter().enumerate() {
        for (name, why) in VOLUMES.into_iter().filter(|(name, _)| is_set(volume, name)) {
            let field = if name == "storageos" { "storageOS" } else { name };
            out.push(format!("{}: {why}", at(&format!("volumes[{i}].{field}"))));
        }
        if let Some(claim) = find(volume, &["ephemeral", "volumeClaimTemplate", "spec"]) {
            out.extend(of_claim_spec(
                claim,
                &at(&format!("volumes[{i}].ephemeral.volumeClaimTemplate.spec")),
            ));
        }
    }
    out
}

/// Aliases of hosts and secrets for images that occur twice.
fn repeated(spec: &Value, at: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut out = Vec::new();
    for (items, name) in [("hostAliases", "ip"), ("imagePullSecrets", "name")] {
        let texts: Vec<&str> = list(spec, &[items]).iter().map(|item| own(item, name)).collect();
        for (i, text) in texts.iter().enumerate().filter(|(i, text)| texts[..*i].contains(text)) {
            out.push(format!(
                "{}: duplicate {name} {}",
                at(&format!("{items}[{i}].{name}")),
                go::quote(text)
            ));
        }
        if items == "imagePullSecrets" {
            let empty = texts.iter().enumerate().filter(|(_, text)| text.is_empty());
            out.extend(empty.map(|(i, _)| {
                format!("{}: invalid empty name {}", at(&format!("{items}[{i}].name")), go::quote(""))
            }));
        }
    }
    out
}

/// Terms of affinity to pods that match none.
fn affinity(spec: &Value, at: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut out = Vec::new();
    for kind in ["podAffinity", "podAntiAffinity"] {
        for (name, rest) in [
            ("requiredDuringSchedulingIgnoredDuringExecution", ""),
            ("preferredDuringSchedulingIgnoredDuringExecution", ".podAffinityTerm"),
        ] {
            for (i, term) in list(spec, &["affinity", kind, name]).iter().enumerate() {
                let term = if rest.is_empty() { Some(term) } else { term.get("podAffinityTerm") };
                if term.is_none_or(|term| !is_set(term, "labelSelector")) {
                    let place = at(&format!("affinity.{kind}.{name}[{i}]{rest}.labelSelector"));
                    out.push(format!("{place}: {NO_SELECTOR}"));
                }
            }
        }
    }
    out
}
