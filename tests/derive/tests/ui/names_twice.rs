use crdgen::{CustomResource, Schema};

#[derive(Clone, CustomResource, Debug, Schema)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
pub struct FooSpec {
    #[serde(rename = "size")]
    length: i32,
    size: i32,
}

fn main() {}
