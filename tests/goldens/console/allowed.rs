use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Duty")]
#[schema(allow(LNT105, reason = "a small list"))]
pub struct DutySpec {
    #[schema(allow(LNT009, reason = "only two"))]
    pub called: bool,
    pub sent: bool,
    pub all: Vec<String>,
}
