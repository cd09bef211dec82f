//! Kinds with what serde offers, one thing each.

use std::collections::{BTreeMap, HashSet};

use k8s_openapi::api::core::v1::ResourceRequirements;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Plain", namespaced)]
pub struct PlainSpec {
    pub text: String,
    pub count: Option<i32>,
    pub list: Vec<String>,
    pub labels: BTreeMap<String, String>,
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Unsigned", namespaced)]
pub struct UnsignedSpec {
    pub port: u16,
    pub bytes: u64,
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Distinct", namespaced)]
pub struct DistinctSpec {
    pub names: HashSet<String>,
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "AnyValue", namespaced)]
pub struct AnyValueSpec {
    pub value: serde_json::Value,
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Pair", namespaced)]
pub struct PairSpec {
    pub range: (i32, i32),
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "UnitVariants", namespaced)]
pub struct UnitVariantsSpec {
    pub level: Level,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Level {
    Low,
    High,
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "ExternallyTagged", namespaced)]
pub struct ExternallyTaggedSpec {
    pub source: External,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum External {
    Git { url: String },
    Image { name: String },
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "InternallyTagged", namespaced)]
pub struct InternallyTaggedSpec {
    pub source: Internal,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(tag = "type")]
pub enum Internal {
    Git { url: String },
    Image { name: String },
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "AdjacentlyTagged", namespaced)]
pub struct AdjacentlyTaggedSpec {
    pub source: Adjacent,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(tag = "type", content = "value")]
pub enum Adjacent {
    Git { url: String },
    Image(String),
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "UntaggedScalars", namespaced)]
pub struct UntaggedScalarsSpec {
    pub port: NumberOrName,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum NumberOrName {
    Number(i32),
    Name(String),
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "UntaggedStructs", namespaced)]
pub struct UntaggedStructsSpec {
    pub source: Untagged,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Untagged {
    Git { url: String },
    Image { name: String },
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "MixedVariants", namespaced)]
pub struct MixedVariantsSpec {
    pub mode: Mixed,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Mixed {
    Off,
    Only(Vec<String>),
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Flattened", namespaced)]
pub struct FlattenedSpec {
    #[serde(flatten)]
    pub common: Common,
    pub name: String,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Common {
    pub paused: bool,
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "OwnTypes", namespaced)]
pub struct OwnTypesSpec {
    pub resources: ResourceRequirements,
}
