//! What identifies an object.

use crdgen_core::documents::Manifest;

use super::of_cluster::OF_CLUSTER;
use crate::kinds::Kinds;

/// The identity of an object in a cluster: group, kind, namespace and name.
pub type Identity = (String, String, String, String);

/// Returns the identity of an object, or `None` if the server generates its name.
pub(super) fn identity(object: &Manifest, kinds: &Kinds) -> Option<Identity> {
    let name = object.metadata("name");
    if name.is_empty() {
        return None;
    }
    let (group, kind) = (object.group_version().0, object.text("kind"));
    let scope = match kinds.get(group, kind) {
        Some(entry) if entry.heading.is_namespaced => Scope::Namespaced,
        Some(_) => Scope::Cluster,
        None => Scope::of_kubernetes(group, kind),
    };
    let namespace = match (scope, object.metadata("namespace")) {
        (Scope::Cluster, _) => "",
        (Scope::Namespaced, "") => "default",
        (Scope::Namespaced | Scope::Unknown, namespace) => namespace,
    };
    Some((group.to_owned(), kind.to_owned(), namespace.to_owned(), name.to_owned()))
}

/// Whether objects of a kind are in namespaces.
enum Scope {
    Cluster,
    Namespaced,
    /// There is no CRD of the kind.
    Unknown,
}

impl Scope {
    /// The scope of one of Kubernetes' own kinds.
    fn of_kubernetes(group: &str, kind: &str) -> Scope {
        let is_own = !group.contains('.') || group.ends_with(".k8s.io");
        match is_own {
            _ if OF_CLUSTER.binary_search(&(group, kind)).is_ok() => Scope::Cluster,
            true => Scope::Namespaced,
            false => Scope::Unknown,
        }
    }
}
