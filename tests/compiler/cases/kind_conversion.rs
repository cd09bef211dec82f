use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo", conversion(review_versions = ["v1"]))]
pub struct FooSpec {
    size: i32,
}

fn main() {}
