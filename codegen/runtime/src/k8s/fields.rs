//! Which version of Kubernetes has which fields of its own types: a program may use an older version of k8s-openapi, whose types
//! lack the newer fields. From the types of k8s-openapi 0.17 to 0.29 (Kubernetes 1.20 to 1.37). [UPGRADING.md](../../../UPGRADING.md)
//! says how to add the next version.

use crate::ir::Schema;
use crate::{decode, json};

/// The types that have got fields since Kubernetes 1.20, sorted by name: each field with the minor version that is the first to have it.
const ADDED: &[(&str, &str)] = &[
    ("admissionregistration/v1.MutatingWebhook", "matchConditions 27"),
    ("admissionregistration/v1.ValidatingWebhook", "matchConditions 27"),
    ("admissionregistration/v1alpha1.ParamRef", "parameterNotFoundAction 28 selector 28"),
    ("apiserverinternal/v1alpha1.ServerStorageVersion", "servedVersions 28"),
    ("apps/v1.DeploymentStatus", "terminatingReplicas 33"),
    ("apps/v1.ReplicaSetStatus", "terminatingReplicas 33"),
    ("apps/v1.RollingUpdateDaemonSet", "maxSurge 21"),
    ("apps/v1.RollingUpdateStatefulSetStrategy", "maxUnavailable 24"),
    ("apps/v1.StatefulSetSpec", "minReadySeconds 22 ordinals 26 persistentVolumeClaimRetentionPolicy 23"),
    ("apps/v1.StatefulSetStatus", "availableReplicas 22"),
    ("authentication/v1.TokenRequestSpec", "attestations 37"),
    ("authorization/v1.ResourceAttributes", "fieldSelector 31 labelSelector 31"),
    ("autoscaling/v2.HPAScalingRules", "tolerance 33"),
    ("autoscaling/v2.HorizontalPodAutoscalerCondition", "observedGeneration 37"),
    ("batch/v1.CronJobSpec", "timeZone 24"),
    (
        "batch/v1.JobSpec",
        "backoffLimitPerIndex 28 completionMode 21 managedBy 30 maxFailedIndexes 28 podFailurePolicy 25 podReplacementPolicy 28 scheduling 37 successPolicy 30 suspend 21",
    ),
    (
        "batch/v1.JobStatus",
        "completedIndexes 21 failedIndexes 28 ready 23 terminating 28 uncountedTerminatedPods 22",
    ),
    ("certificates/v1.CertificateSigningRequestSpec", "expirationSeconds 22"),
    ("certificates/v1beta1.PodCertificateRequestSpec", "stubPKCS10Request 36"),
    ("coordination/v1.LeaseSpec", "preferredHolder 31 strategy 31"),
    ("core/v1.CSIPersistentVolumeSource", "nodeExpandSecretRef 25"),
    ("core/v1.ClusterTrustBundleProjection", "user 37"),
    ("core/v1.ConfigMapVolumeSource", "defaultUser 37"),
    ("core/v1.Container", "resizePolicy 27 restartPolicy 28 restartPolicyRules 34"),
    (
        "core/v1.ContainerStatus",
        "allocatedResources 27 allocatedResourcesStatus 31 resources 27 stopSignal 33 user 31 volumeMounts 30",
    ),
    ("core/v1.DownwardAPIVolumeFile", "user 37"),
    ("core/v1.DownwardAPIVolumeSource", "defaultUser 37"),
    ("core/v1.EmptyDirVolumeSource", "mode 37"),
    ("core/v1.EnvVarSource", "fileKeyRef 34"),
    ("core/v1.EphemeralContainer", "resizePolicy 27 restartPolicy 28 restartPolicyRules 34"),
    ("core/v1.GRPCAction", "mode 37"),
    ("core/v1.HTTPGetAction", "protocol 37"),
    ("core/v1.KeyToPath", "user 37"),
    ("core/v1.Lifecycle", "stopSignal 33"),
    ("core/v1.LifecycleHandler", "sleep 29"),
    ("core/v1.LoadBalancerIngress", "ipMode 29"),
    ("core/v1.NodeAllocatableResourceClaimStatus", "mapping 37 overhead 37"),
    ("core/v1.NodeRuntimeHandlerFeatures", "userNamespaces 31"),
    ("core/v1.NodeSpec", "podPreemptionPolicy 37"),
    ("core/v1.NodeStatus", "declaredFeatures 35 features 31 runtimeHandlers 30"),
    ("core/v1.NodeSystemInfo", "runningInUserNamespace 37 swap 33"),
    ("core/v1.PersistentVolumeClaimSpec", "dataSourceRef 22 volumeAttributesClassName 29"),
    (
        "core/v1.PersistentVolumeClaimStatus",
        "allocatedResourceStatuses 28 allocatedResources 23 currentVolumeAttributesClassName 29 healthStatus 37 modifyVolumeStatus 29",
    ),
    ("core/v1.PersistentVolumeSpec", "volumeAttributesClassName 29"),
    ("core/v1.PersistentVolumeStatus", "lastPhaseTransitionTime 28"),
    ("core/v1.PodAffinityTerm", "matchLabelKeys 29 mismatchLabelKeys 29 namespaceSelector 21"),
    ("core/v1.PodCertificateProjection", "user 37 userAnnotations 35"),
    ("core/v1.PodCondition", "observedGeneration 33"),
    ("core/v1.PodResourceClaim", "resourceClaimName 31 resourceClaimTemplateName 31"),
    ("core/v1.PodSecurityContext", "appArmorProfile 30 seLinuxChangePolicy 32 supplementalGroupsPolicy 31"),
    (
        "core/v1.PodSpec",
        "evictionResponders 37 hostUsers 25 hostnameOverride 34 os 23 resourceClaims 26 resources 32 schedulingGates 26 schedulingGroup 36",
    ),
    (
        "core/v1.PodStatus",
        "allocatedResources 35 extendedResourceClaimStatus 34 hostIPs 28 nodeAllocatableResourceClaimStatuses 36 observedGeneration 33 resize 27 resourceClaimStatuses 28 resources 35 volumeHealth 37",
    ),
    ("core/v1.Probe", "grpc 23 terminationGracePeriodSeconds 21"),
    ("core/v1.ProjectedVolumeSource", "defaultUser 37"),
    ("core/v1.ResourceClaim", "request 31"),
    ("core/v1.ResourceHealth", "message 36"),
    ("core/v1.ResourceRequirements", "claims 26"),
    ("core/v1.SecretVolumeSource", "defaultUser 37"),
    ("core/v1.SecurityContext", "appArmorProfile 30"),
    ("core/v1.ServiceAccountTokenProjection", "user 37"),
    ("core/v1.ServiceSpec", "internalTrafficPolicy 21 loadBalancerClass 21 trafficDistribution 30"),
    (
        "core/v1.TopologySpreadConstraint",
        "matchLabelKeys 25 minDomains 24 nodeAffinityPolicy 25 nodeTaintsPolicy 25",
    ),
    ("core/v1.Volume", "image 31"),
    ("core/v1.VolumeMount", "bindMountOptions 37 recursiveReadOnly 30"),
    ("core/v1.VolumeMountStatus", "volumeStatus 36"),
    ("core/v1.VolumeProjection", "clusterTrustBundle 29 podCertificate 34"),
    ("core/v1.WindowsSecurityContextOptions", "hostProcess 22"),
    ("discovery/v1.EndpointHints", "forNodes 33"),
    ("meta/v1.DeleteOptions", "ignoreStoreReadErrorWithClusterBreakingPotential 32"),
    ("meta/v1.ListMeta", "shardInfo 36"),
    ("meta/v1.ManagedFieldsEntry", "subresource 22"),
    ("networking/v1.NetworkPolicyPort", "endPort 21"),
    ("policy/v1.PodDisruptionBudgetSpec", "unhealthyPodEvictionPolicy 26"),
    ("resource/v1.Device", "nodeAllocatableResources 37"),
    ("resource/v1.DeviceAttribute", "bools 36 ints 36 strings 36 versions 36"),
    ("resource/v1.DeviceCounterConsumption", "compatibilityGroups 37"),
    ("resource/v1.DeviceRequestAllocationResult", "skipNodeOperations 37"),
    ("resource/v1.DeviceSubRequest", "derivedAttributes 37"),
    ("resource/v1.ExactDeviceRequest", "derivedAttributes 37"),
    ("resource/v1.ResourceSliceSpec", "partitionTypeAttribute 37 skipNodeOperations 37"),
    ("resource/v1alpha3.DeviceTaintRule", "status 35"),
    ("resource/v1alpha3.PoolStatus", "partitionSummary 37 shareableSummary 37"),
    ("resource/v1alpha3.ResourcePoolStatusRequestSpec", "defaultPartitionTypeAttribute 37"),
    ("resource/v1beta1.AllocatedDeviceStatus", "shareID 34"),
    ("resource/v1beta1.AllocationResult", "allocationTimestamp 34"),
    (
        "resource/v1beta1.BasicDevice",
        "allNodes 33 allowMultipleAllocations 34 bindingConditions 34 bindingFailureConditions 34 bindsToNode 34 consumesCounters 33 nodeAllocatableResources 37 nodeName 33 nodeSelector 33 taints 33",
    ),
    ("resource/v1beta1.DeviceAttribute", "bools 36 ints 36 strings 36 versions 36"),
    ("resource/v1beta1.DeviceCapacity", "requestPolicy 34"),
    ("resource/v1beta1.DeviceClassSpec", "extendedResourceName 34"),
    ("resource/v1beta1.DeviceConstraint", "distinctAttribute 34"),
    ("resource/v1beta1.DeviceCounterConsumption", "compatibilityGroups 37"),
    ("resource/v1beta1.DeviceRequest", "capacity 34 derivedAttributes 37 firstAvailable 33 tolerations 33"),
    (
        "resource/v1beta1.DeviceRequestAllocationResult",
        "bindingConditions 34 bindingFailureConditions 34 consumedCapacity 34 shareID 34 skipNodeOperations 37 tolerations 33",
    ),
    ("resource/v1beta1.DeviceSubRequest", "capacity 34 derivedAttributes 37"),
    (
        "resource/v1beta1.ResourceSliceSpec",
        "partitionTypeAttribute 37 perDeviceNodeSelection 33 sharedCounters 33 skipNodeOperations 37",
    ),
    ("resource/v1beta2.AllocatedDeviceStatus", "shareID 34"),
    ("resource/v1beta2.AllocationResult", "allocationTimestamp 34"),
    (
        "resource/v1beta2.Device",
        "allowMultipleAllocations 34 bindingConditions 34 bindingFailureConditions 34 bindsToNode 34 nodeAllocatableResources 37",
    ),
    ("resource/v1beta2.DeviceAttribute", "bools 36 ints 36 strings 36 versions 36"),
    ("resource/v1beta2.DeviceCapacity", "requestPolicy 34"),
    ("resource/v1beta2.DeviceClassSpec", "extendedResourceName 34"),
    ("resource/v1beta2.DeviceConstraint", "distinctAttribute 34"),
    ("resource/v1beta2.DeviceCounterConsumption", "compatibilityGroups 37"),
    (
        "resource/v1beta2.DeviceRequestAllocationResult",
        "bindingConditions 34 bindingFailureConditions 34 consumedCapacity 34 shareID 34 skipNodeOperations 37",
    ),
    ("resource/v1beta2.DeviceSubRequest", "capacity 34 derivedAttributes 37"),
    ("resource/v1beta2.ExactDeviceRequest", "capacity 34 derivedAttributes 37"),
    ("resource/v1beta2.ResourceSliceSpec", "partitionTypeAttribute 37 skipNodeOperations 37"),
    (
        "storage/v1.CSIDriverSpec",
        "nodeAllocatableUpdatePeriodSeconds 33 preventPodSchedulingIfMissing 36 seLinuxMount 25 serviceAccountTokenInSecrets 35",
    ),
    ("storage/v1.CSINode", "status 37"),
    ("storage/v1.VolumeError", "errorCode 33"),
];

/// The fields that newer versions do not have: the type, the field, the first and the last minor version with it, and its schema.
const REMOVED: &[(&str, &str, u32, u32, &str)] = &[
    ("core/v1.PersistentVolumeClaimStatus", "resizeStatus", 23, 27, r#"{"type":"string"}"#),
    (
        "core/v1.PodResourceClaim",
        "source",
        26,
        30,
        r#"{"properties":{"resourceClaimName":{"type":"string"},"resourceClaimTemplateName":{"type":"string"}},"type":"object"}"#,
    ),
    (
        "core/v1.PodSpec",
        "workloadRef",
        35,
        35,
        r#"{"properties":{"name":{"type":"string"},"podGroup":{"type":"string"},"podGroupReplicaKey":{"type":"string"}},"required":["name","podGroup"],"type":"object"}"#,
    ),
];

/// Whether a field of this name was removed from a type.
pub fn is_removed(field: &str) -> bool {
    REMOVED.iter().any(|(_, removed, ..)| *removed == field)
}

/// Removes the fields of a type that this version of Kubernetes does not have, and adds those that only older versions have.
pub(super) fn restrict(name: &str, schema: &mut Schema, minor: u32) {
    let at = ADDED.binary_search_by(|(ty, _)| (*ty).cmp(name));
    let mut words = at.ok().and_then(|at| ADDED.get(at)).map_or("", |(_, fields)| fields).split(' ');
    while let (Some(field), Some(since)) = (words.next(), words.next()) {
        if since.parse().is_ok_and(|since: u32| minor < since) {
            schema.properties.remove(field);
            schema.limits.required.retain(|required| required != field);
        }
    }
    let is_there = |(ty, _, first, last, _): &&(&str, &str, u32, u32, &str)| {
        *ty == name && (*first..=*last).contains(&minor)
    };
    for (_, field, _, _, text) in REMOVED.iter().filter(is_there) {
        let read = json::read(text.as_bytes()).ok().and_then(|value| decode::schema(value).0);
        schema.properties.insert(*field, read.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::{ADDED, REMOVED};
    use crate::k8s::{find, schema};

    #[test]
    fn every_field_is_one_of_its_type() {
        assert!(ADDED.is_sorted_by_key(|(ty, _)| *ty));
        for (ty, fields) in ADDED {
            let known = schema(ty).unwrap_or_else(|| panic!("no type {ty}"));
            for pair in fields.split(' ').collect::<Vec<_>>().chunks(2) {
                assert!(known.properties.contains_key(pair[0]), "{ty}: {}", pair[0]);
                assert!(
                    pair[1].parse::<u32>().is_ok_and(|minor| (21..100).contains(&minor)),
                    "{ty}: {pair:?}"
                );
            }
        }
    }

    #[test]
    fn a_type_has_the_fields_of_its_version() {
        let claim = |minor| {
            let pod = find("core/v1.PodSpec").expect("a type").embedded(Some(minor));
            let claims = pod.properties.get("resourceClaims")?;
            Some(claims.item()?.properties.keys().map(str::to_owned).collect::<Vec<_>>())
        };
        assert_eq!(claim(25), None);
        assert_eq!(claim(30), Some(vec!["name".to_owned(), "source".to_owned()]));
        let newest = ["name", "resourceClaimName", "resourceClaimTemplateName"].map(str::to_owned);
        assert_eq!(claim(31), Some(newest.to_vec()));
        let job = |minor| find("batch/v1.JobSpec").expect("a type").embedded(minor);
        assert!(!job(Some(36)).properties.contains_key("scheduling"));
        assert!(job(None).properties.contains_key("scheduling"));
        assert!(!job(None).has_rules(), "they are about jobs, and not about templates of jobs");
        assert!(REMOVED.iter().all(|(ty, ..)| find(ty).is_some()));
    }
}
