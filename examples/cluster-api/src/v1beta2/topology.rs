//! A cluster that is made of a class.

use super::{
    Checks, MachineDeletion, RemediationTemplateReference, Timeout, TriggerIf, duration, present, seconds,
};
use crate::common::{Gate, IntOrString, ObjectMeta};
use crate::v1beta1::{self, DeletePolicy, RolloutType};
use crdgen::convert::Object;
use crdgen::{Convert, Schema};
use serde::{Deserialize, Serialize};

/// A cluster that is made of a class.
#[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::Topology", removed(rollout_after))]
pub struct Topology {
    #[convert(parts(name = "class", namespace = "class_namespace"))]
    pub class_ref: ClusterClassRef,
    #[schema(min_length = 1, max_length = 256)]
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub control_plane: Option<ControlPlaneTopology>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub workers: Option<WorkersTopology>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["name"], min_items = 1, max_items = 1000)]
    pub variables: Vec<ClusterVariable>,
}

/// The class of a cluster.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterClassRef {
    #[schema(min_length = 1, max_length = 253)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 63, pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")]
    pub namespace: Option<String>,
}

/// The control plane.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::ControlPlaneTopology")]
#[schema(min_properties = 1)]
pub struct ControlPlaneTopology {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    #[schema(min_properties = 1)]
    pub metadata: Option<ObjectMeta>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(from = "machine_health_check", omit_empty)]
    pub health_check: Option<ControlPlaneHealthCheck>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(
        from = ["node_drain_timeout", "node_volume_detach_timeout", "node_deletion_timeout"],
        with = "MachineDeletion::new",
        back = "MachineDeletion::old"
    )]
    pub deletion: Option<MachineDeletion>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["conditionType"], min_items = 1, max_items = 32)]
    pub readiness_gates: Vec<Gate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub variables: Option<Variables>,
}

/// When a machine of the control plane is not healthy, and what happens then.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::MachineHealthCheckTopology")]
#[schema(min_properties = 1)]
pub struct ControlPlaneHealthCheck {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(from = "enable")]
    pub enabled: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(
        from = ["node_startup_timeout", "unhealthy_conditions"],
        with = "Checks::new",
        back = "Checks::old"
    )]
    pub checks: Option<Checks>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(
        from = ["max_unhealthy", "unhealthy_range", "remediation_template"],
        with = "ControlPlaneRemediation::new",
        back = "ControlPlaneRemediation::old",
        object
    )]
    pub remediation: Option<ControlPlaneRemediation>,
}

/// What happens to a machine of the control plane that is not healthy.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct ControlPlaneRemediation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger_if: Option<TriggerIf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_ref: Option<RemediationTemplateReference>,
}

type OldRemediation = (Option<IntOrString>, Option<String>, Option<v1beta1::ObjectReference>);

impl ControlPlaneRemediation {
    fn new(
        max_unhealthy: Option<IntOrString>,
        range: Option<String>,
        template: Option<v1beta1::ObjectReference>,
        _: &Object,
    ) -> Option<ControlPlaneRemediation> {
        present(ControlPlaneRemediation {
            trigger_if: present(TriggerIf {
                unhealthy_less_than_or_equal_to: max_unhealthy,
                unhealthy_in_range: range,
            }),
            template_ref: template.and_then(RemediationTemplateReference::new),
        })
    }

    fn old(remediation: Option<ControlPlaneRemediation>, object: &Object) -> OldRemediation {
        let ControlPlaneRemediation { trigger_if, template_ref } = remediation.unwrap_or_default();
        let TriggerIf { unhealthy_less_than_or_equal_to: max, unhealthy_in_range: range } =
            trigger_if.unwrap_or_default();
        (max, range, template_ref.map(|template| template.old(object)))
    }
}

/// The machines that are not of the control plane.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::WorkersTopology")]
#[schema(min_properties = 1)]
pub struct WorkersTopology {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["name"], min_items = 1, max_items = 2000)]
    pub machine_deployments: Vec<MachineDeploymentTopology>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["name"], min_items = 1, max_items = 2000)]
    pub machine_pools: Vec<MachinePoolTopology>,
}

/// Machines that are replaced one by one. Five fields of the older version become three: of the strategy, a part is
/// about deletion, and another about health.
#[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(
    from = "v1beta1::MachineDeploymentTopology",
    split(
        from = [
            "strategy",
            "machine_health_check",
            "node_drain_timeout",
            "node_volume_detach_timeout",
            "node_deletion_timeout"
        ],
        into = ["rollout", "health_check", "deletion"],
        with = "new_parts",
        back = "old_parts",
        object
    )
)]
pub struct MachineDeploymentTopology {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    #[schema(min_properties = 1)]
    pub metadata: Option<ObjectMeta>,
    #[schema(min_length = 1, max_length = 256)]
    pub class: String,
    #[schema(min_length = 1, max_length = 63)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 256)]
    pub failure_domain: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health_check: Option<MachineDeploymentHealthCheck>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion: Option<MachineDeploymentDeletion>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub min_ready_seconds: Option<i32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["conditionType"], min_items = 1, max_items = 32)]
    pub readiness_gates: Vec<Gate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollout: Option<TopologyRollout>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub variables: Option<Variables>,
}

/// When a machine is not healthy, and what happens then.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct MachineDeploymentHealthCheck {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Checks>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remediation: Option<MachineDeploymentRemediation>,
}

/// What happens to a machine that is not healthy.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct MachineDeploymentRemediation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_in_flight: Option<IntOrString>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger_if: Option<TriggerIf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_ref: Option<RemediationTemplateReference>,
}

/// Which machines go first, and how long that may take.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct MachineDeploymentDeletion {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<DeletePolicy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub node_drain_timeout_seconds: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub node_volume_detach_timeout_seconds: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub node_deletion_timeout_seconds: Option<i32>,
}

/// How machines are replaced.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct TopologyRollout {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<RolloutStrategy>,
}

/// How machines are replaced.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct RolloutStrategy {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "type")]
    #[schema(required)]
    pub ty: Option<RolloutType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolling_update: Option<RollingUpdate>,
}

/// How many machines are replaced at once.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct RollingUpdate {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_unavailable: Option<IntOrString>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_surge: Option<IntOrString>,
}

impl RolloutStrategy {
    /// Collects the parts of the older version's strategy about replacement, deletion and remediation.
    pub(crate) fn new(
        old: Option<v1beta1::MachineDeploymentStrategy>,
    ) -> (Option<RolloutStrategy>, Option<DeletePolicy>, Option<IntOrString>) {
        let v1beta1::MachineDeploymentStrategy { ty, rolling_update, remediation } = old.unwrap_or_default();
        let v1beta1::RollingUpdate { max_unavailable, max_surge, delete_policy } =
            rolling_update.unwrap_or_default();
        let rolling_update = present(RollingUpdate { max_unavailable, max_surge });
        let strategy = present(RolloutStrategy { ty, rolling_update });
        (strategy, delete_policy, remediation.unwrap_or_default().max_in_flight)
    }

    pub(crate) fn old(
        strategy: Option<RolloutStrategy>,
        delete_policy: Option<DeletePolicy>,
        max_in_flight: Option<IntOrString>,
    ) -> Option<v1beta1::MachineDeploymentStrategy> {
        let RolloutStrategy { ty, rolling_update } = strategy.unwrap_or_default();
        let RollingUpdate { max_unavailable, max_surge } = rolling_update.unwrap_or_default();
        present(v1beta1::MachineDeploymentStrategy {
            ty,
            rolling_update: present(v1beta1::RollingUpdate { max_unavailable, max_surge, delete_policy }),
            remediation: present(v1beta1::Remediation { max_in_flight }),
        })
    }
}

type NewParts =
    (Option<TopologyRollout>, Option<MachineDeploymentHealthCheck>, Option<MachineDeploymentDeletion>);
type OldParts = (
    Option<v1beta1::MachineDeploymentStrategy>,
    Option<v1beta1::MachineHealthCheckTopology>,
    Timeout,
    Timeout,
    Timeout,
);

fn new_parts(
    strategy: Option<v1beta1::MachineDeploymentStrategy>,
    check: Option<v1beta1::MachineHealthCheckTopology>,
    drain: Timeout,
    detach: Timeout,
    deletion: Timeout,
    _: &Object,
) -> NewParts {
    let (strategy, order, max_in_flight) = RolloutStrategy::new(strategy);
    let check = check.unwrap_or_default();
    let health_check = present(MachineDeploymentHealthCheck {
        enabled: check.enable,
        checks: Checks::new(check.node_startup_timeout, check.unhealthy_conditions),
        remediation: present(MachineDeploymentRemediation {
            max_in_flight,
            trigger_if: present(TriggerIf {
                unhealthy_less_than_or_equal_to: check.max_unhealthy,
                unhealthy_in_range: check.unhealthy_range,
            }),
            template_ref: check.remediation_template.and_then(RemediationTemplateReference::new),
        }),
    });
    let deletion = present(MachineDeploymentDeletion {
        order,
        node_drain_timeout_seconds: seconds(drain),
        node_volume_detach_timeout_seconds: seconds(detach),
        node_deletion_timeout_seconds: seconds(deletion),
    });
    (present(TopologyRollout { strategy }), health_check, deletion)
}

fn old_parts(
    rollout: Option<TopologyRollout>,
    check: Option<MachineDeploymentHealthCheck>,
    deletion: Option<MachineDeploymentDeletion>,
    object: &Object,
) -> OldParts {
    let deletion = deletion.unwrap_or_default();
    let MachineDeploymentHealthCheck { enabled, checks, remediation } = check.unwrap_or_default();
    let MachineDeploymentRemediation { max_in_flight, trigger_if, template_ref } =
        remediation.unwrap_or_default();
    let strategy = rollout.unwrap_or_default().strategy;
    let (node_startup_timeout, unhealthy_conditions) = Checks::old(checks);
    let trigger_if = trigger_if.unwrap_or_default();
    let check = present(v1beta1::MachineHealthCheckTopology {
        enable: enabled,
        unhealthy_conditions,
        max_unhealthy: trigger_if.unhealthy_less_than_or_equal_to,
        unhealthy_range: trigger_if.unhealthy_in_range,
        node_startup_timeout,
        remediation_template: template_ref.map(|template| template.old(object)),
    });
    (
        RolloutStrategy::old(strategy, deletion.order, max_in_flight),
        check,
        duration(deletion.node_drain_timeout_seconds),
        duration(deletion.node_volume_detach_timeout_seconds),
        duration(deletion.node_deletion_timeout_seconds),
    )
}

/// Machines of a provider's own pool.
#[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::MachinePoolTopology")]
pub struct MachinePoolTopology {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    #[schema(min_properties = 1)]
    pub metadata: Option<ObjectMeta>,
    #[schema(min_length = 1, max_length = 256)]
    pub class: String,
    #[schema(min_length = 1, max_length = 63)]
    pub name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(min_items = 1, max_items = 100, items(min_length = 1, max_length = 256))]
    pub failure_domains: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(
        from = ["node_drain_timeout", "node_volume_detach_timeout", "node_deletion_timeout"],
        with = "MachineDeletion::new",
        back = "MachineDeletion::old"
    )]
    pub deletion: Option<MachineDeletion>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub min_ready_seconds: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[convert(omit_empty)]
    pub variables: Option<Variables>,
}

/// Variables that have other values here.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::Variables")]
#[schema(min_properties = 1)]
pub struct Variables {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(list_type = "map", list_map_keys = ["name"], min_items = 1, max_items = 1000)]
    pub overrides: Vec<ClusterVariable>,
}

/// The value of a variable.
#[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::ClusterVariable", removed(definition_from))]
pub struct ClusterVariable {
    #[schema(min_length = 1, max_length = 256)]
    pub name: String,
    pub value: serde_json::Value,
}
