//! Kinds that other crates cannot see.

use crdgen::{CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "exact.example.com", version = "v1", kind = "Hidden")]
pub(crate) struct HiddenSpec {
    /// How many.
    pub size: i32,
}

mod inner {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "exact.example.com", version = "v1", kind = "Deep")]
    pub struct DeepSpec {
        /// How many.
        pub size: i32,
    }
}

mod outer {
    pub(super) mod r#type {
        pub(in super::super) mod last {
            #[derive(Clone, Debug, crdgen::CustomResource, serde::Deserialize, crdgen::Schema, serde::Serialize)]
            #[kube(group = "exact.example.com", version = "v1", kind = "Deepest")]
            struct DeepestSpec {
                /// How many.
                size: i32,
            } // Behind the type.
        }
    }
}

macro_rules! declared {
    ($spec:ident) => {
        #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
        #[kube(group = "exact.example.com", version = "v1", kind = "Declared")]
        struct $spec {
            /// How many.
            pub size: i32,
        }
    };
}

declared!(DeclaredSpec);

#[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
#[kube(group = "exact.example.com", version = "v1", kind = "Endless")]
pub struct EndlessSpec {
    /// Recurs, which only the whole can show.
    pub next: Option<Box<Link>>,
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub struct Link {
    pub next: Option<Box<EndlessSpec>>,
}

mod written {
    include!(concat!(env!("OUT_DIR"), "/written.rs"));
}
