//! The structure of Kubernetes' own kinds.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crdgen_core::ir::Schema;
use crdgen_core::k8s;

/// The groups of Kubernetes' own kinds, and what their types are called in the table.
const GROUPS: &[(&str, &str)] = &[
    ("", "core"),
    ("admissionregistration.k8s.io", "admissionregistration"),
    ("apiextensions.k8s.io", "apiextensions"),
    ("apiregistration.k8s.io", "apiregistration"),
    ("apps", "apps"),
    ("authentication.k8s.io", "authentication"),
    ("authorization.k8s.io", "authorization"),
    ("autoscaling", "autoscaling"),
    ("batch", "batch"),
    ("certificates.k8s.io", "certificates"),
    ("coordination.k8s.io", "coordination"),
    ("discovery.k8s.io", "discovery"),
    ("events.k8s.io", "events"),
    ("extensions", "extensions"),
    ("flowcontrol.apiserver.k8s.io", "flowcontrol"),
    ("internal.apiserver.k8s.io", "apiserverinternal"),
    ("lifecycle.k8s.io", "lifecycle"),
    ("networking.k8s.io", "networking"),
    ("node.k8s.io", "node"),
    ("policy", "policy"),
    ("rbac.authorization.k8s.io", "rbac"),
    ("resource.k8s.io", "resource"),
    ("scheduling.k8s.io", "scheduling"),
    ("storage.k8s.io", "storage"),
    ("storagemigration.k8s.io", "storagemigration"),
];

/// What crdgen knows about a kind.
#[derive(Clone)]
pub(super) enum Known {
    /// Its group does not belong to Kubernetes.
    Foreign,
    /// Its group belongs to Kubernetes, but crdgen knows nothing about the kind.
    Group,
    /// Its group and version have no such kind, but these.
    Missing(Arc<Vec<&'static str>>),
    /// The structure of the kind.
    Structure(Arc<Schema>),
}

/// The kinds that were looked up, by group and version, and kind.
#[derive(Default)]
pub(super) struct Builtin(Mutex<HashMap<(String, String), Known>>);

impl Builtin {
    pub(super) fn get(&self, api_version: &str, kind: &str) -> Known {
        let key = (api_version.to_owned(), kind.to_owned());
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(key).or_insert_with(|| look_up(api_version, kind)).clone()
    }
}

fn look_up(api_version: &str, kind: &str) -> Known {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let Some((_, package)) = GROUPS.iter().find(|(name, _)| *name == group) else { return Known::Foreign };
    let prefix = format!("{package}/{version}.");
    let kinds: Vec<&'static str> = k8s::names()
        .filter_map(|name| name.strip_prefix(&prefix))
        .filter(|name| is_kind(&prefix, name))
        .collect();
    if kinds.is_empty() {
        return Known::Group;
    }
    match k8s::schema(&format!("{prefix}{kind}")).filter(|_| kinds.contains(&kind)) {
        Some(schema) => Known::Structure(Arc::new(schema)),
        None => Known::Missing(Arc::new(kinds)),
    }
}

/// Whether a type is a kind: kinds name their group, version and kind, and other types do not.
fn is_kind(prefix: &str, name: &str) -> bool {
    let name = format!("{prefix}{name}");
    // A type with the schema of another one is only a reference to it.
    let schema =
        k8s::shallow(&name).filter(|schema| !schema.properties.is_empty()).or_else(|| k8s::schema(&name));
    schema.is_some_and(|schema| {
        ["apiVersion", "kind", "metadata"].iter().all(|n| schema.properties.contains_key(n))
    })
}
