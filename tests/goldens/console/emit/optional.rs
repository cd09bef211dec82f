use crdgen::{CustomResource, Schema};

#[derive(CustomResource, Schema)]
#[kube(group = "app.example.com", version = "v1", kind = "Pool")]
#[schema(rule = "self.least <= self.most")]
pub struct PoolSpec {
    least: i32,
    most: Option<i32>,
}
