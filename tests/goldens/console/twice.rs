//! Several findings with one code at one field.
use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

/// A tank.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Tank", namespaced)]
pub struct TankSpec {
    #[schema(list_type = "set", rule = "self.size() <= 8", rule = "self.size() >= 1", items(rule = "size(self) < 5"))]
    pub valves: Vec<String>,
    #[schema(list_type = "atomic")]
    pub names: Option<Vec<String>>,
    pub inlet: Option<Pipe>,
    pub outlet: Option<Pipe>,
}

/// A part that is used twice.
#[derive(Schema, Clone, Debug, Deserialize, Serialize)]
pub struct Pipe {
    #[schema(required, default = 3)]
    pub size: i32,
}
