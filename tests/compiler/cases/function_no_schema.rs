use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
pub struct FooSpec {
    #[schemars(schema_with = "port")]
    port: i32,
}

fn port(name: &str) -> String {
    name.to_owned()
}

fn main() {}
