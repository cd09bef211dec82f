use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Disk", namespaced)]
pub struct DiskSpec {
    pub source: Source,
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Source {
    Empty,
    Store { name: String },
    Volume { claim_name: String, read_only: Option<bool> },
}
