//! Kubernetes' own types, which have other definitions in each version of k8s-openapi.

use crdgen::kube::{CustomResource, JsonSchema};
use k8s_openapi::api::core::v1::{EnvVar, LocalObjectReference, PodTemplateSpec, Secret as KubernetesSecret};
use k8s_openapi::api::core::v1::{self as core, ResourceRequirements};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta, Time};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "shop.example.com", version = "v1", kind = "Runner", namespaced, status = "RunnerStatus")]
#[serde(rename_all = "camelCase")]
pub struct RunnerSpec {
    pub template: PodTemplateSpec,
    pub metadata: Option<ObjectMeta>,
    pub resources: Option<ResourceRequirements>,
    #[serde(default)]
    pub env: Vec<EnvVar>,
    #[serde(default)]
    pub limits: BTreeMap<String, Quantity>,
    pub port: Option<IntOrString>,
    pub selector: LabelSelector,
    pub volume: core::Volume,
    pub pair: Pair<LocalObjectReference, Option<Box<core::Affinity>>>,
    #[schema(as = "crdgen::K8sOpenapi<KubernetesSecret>")]
    pub renamed: KubernetesSecret,
    /// Not the one of Kubernetes.
    pub service: Service,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Service {
    pub name: String,
    #[serde(default)]
    pub parts: Vec<Container>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Container {
    Box,
    Bag,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Pair<A, B> {
    pub first: A,
    pub second: B,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct RunnerStatus {
    pub since: Option<Time>,
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["type"])]
    pub conditions: Vec<k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition>,
}
