use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Pod", namespaced)]
pub struct PodSpec {
    #[schemars(schema_with = "any")]
    pub init: Option<serde_json::Value>,
    #[serde(default)]
    #[schemars(schema_with = "any")]
    pub main: Option<serde_json::Value>,
}

fn any(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})
}
