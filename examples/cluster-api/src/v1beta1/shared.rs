//! What several kinds have.

use crate::common::{Duration, IntOrString};
use crdgen::Schema;
use serde::{Deserialize, Serialize};

/// `corev1.ObjectReference`
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectReference {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub api_version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_path: Option<String>,
}

/// How machines are replaced.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineDeploymentStrategy {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "type")]
    pub ty: Option<RolloutType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling_update: Option<RollingUpdate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediation: Option<Remediation>,
}

/// When machines are replaced.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Schema, Serialize)]
pub enum RolloutType {
    RollingUpdate,
    OnDelete,
}

/// How many machines are replaced at once, and which ones first.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RollingUpdate {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrString>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_surge: Option<IntOrString>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delete_policy: Option<DeletePolicy>,
}

/// Which machines go first.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Schema, Serialize)]
pub enum DeletePolicy {
    Random,
    Newest,
    Oldest,
}

/// How many machines are remediated at once.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Remediation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_in_flight: Option<IntOrString>,
}

/// When a machine is not healthy.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineHealthCheckTopology {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 100)]
    pub unhealthy_conditions: Vec<UnhealthyCondition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_unhealthy: Option<IntOrString>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 32, pattern = "^\\[[0-9]+-[0-9]+\\]$")]
    pub unhealthy_range: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub node_startup_timeout: Option<Duration>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediation_template: Option<ObjectReference>,
}

/// A condition of a node, and how long it may last.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnhealthyCondition {
    #[serde(rename = "type")]
    #[schema(min_length = 1)]
    pub ty: String,
    #[schema(min_length = 1)]
    pub status: String,
    #[schema(pattern = "^[0-9]+(\\.[0-9]{1,9})?(ms|s|m|h)$")]
    pub timeout: Duration,
}
