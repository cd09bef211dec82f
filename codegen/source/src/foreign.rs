//! Types of other crates that crdgen knows by their paths, without reading these crates.

use crate::k8s;
use crate::recipe::known;

/// The paths by which kube exports Kubernetes' ObjectMeta.
const KUBE_OBJECT_META: [&str; 8] = [
    "kube::api::ObjectMeta",
    "kube::core::ObjectMeta",
    "kube::core::metadata::ObjectMeta",
    "kube_client::api::ObjectMeta",
    "kube_client::core::ObjectMeta",
    "kube_client::core::metadata::ObjectMeta",
    "kube_core::ObjectMeta",
    "kube_core::metadata::ObjectMeta",
];

/// The type of Kubernetes with a path in a crate of Rust types for it.
pub(super) fn kubernetes(full: &str) -> Option<&'static k8s::Type> {
    if KUBE_OBJECT_META.contains(&full) {
        return k8s::find("meta/v1.ObjectMeta");
    }
    let rest = full.strip_prefix("k8s_openapi::")?;
    k8s::find(&k8s::name_of_rust_path(&rest.split("::").collect::<Vec<_>>())?)
}

/// Whether crdgen knows the type with this path although it does not read its crate.
pub(super) fn is_known(full: &str) -> bool {
    known::find(full).is_some() || kubernetes(full).is_some()
}

/// The path of what a crate's prelude exports: `chrono::prelude::DateTime` is `chrono::DateTime`.
pub(super) fn without_prelude(full: &str) -> String {
    full.replacen("::prelude::", "::", 1)
}
