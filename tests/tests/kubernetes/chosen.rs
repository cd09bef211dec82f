//! Kubernetes' own types with attributes: the form of embedded metadata, and overrides deep inside.

use crdgen::{CustomResource, Schema};
use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

/// Metadata in all forms.
#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "k8s.example.com", version = "v1", kind = "Chosen", namespaced)]
pub(super) struct ChosenSpec {
    /// As Go has it.
    pub bare: core::PodTemplateSpec,
    #[schema(metadata = "preserve")]
    pub preserved: core::PodTemplateSpec,
    #[schema(metadata = "subset", override(".metadata.labels", min_properties = 1))]
    pub subset: core::PodTemplateSpec,
    #[schema(metadata = "full")]
    pub claims: Vec<core::PersistentVolumeClaimTemplate>,
    /// Of the object itself.
    #[schema(metadata = "subset")]
    pub own: ObjectMeta,
    pub inner: ChosenInner,
}

/// All inside it.
#[derive(Clone, Debug, Deserialize, Schema, Serialize)]
#[schema(metadata = "subset")]
pub(super) struct ChosenInner {
    #[schema(metadata = "preserve")]
    pub kept: core::PodTemplateSpec,
    #[schema(
        override(".spec.containers[].name", max_length = 63),
        override(".spec.containers[].resources.limits{}", description = "how much")
    )]
    pub other: core::PodTemplateSpec,
}

/// Without a word.
#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "k8s.example.com", version = "v1", kind = "Terse", max_description = 20)]
pub(super) struct TerseSpec {
    /// One sentence. And another one.
    pub a: String,
    /// No sentence is that short.
    pub b: String,
}
