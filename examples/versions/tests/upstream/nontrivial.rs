//! Upstream's `nontrivialConverter`: v1beta2 has other names for two fields.

use crdgen::convert::Versions;
use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub(crate) struct Content {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub(crate) struct Num {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    num1: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    num2: Option<i64>,
}

#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
pub(crate) struct Defaults {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    v1alpha1: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    v1alpha2: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    v1beta1: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    v1beta2: Option<bool>,
}

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
    pub(crate) struct Body {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) content: Option<Content>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) num: Option<Num>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) defaults: Option<Defaults>,
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
    #[convert(from = "v1alpha1::Body")]
    pub(crate) struct Body {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) content: Option<Content>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) num: Option<Num>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) defaults: Option<Defaults>,
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
    #[convert(from = "v1beta1::Body")]
    pub(crate) struct Body {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(from = "content")]
        pub(crate) contentv2: Option<Content>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(from = "num")]
        pub(crate) numv2: Option<Num>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub(crate) defaults: Option<Defaults>,
    }
}

pub(crate) fn versions() -> Versions {
    Versions::new()
        .pair::<v1alpha1::MultiVersion, v1beta1::MultiVersion>()
        .pair::<v1beta1::MultiVersion, v1beta2::MultiVersion>()
}
