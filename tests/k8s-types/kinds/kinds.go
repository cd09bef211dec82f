// Package kinds embeds Kubernetes' own types. Its twin in Rust is tests/kubernetes/kinds.rs.
//
// +kubebuilder:object:generate=true
// +groupName=k8s.example.com
// +versionName=v1
package kinds

import (
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	resource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtime "k8s.io/apimachinery/pkg/runtime"
	intstr "k8s.io/apimachinery/pkg/util/intstr"
)

// Everything embeds types of their own.
//
// +kubebuilder:object:root=true
type Everything struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec EverythingSpec `json:"spec"`
}

// EverythingSpec has one field of each.
type EverythingSpec struct {
	// +optional
	AdmissionregistrationRuleWithOperations *admissionregistrationv1.RuleWithOperations `json:"admissionregistrationRuleWithOperations,omitempty"`
	// +optional
	AdmissionregistrationWebhookClientConfig *admissionregistrationv1.WebhookClientConfig `json:"admissionregistrationWebhookClientConfig,omitempty"`
	// +optional
	AdmissionregistrationValidatingWebhook *admissionregistrationv1.ValidatingWebhook `json:"admissionregistrationValidatingWebhook,omitempty"`
	// +optional
	AdmissionregistrationMatchCondition *admissionregistrationv1.MatchCondition `json:"admissionregistrationMatchCondition,omitempty"`
	// +optional
	ApiextensionsJson *apiextensionsv1.JSON `json:"apiextensionsJson,omitempty"`
	// +optional
	AppsDeploymentStrategy *appsv1.DeploymentStrategy `json:"appsDeploymentStrategy,omitempty"`
	// +optional
	AppsRollingUpdateDeployment *appsv1.RollingUpdateDeployment `json:"appsRollingUpdateDeployment,omitempty"`
	// +optional
	AppsStatefulSetPersistentVolumeClaimRetentionPolicy *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy `json:"appsStatefulSetPersistentVolumeClaimRetentionPolicy,omitempty"`
	// +optional
	AuthenticationUserInfo *authenticationv1.UserInfo `json:"authenticationUserInfo,omitempty"`
	// +optional
	AuthenticationTokenReviewSpec *authenticationv1.TokenReviewSpec `json:"authenticationTokenReviewSpec,omitempty"`
	// +optional
	AutoscalingCrossVersionObjectReference *autoscalingv1.CrossVersionObjectReference `json:"autoscalingCrossVersionObjectReference,omitempty"`
	// +optional
	AutoscalingScale *autoscalingv1.Scale `json:"autoscalingScale,omitempty"`
	// +optional
	Autoscalingv2HorizontalPodAutoscalerBehavior *autoscalingv2.HorizontalPodAutoscalerBehavior `json:"autoscalingv2HorizontalPodAutoscalerBehavior,omitempty"`
	// +optional
	Autoscalingv2HorizontalPodAutoscalerSpec *autoscalingv2.HorizontalPodAutoscalerSpec `json:"autoscalingv2HorizontalPodAutoscalerSpec,omitempty"`
	// +optional
	Autoscalingv2HorizontalPodAutoscalerStatus *autoscalingv2.HorizontalPodAutoscalerStatus `json:"autoscalingv2HorizontalPodAutoscalerStatus,omitempty"`
	// +optional
	Autoscalingv2MetricSpec *autoscalingv2.MetricSpec `json:"autoscalingv2MetricSpec,omitempty"`
	// +optional
	BatchJobTemplateSpec *batchv1.JobTemplateSpec `json:"batchJobTemplateSpec,omitempty"`
	// +optional
	BatchJobStatus *batchv1.JobStatus `json:"batchJobStatus,omitempty"`
	// +optional
	BatchPodFailurePolicy *batchv1.PodFailurePolicy `json:"batchPodFailurePolicy,omitempty"`
	// +optional
	CertificatesCertificateSigningRequestSpec *certificatesv1.CertificateSigningRequestSpec `json:"certificatesCertificateSigningRequestSpec,omitempty"`
	// +optional
	CoordinationLeaseSpec *coordinationv1.LeaseSpec `json:"coordinationLeaseSpec,omitempty"`
	// +optional
	CoreAffinity *corev1.Affinity `json:"coreAffinity,omitempty"`
	// +optional
	CoreAwsElasticBlockStoreVolumeSource *corev1.AWSElasticBlockStoreVolumeSource `json:"coreAwsElasticBlockStoreVolumeSource,omitempty"`
	// +optional
	CoreBinding *corev1.Binding `json:"coreBinding,omitempty"`
	// +optional
	CoreCapabilities *corev1.Capabilities `json:"coreCapabilities,omitempty"`
	// +optional
	CoreClientIpConfig *corev1.ClientIPConfig `json:"coreClientIpConfig,omitempty"`
	// +optional
	CoreConfigMap *corev1.ConfigMap `json:"coreConfigMap,omitempty"`
	// +optional
	CoreConfigMapEnvSource *corev1.ConfigMapEnvSource `json:"coreConfigMapEnvSource,omitempty"`
	// +optional
	CoreConfigMapKeySelector *corev1.ConfigMapKeySelector `json:"coreConfigMapKeySelector,omitempty"`
	// +optional
	CoreConfigMapVolumeSource *corev1.ConfigMapVolumeSource `json:"coreConfigMapVolumeSource,omitempty"`
	// +optional
	CoreContainer *corev1.Container `json:"coreContainer,omitempty"`
	// +optional
	CoreContainerPort *corev1.ContainerPort `json:"coreContainerPort,omitempty"`
	// +optional
	CoreContainerState *corev1.ContainerState `json:"coreContainerState,omitempty"`
	// +optional
	CoreContainerStatus *corev1.ContainerStatus `json:"coreContainerStatus,omitempty"`
	// +optional
	CoreCsiVolumeSource *corev1.CSIVolumeSource `json:"coreCsiVolumeSource,omitempty"`
	// +optional
	CoreEmptyDirVolumeSource *corev1.EmptyDirVolumeSource `json:"coreEmptyDirVolumeSource,omitempty"`
	// +optional
	CoreEnvFromSource *corev1.EnvFromSource `json:"coreEnvFromSource,omitempty"`
	// +optional
	CoreEnvVar *corev1.EnvVar `json:"coreEnvVar,omitempty"`
	// +optional
	CoreEnvVarSource *corev1.EnvVarSource `json:"coreEnvVarSource,omitempty"`
	// +optional
	CoreEphemeralVolumeSource *corev1.EphemeralVolumeSource `json:"coreEphemeralVolumeSource,omitempty"`
	// +optional
	CoreEvent *corev1.Event `json:"coreEvent,omitempty"`
	// +optional
	CoreExecAction *corev1.ExecAction `json:"coreExecAction,omitempty"`
	// +optional
	CoreGrpcAction *corev1.GRPCAction `json:"coreGrpcAction,omitempty"`
	// +optional
	CoreHostAlias *corev1.HostAlias `json:"coreHostAlias,omitempty"`
	// +optional
	CoreHostPathVolumeSource *corev1.HostPathVolumeSource `json:"coreHostPathVolumeSource,omitempty"`
	// +optional
	CoreHttpGetAction *corev1.HTTPGetAction `json:"coreHttpGetAction,omitempty"`
	// +optional
	CoreKeyToPath *corev1.KeyToPath `json:"coreKeyToPath,omitempty"`
	// +optional
	CoreLimitRangeSpec *corev1.LimitRangeSpec `json:"coreLimitRangeSpec,omitempty"`
	// +optional
	CoreLoadBalancerStatus *corev1.LoadBalancerStatus `json:"coreLoadBalancerStatus,omitempty"`
	// +optional
	CoreLocalObjectReference *corev1.LocalObjectReference `json:"coreLocalObjectReference,omitempty"`
	// +optional
	CoreNamespace *corev1.Namespace `json:"coreNamespace,omitempty"`
	// +optional
	CoreNodeAffinity *corev1.NodeAffinity `json:"coreNodeAffinity,omitempty"`
	// +optional
	CoreNodeSelector *corev1.NodeSelector `json:"coreNodeSelector,omitempty"`
	// +optional
	CoreNodeSelectorRequirement *corev1.NodeSelectorRequirement `json:"coreNodeSelectorRequirement,omitempty"`
	// +optional
	CoreObjectFieldSelector *corev1.ObjectFieldSelector `json:"coreObjectFieldSelector,omitempty"`
	// +optional
	CoreObjectReference *corev1.ObjectReference `json:"coreObjectReference,omitempty"`
	// +optional
	CorePersistentVolumeClaimSpec *corev1.PersistentVolumeClaimSpec `json:"corePersistentVolumeClaimSpec,omitempty"`
	// +optional
	CorePersistentVolumeClaimStatus *corev1.PersistentVolumeClaimStatus `json:"corePersistentVolumeClaimStatus,omitempty"`
	// +optional
	CorePersistentVolumeClaimTemplate *corev1.PersistentVolumeClaimTemplate `json:"corePersistentVolumeClaimTemplate,omitempty"`
	// +optional
	CorePodAffinityTerm *corev1.PodAffinityTerm `json:"corePodAffinityTerm,omitempty"`
	// +optional
	CorePodDnsConfig *corev1.PodDNSConfig `json:"corePodDnsConfig,omitempty"`
	// +optional
	CorePodSecurityContext *corev1.PodSecurityContext `json:"corePodSecurityContext,omitempty"`
	// +optional
	CorePreferredSchedulingTerm *corev1.PreferredSchedulingTerm `json:"corePreferredSchedulingTerm,omitempty"`
	// +optional
	CoreProbe *corev1.Probe `json:"coreProbe,omitempty"`
	// +optional
	CoreResourceClaim *corev1.ResourceClaim `json:"coreResourceClaim,omitempty"`
	// +optional
	CoreResourceFieldSelector *corev1.ResourceFieldSelector `json:"coreResourceFieldSelector,omitempty"`
	// +optional
	CoreResourceQuotaSpec *corev1.ResourceQuotaSpec `json:"coreResourceQuotaSpec,omitempty"`
	// +optional
	CoreResourceRequirements *corev1.ResourceRequirements `json:"coreResourceRequirements,omitempty"`
	// +optional
	CoreSecret *corev1.Secret `json:"coreSecret,omitempty"`
	// +optional
	CoreSecretKeySelector *corev1.SecretKeySelector `json:"coreSecretKeySelector,omitempty"`
	// +optional
	CoreSecretReference *corev1.SecretReference `json:"coreSecretReference,omitempty"`
	// +optional
	CoreSecurityContext *corev1.SecurityContext `json:"coreSecurityContext,omitempty"`
	// +optional
	CoreServicePort *corev1.ServicePort `json:"coreServicePort,omitempty"`
	// +optional
	CoreServiceSpec *corev1.ServiceSpec `json:"coreServiceSpec,omitempty"`
	// +optional
	CoreServiceStatus *corev1.ServiceStatus `json:"coreServiceStatus,omitempty"`
	// +optional
	CoreTaint *corev1.Taint `json:"coreTaint,omitempty"`
	// +optional
	CoreTcpSocketAction *corev1.TCPSocketAction `json:"coreTcpSocketAction,omitempty"`
	// +optional
	CoreToleration *corev1.Toleration `json:"coreToleration,omitempty"`
	// +optional
	CoreTopologySpreadConstraint *corev1.TopologySpreadConstraint `json:"coreTopologySpreadConstraint,omitempty"`
	// +optional
	CoreTypedLocalObjectReference *corev1.TypedLocalObjectReference `json:"coreTypedLocalObjectReference,omitempty"`
	// +optional
	CoreTypedObjectReference *corev1.TypedObjectReference `json:"coreTypedObjectReference,omitempty"`
	// +optional
	CoreVolumeDevice *corev1.VolumeDevice `json:"coreVolumeDevice,omitempty"`
	// +optional
	CoreVolumeMount *corev1.VolumeMount `json:"coreVolumeMount,omitempty"`
	// +optional
	CoreVolumeResourceRequirements *corev1.VolumeResourceRequirements `json:"coreVolumeResourceRequirements,omitempty"`
	// +optional
	CoreWeightedPodAffinityTerm *corev1.WeightedPodAffinityTerm `json:"coreWeightedPodAffinityTerm,omitempty"`
	// +optional
	DiscoveryEndpoint *discoveryv1.Endpoint `json:"discoveryEndpoint,omitempty"`
	// +optional
	DiscoveryEndpointPort *discoveryv1.EndpointPort `json:"discoveryEndpointPort,omitempty"`
	// +optional
	EventsEventSeries *eventsv1.EventSeries `json:"eventsEventSeries,omitempty"`
	// +optional
	FlowcontrolFlowSchemaSpec *flowcontrolv1.FlowSchemaSpec `json:"flowcontrolFlowSchemaSpec,omitempty"`
	// +optional
	IntstrIntOrString *intstr.IntOrString `json:"intstrIntOrString,omitempty"`
	// +optional
	MetaCondition *metav1.Condition `json:"metaCondition,omitempty"`
	// +optional
	MetaLabelSelector *metav1.LabelSelector `json:"metaLabelSelector,omitempty"`
	// +optional
	MetaLabelSelectorRequirement *metav1.LabelSelectorRequirement `json:"metaLabelSelectorRequirement,omitempty"`
	// +optional
	MetaListMeta *metav1.ListMeta `json:"metaListMeta,omitempty"`
	// +optional
	MetaManagedFieldsEntry *metav1.ManagedFieldsEntry `json:"metaManagedFieldsEntry,omitempty"`
	// +optional
	MetaMicroTime *metav1.MicroTime `json:"metaMicroTime,omitempty"`
	// +optional
	MetaObjectMeta *metav1.ObjectMeta `json:"metaObjectMeta,omitempty"`
	// +optional
	MetaOwnerReference *metav1.OwnerReference `json:"metaOwnerReference,omitempty"`
	// +optional
	MetaStatus *metav1.Status `json:"metaStatus,omitempty"`
	// +optional
	MetaTime *metav1.Time `json:"metaTime,omitempty"`
	// +optional
	MetaDeleteOptions *metav1.DeleteOptions `json:"metaDeleteOptions,omitempty"`
	// +optional
	NetworkingHttpIngressRuleValue *networkingv1.HTTPIngressRuleValue `json:"networkingHttpIngressRuleValue,omitempty"`
	// +optional
	NetworkingIngressBackend *networkingv1.IngressBackend `json:"networkingIngressBackend,omitempty"`
	// +optional
	NetworkingIngressRule *networkingv1.IngressRule `json:"networkingIngressRule,omitempty"`
	// +optional
	NetworkingIngressSpec *networkingv1.IngressSpec `json:"networkingIngressSpec,omitempty"`
	// +optional
	NetworkingIngressTls *networkingv1.IngressTLS `json:"networkingIngressTls,omitempty"`
	// +optional
	NetworkingNetworkPolicyEgressRule *networkingv1.NetworkPolicyEgressRule `json:"networkingNetworkPolicyEgressRule,omitempty"`
	// +optional
	NetworkingNetworkPolicyIngressRule *networkingv1.NetworkPolicyIngressRule `json:"networkingNetworkPolicyIngressRule,omitempty"`
	// +optional
	NetworkingNetworkPolicyPeer *networkingv1.NetworkPolicyPeer `json:"networkingNetworkPolicyPeer,omitempty"`
	// +optional
	NetworkingNetworkPolicySpec *networkingv1.NetworkPolicySpec `json:"networkingNetworkPolicySpec,omitempty"`
	// +optional
	NodeOverhead *nodev1.Overhead `json:"nodeOverhead,omitempty"`
	// +optional
	NodeScheduling *nodev1.Scheduling `json:"nodeScheduling,omitempty"`
	// +optional
	PolicyPodDisruptionBudgetSpec *policyv1.PodDisruptionBudgetSpec `json:"policyPodDisruptionBudgetSpec,omitempty"`
	// +optional
	RbacPolicyRule *rbacv1.PolicyRule `json:"rbacPolicyRule,omitempty"`
	// +optional
	RbacRoleRef *rbacv1.RoleRef `json:"rbacRoleRef,omitempty"`
	// +optional
	RbacSubject *rbacv1.Subject `json:"rbacSubject,omitempty"`
	// +optional
	RbacAggregationRule *rbacv1.AggregationRule `json:"rbacAggregationRule,omitempty"`
	// +optional
	ResourceQuantity *resource.Quantity `json:"resourceQuantity,omitempty"`
	// +optional
	ResourceDeviceClaim *resourcev1.DeviceClaim `json:"resourceDeviceClaim,omitempty"`
	// +optional
	ResourceResourceClaimSpec *resourcev1.ResourceClaimSpec `json:"resourceResourceClaimSpec,omitempty"`
	// +optional
	ResourceDeviceSelector *resourcev1.DeviceSelector `json:"resourceDeviceSelector,omitempty"`
	// +optional
	RuntimeRawExtension *runtime.RawExtension `json:"runtimeRawExtension,omitempty"`
	// +optional
	SchedulingPriorityClass *schedulingv1.PriorityClass `json:"schedulingPriorityClass,omitempty"`
	// +optional
	StorageStorageClass *storagev1.StorageClass `json:"storageStorageClass,omitempty"`
	// +optional
	StorageVolumeAttachmentSource *storagev1.VolumeAttachmentSource `json:"storageVolumeAttachmentSource,omitempty"`
}

// Held has them in lists, in maps, required, and beside fields of its own.
//
// +kubebuilder:object:root=true
type Held struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec HeldSpec `json:"spec"`
}

// HeldSpec is what is wanted.
type HeldSpec struct {
	Selector metav1.LabelSelector   `json:"selector"`
	Template corev1.PodTemplateSpec `json:"template"`
	// +optional
	Claims []corev1.PersistentVolumeClaimTemplate `json:"claims,omitempty"`
	// +optional
	Volumes []corev1.Volume `json:"volumes,omitempty"`
	// +optional
	Limits map[string]resource.Quantity `json:"limits,omitempty"`
	// +optional
	Ports map[string]intstr.IntOrString `json:"ports,omitempty"`
	// +optional
	Env []corev1.EnvVar `json:"env,omitempty"`
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`
	// +optional
	Names []string `json:"names,omitempty"`
	// +optional
	Since *metav1.Time `json:"since,omitempty"`
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}
