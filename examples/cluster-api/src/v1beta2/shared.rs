//! What several kinds have.

use crate::common::{Duration, IntOrString};
use crate::v1beta1;
use crdgen::convert::Object;
use crdgen::{Convert, Schema};
use serde::{Deserialize, Serialize};

/// An object of another kind, in the same namespace. The contract of the kind says in which version.
#[derive(Clone, Debug, Convert, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::ObjectReference", fallible, removed(uid, resource_version, field_path))]
pub struct ContractVersionedObjectReference {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required, min_length = 1, max_length = 63, pattern = "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$")]
    pub kind: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(
        required,
        min_length = 1,
        max_length = 253,
        pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
    )]
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[convert(from = ["api_version", "namespace"], try_with = "group", try_back = "version", object)]
    #[schema(
        required,
        min_length = 1,
        max_length = 253,
        pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
    )]
    pub api_group: String,
}

fn group(api_version: String, _: Option<String>, _: &Object) -> Result<String, String> {
    match api_version.split_once('/') {
        Some((_, version)) if version.contains('/') => {
            Err(format!("unexpected GroupVersion string: {api_version}"))
        }
        Some((group, _)) => Ok(group.to_owned()),
        None => Ok(String::new()),
    }
}

/// cluster-api gets the version from the labels of the kind's CRD.
fn version(group: String, object: &Object) -> Result<(String, Option<String>), String> {
    let version = if group.is_empty() { "v1".to_owned() } else { format!("{group}/v1") };
    Ok((version, object.namespace().map(str::to_owned)))
}

/// What repairs a machine.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RemediationTemplateReference {
    #[schema(min_length = 1, max_length = 63, pattern = "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$")]
    pub kind: String,
    #[schema(
        min_length = 1,
        max_length = 253,
        pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
    )]
    pub name: String,
    #[schema(
        min_length = 1,
        max_length = 317,
        pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[a-z]([-a-z0-9]*[a-z0-9])?$"
    )]
    pub api_version: String,
}

impl RemediationTemplateReference {
    pub(crate) fn new(old: v1beta1::ObjectReference) -> Option<RemediationTemplateReference> {
        let v1beta1::ObjectReference { kind, name, api_version, .. } = old;
        let is_empty = kind.is_empty() && name.is_empty() && api_version.is_empty();
        (!is_empty).then_some(RemediationTemplateReference { kind, name, api_version })
    }

    pub(crate) fn old(self, object: &Object) -> v1beta1::ObjectReference {
        let RemediationTemplateReference { kind, name, api_version } = self;
        let namespace = object.namespace().map(str::to_owned);
        v1beta1::ObjectReference { kind, name, api_version, namespace, ..v1beta1::ObjectReference::default() }
    }
}

/// A condition of a node, and how long it may last.
#[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[convert(from = "v1beta1::UnhealthyCondition")]
pub struct UnhealthyNodeCondition {
    #[serde(rename = "type")]
    #[schema(min_length = 1)]
    pub ty: String,
    #[schema(min_length = 1)]
    pub status: String,
    #[convert(from = "timeout", with = "whole_seconds", back = "Duration::of_seconds")]
    #[schema(minimum = 0)]
    pub timeout_seconds: i32,
}

fn whole_seconds(timeout: Duration) -> i32 {
    timeout.seconds()
}

/// When many machines are not healthy, none is repaired.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct TriggerIf {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unhealthy_less_than_or_equal_to: Option<IntOrString>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 32, pattern = "^\\[[0-9]+-[0-9]+\\]$")]
    pub unhealthy_in_range: Option<String>,
}

/// When a machine is not healthy.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct Checks {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0)]
    pub node_startup_timeout_seconds: Option<i32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(min_items = 1, max_items = 100)]
    pub unhealthy_node_conditions: Vec<UnhealthyNodeCondition>,
}

impl Checks {
    pub(crate) fn new(
        timeout: Option<Duration>,
        conditions: Vec<v1beta1::UnhealthyCondition>,
    ) -> Option<Checks> {
        present(Checks {
            node_startup_timeout_seconds: seconds(timeout),
            unhealthy_node_conditions: conditions.into_iter().map(UnhealthyNodeCondition::from).collect(),
        })
    }

    pub(crate) fn old(checks: Option<Checks>) -> (Option<Duration>, Vec<v1beta1::UnhealthyCondition>) {
        let checks = checks.unwrap_or_default();
        let conditions = checks.unhealthy_node_conditions.into_iter().map(v1beta1::UnhealthyCondition::from);
        (duration(checks.node_startup_timeout_seconds), conditions.collect())
    }
}

/// How long the deletion of a machine may take.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct MachineDeletion {
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

pub(crate) type Timeout = Option<Duration>;

impl MachineDeletion {
    pub(crate) fn new(drain: Timeout, detach: Timeout, deletion: Timeout) -> Option<MachineDeletion> {
        present(MachineDeletion {
            node_drain_timeout_seconds: seconds(drain),
            node_volume_detach_timeout_seconds: seconds(detach),
            node_deletion_timeout_seconds: seconds(deletion),
        })
    }

    pub(crate) fn old(deletion: Option<MachineDeletion>) -> (Timeout, Timeout, Timeout) {
        let deletion = deletion.unwrap_or_default();
        (
            duration(deletion.node_drain_timeout_seconds),
            duration(deletion.node_volume_detach_timeout_seconds),
            duration(deletion.node_deletion_timeout_seconds),
        )
    }
}

/// Leaves out an empty struct, as `omitzero` does in Go.
pub(crate) fn present<T: Default + PartialEq>(value: T) -> Option<T> {
    (value != T::default()).then_some(value)
}

pub(crate) fn seconds(duration: Option<Duration>) -> Option<i32> {
    duration.map(|duration| duration.seconds())
}

pub(crate) fn duration(seconds: Option<i32>) -> Option<Duration> {
    seconds.map(Duration::of_seconds)
}

/// `false` in v1beta1 may mean that the field was absent.
pub(crate) fn only_true(value: bool) -> Option<bool> {
    value.then_some(true)
}

pub(crate) fn is_true(value: Option<bool>) -> bool {
    value.unwrap_or_default()
}

/// Leaves out a number if it is zero, as Go does.
pub(crate) fn not_zero<T: Default + PartialEq>(value: Option<T>) -> Option<T> {
    value.filter(|value| *value != T::default())
}
