//! Machines that are replaced one by one.

use super::{
    ContractVersionedObjectReference, MachineDeletion, RolloutStrategy, is_true, not_zero, only_true, present,
};
use crate::common::{Condition, Gate, IntOrString, LabelSelector, ObjectMeta, OldCondition};
use crate::v1beta1::{self, DeletePolicy};
use crdgen::convert::{Error, Object};
use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

pub use crate::v1beta1::MachineDeploymentPhase;

/// Machines that are replaced one by one. Of the strategy of the older version, a part is about deletion, and another about
/// remediation; and the seconds until a machine is available belong to the machine now.
#[derive(Clone, Debug, Convert, CustomResource, Deserialize, PartialEq, Schema, Serialize)]
#[kube(
    group = "cluster.x-k8s.io",
    version = "v1beta2",
    kind = "MachineDeployment",
    namespaced,
    status = "MachineDeploymentStatus"
)]
#[convert(
    from = "v1beta1::MachineDeploymentSpec",
    fallible,
    removed(
        revision_history_limit,
        progress_deadline_seconds
    ),
    split(
        from = ["rollout_after", "strategy"],
        into = ["rollout", "remediation", "deletion"],
        with = "new_parts",
        back = "old_parts"
    )
)]
#[serde(rename_all = "camelCase")]
#[schema(test = false)]
pub struct MachineDeploymentSpec {
    #[schema(min_length = 1, max_length = 63)]
    pub cluster_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollout: Option<Rollout>,
    pub selector: LabelSelector,
    #[convert(from = ["template", "min_ready_seconds"], try_with = "new_template", try_back = "old_template", object)]
    pub template: MachineTemplateSpec,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(from = "machine_naming_strategy", omit_empty)]
    pub machine_naming: Option<MachineNaming>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediation: Option<Remediation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion: Option<Deletion>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(with = "only_true", back = "is_true")]
    pub paused: Option<bool>,
}

/// How machines are replaced.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct Rollout {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(format = "date-time")]
    pub after: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<RolloutStrategy>,
}

/// How many machines are remediated at once.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct Remediation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_in_flight: Option<IntOrString>,
}

/// Which machines go first.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct Deletion {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<DeletePolicy>,
}

/// How machines are named.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::MachineNamingStrategy")]
#[schema(min_properties = 1)]
pub struct MachineNaming {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 256)]
    pub template: Option<String>,
}

fn new_parts(
    after: Option<String>,
    strategy: Option<v1beta1::MachineDeploymentStrategy>,
) -> (Option<Rollout>, Option<Remediation>, Option<Deletion>) {
    let (strategy, order, max_in_flight) = RolloutStrategy::new(strategy);
    (
        present(Rollout { after, strategy }),
        present(Remediation { max_in_flight }),
        present(Deletion { order }),
    )
}

fn old_parts(
    rollout: Option<Rollout>,
    remediation: Option<Remediation>,
    deletion: Option<Deletion>,
) -> (Option<String>, Option<v1beta1::MachineDeploymentStrategy>) {
    let Rollout { after, strategy } = rollout.unwrap_or_default();
    let max_in_flight = remediation.unwrap_or_default().max_in_flight;
    (after, RolloutStrategy::old(strategy, deletion.unwrap_or_default().order, max_in_flight))
}

/// What machines are made of.
#[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::MachineTemplateSpec", fallible)]
pub struct MachineTemplateSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    #[schema(min_properties = 1)]
    pub metadata: Option<ObjectMeta>,
    pub spec: MachineSpec,
}

fn new_template(
    template: v1beta1::MachineTemplateSpec,
    min_ready_seconds: Option<i32>,
    object: &Object,
) -> Result<MachineTemplateSpec, Error> {
    let mut template = MachineTemplateSpec::upgrade(template, &mut object.context())?;
    template.spec.min_ready_seconds = min_ready_seconds;
    Ok(template)
}

fn old_template(
    template: MachineTemplateSpec,
    object: &Object,
) -> Result<(v1beta1::MachineTemplateSpec, Option<i32>), Error> {
    let min_ready_seconds = template.spec.min_ready_seconds;
    Ok((template.downgrade(&mut object.context())?, min_ready_seconds))
}

/// A machine.
#[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::MachineSpec", fallible)]
pub struct MachineSpec {
    #[schema(min_length = 1, max_length = 63)]
    pub cluster_name: String,
    pub bootstrap: Bootstrap,
    pub infrastructure_ref: ContractVersionedObjectReference,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 256)]
    pub version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "providerID")]
    #[schema(min_length = 1, max_length = 512)]
    pub provider_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 256)]
    pub failure_domain: Option<String>,
    /// The older version has it in the spec of the deployment, which gives it here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(default)]
    #[schema(minimum = 0)]
    pub min_ready_seconds: Option<i32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["conditionType"], min_items = 1, max_items = 32)]
    pub readiness_gates: Vec<Gate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(
        from = ["node_drain_timeout", "node_volume_detach_timeout", "node_deletion_timeout"],
        with = "MachineDeletion::new",
        back = "MachineDeletion::old"
    )]
    pub deletion: Option<MachineDeletion>,
}

/// How a machine becomes a node.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::Bootstrap", fallible)]
#[schema(min_properties = 1)]
pub struct Bootstrap {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub config_ref: Option<ContractVersionedObjectReference>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 253)]
    pub data_secret_name: Option<String>,
}

/// What is there.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(
    from = "v1beta1::MachineDeploymentStatus",
    split(
        from = "v1beta2",
        into = ["conditions", "ready_replicas", "available_replicas", "up_to_date_replicas"],
        with = "from_v1beta2",
        back = "to_v1beta2"
    )
)]
#[schema(min_properties = 1)]
pub struct MachineDeploymentStatus {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(list_type = "map", list_map_keys = ["type"], max_items = 32)]
    pub conditions: Option<Vec<Condition>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(with = "not_zero", back = "not_zero")]
    #[schema(minimum = 1)]
    pub observed_generation: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 4096)]
    pub selector: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(with = "Some", back = "Option::unwrap_or_default")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to_date_replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<MachineDeploymentPhase>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(
        from = [
            "conditions",
            "updated_replicas",
            "ready_replicas",
            "available_replicas",
            "unavailable_replicas"
        ],
        with = "deprecated",
        back = "of_deprecated"
    )]
    pub deprecated: Option<DeprecatedCounters>,
}

/// What goes away with the older version.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeprecatedCounters {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v1beta1: Option<V1Beta1Counters>,
}

/// What goes away with v1beta1.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct V1Beta1Counters {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<OldCondition>>,
    #[serde(default)]
    pub updated_replicas: i32,
    #[serde(default)]
    pub ready_replicas: i32,
    #[serde(default)]
    pub available_replicas: i32,
    #[serde(default)]
    pub unavailable_replicas: i32,
}

type Counters = (Option<Vec<Condition>>, Option<i32>, Option<i32>, Option<i32>);

fn from_v1beta2(old: Option<v1beta1::MachineDeploymentV1Beta2Status>) -> Counters {
    let it = old.unwrap_or_default();
    (it.conditions, it.ready_replicas, it.available_replicas, it.up_to_date_replicas)
}

fn to_v1beta2(
    conditions: Option<Vec<Condition>>,
    ready_replicas: Option<i32>,
    available_replicas: Option<i32>,
    up_to_date_replicas: Option<i32>,
) -> Option<v1beta1::MachineDeploymentV1Beta2Status> {
    present(v1beta1::MachineDeploymentV1Beta2Status {
        conditions,
        ready_replicas,
        available_replicas,
        up_to_date_replicas,
    })
}

type OldCounters = (Option<Vec<OldCondition>>, i32, i32, i32, i32);

fn deprecated(
    conditions: Option<Vec<OldCondition>>,
    updated_replicas: i32,
    ready_replicas: i32,
    available_replicas: i32,
    unavailable_replicas: i32,
) -> Option<DeprecatedCounters> {
    let v1beta1 = V1Beta1Counters {
        conditions,
        updated_replicas,
        ready_replicas,
        available_replicas,
        unavailable_replicas,
    };
    Some(DeprecatedCounters { v1beta1: Some(v1beta1) })
}

fn of_deprecated(deprecated: Option<DeprecatedCounters>) -> OldCounters {
    let it = deprecated.unwrap_or_default().v1beta1.unwrap_or_default();
    (it.conditions, it.updated_replicas, it.ready_replicas, it.available_replicas, it.unavailable_replicas)
}
