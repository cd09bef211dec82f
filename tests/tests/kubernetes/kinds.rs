//! Kinds that embed Kubernetes' own types. The same kinds in Go are in tests/k8s-types/kinds.

use std::collections::BTreeMap;

use crdgen::{CustomResource, Schema};
use k8s_openapi::api::core::v1 as core;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1 as meta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[schema(root(type_meta = "plain"))]
#[kube(
    group = "k8s.example.com",
    version = "v1",
    kind = "Everything",
    plural = "everythings",
    namespaced,
    list_kind = "EverythingList"
)]
#[serde(rename_all = "camelCase")]
pub(super) struct EverythingSpec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admissionregistration_rule_with_operations:
        Option<k8s_openapi::api::admissionregistration::v1::RuleWithOperations>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admissionregistration_webhook_client_config:
        Option<k8s_openapi::api::admissionregistration::v1::WebhookClientConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admissionregistration_validating_webhook:
        Option<k8s_openapi::api::admissionregistration::v1::ValidatingWebhook>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admissionregistration_match_condition:
        Option<k8s_openapi::api::admissionregistration::v1::MatchCondition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apiextensions_json: Option<k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apps_deployment_strategy: Option<k8s_openapi::api::apps::v1::DeploymentStrategy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apps_rolling_update_deployment: Option<k8s_openapi::api::apps::v1::RollingUpdateDeployment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apps_stateful_set_persistent_volume_claim_retention_policy:
        Option<k8s_openapi::api::apps::v1::StatefulSetPersistentVolumeClaimRetentionPolicy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authentication_user_info: Option<k8s_openapi::api::authentication::v1::UserInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authentication_token_review_spec: Option<k8s_openapi::api::authentication::v1::TokenReviewSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autoscaling_cross_version_object_reference:
        Option<k8s_openapi::api::autoscaling::v1::CrossVersionObjectReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autoscaling_scale: Option<k8s_openapi::api::autoscaling::v1::Scale>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autoscalingv2_horizontal_pod_autoscaler_behavior:
        Option<k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscalerBehavior>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autoscalingv2_horizontal_pod_autoscaler_spec:
        Option<k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscalerSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autoscalingv2_horizontal_pod_autoscaler_status:
        Option<k8s_openapi::api::autoscaling::v2::HorizontalPodAutoscalerStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autoscalingv2_metric_spec: Option<k8s_openapi::api::autoscaling::v2::MetricSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_job_template_spec: Option<k8s_openapi::api::batch::v1::JobTemplateSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_job_status: Option<k8s_openapi::api::batch::v1::JobStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_pod_failure_policy: Option<k8s_openapi::api::batch::v1::PodFailurePolicy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificates_certificate_signing_request_spec:
        Option<k8s_openapi::api::certificates::v1::CertificateSigningRequestSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordination_lease_spec: Option<k8s_openapi::api::coordination::v1::LeaseSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_affinity: Option<k8s_openapi::api::core::v1::Affinity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_aws_elastic_block_store_volume_source:
        Option<k8s_openapi::api::core::v1::AWSElasticBlockStoreVolumeSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_binding: Option<k8s_openapi::api::core::v1::Binding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_capabilities: Option<k8s_openapi::api::core::v1::Capabilities>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_client_ip_config: Option<k8s_openapi::api::core::v1::ClientIPConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_config_map: Option<k8s_openapi::api::core::v1::ConfigMap>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_config_map_env_source: Option<k8s_openapi::api::core::v1::ConfigMapEnvSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_config_map_key_selector: Option<k8s_openapi::api::core::v1::ConfigMapKeySelector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_config_map_volume_source: Option<k8s_openapi::api::core::v1::ConfigMapVolumeSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_container: Option<k8s_openapi::api::core::v1::Container>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_container_port: Option<k8s_openapi::api::core::v1::ContainerPort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_container_state: Option<k8s_openapi::api::core::v1::ContainerState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_container_status: Option<k8s_openapi::api::core::v1::ContainerStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_csi_volume_source: Option<k8s_openapi::api::core::v1::CSIVolumeSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_empty_dir_volume_source: Option<k8s_openapi::api::core::v1::EmptyDirVolumeSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_env_from_source: Option<k8s_openapi::api::core::v1::EnvFromSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_env_var: Option<k8s_openapi::api::core::v1::EnvVar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_env_var_source: Option<k8s_openapi::api::core::v1::EnvVarSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_ephemeral_volume_source: Option<k8s_openapi::api::core::v1::EphemeralVolumeSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_event: Option<k8s_openapi::api::core::v1::Event>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_exec_action: Option<k8s_openapi::api::core::v1::ExecAction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_grpc_action: Option<k8s_openapi::api::core::v1::GRPCAction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_host_alias: Option<k8s_openapi::api::core::v1::HostAlias>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_host_path_volume_source: Option<k8s_openapi::api::core::v1::HostPathVolumeSource>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_http_get_action: Option<k8s_openapi::api::core::v1::HTTPGetAction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_key_to_path: Option<k8s_openapi::api::core::v1::KeyToPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_limit_range_spec: Option<k8s_openapi::api::core::v1::LimitRangeSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_load_balancer_status: Option<k8s_openapi::api::core::v1::LoadBalancerStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_local_object_reference: Option<k8s_openapi::api::core::v1::LocalObjectReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_namespace: Option<k8s_openapi::api::core::v1::Namespace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_node_affinity: Option<k8s_openapi::api::core::v1::NodeAffinity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_node_selector: Option<k8s_openapi::api::core::v1::NodeSelector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_node_selector_requirement: Option<k8s_openapi::api::core::v1::NodeSelectorRequirement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_object_field_selector: Option<k8s_openapi::api::core::v1::ObjectFieldSelector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_object_reference: Option<k8s_openapi::api::core::v1::ObjectReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_persistent_volume_claim_spec: Option<k8s_openapi::api::core::v1::PersistentVolumeClaimSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_persistent_volume_claim_status: Option<k8s_openapi::api::core::v1::PersistentVolumeClaimStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_persistent_volume_claim_template:
        Option<k8s_openapi::api::core::v1::PersistentVolumeClaimTemplate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_pod_affinity_term: Option<k8s_openapi::api::core::v1::PodAffinityTerm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_pod_dns_config: Option<k8s_openapi::api::core::v1::PodDNSConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_pod_security_context: Option<k8s_openapi::api::core::v1::PodSecurityContext>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_preferred_scheduling_term: Option<k8s_openapi::api::core::v1::PreferredSchedulingTerm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_probe: Option<k8s_openapi::api::core::v1::Probe>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_resource_claim: Option<k8s_openapi::api::core::v1::ResourceClaim>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_resource_field_selector: Option<k8s_openapi::api::core::v1::ResourceFieldSelector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_resource_quota_spec: Option<k8s_openapi::api::core::v1::ResourceQuotaSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_resource_requirements: Option<k8s_openapi::api::core::v1::ResourceRequirements>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_secret: Option<k8s_openapi::api::core::v1::Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_secret_key_selector: Option<k8s_openapi::api::core::v1::SecretKeySelector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_secret_reference: Option<k8s_openapi::api::core::v1::SecretReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_security_context: Option<k8s_openapi::api::core::v1::SecurityContext>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_service_port: Option<k8s_openapi::api::core::v1::ServicePort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_service_spec: Option<k8s_openapi::api::core::v1::ServiceSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_service_status: Option<k8s_openapi::api::core::v1::ServiceStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_taint: Option<k8s_openapi::api::core::v1::Taint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_tcp_socket_action: Option<k8s_openapi::api::core::v1::TCPSocketAction>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_toleration: Option<k8s_openapi::api::core::v1::Toleration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_topology_spread_constraint: Option<k8s_openapi::api::core::v1::TopologySpreadConstraint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_typed_local_object_reference: Option<k8s_openapi::api::core::v1::TypedLocalObjectReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_typed_object_reference: Option<k8s_openapi::api::core::v1::TypedObjectReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_volume_device: Option<k8s_openapi::api::core::v1::VolumeDevice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_volume_mount: Option<k8s_openapi::api::core::v1::VolumeMount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_volume_resource_requirements: Option<k8s_openapi::api::core::v1::VolumeResourceRequirements>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_weighted_pod_affinity_term: Option<k8s_openapi::api::core::v1::WeightedPodAffinityTerm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discovery_endpoint: Option<k8s_openapi::api::discovery::v1::Endpoint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discovery_endpoint_port: Option<k8s_openapi::api::discovery::v1::EndpointPort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events_event_series: Option<k8s_openapi::api::events::v1::EventSeries>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flowcontrol_flow_schema_spec: Option<k8s_openapi::api::flowcontrol::v1::FlowSchemaSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intstr_int_or_string: Option<k8s_openapi::apimachinery::pkg::util::intstr::IntOrString>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_condition: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_label_selector: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_label_selector_requirement:
        Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelectorRequirement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_list_meta: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::ListMeta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_managed_fields_entry: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_micro_time: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_object_meta: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_owner_reference: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_status: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::Status>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_time: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meta_delete_options: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::DeleteOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networking_http_ingress_rule_value: Option<k8s_openapi::api::networking::v1::HTTPIngressRuleValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networking_ingress_backend: Option<k8s_openapi::api::networking::v1::IngressBackend>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networking_ingress_rule: Option<k8s_openapi::api::networking::v1::IngressRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networking_ingress_spec: Option<k8s_openapi::api::networking::v1::IngressSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networking_ingress_tls: Option<k8s_openapi::api::networking::v1::IngressTLS>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networking_network_policy_egress_rule:
        Option<k8s_openapi::api::networking::v1::NetworkPolicyEgressRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networking_network_policy_ingress_rule:
        Option<k8s_openapi::api::networking::v1::NetworkPolicyIngressRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networking_network_policy_peer: Option<k8s_openapi::api::networking::v1::NetworkPolicyPeer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub networking_network_policy_spec: Option<k8s_openapi::api::networking::v1::NetworkPolicySpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_overhead: Option<k8s_openapi::api::node::v1::Overhead>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_scheduling: Option<k8s_openapi::api::node::v1::Scheduling>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_pod_disruption_budget_spec: Option<k8s_openapi::api::policy::v1::PodDisruptionBudgetSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rbac_policy_rule: Option<k8s_openapi::api::rbac::v1::PolicyRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rbac_role_ref: Option<k8s_openapi::api::rbac::v1::RoleRef>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rbac_subject: Option<k8s_openapi::api::rbac::v1::Subject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rbac_aggregation_rule: Option<k8s_openapi::api::rbac::v1::AggregationRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_quantity: Option<k8s_openapi::apimachinery::pkg::api::resource::Quantity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_device_claim: Option<k8s_openapi::api::resource::v1::DeviceClaim>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_resource_claim_spec: Option<k8s_openapi::api::resource::v1::ResourceClaimSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_device_selector: Option<k8s_openapi::api::resource::v1::DeviceSelector>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_raw_extension: Option<k8s_openapi::apimachinery::pkg::runtime::RawExtension>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduling_priority_class: Option<k8s_openapi::api::scheduling::v1::PriorityClass>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_storage_class: Option<k8s_openapi::api::storage::v1::StorageClass>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_volume_attachment_source: Option<k8s_openapi::api::storage::v1::VolumeAttachmentSource>,
}

#[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
#[schema(root(type_meta = "plain"))]
#[kube(
    group = "k8s.example.com",
    version = "v1",
    kind = "Held",
    plural = "helds",
    list_kind = "HeldList",
    namespaced
)]
pub(super) struct HeldSpec {
    pub selector: meta::LabelSelector,
    pub template: core::PodTemplateSpec,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<core::PersistentVolumeClaimTemplate>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volumes: Option<Vec<core::Volume>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<BTreeMap<String, Quantity>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ports: Option<BTreeMap<String, IntOrString>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<Vec<core::EnvVar>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<meta::Time>,
    #[schema(list_type = "map", list_map_keys = ["type"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<meta::Condition>>,
}
