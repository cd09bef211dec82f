//! Warnings about volumes, claims and classes of storage.

use super::{Term, annotation, is_set, list, node_label, node_term};
use crate::checks::find;
use crate::meta::own;
use crdgen_core::go;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::value::Value;

/// The plugins for volumes that are deprecated, with the field of each in a PersistentVolume.
const PLUGINS: [(&str, &str); 6] = [
    ("cephfs", "deprecated in v1.28, non-functional in v1.31+"),
    ("photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"),
    ("scaleIO", "deprecated in v1.16, non-functional in v1.22+"),
    ("storageos", "deprecated in v1.22, non-functional in v1.25+"),
    ("glusterfs", "deprecated in v1.25, non-functional in v1.26+"),
    ("rbd", "deprecated in v1.28, non-functional in v1.31+"),
];

pub(super) fn volume(object: &Value) -> Vec<String> {
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let mut out = Vec::new();
    for (name, why) in [
        (
            "volume.beta.kubernetes.io/storage-class",
            r#"deprecated since v1.8; use "storageClassName" attribute instead"#,
        ),
        (
            "volume.beta.kubernetes.io/mount-options",
            r#"deprecated since v1.31; use "mountOptions" attribute instead"#,
        ),
    ] {
        if annotation(object, name).is_some() {
            out.push(format!("metadata.annotations[{name}]: {why}"));
        }
    }
    if own(spec, "persistentVolumeReclaimPolicy") == "Recycle" {
        out.push(
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is \
             to use dynamic provisioning."
                .to_owned(),
        );
    }
    for (i, term) in list(spec, &["nodeAffinity", "required", "nodeSelectorTerms"]).iter().enumerate() {
        out.extend(node_term(
            term,
            Term::Required,
            &format!("spec.nodeAffinity.required.nodeSelectorTerms[{i}]"),
        ));
    }
    let plugins = PLUGINS.into_iter().filter(|(name, _)| is_set(spec, name));
    out.extend(plugins.map(|(name, why)| {
        let field = if name == "storageos" { "storageOS" } else { name };
        format!("spec.{field}: {why}")
    }));
    out
}

pub(super) fn claim(object: &Value) -> Vec<String> {
    let name = "volume.beta.kubernetes.io/storage-class";
    let mut out = Vec::new();
    if annotation(object, name).is_some() {
        out.push(format!(
            r#"metadata.annotations[{name}]: deprecated since v1.8; use "storageClassName" attribute instead"#
        ));
    }
    out.extend(object.get("spec").into_iter().flat_map(|spec| of_claim_spec(spec, "spec")));
    out
}

pub(super) fn of_claim_spec(spec: &Value, at: &str) -> Vec<String> {
    let resources = spec.get("resources");
    let amounts = ["requests", "limits"]
        .into_iter()
        .filter_map(|name| Some((name, resources?.get(name)?.get("storage")?)));
    amounts
        .filter_map(|(name, amount)| fraction(&format!("{at}.resources.{name}[storage]"), amount))
        .collect()
}

/// The warning about an amount of bytes that is not whole.
pub(super) fn fraction(field: &str, amount: &Value) -> Option<String> {
    let text = amount.as_str()?;
    let whole = Quantity::parse(text).ok()?.as_int();
    let why = "is invalid, must be an integer";
    whole.is_none().then(|| format!("{field}: fractional byte value {} {why}", go::quote(text)))
}

pub(super) fn of_stateful_set(object: &Value, is_new: bool) -> Vec<String> {
    let mut out = Vec::new();
    for (i, claim) in list(object, &["spec", "volumeClaimTemplates"]).iter().enumerate() {
        let at = format!("spec.volumeClaimTemplates[{i}]{}", if is_new { "" } else { ".Spec" });
        out.extend(claim.get("spec").into_iter().flat_map(|spec| of_claim_spec(spec, &at)));
    }
    let limit = object.get("spec").and_then(|spec| spec.get("revisionHistoryLimit")?.as_int());
    if limit.is_some_and(|limit| limit < 0) {
        let why = "a negative value retains all historical revisions; a value >= 0 is recommended";
        out.push(format!("spec.revisionHistoryLimit: {why}"));
    }
    out
}

pub(super) fn class(object: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for (i, topology) in list(object, &["allowedTopologies"]).iter().enumerate() {
        for (j, expression) in list(topology, &["matchLabelExpressions"]).iter().enumerate() {
            let at = format!("allowedTopologies[{i}].matchLabelExpressions[{j}].key");
            out.extend(node_label(own(expression, "key")).map(|why| format!("{at}: {why}")));
        }
    }
    out
}

/// Tokens in volume attributes may be logged.
pub(super) fn driver(object: &Value) -> Option<String> {
    let requests = list(object, &["spec", "tokenRequests"]);
    let is_unset = find(object, &["spec", "serviceAccountTokenInSecrets"]).is_none_or(Value::is_null);
    (!requests.is_empty() && is_unset).then(|| {
        "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes"
            .to_owned()
    })
}
