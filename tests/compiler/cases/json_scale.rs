use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo", status = "FooStatus",
    scale = r#"{"specReplicasPath": ".size", "statusReplicasPath": ".status.size", "selector": ".status.s"}"#)]
pub struct FooSpec {
    size: i32,
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct FooStatus {
    size: i32,
}

fn main() {}
