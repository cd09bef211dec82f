//! A program with a kind.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "exact.example.com", version = "v1", kind = "Own")]
pub struct OwnSpec {
    /// How many.
    pub size: i32,
}

mod dated {
    #[crdgen::versioned(v1alpha1, v1)]
    #[derive(Clone, Debug, crdgen::CustomResource, serde::Deserialize, crdgen::Schema, serde::Serialize)]
    #[kube(group = "exact.example.com", kind = "Dated")]
    struct DatedSpec {
        /// How many.
        size: i32,
    }
}

fn main() {
    println!("{}", Own::crd_yaml());
}
