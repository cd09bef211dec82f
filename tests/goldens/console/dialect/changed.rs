use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Cluster", namespaced)]
pub struct ClusterSpec {
    pub replicas: u16,
    pub port: u32,
    #[serde(default)]
    pub resources: Option<std::collections::BTreeMap<String, u8>>,
    #[serde(default)]
    pub zone: String,
    pub template: Template,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Template {
    #[schemars(length(max = 3))]
    pub finalizers: Vec<String>,
    pub name: Option<String>,
}
