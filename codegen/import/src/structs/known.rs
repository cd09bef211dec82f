//! Written by `tables write`, from the schemas of Kubernetes' own types. Do not edit.

/// One of Kubernetes' own types.
pub(super) struct Known {
    /// Its name in the table of their schemas, such as `core/v1.PodSpec`.
    pub(super) full: &'static str,
    /// The names of its properties, sorted.
    pub(super) properties: &'static [&'static str],
}

macro_rules! known {
    ($($full:literal $($property:literal)*;)*) => {
        /// By name.
        pub(super) static ALL: &[Known] =
            &[$(Known { full: $full, properties: &[$($property),*] }),*];
    };
}

// A type a line: its name in the table of schemas, its properties.
known! {
"core/v1.AWSElasticBlockStoreVolumeSource" "fsType" "partition" "readOnly" "volumeID";
"core/v1.Affinity" "nodeAffinity" "podAffinity" "podAntiAffinity";
"core/v1.AppArmorProfile" "localhostProfile" "type";
"core/v1.AttachedVolume" "devicePath" "name";
"core/v1.AzureDiskVolumeSource" "cachingMode" "diskName" "diskURI" "fsType" "kind" "readOnly";
"core/v1.AzureFileVolumeSource" "readOnly" "secretName" "shareName";
"core/v1.CSIVolumeSource" "driver" "fsType" "nodePublishSecretRef" "readOnly" "volumeAttributes";
"core/v1.Capabilities" "add" "drop";
"core/v1.CephFSVolumeSource" "monitors" "path" "readOnly" "secretFile" "secretRef" "user";
"core/v1.CinderVolumeSource" "fsType" "readOnly" "secretRef" "volumeID";
"core/v1.ClientIPConfig" "timeoutSeconds";
"core/v1.ClusterTrustBundleProjection" "labelSelector" "name" "optional" "path" "signerName" "user";
"meta/v1.Condition" "lastTransitionTime" "message" "observedGeneration" "reason" "status" "type";
"core/v1.ConfigMapEnvSource" "name" "optional";
"core/v1.ConfigMapKeySelector" "key" "name" "optional";
"core/v1.ConfigMapProjection" "items" "name" "optional";
"core/v1.ConfigMapVolumeSource" "defaultMode" "defaultUser" "items" "name" "optional";
"core/v1.Container" "args" "command" "env" "envFrom" "image" "imagePullPolicy" "lifecycle" "livenessProbe" "name" "ports" "readinessProbe" "resizePolicy" "resources" "restartPolicy" "restartPolicyRules" "securityContext" "startupProbe" "stdin" "stdinOnce" "terminationMessagePath" "terminationMessagePolicy" "tty" "volumeDevices" "volumeMounts" "workingDir";
"core/v1.ContainerPort" "containerPort" "hostIP" "hostPort" "name" "protocol";
"core/v1.ContainerResizePolicy" "resourceName" "restartPolicy";
"autoscaling/v2.ContainerResourceMetricSource" "container" "name" "target";
"core/v1.ContainerRestartRule" "action" "exitCodes";
"core/v1.ContainerRestartRuleOnExitCodes" "operator" "values";
"autoscaling/v2.CrossVersionObjectReference" "apiVersion" "kind" "name";
"core/v1.DownwardAPIProjection" "items";
"core/v1.DownwardAPIVolumeFile" "fieldRef" "mode" "path" "resourceFieldRef" "user";
"core/v1.DownwardAPIVolumeSource" "defaultMode" "defaultUser" "items";
"core/v1.EmptyDirVolumeSource" "medium" "mode" "sizeLimit";
"core/v1.EnvFromSource" "configMapRef" "prefix" "secretRef";
"core/v1.EnvVar" "name" "value" "valueFrom";
"core/v1.EnvVarSource" "configMapKeyRef" "fieldRef" "fileKeyRef" "resourceFieldRef" "secretKeyRef";
"core/v1.EphemeralContainer" "args" "command" "env" "envFrom" "image" "imagePullPolicy" "lifecycle" "livenessProbe" "name" "ports" "readinessProbe" "resizePolicy" "resources" "restartPolicy" "restartPolicyRules" "securityContext" "startupProbe" "stdin" "stdinOnce" "targetContainerName" "terminationMessagePath" "terminationMessagePolicy" "tty" "volumeDevices" "volumeMounts" "workingDir";
"core/v1.EphemeralVolumeSource" "volumeClaimTemplate";
"core/v1.EvictionResponder" "name" "priority";
"core/v1.ExecAction" "command";
"autoscaling/v2.ExternalMetricSource" "metric" "target";
"core/v1.FCVolumeSource" "fsType" "lun" "readOnly" "targetWWNs" "wwids";
"core/v1.FileKeySelector" "key" "optional" "path" "volumeName";
"core/v1.FlexVolumeSource" "driver" "fsType" "options" "readOnly" "secretRef";
"core/v1.FlockerVolumeSource" "datasetName" "datasetUUID";
"core/v1.GCEPersistentDiskVolumeSource" "fsType" "partition" "pdName" "readOnly";
"core/v1.GRPCAction" "mode" "port" "service";
"core/v1.GitRepoVolumeSource" "directory" "repository" "revision";
"core/v1.GlusterfsVolumeSource" "endpoints" "path" "readOnly";
"autoscaling/v2.HPAScalingPolicy" "periodSeconds" "type" "value";
"autoscaling/v2.HPAScalingRules" "policies" "selectPolicy" "stabilizationWindowSeconds" "tolerance";
"core/v1.HTTPGetAction" "host" "httpHeaders" "path" "port" "protocol" "scheme";
"core/v1.HTTPHeader" "name" "value";
"autoscaling/v2.HorizontalPodAutoscalerBehavior" "scaleDown" "scaleUp";
"core/v1.HostAlias" "hostnames" "ip";
"core/v1.HostPathVolumeSource" "path" "type";
"networking/v1.IPBlock" "cidr" "except";
"core/v1.ISCSIVolumeSource" "chapAuthDiscovery" "chapAuthSession" "fsType" "initiatorName" "iqn" "iscsiInterface" "lun" "portals" "readOnly" "secretRef" "targetPortal";
"core/v1.ImageVolumeSource" "pullPolicy" "reference";
"batch/v1.JobCondition" "lastProbeTime" "lastTransitionTime" "message" "reason" "status" "type";
"core/v1.KeyToPath" "key" "mode" "path" "user";
"meta/v1.LabelSelector" "matchExpressions" "matchLabels";
"meta/v1.LabelSelectorRequirement" "key" "operator" "values";
"core/v1.Lifecycle" "postStart" "preStop" "stopSignal";
"core/v1.LifecycleHandler" "exec" "httpGet" "sleep" "tcpSocket";
"core/v1.LoadBalancerIngress" "hostname" "ip" "ipMode" "ports";
"core/v1.LoadBalancerStatus" "ingress";
"core/v1.LocalObjectReference" "name";
"autoscaling/v2.MetricIdentifier" "name" "selector";
"autoscaling/v2.MetricSpec" "containerResource" "external" "object" "pods" "resource" "type";
"autoscaling/v2.MetricTarget" "averageUtilization" "averageValue" "type" "value";
"core/v1.ModifyVolumeStatus" "status" "targetVolumeAttributesClassName";
"core/v1.NFSVolumeSource" "path" "readOnly" "server";
"networking/v1.NetworkPolicyEgressRule" "ports" "to";
"networking/v1.NetworkPolicyIngressRule" "from" "ports";
"networking/v1.NetworkPolicyPeer" "ipBlock" "namespaceSelector" "podSelector";
"networking/v1.NetworkPolicyPort" "endPort" "port" "protocol";
"core/v1.NodeAffinity" "preferredDuringSchedulingIgnoredDuringExecution" "requiredDuringSchedulingIgnoredDuringExecution";
"core/v1.NodeSelector" "nodeSelectorTerms";
"core/v1.NodeSelectorRequirement" "key" "operator" "values";
"core/v1.NodeSelectorTerm" "matchExpressions" "matchFields";
"core/v1.ObjectFieldSelector" "apiVersion" "fieldPath";
"autoscaling/v2.ObjectMetricSource" "describedObject" "metric" "target";
"core/v1.ObjectReference" "apiVersion" "fieldPath" "kind" "name" "namespace" "resourceVersion" "uid";
"meta/v1.OwnerReference" "apiVersion" "blockOwnerDeletion" "controller" "kind" "name" "uid";
"core/v1.PersistentVolumeClaimSpec" "accessModes" "dataSource" "dataSourceRef" "resources" "selector" "storageClassName" "volumeAttributesClassName" "volumeMode" "volumeName";
"core/v1.PersistentVolumeClaimStatus" "accessModes" "allocatedResourceStatuses" "allocatedResources" "capacity" "conditions" "currentVolumeAttributesClassName" "healthStatus" "modifyVolumeStatus" "phase";
"core/v1.PersistentVolumeClaimTemplate" "metadata" "spec";
"core/v1.PersistentVolumeClaimVolumeSource" "claimName" "readOnly";
"core/v1.PhotonPersistentDiskVolumeSource" "fsType" "pdID";
"core/v1.PodAffinity" "preferredDuringSchedulingIgnoredDuringExecution" "requiredDuringSchedulingIgnoredDuringExecution";
"core/v1.PodAffinityTerm" "labelSelector" "matchLabelKeys" "mismatchLabelKeys" "namespaceSelector" "namespaces" "topologyKey";
"core/v1.PodAntiAffinity" "preferredDuringSchedulingIgnoredDuringExecution" "requiredDuringSchedulingIgnoredDuringExecution";
"core/v1.PodCertificateProjection" "certificateChainPath" "credentialBundlePath" "keyPath" "keyType" "maxExpirationSeconds" "signerName" "user" "userAnnotations";
"core/v1.PodDNSConfig" "nameservers" "options" "searches";
"core/v1.PodDNSConfigOption" "name" "value";
"core/v1.PodOS" "name";
"core/v1.PodReadinessGate" "conditionType";
"core/v1.PodResourceClaim" "name" "resourceClaimName" "resourceClaimTemplateName";
"core/v1.PodSchedulingGroup" "podGroupName";
"core/v1.PodSecurityContext" "appArmorProfile" "fsGroup" "fsGroupChangePolicy" "runAsGroup" "runAsNonRoot" "runAsUser" "seLinuxChangePolicy" "seLinuxOptions" "seccompProfile" "supplementalGroups" "supplementalGroupsPolicy" "sysctls" "windowsOptions";
"core/v1.PodSpec" "activeDeadlineSeconds" "affinity" "automountServiceAccountToken" "containers" "dnsConfig" "dnsPolicy" "enableServiceLinks" "ephemeralContainers" "evictionResponders" "hostAliases" "hostIPC" "hostNetwork" "hostPID" "hostUsers" "hostname" "hostnameOverride" "imagePullSecrets" "initContainers" "nodeName" "nodeSelector" "os" "overhead" "preemptionPolicy" "priority" "priorityClassName" "readinessGates" "resourceClaims" "resources" "restartPolicy" "runtimeClassName" "schedulerName" "schedulingGates" "schedulingGroup" "securityContext" "serviceAccount" "serviceAccountName" "setHostnameAsFQDN" "shareProcessNamespace" "subdomain" "terminationGracePeriodSeconds" "tolerations" "topologySpreadConstraints" "volumes";
"rbac/v1.PolicyRule" "apiGroups" "nonResourceURLs" "resourceNames" "resources" "verbs";
"core/v1.PortStatus" "error" "port" "protocol";
"core/v1.PortworxVolumeSource" "fsType" "readOnly" "volumeID";
"core/v1.PreferredSchedulingTerm" "preference" "weight";
"core/v1.Probe" "exec" "failureThreshold" "grpc" "httpGet" "initialDelaySeconds" "periodSeconds" "successThreshold" "tcpSocket" "terminationGracePeriodSeconds" "timeoutSeconds";
"core/v1.ProjectedVolumeSource" "defaultMode" "defaultUser" "sources";
"core/v1.QuobyteVolumeSource" "group" "readOnly" "registry" "tenant" "user" "volume";
"core/v1.RBDVolumeSource" "fsType" "image" "keyring" "monitors" "pool" "readOnly" "secretRef" "user";
"core/v1.ResourceClaim" "name" "request";
"core/v1.ResourceFieldSelector" "containerName" "divisor" "resource";
"autoscaling/v2.ResourceMetricSource" "name" "target";
"core/v1.ResourceRequirements" "claims" "limits" "requests";
"rbac/v1.RoleRef" "apiGroup" "kind" "name";
"core/v1.SELinuxOptions" "level" "role" "type" "user";
"core/v1.ScaleIOVolumeSource" "fsType" "gateway" "protectionDomain" "readOnly" "secretRef" "sslEnabled" "storageMode" "storagePool" "system" "volumeName";
"core/v1.SeccompProfile" "localhostProfile" "type";
"core/v1.SecretEnvSource" "name" "optional";
"core/v1.SecretKeySelector" "key" "name" "optional";
"core/v1.SecretProjection" "items" "name" "optional";
"core/v1.SecretVolumeSource" "defaultMode" "defaultUser" "items" "optional" "secretName";
"core/v1.SecurityContext" "allowPrivilegeEscalation" "appArmorProfile" "capabilities" "privileged" "procMount" "readOnlyRootFilesystem" "runAsGroup" "runAsNonRoot" "runAsUser" "seLinuxOptions" "seccompProfile" "windowsOptions";
"core/v1.ServiceAccountTokenProjection" "audience" "expirationSeconds" "path" "user";
"core/v1.ServicePort" "appProtocol" "name" "nodePort" "port" "protocol" "targetPort";
"core/v1.SessionAffinityConfig" "clientIP";
"core/v1.SleepAction" "seconds";
"core/v1.StorageOSVolumeSource" "fsType" "readOnly" "secretRef" "volumeName" "volumeNamespace";
"rbac/v1.Subject" "apiGroup" "kind" "name" "namespace";
"core/v1.Sysctl" "name" "value";
"core/v1.TCPSocketAction" "host" "port";
"core/v1.Taint" "effect" "key" "timeAdded" "value";
"core/v1.Toleration" "effect" "key" "operator" "tolerationSeconds" "value";
"core/v1.TopologySelectorLabelRequirement" "key" "values";
"core/v1.TopologySelectorTerm" "matchLabelExpressions";
"core/v1.TopologySpreadConstraint" "labelSelector" "matchLabelKeys" "maxSkew" "minDomains" "nodeAffinityPolicy" "nodeTaintsPolicy" "topologyKey" "whenUnsatisfiable";
"core/v1.TypedLocalObjectReference" "apiGroup" "kind" "name";
"core/v1.TypedObjectReference" "apiGroup" "kind" "name" "namespace";
"core/v1.Volume" "awsElasticBlockStore" "azureDisk" "azureFile" "cephfs" "cinder" "configMap" "csi" "downwardAPI" "emptyDir" "ephemeral" "fc" "flexVolume" "flocker" "gcePersistentDisk" "gitRepo" "glusterfs" "hostPath" "image" "iscsi" "name" "nfs" "persistentVolumeClaim" "photonPersistentDisk" "portworxVolume" "projected" "quobyte" "rbd" "scaleIO" "secret" "storageos" "vsphereVolume";
"core/v1.VolumeDevice" "devicePath" "name";
"core/v1.VolumeHealthCondition" "message" "reason" "status";
"core/v1.VolumeHealthStatus" "healthConditions" "lastTransitionTime";
"core/v1.VolumeMount" "bindMountOptions" "mountPath" "mountPropagation" "name" "readOnly" "recursiveReadOnly" "subPath" "subPathExpr";
"core/v1.VolumeProjection" "clusterTrustBundle" "configMap" "downwardAPI" "podCertificate" "secret" "serviceAccountToken";
"core/v1.VolumeResourceRequirements" "limits" "requests";
"core/v1.VsphereVirtualDiskVolumeSource" "fsType" "storagePolicyID" "storagePolicyName" "volumePath";
"core/v1.WeightedPodAffinityTerm" "podAffinityTerm" "weight";
"core/v1.WindowsSecurityContextOptions" "gmsaCredentialSpec" "gmsaCredentialSpecName" "hostProcess" "runAsUserName";
}
