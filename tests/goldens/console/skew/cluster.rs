use crdgen::{CustomResource, Schema};

/// A cluster of caches, after its TLS has moved into `networking`.
#[derive(CustomResource, Schema, serde::Serialize, serde::Deserialize)]
#[kube(group = "example.com", version = "v1alpha1", kind = "Cluster", namespaced)]
#[serde(rename_all = "camelCase")]
struct ClusterSpec {
    shards: i32,
    #[schema(default = 1)]
    replicas: i32,
    networking: Option<Networking>,
}

#[derive(Schema, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Networking {
    #[schema(max_length = 253)]
    tls_secret: Option<String>,
}
