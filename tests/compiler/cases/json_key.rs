#![deny(deprecated)]

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "ui.example.com", version = "v1", kind = "Foo",
    printcolumn = r#"{"name": "Size", "type": "integer", "JSONPath": ".spec.size"}"#)]
pub struct FooSpec {
    size: i32,
}

fn main() {}
