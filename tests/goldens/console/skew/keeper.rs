//! A field gets another name and a bound in the new version.

use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

pub mod v1alpha1 {
    use super::*;

    #[derive(CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1alpha1", kind = "Keeper", storage = false)]
    pub struct KeeperSpec {
        pub count: i32,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Keeper")]
    #[convert(from = "v1alpha1::KeeperSpec")]
    pub struct KeeperSpec {
        #[convert(from = "count")]
        #[schema(minimum = 1)]
        pub size: i32,
    }
}
