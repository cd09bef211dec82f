#[crdgen::versioned(v1beta1, v1)]
#[derive(CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", kind = "Lamp")]
pub struct LampSpec {
    #[versioned(added(since = "v2"))]
    pub watts: i32,
}
