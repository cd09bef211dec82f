//! A function makes the new value from the old one.

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
        #[convert(from = "count", with = "double", back = "half")]
        #[schema(minimum = 1)]
        pub size: i32,
    }
}

fn double(count: i32) -> i32 {
    count.saturating_mul(2)
}

fn half(size: i32) -> i32 {
    size / 2
}
