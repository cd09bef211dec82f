//! A cluster that is made of a class.

use super::{MachineDeploymentStrategy, MachineHealthCheckTopology};
use crate::common::{Duration, Gate, ObjectMeta};
use crdgen::Schema;
use serde::{Deserialize, Serialize};

/// A cluster that is made of a class.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Topology {
    #[schema(min_length = 1, max_length = 253)]
    pub class: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 63, pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]
    pub class_namespace: Option<String>,
    #[schema(min_length = 1, max_length = 256)]
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = "date-time")]
    pub rollout_after: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<ControlPlaneTopology>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers: Option<WorkersTopology>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["name"], max_items = 1000)]
    pub variables: Vec<ClusterVariable>,
}

/// The control plane.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ControlPlaneTopology {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ObjectMeta>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_health_check: Option<MachineHealthCheckTopology>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_drain_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_volume_detach_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_deletion_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["conditionType"], max_items = 32)]
    pub readiness_gates: Vec<Gate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<Variables>,
}

/// The machines that are not of the control plane.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkersTopology {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["name"], max_items = 2000)]
    pub machine_deployments: Vec<MachineDeploymentTopology>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["name"], max_items = 2000)]
    pub machine_pools: Vec<MachinePoolTopology>,
}

/// Machines that are replaced one by one.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineDeploymentTopology {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ObjectMeta>,
    #[schema(min_length = 1, max_length = 256)]
    pub class: String,
    #[schema(min_length = 1, max_length = 63)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 256)]
    pub failure_domain: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_health_check: Option<MachineHealthCheckTopology>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_drain_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_volume_detach_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_deletion_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub min_ready_seconds: Option<i32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["conditionType"], max_items = 32)]
    pub readiness_gates: Vec<Gate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<MachineDeploymentStrategy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<Variables>,
}

/// Machines of a provider's own pool.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachinePoolTopology {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ObjectMeta>,
    #[schema(min_length = 1, max_length = 256)]
    pub class: String,
    #[schema(min_length = 1, max_length = 63)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 100, items(min_length = 1, max_length = 256))]
    pub failure_domains: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_drain_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_volume_detach_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_deletion_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub min_ready_seconds: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variables: Option<Variables>,
}

/// Variables that have other values here.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Variables {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["name"], max_items = 1000)]
    pub overrides: Vec<ClusterVariable>,
}

/// The value of a variable.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterVariable {
    #[schema(min_length = 1, max_length = 256)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 256)]
    pub definition_from: Option<String>,
    pub value: serde_json::Value,
}
