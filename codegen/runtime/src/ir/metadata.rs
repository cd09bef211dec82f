//! Object metadata, with the types of the API.

use crate::value::{Map, Value};

/// `metadata` of an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// `name`
    pub name: String,
    /// `generateName`
    pub generate_name: String,
    /// `namespace`
    pub namespace: String,
    /// `selfLink`
    pub self_link: String,
    /// `uid`
    pub uid: String,
    /// `resourceVersion`
    pub resource_version: String,
    /// `generation`
    pub generation: i64,
    /// `creationTimestamp`, normalised; null when absent.
    pub creation_timestamp: Value,
    /// `deletionTimestamp`, normalised; null when absent.
    pub deletion_timestamp: Value,
    /// `deletionGracePeriodSeconds`
    pub deletion_grace_period_seconds: Option<i64>,
    /// `labels`
    pub labels: Map<String>,
    /// `annotations`
    pub annotations: Map<String>,
    /// `ownerReferences`
    pub owner_references: Vec<OwnerReference>,
    /// `finalizers`
    pub finalizers: Vec<String>,
    /// `managedFields`, unchanged.
    pub managed_fields: Vec<Value>,
}

/// One of `ownerReferences`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnerReference {
    /// `apiVersion`
    pub api_version: String,
    /// `kind`
    pub kind: String,
    /// `name`
    pub name: String,
    /// `uid`
    pub uid: String,
    /// `controller`
    pub controller: Option<bool>,
    /// `blockOwnerDeletion`
    pub block_owner_deletion: Option<bool>,
}
