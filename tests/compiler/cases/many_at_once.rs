use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo", namespace)]
pub struct FooSpec {
    #[schema(patern = "^a$")]
    name: String,
    #[schema(minimum = 1, rule = "self.x")]
    size: i32,
    #[schema(max_items = 3, list_type = "set")]
    flag: bool,
}

fn main() {}
