use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo")]
pub struct FooSpec {
    #[schema(max_length = many)]
    name: String,
    #[schema(min_items = -1)]
    list: Vec<String>,
}

fn main() {}
