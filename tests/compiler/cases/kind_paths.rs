//! Paths to fields that the spec does not have.
use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Foo",
    status = "String",
    selectable = ".spec.nmae",
    printcolumn(name = "Replicas", type_ = "integer", json_path = ".spec.replica"),
    scale(spec_replicas_path = ".spec.replica", status_replicas_path = ".status.replicas")
)]
struct FooSpec {
    name: String,
    replicas: i32,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Bar",
    scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas")
)]
struct BarSpec {
    replicas: i32,
}

fn main() {}
