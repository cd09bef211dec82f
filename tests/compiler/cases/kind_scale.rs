//! A path for the scale subresource, without a status.
use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
struct FooSpec {
    #[schema(scale(spec))]
    replicas: i32,
}

fn main() {}
