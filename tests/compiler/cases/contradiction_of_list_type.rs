use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
pub struct FooSpec {
    #[schema(list_map_keys = ["name"])]
    list: Vec<Entry>,
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
struct Entry {
    name: String,
}

fn main() {}
