use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "app.example.com", version = "v1", kind = "Job", namespaced, annotation("example.com/owner", "us"))]
pub struct JobSpec {
    /// What to run, such as `{{ name }}:latest`.
    pub image: String,
    #[schema(rule = "self.matches('^[a-z]+$') || isIP(self)")]
    pub host: String,
}

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "app.example.com", version = "v1", kind = "Queue")]
pub struct QueueSpec {
    pub size: i32,
}
