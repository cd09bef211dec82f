//! Kinds with two versions each, which the program merges as programs on kube do.

use kube::core::CustomResourceExt;

macro_rules! version {
    ($module:ident, $version:literal, $short:literal, $size:ident) => {
        pub mod $module {
            use crdgen::{CustomResource, Schema};
            use serde::{Deserialize, Serialize};

            /// A board.
            #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
            #[kube(group = "merged.example.com", version = $version, kind = "Board", shortname = $short)]
            pub struct BoardSpec {
                /// How many letters are on it.
                pub $size: u8,
            }

            /// A sign.
            #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
            #[kube(group = "merged.example.com", version = $version, kind = "Sign")]
            pub struct SignSpec {
                /// Computed by code that must run.
                #[serde(default = "computed")]
                pub $size: i32,
            }

            fn computed() -> i32 {
                (1..=4).product()
            }
        }
    };
}

version!(v1, "v1", "old", letters);
version!(v2, "v2", "new", width);

/// The CRDs as the program installs them.
pub fn crds() -> [String; 2] {
    [
        kube::core::crd::merge_crds(vec![v1::Board::crd(), v2::Board::crd()], "v1"),
        kube::core::crd::merge_crds(vec![v1::Sign::crd(), v2::Sign::crd()], "v2"),
    ]
}
