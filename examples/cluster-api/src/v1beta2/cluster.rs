//! A cluster.

use super::{ContractVersionedObjectReference, Topology, is_true, not_zero, only_true, present};
use crate::common::{Condition, Gate, OldCondition, Replicas};
use crate::v1beta1;
use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use crate::v1beta1::ClusterPhase;

/// A cluster.
#[derive(Clone, Debug, Convert, CustomResource, Deserialize, PartialEq, Schema, Serialize)]
#[kube(
    group = "cluster.x-k8s.io",
    version = "v1beta2",
    kind = "Cluster",
    namespaced,
    status = "ClusterStatus"
)]
#[convert(from = "v1beta1::ClusterSpec", fallible)]
#[serde(rename_all = "camelCase")]
// v1beta1 accepts values that v1beta2 rejects (port 0, a reference without a name), and cluster-api converts them
// unchanged. The generated test would report this, so `tests/go.rs` replaces it.
#[schema(min_properties = 1, test = false)]
pub struct ClusterSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(with = "only_true", back = "is_true")]
    pub paused: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub cluster_network: Option<ClusterNetwork>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub control_plane_endpoint: Option<ApiEndpoint>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub control_plane_ref: Option<ContractVersionedObjectReference>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub infrastructure_ref: Option<ContractVersionedObjectReference>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["conditionType"], min_items = 1, max_items = 32)]
    pub availability_gates: Vec<Gate>,
}

/// The networks of a cluster.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::ClusterNetwork")]
#[schema(min_properties = 1)]
pub struct ClusterNetwork {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(with = "not_zero", back = "not_zero")]
    #[schema(minimum = 1, maximum = 65535)]
    pub api_server_port: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub services: Option<NetworkRanges>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub pods: Option<NetworkRanges>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 253)]
    pub service_domain: Option<String>,
}

/// Ranges of addresses.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::NetworkRanges")]
pub struct NetworkRanges {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required, min_items = 1, max_items = 100, items(min_length = 1, max_length = 43))]
    pub cidr_blocks: Vec<String>,
}

/// Where the API server of a cluster is.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::ApiEndpoint")]
#[schema(min_properties = 1)]
pub struct ApiEndpoint {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(with = "present", back = "Option::unwrap_or_default")]
    #[schema(min_length = 1, max_length = 512)]
    pub host: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(with = "present", back = "Option::unwrap_or_default")]
    #[schema(minimum = 1, maximum = 65535)]
    pub port: Option<i32>,
}

/// What is there.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(
    from = "v1beta1::ClusterStatus",
    split(
        from = "v1beta2",
        into = ["conditions", "control_plane", "workers"],
        with = "from_v1beta2",
        back = "to_v1beta2"
    )
)]
#[schema(min_properties = 1)]
pub struct ClusterStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(list_type = "map", list_map_keys = ["type"], max_items = 32)]
    pub conditions: Option<Vec<Condition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(from = ["infrastructure_ready", "control_plane_ready"], with = "initialization", back = "ready")]
    pub initialization: Option<Initialization>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<Replicas>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers: Option<Replicas>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[convert(with = "listed", back = "mapped")]
    #[schema(list_type = "map", list_map_keys = ["name"], min_items = 1, max_items = 100)]
    pub failure_domains: Vec<FailureDomain>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<ClusterPhase>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(with = "not_zero", back = "not_zero")]
    #[schema(minimum = 1)]
    pub observed_generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(
        from = ["conditions", "failure_reason", "failure_message"],
        with = "deprecated",
        back = "of_deprecated"
    )]
    pub deprecated: Option<Deprecated>,
}

/// What has been made once.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct Initialization {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub infrastructure_provisioned: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane_initialized: Option<bool>,
}

/// Where machines fail together.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureDomain {
    #[schema(min_length = 1, max_length = 256)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<bool>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
}

/// What goes away with the older version.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deprecated {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v1beta1: Option<DeprecatedV1Beta1>,
}

/// What goes away with v1beta1.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeprecatedV1Beta1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<OldCondition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 10240)]
    pub failure_message: Option<String>,
}

type New = (Option<Vec<Condition>>, Option<Replicas>, Option<Replicas>);

fn from_v1beta2(old: Option<v1beta1::ClusterV1Beta2Status>) -> New {
    let v1beta1::ClusterV1Beta2Status { conditions, control_plane, workers } = old.unwrap_or_default();
    (conditions, control_plane, workers)
}

fn to_v1beta2(
    conditions: Option<Vec<Condition>>,
    control_plane: Option<Replicas>,
    workers: Option<Replicas>,
) -> Option<v1beta1::ClusterV1Beta2Status> {
    present(v1beta1::ClusterV1Beta2Status { conditions, control_plane, workers })
}

fn initialization(infrastructure: bool, control_plane: bool) -> Option<Initialization> {
    present(Initialization {
        infrastructure_provisioned: only_true(infrastructure),
        control_plane_initialized: only_true(control_plane),
    })
}

fn ready(initialization: Option<Initialization>) -> (bool, bool) {
    let it = initialization.unwrap_or_default();
    (is_true(it.infrastructure_provisioned), is_true(it.control_plane_initialized))
}

fn listed(domains: Option<BTreeMap<String, v1beta1::FailureDomainSpec>>) -> Vec<FailureDomain> {
    let domains = domains.unwrap_or_default().into_iter();
    let listed = domains.map(|(name, v1beta1::FailureDomainSpec { control_plane, attributes })| {
        FailureDomain { name, control_plane: Some(control_plane), attributes }
    });
    listed.collect()
}

fn mapped(domains: Vec<FailureDomain>) -> Option<BTreeMap<String, v1beta1::FailureDomainSpec>> {
    let mapped = domains.into_iter().map(|FailureDomain { name, control_plane, attributes }| {
        (name, v1beta1::FailureDomainSpec { control_plane: is_true(control_plane), attributes })
    });
    present(mapped.collect())
}

fn deprecated(
    conditions: Option<Vec<OldCondition>>,
    failure_reason: Option<String>,
    failure_message: Option<String>,
) -> Option<Deprecated> {
    let v1beta1 = present(DeprecatedV1Beta1 { conditions, failure_reason, failure_message });
    v1beta1.map(|it| Deprecated { v1beta1: Some(it) })
}

type Failures = (Option<Vec<OldCondition>>, Option<String>, Option<String>);

fn of_deprecated(deprecated: Option<Deprecated>) -> Failures {
    let it = deprecated.unwrap_or_default().v1beta1.unwrap_or_default();
    (it.conditions, it.failure_reason, it.failure_message)
}
