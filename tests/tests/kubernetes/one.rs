//! A kind with one pod template: the size that most operators meet.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// Runs pods.
#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "k8s.example.com", version = "v1", kind = "Runner", namespaced)]
pub(super) struct RunnerSpec {
    /// How many pods.
    pub replicas: i32,
    /// What they are.
    pub template: k8s_openapi::api::core::v1::PodTemplateSpec,
}
