//! What an object of Kubernetes' own kinds says that it is. The server decodes it as that, and not as what the path expects.

use super::{Kind, Registry};
use crate::meta;
use crdgen_core::object::Refusal;
use crdgen_core::value::Value;
use crdgen_core::{GroupVersion, go};

/// The `apiVersion` and the `kind` of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ObjectType {
    pub(crate) api_version: String,
    pub(crate) kind: String,
}

/// Versions that the server decodes and that are not served here: (`apiVersion`, kinds).
const DECODED: [(&str, &[&str]); 9] = [
    ("apiextensions.k8s.io/v1beta1", &["CustomResourceDefinition"]),
    ("apps/v1beta1", &["ControllerRevision", "Deployment", "StatefulSet"]),
    ("apps/v1beta2", &["ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]),
    ("batch/v1beta1", &["CronJob"]),
    ("extensions/v1beta1", &["DaemonSet", "Deployment", "Ingress", "NetworkPolicy", "ReplicaSet"]),
    ("networking.k8s.io/v1beta1", &["Ingress", "IngressClass"]),
    ("policy/v1beta1", &["PodDisruptionBudget"]),
    ("rbac.authorization.k8s.io/v1alpha1", &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"]),
    ("rbac.authorization.k8s.io/v1beta1", &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"]),
];

impl ObjectType {
    pub(crate) fn of(object: &Value) -> ObjectType {
        let text = |name| meta::own(object, name).to_owned();
        ObjectType { api_version: text("apiVersion"), kind: text("kind") }
    }

    /// Sets the kind and the version in an object that has none: the decoder knows what it expects.
    pub(crate) fn complete(&self, object: &mut Value) {
        for (name, text) in [("apiVersion", &self.api_version), ("kind", &self.kind)] {
            let is_missing = meta::own(object, name).is_empty();
            if let (Value::Map(map), true) = (&mut *object, is_missing) {
                map.insert(name, text.as_str().into());
            }
        }
    }

    /// Sets the kind and the version.
    pub(crate) fn set(&self, object: &mut Value) {
        if let Value::Map(map) = object {
            map.insert("apiVersion", self.api_version.as_str().into());
            map.insert("kind", self.kind.as_str().into());
        }
    }

    /// The server's words for a type that it does not know.
    pub(crate) fn unknown(&self) -> String {
        let (kind, api_version) = (go::quote(&self.kind), go::quote(&self.api_version));
        format!(
            "no kind {kind} is registered for version {api_version} in scheme \"pkg/runtime/scheme.go:111\""
        )
    }

    /// Why an object of this type is none of a kind in a version, in the words of the server's decoders.
    pub(crate) fn mismatch(&self, registry: &Registry, own: &Kind, wanted: &ObjectType) -> Mismatch {
        let ObjectType { api_version, kind } = self;
        let GroupVersion { group, version } = GroupVersion::of(api_version);
        let found =
            registry.kinds().find(|it| it.is_own() && it.names.kind == *kind && it.serves(group, version));
        let is_decoded =
            || DECODED.iter().any(|(name, kinds)| name == api_version && kinds.contains(&kind.as_str()));
        let is_same = match found {
            Some(found) => found.stored_in == own.stored_in,
            None => *kind == own.names.kind && is_decoded(),
        };
        if is_same && *kind == wanted.kind {
            let (found, wanted) = (api_version.clone(), wanted.api_version.clone());
            return Mismatch::Version(Refusal::OtherVersion { found, wanted }.to_string());
        }
        let has_scheme = |found: &Kind| scheme(&found.resource.group) == scheme(&own.resource.group);
        if !found.is_some_and(|found| has_scheme(found)) {
            return Mismatch::Unknown(self.unknown());
        }
        // Events of both groups are those of the core.
        let group = match wanted.kind == own.names.kind {
            true => &*own.stored_in.group,
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
pub(crate) enum Mismatch {
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
