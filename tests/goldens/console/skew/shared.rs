use crdgen::{CustomResource, Schema};

/// What several kinds have.
#[derive(Schema, serde::Serialize, serde::Deserialize)]
struct Size {
    #[schema(maximum = 20)]
    width: i32,
}

/// A desk.
#[derive(CustomResource, Schema, serde::Serialize, serde::Deserialize)]
#[kube(group = "example.com", version = "v1", kind = "Desk", namespaced)]
struct DeskSpec {
    size: Size,
}

/// A rack.
#[derive(CustomResource, Schema, serde::Serialize, serde::Deserialize)]
#[kube(group = "example.com", version = "v1", kind = "Rack", namespaced)]
struct RackSpec {
    size: Size,
}
