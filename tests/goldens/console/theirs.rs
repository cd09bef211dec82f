//! Types with the derives of kube and schemars.
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tank.
#[derive(CustomResource, JsonSchema, Clone, Debug, Deserialize, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Tank", namespaced, status = "TankStatus")]
pub struct TankSpec {
    #[x_kube(validation = "self.size() <= 8")]
    pub valves: Vec<String>,
    pub labels: std::collections::BTreeMap<String, i32>,
    pub size: i32,
    /// A package cannot change the fields of this type.
    pub template: k8s_openapi::api::core::v1::PodTemplateSpec,
    pub gauge: Gauge,
}

#[derive(JsonSchema, Clone, Debug, Deserialize, Serialize)]
pub struct TankStatus {
    #[serde(default)]
    pub conditions: Vec<Condition>,
}

#[derive(JsonSchema, Clone, Debug, Deserialize, Serialize)]
pub struct Condition {
    #[serde(rename = "type")]
    pub type_: String,
}

/// The derive of kube before version 1.
#[derive(kube::CELSchema, Clone, Debug, Deserialize, Serialize)]
pub struct Gauge {
    #[cel_validate(rule = Rule::new("self <= 9"))]
    pub high: i32,
}
