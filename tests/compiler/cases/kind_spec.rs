use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo", shortname = "fo", shortname = "fo")]
pub struct FooSpec;

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Bar")]
pub struct BarSpec(String);

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(
    group = "ui.example.com",
    version = "v1",
    kind = "Baz",
    printcolumn(name = "Size", type_ = "integer", json_path = ".spec.size"),
    printcolumn(name = "First", type_ = "string", json_path = ".spec.list.name"),
    printcolumn(name = "Dollar", type_ = "string", json_path = "{$.spec.size}"),
)]
pub struct BazSpec {
    size: String,
    list: Vec<String>,
    #[schema(maximum = 300, one_of_values = [1, "2"])]
    small: u8,
    #[schema(default = ["a", "a"], list_type = "set")]
    set: Vec<String>,
    #[schema(default = { "a": 1, "a": 2 })]
    map: std::collections::BTreeMap<String, i32>,
}

fn main() {}
