use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(kind = "Foo")]
pub struct FooSpec {
    size: i32,
}

fn main() {}
