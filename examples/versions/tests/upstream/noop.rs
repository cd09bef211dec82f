//! Upstream's `noopConverter`: only `apiVersion` changes. The types have no fields, so all fields of the object stay at
//! their places. `nontrivial` has the same kind, whose tests are enough.

use crdgen::convert::Versions;
use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

mod v1alpha1 {
    use super::*;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[schema(test = false)]
    #[kube(
        group = "stable.example.com",
        version = "v1alpha1",
        kind = "MultiVersion",
        plural = "multiversion",
        namespaced,
        no_spec,
        storage = false
    )]
    pub(crate) struct Body {}
}

mod v1beta1 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[schema(test = false)]
    #[kube(
        group = "stable.example.com",
        version = "v1beta1",
        kind = "MultiVersion",
        plural = "multiversion",
        namespaced,
        no_spec
    )]
    #[convert(from = "v1alpha1::Body")]
    pub(crate) struct Body {}
}

mod v1beta2 {
    use super::*;

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[schema(test = false)]
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
    pub(crate) struct Body {}
}

pub(crate) fn versions() -> Versions {
    Versions::new()
        .pair::<v1alpha1::MultiVersion, v1beta1::MultiVersion>()
        .pair::<v1beta1::MultiVersion, v1beta2::MultiVersion>()
}
