use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo", validation = "self.spec.nam == self.metadata.name")]
pub struct FooSpec {
    name: String,
}

fn main() {}
