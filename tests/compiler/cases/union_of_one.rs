use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
#[schema(exactly_one_of = ["a"])]
pub struct FooSpec {
    a: Option<i32>,
    b: Option<i32>,
}

fn main() {}
