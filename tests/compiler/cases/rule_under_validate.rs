use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
pub struct FooSpec {
    #[validate(rule = "self == oldSelf", message = "immutable")]
    name: String,
}

fn main() {}
