//! Upstream's `failureV1ResponseConverter`: no object can be converted to another version.

use crdgen::convert::Versions;
use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

mod v1alpha1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(
        group = "stable.example.com",
        version = "v1alpha1",
        kind = "MultiVersion",
        plural = "multiversion",
        namespaced,
        no_spec,
        storage = false
    )]
    #[schema(test = false)]
    pub(crate) struct Body {
        #[serde(default)]
        pub(crate) content: Option<super::Content>,
    }
}

mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(
        group = "stable.example.com",
        version = "v1beta1",
        kind = "MultiVersion",
        plural = "multiversion",
        namespaced,
        no_spec
    )]
    #[convert(from = "v1alpha1::Body", fallible)]
    #[schema(test = false)]
    pub(crate) struct Body {
        #[serde(default)]
        #[convert(try_with = "fail", try_back = "fail")]
        pub(crate) content: Option<super::Content>,
    }
}

mod v1beta2 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(
        group = "stable.example.com",
        version = "v1beta2",
        kind = "MultiVersion",
        plural = "multiversion",
        namespaced,
        no_spec,
        storage = false
    )]
    #[convert(from = "v1beta1::Body", fallible)]
    #[schema(test = false)]
    pub(crate) struct Body {
        #[serde(default)]
        #[convert(try_with = "fail", try_back = "fail")]
        pub(crate) content: Option<super::Content>,
    }
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub(crate) struct Content {}

fn fail(_: Option<Content>) -> Result<Option<Content>, String> {
    Err("custom webhook conversion error".to_owned())
}

pub(crate) fn versions() -> Versions {
    Versions::new()
        .pair::<v1alpha1::MultiVersion, v1beta1::MultiVersion>()
        .pair::<v1beta1::MultiVersion, v1beta2::MultiVersion>()
}
