//! A kind.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// A pump.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Pump", namespaced, status = "PumpStatus", status_nullable = false)]
pub struct PumpSpec {
    #[schema(required, min_length = 1, default = "fast")] // how it runs
    pub mode: String,
    /// How large it is.
    #[schema(required)]
    #[serde(default)]
    pub size: i32,
    #[schema(
        // not many
        rule = "self.size() <= 8",
        list_type = "set",
        items(rule = "size(self) < 5")
    )]
    pub stages: Vec<String>,
    #[schema(format = "uint32")] pub power: i64,
    #[schema(allow(LNT116, reason = "older clients know the message"), rule = "self > 2")]
    pub speed: i32,
    #[schema(allow(LNT108, reason = "seconds would be too large"))]
    pub color: String,
}

#[derive(Schema, Clone, Debug, Deserialize, Serialize)]
pub struct PumpStatus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<Condition>>,
}

#[derive(Schema, Clone, Debug, Deserialize, Serialize)]
pub struct Condition {
    #[serde(rename = "type")]
    #[schema(min_length = 1)]
    pub type_: String,
}
