//! What the server warns about in Kubernetes' own kinds.

mod addresses;
mod containers;
mod pods;
mod services;
mod storage;

use super::find;
use crate::meta::{own, text};
use crdgen_core::value::Value;
use crdgen_core::{go, names};

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

/// The warnings about the new status of an object.
pub(crate) fn of_status(kind: &str, object: &Value) -> Vec<String> {
    match kind {
        "Ingress" | "Service" => services::status(object),
        _ => Vec::new(),
    }
}

/// The warnings about a new object, or about the new state of one.
pub(crate) fn warnings(kind: &str, object: &Value, live: Option<&Value>) -> Vec<String> {
    let is_new = live.is_none();
    let generation = |object: &Value| object.get("metadata").and_then(|it| it.get("generation")?.as_int());
    let is_changed = live.is_none_or(|live| generation(live) != generation(object));
    let template = |path: &[&str]| match find(object, path).filter(|_| is_changed) {
        Some(template) => pods::template(&path.join("."), template),
        None => Vec::new(),
    };
    let mut out = Vec::new();
    match kind {
        "Pod" if is_new => {
            out.extend(name(object, "the Pod's hostname"));
            out.extend(pods::pod(object));
        }
        "Deployment" | "ReplicaSet" | "ReplicationController" => {
            out.extend(name(object, "Pod names and hostnames").filter(|_| is_new));
            out.extend(template(&["spec", "template"]));
        }
        "Job" => {
            out.extend(name(object, "Pod names and hostnames").filter(|_| is_new));
            out.extend(many_indexes(object, &["spec"]).filter(|_| is_changed));
            out.extend(template(&["spec", "template"]));
        }
        "CronJob" => {
            out.extend(name(object, "Pod names and hostnames").filter(|_| is_new));
            out.extend(many_indexes(object, &["spec", "jobTemplate", "spec"]).filter(|_| is_changed));
            out.extend(template(&["spec", "jobTemplate", "spec", "template"]));
        }
        "DaemonSet" => out.extend(template(&["spec", "template"])),
        "PodTemplate" => out.extend(template(&["template"])),
        "StatefulSet" => {
            out.extend(template(&["spec", "template"]));
            out.extend(storage::of_stateful_set(object, is_new));
        }
        "Endpoints" => out.extend(addresses::endpoints(object)),
        "EndpointSlice" => out.extend(addresses::slice(object, is_new)),
        "NetworkPolicy" => out.extend(addresses::network_policy(object)),
        "Ingress" if is_new => out.extend(services::ingress(object)),
        "Service" => out.extend(services::service(object)),
        "PersistentVolume" => out.extend(storage::volume(object)),
        "PersistentVolumeClaim" => out.extend(storage::claim(object)),
        "CSIDriver" if is_new => out.extend(storage::driver(object)),
        "Secret" => out.extend(certificate(object)),
        "StorageClass" => out.extend(storage::class(object)),
        _ => {}
    }
    out
}

/// A certificate that cannot be read.
fn certificate(secret: &Value) -> Option<String> {
    let text = find(secret, &["data", "tls.crt"]).and_then(Value::as_str).unwrap_or_default();
    let bytes = go::base64_decode(text).unwrap_or_default();
    let has_none = !String::from_utf8_lossy(&bytes).contains("-----BEGIN ");
    (own(secret, "type") == "kubernetes.io/tls" && has_none)
        .then(|| "tls: failed to find any PEM data in certificate input".to_owned())
}

/// Large indexed jobs are hard to follow.
fn many_indexes(object: &Value, path: &[&str]) -> Option<String> {
    let spec = find(object, path)?;
    let number = |name: &str| find(spec, &[name]).and_then(Value::as_int).unwrap_or_default();
    let is_large = number("completions") > 100_000 && number("parallelism") > 10_000;
    (is_large && own(spec, "completionMode") == "Indexed").then(|| {
        format!(
            "{}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might \
             not be able to track completedIndexes when a big number of indexes fail",
            path.join(".")
        )
    })
}

/// Names that make hostnames should be labels.
fn name(object: &Value, what: &str) -> Option<String> {
    let mistakes = names::dns1123_label(text(object, "name"));
    (!mistakes.is_empty()).then(|| {
        let mistakes = mistakes.join(" ");
        format!(
            "metadata.name: this is used in {what}, which can result in surprising behavior; a DNS label is recommended: \
             [{mistakes}]"
        )
    })
}

/// The annotation of an object or a template, if it is there.
fn annotation<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.get("metadata")?.get("annotations")?.get(name)?.as_str()
}

fn list<'v>(object: &'v Value, path: &[&str]) -> &'v [Value] {
    find(object, path).and_then(Value::as_list).unwrap_or_default()
}

/// Whether a field of a struct is there.
fn is_set(object: &Value, name: &str) -> bool {
    object.get(name).is_some_and(|value| !value.is_null())
}

/// Whether a node must match a term of a selector, or should.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Term {
    Required,
    Preferred,
}

/// Labels of nodes in a term of a selector. The values of preferred terms are checked as well.
fn node_term(term: &Value, kind: Term, at: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (i, expression) in list(term, &["matchExpressions"]).iter().enumerate() {
        let key = own(expression, "key");
        if let Some(why) = node_label(key) {
            out.push(format!("{at}.matchExpressions[{i}].key: {key} is {why}"));
        }
        let values = list(expression, &["values"]).iter().filter_map(Value::as_str).enumerate();
        for (j, value) in values.filter(|_| kind == Term::Preferred) {
            let mistakes = names::label_value(value);
            let at = format!("{at}.matchExpressions[{i}].values[{j}]");
            out.extend(mistakes.iter().map(|why| format!("{at}: {value} is invalid, {why}")));
        }
    }
    out
}
