use crdgen::{CustomResource, Schema};

/// A route, which the program watches in a version that older installations do not serve.
#[derive(CustomResource, Schema, serde::Serialize, serde::Deserialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
struct RouteSpec {
    port: i32,
}
