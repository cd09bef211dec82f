use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
#[schema(rule(rule = "self.minSize <= self.maxSize", message = "min is at most max"))]
#[serde(rename_all = "camelCase")]
#[schema(rule = "self.min_size > 0")]
pub struct FooSpec {
    min_size: i32,
    max_size: i32,
}

fn main() {}
