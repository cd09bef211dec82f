//! A column whose path does not exist, in a kind of kube-derive: it is reported once.
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Plan", printcolumn = r#"{"name":"Phase","type":"string","jsonPath":".status.phase"}"#)]
pub struct PlanSpec {
    pub name: String,
}
