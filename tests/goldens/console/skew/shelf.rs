use crdgen::{CustomResource, Schema};

/// A shelf after an update.
#[derive(CustomResource, Schema, serde::Serialize, serde::Deserialize)]
#[kube(group = "example.com", version = "v1", kind = "Shelf", plural = "shelves", namespaced)]
struct ShelfSpec {
    #[schema(maximum = 20)]
    boards: i32,
    #[schema(max_length = 30, allow(CHG002, reason = "no label is longer"))]
    label: Option<String>,
    #[schema(default = "black", allow(CHG004, reason = "not true any more"))]
    color: Option<String>,
}
