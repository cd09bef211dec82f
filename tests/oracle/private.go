//go:build !older

package main

import (
	"context"
	_ "unsafe" // for go:linkname

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kube-openapi/pkg/validation/spec"

	_ "k8s.io/apiextensions-apiserver/pkg/apiserver"
	_ "k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	_ "k8s.io/apiserver/pkg/endpoints/handlers"
)

// Functions of the server that it does not export, linked by name, so that
// nothing has to be written twice. private.s (empty) makes the compiler accept
// functions without a body.

//go:linkname compileValidatingPolicy k8s.io/apiserver/pkg/admission/plugin/policy/validating.compilePolicy
func compileValidatingPolicy(*admissionregistrationv1.ValidatingAdmissionPolicy) validating.Validator

//go:linkname compileMutatingPolicy k8s.io/apiserver/pkg/admission/plugin/policy/mutating.compilePolicy
func compileMutatingPolicy(*admissionregistrationv1.MutatingAdmissionPolicy) mutating.PolicyEvaluator

//go:linkname openAPIModelsForApply k8s.io/apiextensions-apiserver/pkg/apiserver.buildOpenAPIModelsForApply
func openAPIModelsForApply(static map[string]*spec.Schema, crd *apiextensionsv1.CustomResourceDefinition) (map[string]*spec.Schema, error)

//go:linkname dedupOwnerReferences k8s.io/apiserver/pkg/endpoints/handlers.dedupOwnerReferencesAndAddWarning
func dedupOwnerReferences(obj runtime.Object, ctx context.Context, afterMutatingAdmission bool)

// scaleUpdate has the fields of customresource.scaleUpdatedObjectInfo, in its order.
type scaleUpdate struct {
	reqObjInfo          rest.UpdatedObjectInfo
	specReplicasPath    string
	statusReplicasPath  string
	labelSelectorPath   string
	parentGV            schema.GroupVersion
	replicasPathMapping managedfields.ResourcePathMappings
}

//go:linkname scaleUpdatedObject k8s.io/apiextensions-apiserver/pkg/registry/customresource.(*scaleUpdatedObjectInfo).UpdatedObject
func scaleUpdatedObject(*scaleUpdate, context.Context, runtime.Object) (runtime.Object, error)
