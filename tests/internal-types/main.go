// Prints the types that messages of the API server show as its own code has them, and not as clients send them. A line for each
// type: its name and its fields, in the format that codegen/kubernetes/src/checks/internal.rs describes.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	draapi "k8s.io/dynamic-resource-allocation/api"
	"k8s.io/dynamic-resource-allocation/structured/schedulerapi"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/networking"
	"k8s.io/kubernetes/pkg/apis/policy"
	"k8s.io/kubernetes/pkg/apis/rbac"
	devices "k8s.io/kubernetes/pkg/apis/resource"
	"k8s.io/kubernetes/pkg/apis/storage"
)

// The types in messages, each with the one that clients see.
var roots = [][2]any{
	{apps.DaemonSetUpdateStrategy{}, appsv1.DaemonSetUpdateStrategy{}},
	{apps.DeploymentStrategy{}, appsv1.DeploymentStrategy{}},
	{apps.StatefulSetUpdateStrategy{}, appsv1.StatefulSetUpdateStrategy{}},
	{batch.PodFailurePolicy{}, batchv1.PodFailurePolicy{}},
	{batch.SuccessPolicy{}, batchv1.SuccessPolicy{}},
	{batch.UncountedTerminatedPods{}, batchv1.UncountedTerminatedPods{}},
	{core.EventSource{}, corev1.EventSource{}},
	{core.NodeAddress{}, corev1.NodeAddress{}},
	{core.ObjectReference{}, corev1.ObjectReference{}},
	{core.PersistentVolumeClaim{}, corev1.PersistentVolumeClaim{}},
	{core.PersistentVolumeSource{}, corev1.PersistentVolumeSource{}},
	{core.PodIP{}, corev1.PodIP{}},
	{core.PodTemplateSpec{}, corev1.PodTemplateSpec{}},
	{core.ScopeSelector{}, corev1.ScopeSelector{}},
	{core.ServicePort{}, corev1.ServicePort{}},
	{core.Taint{}, corev1.Taint{}},
	{core.VolumeNodeAffinity{}, corev1.VolumeNodeAffinity{}},
	{networking.ServiceCIDRSpec{}, networkingv1.ServiceCIDRSpec{}},
	{policy.PodDisruptionBudgetSpec{}, policyv1.PodDisruptionBudgetSpec{}},
	{rbac.RoleRef{}, rbacv1.RoleRef{}},
	{devices.ResourceClaimTemplateSpec{}, resourcev1.ResourceClaimTemplateSpec{}},
	{schedulerapi.SharedDeviceID{}, resourcev1.AllocatedDeviceStatus{}},
	{storage.CSINodeDriver{}, storagev1.CSINodeDriver{}},
}

// Types that encode themselves.
var plain = map[reflect.Type]string{
	reflect.TypeOf(resource.Quantity{}):  "q",
	reflect.TypeOf(intstr.IntOrString{}): "o",
	reflect.TypeOf(metav1.Time{}):        "t",
	reflect.TypeOf(metav1.MicroTime{}):   "t",
	// Missing ones are null, as times are.
	reflect.TypeOf(runtime.RawExtension{}): "t",
	reflect.TypeOf(draapi.UniqueString{}):  "s",
}

var types = map[string][]string{}

// The field of the type of clients, with its name in JSON.
func sent(of reflect.Type, name string) (reflect.Type, string) {
	if of == nil || of.Kind() != reflect.Struct {
		return nil, ""
	}
	for i := 0; i < of.NumField(); i++ {
		field := of.Field(i)
		tag := strings.Split(field.Tag.Get("json"), ",")[0]
		if strings.EqualFold(field.Name, name) && tag != "" {
			return field.Type, tag
		}
	}
	for i := 0; i < of.NumField(); i++ {
		if of.Field(i).Anonymous {
			if found, tag := sent(of.Field(i).Type, name); tag != "" {
				return found, tag
			}
		}
	}
	return nil, ""
}

func element(of reflect.Type) reflect.Type {
	for of != nil && (of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map) {
		of = of.Elem()
	}
	return of
}

func encoding(own, client reflect.Type) string {
	if letter, ok := plain[own]; ok {
		return letter
	}
	switch own.Kind() {
	case reflect.Pointer:
		return "*" + encoding(own.Elem(), client)
	case reflect.Slice:
		return "[" + encoding(own.Elem(), client)
	case reflect.Map:
		return "{" + encoding(own.Elem(), client)
	case reflect.String:
		return "s"
	case reflect.Bool:
		return "b"
	case reflect.Struct:
		visit(own, element(client))
		return own.Name()
	}
	return "i"
}

func lower(name string) string {
	return strings.ToLower(name[:1]) + name[1:]
}

func fields(own, client reflect.Type) []string {
	var out []string
	for i := 0; i < own.NumField(); i++ {
		field := own.Field(i)
		tag := field.Tag.Get("json")
		name := strings.Split(tag, ",")[0]
		if field.Anonymous && name == "" {
			if field.Name == "TypeMeta" {
				continue
			}
			for _, line := range fields(field.Type, client) {
				if field.Name == "ObjectMeta" {
					name := strings.SplitN(line, ":", 2)[0]
					line = strings.Replace(line, ":", "=metadata."+name+":", 1)
				}
				out = append(out, line)
			}
			continue
		}
		if field.PkgPath != "" || name == "-" {
			continue
		}
		ty, from := sent(client, field.Name)
		if ty == nil {
			ty = field.Type
		}
		optional := ""
		if name == "" {
			name = field.Name
		} else if from = name; strings.Contains(tag, "omit") {
			optional = "?"
		}
		line := name
		if from != "" && from != name && from != lower(name) {
			line += "=" + from
		}
		out = append(out, line+":"+optional+encoding(field.Type, ty))
	}
	return out
}

func visit(own, client reflect.Type) {
	if _, ok := types[own.Name()]; !ok {
		types[own.Name()] = nil
		types[own.Name()] = fields(own, client)
	}
}

func main() {
	for _, root := range roots {
		visit(reflect.TypeOf(root[0]), reflect.TypeOf(root[1]))
	}
	var names []string
	for name, fields := range types {
		if len(fields) > 0 {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Println(name + " " + strings.Join(types[name], " "))
	}
}
