use crdgen::{CustomResource, Schema};

#[derive(CustomResource, Schema, serde::Serialize, serde::Deserialize)]
#[kube(group = "example.com", version = "v1", kind = "Widget")]
struct WidgetSpec {
    #[schema(minimum = 1)]
    size: i32,
    modes: Vec<inner::Mode>,
}

mod inner {
    /// How it runs.
    #[derive(crdgen::Schema)]
    pub enum Mode {
        Auto,
        Named(String),
    }
}
