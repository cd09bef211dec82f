use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "example", version = "V1", kind = "Foo", plural = "Foos", shortname = "f oo")]
pub struct FooSpec {
    size: i32,
}

fn main() {}
