//! What the server's strategies of single kinds do: which fields a write cannot change, what they set in new objects, and
//! which changes they count.

use super::values::{at, texts};
use super::{BuiltIn, autoscalers, claims, devices, disabled, pods};
use crate::GroupVersion;
use crate::apply::kinds::metadata_text;
use crate::go;
use crate::object::access;
use crate::object::write::Warning;
use crate::object::write::{NOW, UID};
use crate::value::{Map, Value};

/// The kinds whose strategy counts changes.
const WITH_GENERATION: [&str; 28] = [
    "CronJob",
    "CustomResourceDefinition",
    "DaemonSet",
    "Deployment",
    "DeviceClass",
    "DeviceTaintRule",
    "EndpointSlice",
    "FlowSchema",
    "HorizontalPodAutoscaler",
    "Ingress",
    "IngressClass",
    "Job",
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
    "MutatingWebhookConfiguration",
    "NetworkPolicy",
    "Pod",
    "PodDisruptionBudget",
    "PodTemplate",
    "PriorityClass",
    "PriorityLevelConfiguration",
    "ReplicaSet",
    "ReplicationController",
    "ResourceSlice",
    "StatefulSet",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionPolicyBinding",
    "ValidatingWebhookConfiguration",
];

/// The groups whose status subresource cannot change metadata either.
const WITHOUT_METADATA: [&str; 9] = [
    "admissionregistration.k8s.io",
    "apiregistration.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "lifecycle.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

/// The fields that a write cannot change. So it does not make its manager their owner.
pub(super) fn reset(of: BuiltIn, subresource: &str) -> &'static [&'static [&'static str]] {
    let group = GroupVersion::of(of.api_version()).group;
    match (of.kind(), subresource) {
        ("CertificateSigningRequest", "") => &[&["spec"], &["status"]],
        ("CertificateSigningRequest", "approval") => &[&["spec"], &["status", "certificate"]],
        ("CertificateSigningRequest", "status") => &[&["spec"], &["status", "conditions"]],
        ("Deployment", "status") => &[&["metadata", "labels"], &["spec"]],
        ("Pod", "status") => {
            &[&["metadata", "deletionTimestamp"], &["metadata", "ownerReferences"], &["spec"]]
        }
        ("PodCertificateRequest" | "ServiceCIDR", "status") => &[&["metadata"], &["spec"]],
        (_, "status") if WITHOUT_METADATA.contains(&group) => &[&["metadata"], &["spec"]],
        (_, "status") => &[&["spec"]],
        (_, "") if of.subresources().any(|name| name == "status") => &[&["status"]],
        _ => &[],
    }
}

/// The fields that a write leaves as they are. The conditions of certificates are not among them: a write changes
/// them, and its manager does not become their owner.
pub(super) fn kept(of: BuiltIn, subresource: &str) -> &'static [&'static [&'static str]] {
    match (of.kind(), subresource) {
        ("CertificateSigningRequest", "status") => &[&["spec"]],
        _ => reset(of, subresource),
    }
}

/// Whether the server counts the changes of objects.
pub(super) fn has_generation(of: BuiltIn) -> bool {
    WITH_GENERATION.contains(&of.kind())
}

/// The same for objects that exist. A driver gets a generation when it changes first.
pub(super) fn counts_changes(of: BuiltIn) -> bool {
    has_generation(of) || of.kind() == "CSIDriver"
}

/// Whether it also counts the changes of fields that it then drops.
pub(super) fn counts_disabled(of: BuiltIn) -> bool {
    of.kind() == "ResourceSlice"
}

/// Whether a write increases the generation.
pub(super) fn is_changed(of: BuiltIn, object: &Value, live: &Value) -> bool {
    let metadata = |object: &Value, name: &str| object.get("metadata").and_then(|m| m.get(name)).cloned();
    let desired = |object: &Value| {
        let mut desired = object.as_map().cloned().unwrap_or_default();
        desired.remove("metadata");
        desired.remove("status");
        desired
    };
    match of.kind() {
        // It gets a generation when it is created, and keeps it.
        "PriorityClass" => false,
        "Deployment" => {
            desired(object) != desired(live)
                || metadata(object, "annotations") != metadata(live, "annotations")
        }
        "EndpointSlice" => {
            desired(object) != desired(live) || metadata(object, "labels") != metadata(live, "labels")
        }
        _ => desired(object) != desired(live),
    }
}

/// The generation of the template of a daemon set, which the server keeps in an annotation.
const TEMPLATE_GENERATION: &str = "deprecated.daemonset.template.generation";

/// What the server's conversion to its internal form changes.
pub(super) fn convert(of: BuiltIn, object: &mut Value) {
    match (of.api_version(), of.kind()) {
        // The internal form is the new version.
        (autoscalers::OLD, "HorizontalPodAutoscaler") => {
            let new = autoscalers::convert(object, autoscalers::NEW);
            if let Some(old) = new.and_then(|new| autoscalers::convert(&new, of.api_version())) {
                *object = of.decode(old).0;
            }
            return;
        }
        (autoscalers::NEW, "HorizontalPodAutoscaler") => return autoscalers::remove_annotations(object),
        _ => {}
    }
    if (of.api_version(), of.kind()) == ("v1", "Pod") {
        return pods::complete_addresses(object);
    }
    let Value::Map(members) = object else { return };
    match (of.api_version(), of.kind()) {
        ("v1", "Node") => complete_ranges(members),
        ("v1", "Secret") => {
            let Some(Value::Map(texts)) = members.remove("stringData") else { return };
            let Value::Map(data) = members.entry_or_insert_with("data", || Value::Map(Map::new())) else {
                return;
            };
            for (name, text) in texts {
                if let Value::Str(text) = &text {
                    data.insert(name, Value::from(go::base64_encode(text.as_bytes())));
                }
            }
        }
        ("apps/v1", "DaemonSet") => {
            let path = ["metadata", "annotations", TEMPLATE_GENERATION];
            if path.iter().try_fold(&*object, |at, name| at.get(name)).is_none() {
                _ = access::set_nested(object, &path, Value::from("0"));
            }
        }
        _ => {}
    }
}

/// The first range of addresses of a node is also the only one of older clients, whose range counts if they differ.
fn complete_ranges(node: &mut Map<Value>) {
    let Some(Value::Map(spec)) = node.get_mut("spec") else { return };
    let one = spec.text("podCIDR").to_owned();
    let first = spec.get("podCIDRs").and_then(|all| all.as_list()?.first()?.as_str()).map(str::to_owned);
    match first {
        Some(first) if one.is_empty() => drop(spec.insert("podCIDR", Value::from(first))),
        Some(first) if first == one => {}
        None if one.is_empty() => {}
        _ => drop(spec.insert("podCIDRs", Value::List(vec![one.into()]))),
    }
}

/// What the server sets in a new object that was sent.
pub(super) fn prepare_new(of: BuiltIn, object: &mut Value, sent: &Value, warnings: &mut Vec<Warning>) {
    disabled::remove(of, object);
    let mut set = |path: &[&str], value: Value| {
        // A part of the path that is not an object cannot be decoded.
        _ = access::set_nested(object, path, value);
    };
    match (of.api_version(), of.kind()) {
        ("v1", "Namespace") => set(&["spec", "finalizers"], Value::List(vec!["kubernetes".into()])),
        ("v1", "PersistentVolumeClaim") => claims::complete_sources(object, None),
        ("v1", "PersistentVolume") => set(&["status", "lastPhaseTransitionTime"], NOW.into()),
        ("v1", "Pod") => {
            pods::take_profiles(object, warnings);
            pods::complete_resources(object);
            let quality = pods::quality_of_service(object);
            let mut status = texts([("phase", "Pending"), ("qosClass", quality)]);
            if let (Value::Map(status), Some(condition)) = (&mut status, pods::gated(object)) {
                status.insert("conditions", Value::List(vec![condition]));
            }
            _ = access::set_nested(object, &["status"], status);
        }
        ("apps/v1", "DaemonSet") => set(&["metadata", "annotations", TEMPLATE_GENERATION], "1".into()),
        ("v1", "ServiceAccount") => names_of_secrets(object),
        ("batch/v1", "Job") => {
            let labels = at(sent, &["metadata", "labels"]).and_then(Value::as_map);
            generate_selector(object, labels.is_some_and(|labels| !labels.is_empty()));
        }
        _ => {}
    }
}

/// The secrets of an account are those of its namespace, so only their names count.
fn names_of_secrets(account: &mut Value) {
    let secrets = account.as_map_mut().and_then(|account| account.get_mut("secrets"));
    let Some(Value::List(secrets)) = secrets else { return };
    for secret in secrets {
        let name = secret.get("name").cloned();
        *secret = Value::Map(name.into_iter().map(|name| ("name".to_owned(), name)).collect());
    }
}

/// What the server's own admission sets in a new object, so that volumes stay as long as they are used.
pub(super) fn protect(of: BuiltIn, object: &mut Value) {
    let name = match (of.api_version(), of.kind()) {
        ("v1", "PersistentVolumeClaim") => "kubernetes.io/pvc-protection",
        ("v1", "PersistentVolume") => "kubernetes.io/pv-protection",
        _ => return,
    };
    let finalizers = object.get("metadata").and_then(|metadata| metadata.get("finalizers"));
    let mut finalizers = finalizers.and_then(Value::as_list).unwrap_or_default().to_vec();
    if !finalizers.iter().any(|it| it.as_str() == Some(name)) {
        finalizers.push(name.into());
        access::set_meta(object, "finalizers", Some(Value::List(finalizers)));
    }
}

/// Jobs select their pods by labels that the server generates. The labels of a job that has none are those of its template, also
/// the generated ones.
fn generate_selector(job: &mut Value, is_labelled: bool) {
    let is_manual = job.get("spec").and_then(|spec| spec.get("manualSelector")) == Some(&Value::Bool(true));
    if is_manual {
        return;
    }
    let name = metadata_text(job, "name").to_owned();
    let uid = "batch.kubernetes.io/controller-uid";
    let labels = [
        ("controller-uid", UID),
        ("job-name", name.as_str()),
        (uid, UID),
        ("batch.kubernetes.io/job-name", &name),
    ];
    let of_template = ["spec", "template", "metadata", "labels"];
    let wanted = labels.map(|(label, text)| (of_template.iter().copied().chain([label]).collect(), text));
    let selected = (vec!["spec", "selector", "matchLabels", uid], UID);
    for (path, text) in wanted.into_iter().chain([selected]) {
        let path: Vec<&str> = path;
        if at(job, &path).is_none() {
            _ = access::set_nested(job, &path, text.into());
        }
    }
    if let (false, Some(labels)) = (is_labelled, at(job, &of_template).cloned()) {
        access::set_meta(job, "labels", Some(labels));
    }
}

/// What the server sets in a changed object.
pub(super) fn prepare_update(of: BuiltIn, object: &mut Value, live: &Value) {
    disabled::remove(of, object);
    match (of.api_version(), of.kind()) {
        ("apps/v1", "DaemonSet") => count_template(object, live),
        ("v1", "PersistentVolume") => note_transition(object, live),
        ("v1", "Pod") => pods::keep_status(object, live),
        ("v1", "ServiceAccount") => names_of_secrets(object),
        ("v1", "PersistentVolumeClaim") => claims::complete_sources(object, Some(live)),
        ("resource.k8s.io/v1", "ResourceClaim") => devices::drop_freed(object, live),
        ("resource.k8s.io/v1", "DeviceTaintRule") => devices::note_effect(object, live),
        _ => {}
    }
}

fn count_template(daemons: &mut Value, live: &Value) {
    let path = ["metadata", "annotations", TEMPLATE_GENERATION];
    let old = at(live, &path).and_then(|old| old.as_str()?.parse::<i64>().ok()).unwrap_or_default();
    let template = ["spec", "template"];
    let new = old + i64::from(at(daemons, &template) != at(live, &template));
    _ = access::set_nested(daemons, &path, new.to_string().into());
}

/// Keeps the time when the phase changed last, or sets it unless the request does.
fn note_transition(volume: &mut Value, live: &Value) {
    let (phase, path) = (["status", "phase"], ["status", "lastPhaseTransitionTime"]);
    let (new, old) = (at(volume, &path).cloned(), at(live, &path).cloned());
    let time = match (at(volume, &phase) == at(live, &phase), &new) {
        (true, None) => old,
        (false, None) => Some(NOW.into()),
        (false, Some(_)) if new == old => Some(NOW.into()),
        _ => new,
    };
    if let Some(time) = time {
        _ = access::set_nested(volume, &path, time);
    }
}
