//! What an object of Kubernetes' own kinds says that it is. The server decodes it as that, and not as what the path expects.

use super::Row;
use super::rows::find;
use crdgen_core::object::Refusal;
use crdgen_core::value::Value;
use crdgen_core::{GroupVersion, go};

/// The `apiVersion` and the `kind` of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectType {
    /// The `apiVersion`.
    pub api_version: String,
    /// The `kind`.
    pub kind: String,
}

/// Versions that the server decodes and that are not served here: (`apiVersion`, kinds).
const DECODED: [(&str, &[&str]); 12] = [
    ("apiextensions.k8s.io/v1beta1", &["CustomResourceDefinition"]),
    ("apps/v1beta1", &["ControllerRevision", "Deployment", "StatefulSet"]),
    ("apps/v1beta2", &["ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]),
    ("batch/v1beta1", &["CronJob"]),
    ("extensions/v1beta1", &["DaemonSet", "Deployment", "Ingress", "NetworkPolicy", "ReplicaSet"]),
    ("networking.k8s.io/v1beta1", &["Ingress", "IngressClass"]),
    ("policy/v1beta1", &["PodDisruptionBudget"]),
    ("rbac.authorization.k8s.io/v1alpha1", &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"]),
    ("rbac.authorization.k8s.io/v1beta1", &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"]),
    ("resource.k8s.io/v1alpha3", &["DeviceTaintRule"]),
    ("resource.k8s.io/v1beta1", &["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"]),
    (
        "resource.k8s.io/v1beta2",
        &["DeviceClass", "DeviceTaintRule", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"],
    ),
];

impl ObjectType {
    /// Returns the type of an object.
    pub fn of(object: &Value) -> ObjectType {
        let text = |name| object.text(name).to_owned();
        ObjectType { api_version: text("apiVersion"), kind: text("kind") }
    }

    /// Sets the kind and the version in an object that has none: the decoder knows what it expects.
    pub fn complete(&self, object: &mut Value) {
        for (name, text) in [("apiVersion", &self.api_version), ("kind", &self.kind)] {
            let is_missing = object.text(name).is_empty();
            if let (Value::Map(map), true) = (&mut *object, is_missing) {
                map.insert(name, text.as_str().into());
            }
        }
    }

    /// Sets the kind and the version.
    pub fn set(&self, object: &mut Value) {
        if let Value::Map(map) = object {
            map.insert("apiVersion", self.api_version.as_str().into());
            map.insert("kind", self.kind.as_str().into());
        }
    }

    /// Returns the server's words for a type that it does not know.
    pub fn unknown(&self) -> String {
        let (kind, api_version) = (go::quote(&self.kind), go::quote(&self.api_version));
        format!(
            "no kind {kind} is registered for version {api_version} in scheme \"pkg/runtime/scheme.go:111\""
        )
    }

    /// Returns why an object of this type is none of a kind in a version, in the words of the server's decoders.
    pub fn mismatch(&self, own: &Row, wanted: &ObjectType) -> Mismatch {
        let ObjectType { api_version, kind } = self;
        let GroupVersion { version, .. } = GroupVersion::of(api_version);
        let found = find(api_version, kind);
        let is_decoded =
            || DECODED.iter().any(|(name, kinds)| name == api_version && kinds.contains(&kind.as_str()));
        let is_same = match found {
            Some(found) => (found.checked_group(), found.plural) == (own.checked_group(), own.plural),
            None => kind == own.kind && is_decoded(),
        };
        if is_same && *kind == wanted.kind {
            let (found, wanted) = (api_version.clone(), wanted.api_version.clone());
            return Mismatch::Version(Refusal::OtherVersion { found, wanted }.to_string());
        }
        if found.is_none_or(|found| scheme(found.group) != scheme(own.group)) {
            return Mismatch::Unknown(self.unknown());
        }
        // Events of both groups are those of the core.
        let group = match wanted.kind == own.kind {
            true => own.checked_group(),
            // What an action takes.
            false => GroupVersion::of(&wanted.api_version).group,
        };
        let package = match group.split('.').next() {
            None | Some("") => "core",
            Some(first) => first,
        };
        let wanted = &wanted.kind;
        Mismatch::Kind(format!("converting ({version}.{kind}) to ({package}.{wanted}): unknown conversion"))
    }
}

/// Why an object is not what the path expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The server does not know the kind or the version.
    Unknown(String),
    /// It is of another kind.
    Kind(String),
    /// It is of the kind, in another version.
    Version(String),
}

/// The servers that the server consists of know different kinds.
fn scheme(group: &str) -> &str {
    match group {
        "apiextensions.k8s.io" | "apiregistration.k8s.io" => group,
        _ => "",
    }
}
