//! Metadata of objects, for programs that use no Kubernetes client: everything except `managedFields`, which the server
//! keeps if an object lacks them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The `metadata` of an object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectMeta {
    /// The name. Unique in its namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The start of the name, which the server completes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generate_name: Option<String>,
    /// The namespace. `None` for cluster-wide kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The unique id, which the server sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// The version of the stored object, which the server sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_version: Option<String>,
    /// How often the spec has changed. Set by the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// The time of creation. Set by the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creation_timestamp: Option<String>,
    /// The time of deletion. Set by the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_timestamp: Option<String>,
    /// The grace period before deletion, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_grace_period_seconds: Option<i64>,
    /// Labels, for selectors.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// The owners. The object is deleted after its owners.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub owner_references: Vec<OwnerReference>,
    /// Finalizers, which must be removed before the object is deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub finalizers: Vec<String>,
}

/// An owner of an object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerReference {
    /// The group and version of the owner.
    pub api_version: String,
    /// The kind of the owner.
    pub kind: String,
    /// The name of the owner.
    pub name: String,
    /// The unique id of the owner.
    pub uid: String,
    /// Whether the owner is the controller of this object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<bool>,
    /// Blocks deletion of the owner until this object is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_owner_deletion: Option<bool>,
}

impl ObjectMeta {
    /// Creates metadata with a name.
    pub fn named(name: &str) -> ObjectMeta {
        ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() }
    }
}

#[cfg(feature = "serde_json")]
impl OwnerReference {
    /// Takes the reference of another library, such as the one that `controller_owner_ref` of kube returns. `None` if it is not
    /// a reference.
    ///
    /// ```
    /// use crdgen::OwnerReference;
    ///
    /// let other = serde_json::json!({"apiVersion": "example.com/v1", "kind": "Web", "name": "front", "uid": "5d1f"});
    /// assert_eq!(OwnerReference::of(&other).unwrap().name, "front");
    /// ```
    pub fn of(reference: &impl Serialize) -> Option<OwnerReference> {
        serde_json::from_value(serde_json::to_value(reference).ok()?).ok()
    }
}
