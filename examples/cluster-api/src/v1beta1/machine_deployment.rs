//! Machines that are replaced one by one.

use super::{MachineDeploymentStrategy, ObjectReference};
use crate::common::{Condition, Duration, Gate, LabelSelector, ObjectMeta, OldCondition};
use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// Machines that are replaced one by one.
#[derive(Clone, Debug, CustomResource, Deserialize, PartialEq, Schema, Serialize)]
#[kube(
    group = "cluster.x-k8s.io",
    version = "v1beta1",
    kind = "MachineDeployment",
    namespaced,
    status = "MachineDeploymentStatus",
    storage = false
)]
#[serde(rename_all = "camelCase")]
pub struct MachineDeploymentSpec {
    #[schema(min_length = 1, max_length = 63)]
    pub cluster_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = "date-time")]
    pub rollout_after: Option<String>,
    pub selector: LabelSelector,
    pub template: MachineTemplateSpec,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<MachineDeploymentStrategy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine_naming_strategy: Option<MachineNamingStrategy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub min_ready_seconds: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision_history_limit: Option<i32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress_deadline_seconds: Option<i32>,
}

/// What machines are made of.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineTemplateSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<ObjectMeta>,
    pub spec: MachineSpec,
}

/// A machine.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineSpec {
    #[schema(min_length = 1, max_length = 63)]
    pub cluster_name: String,
    pub bootstrap: Bootstrap,
    pub infrastructure_ref: ObjectReference,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 256)]
    pub version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "providerID")]
    #[schema(min_length = 1, max_length = 512)]
    pub provider_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 256)]
    pub failure_domain: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["conditionType"], max_items = 32)]
    pub readiness_gates: Vec<Gate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_drain_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_volume_detach_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_deletion_timeout: Option<Duration>,
}

/// How a machine becomes a node.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bootstrap {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_ref: Option<ObjectReference>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 253)]
    pub data_secret_name: Option<String>,
}

/// How machines are named.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineNamingStrategy {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 256)]
    pub template: Option<String>,
}

/// What is there.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineDeploymentStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 4096)]
    pub selector: Option<String>,
    #[serde(default)]
    pub replicas: i32,
    #[serde(default)]
    pub updated_replicas: i32,
    #[serde(default)]
    pub ready_replicas: i32,
    #[serde(default)]
    pub available_replicas: i32,
    #[serde(default)]
    pub unavailable_replicas: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<MachineDeploymentPhase>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<OldCondition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v1beta2: Option<MachineDeploymentV1Beta2Status>,
}

/// How far it is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Schema, Serialize)]
pub enum MachineDeploymentPhase {
    ScalingUp,
    ScalingDown,
    Running,
    Failed,
    Unknown,
}

/// What the status of the newer version has.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineDeploymentV1Beta2Status {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(list_type = "map", list_map_keys = ["type"], max_items = 32)]
    pub conditions: Option<Vec<Condition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to_date_replicas: Option<i32>,
}
