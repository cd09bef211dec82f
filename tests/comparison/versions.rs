//! A kind with two versions.

#[versioned(v1beta1, v1)]
#[derive(CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", kind = "Site", namespaced)]
pub struct SiteSpec {
    #[versioned(renamed(since = "v1", from = "host"))]
    pub domain: String,
}
