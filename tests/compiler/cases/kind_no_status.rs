//! A status whose type is missing.
use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Plan", status = "PlanStatus")]
struct PlanSpec {
    name: String,
}

fn main() {}
