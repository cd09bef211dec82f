//! A request about which policies decide.

use super::cluster::Cluster;
use super::evaluate::Seen;
use super::matching::Target;
use crate::meta::{is_empty, map};
use crdgen_core::value::Value;

/// A request about which policies decide.
pub struct Request<'r> {
    /// What it does.
    pub target: Target<'r>,
    /// The object after the request, in the version of the request.
    pub object: Option<&'r Value>,
    /// The object before it.
    pub old: Option<&'r Value>,
    /// What expressions read, in a version. Fails if objects cannot be converted.
    pub seen: &'r dyn Fn(&str) -> Result<Seen, String>,
}

impl Request<'_> {
    /// The namespace of the object, as expressions see it. `None` if it does not exist.
    pub(super) fn namespace(&self, cluster: &dyn Cluster) -> Option<Value> {
        if self.target.namespace.is_empty() || self.target.is_namespace() {
            return Some(Value::Null);
        }
        cluster.namespace(self.target.namespace).map(shown_namespace)
    }
}

/// What expressions see of a namespace. The server does not write what is empty.
fn shown_namespace(namespace: Value) -> Value {
    const METADATA: [&str; 12] = [
        "name",
        "generateName",
        "namespace",
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "labels",
        "annotations",
        "finalizers",
    ];
    let part = |name| namespace.get(name).cloned().unwrap_or_else(|| map([]));
    let mut metadata = part("metadata");
    if let Value::Map(members) = &mut metadata {
        let own = members.iter().filter(|(name, value)| METADATA.contains(name) && !is_empty(value));
        *members = own.map(|(name, value)| (name, value.clone())).collect();
    }
    map([("metadata", metadata), ("spec", part("spec")), ("status", part("status"))])
}
