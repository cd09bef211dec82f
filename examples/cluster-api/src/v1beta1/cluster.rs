//! A cluster.

use super::{ObjectReference, Topology};
use crate::common::{Condition, Gate, OldCondition, Replicas};
use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A cluster.
#[derive(Clone, Debug, CustomResource, Deserialize, PartialEq, Schema, Serialize)]
#[kube(
    group = "cluster.x-k8s.io",
    version = "v1beta1",
    kind = "Cluster",
    namespaced,
    status = "ClusterStatus",
    storage = false
)]
#[serde(rename_all = "camelCase")]
pub struct ClusterSpec {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster_network: Option<ClusterNetwork>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane_endpoint: Option<ApiEndpoint>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane_ref: Option<ObjectReference>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub infrastructure_ref: Option<ObjectReference>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["conditionType"], max_items = 32)]
    pub availability_gates: Vec<Gate>,
}

/// The networks of a cluster.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterNetwork {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_server_port: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub services: Option<NetworkRanges>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pods: Option<NetworkRanges>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 253)]
    pub service_domain: Option<String>,
}

/// Ranges of addresses.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkRanges {
    #[schema(max_items = 100, items(min_length = 1, max_length = 43))]
    pub cidr_blocks: Vec<String>,
}

/// Where the API server of a cluster is.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiEndpoint {
    #[schema(max_length = 512)]
    pub host: String,
    pub port: i32,
}

/// What is there.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_domains: Option<BTreeMap<String, FailureDomainSpec>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 10240)]
    pub failure_message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<ClusterPhase>,
    #[serde(default)]
    pub infrastructure_ready: bool,
    #[serde(default)]
    pub control_plane_ready: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<OldCondition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v1beta2: Option<ClusterV1Beta2Status>,
}

/// Where machines fail together.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureDomainSpec {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control_plane: bool,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
}

/// How far a cluster is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Schema, Serialize)]
pub enum ClusterPhase {
    Pending,
    Provisioning,
    Provisioned,
    Deleting,
    Failed,
    Unknown,
}

/// What the status of the newer version has.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterV1Beta2Status {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(list_type = "map", list_map_keys = ["type"], max_items = 32)]
    pub conditions: Option<Vec<Condition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<Replicas>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers: Option<Replicas>,
}
