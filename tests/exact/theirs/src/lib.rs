//! A package that does not depend on crdgen. It has a derive with the name of kube's.

use kube_core::CustomResource;

#[derive(CustomResource)]
#[kube(group = "exact.example.com", version = "v1", kind = "Own")]
pub struct OwnSpec {
    #[serde(default = "computed")]
    pub replicas: i64,
}

pub fn computed() -> i64 {
    (1..=4).product()
}

mod private {
    use super::computed;
    use kube_core::CustomResource;

    #[derive(CustomResource)]
    #[kube(group = "exact.example.com", version = "v1", kind = "Inner")]
    struct InnerSpec {
        #[serde(default = "computed")]
        replicas: i64,
    }
}

#[derive(CustomResource)]
#[kube(group = "exact.example.com", version = "v1", kind = "Panics")]
pub struct PanicsSpec {
    #[serde(default = "computed")]
    pub replicas: i64,
}

#[derive(CustomResource)]
#[kube(group = "exact.example.com", version = "v1", kind = "Counted")]
pub struct CountedSpec {
    #[serde(default = "computed")]
    pub replicas: i64,
    pub small: u8,
}
