//! A kind next to a mistake.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "exact.example.com", version = "v1", kind = "Broken")]
pub struct BrokenSpec {
    /// How many.
    pub size: Missing,
}
