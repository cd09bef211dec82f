//go:build !older

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/resolver"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
)

// policyRequest has the fields of op policy; crd, object, namespace and
// subresource are those of the other ops.
type policyRequest struct {
	Policy    string   `json:"policy"`    // one or more documents
	OldPolicy string   `json:"oldPolicy"` // validate the policies of these names as updates
	Binding   string   `json:"binding"`   // none, one or more documents
	Params    []string `json:"params"`
	CRDs      []string `json:"crds"` // further CRDs, for instance of the params

	OldObject       string                       `json:"oldObject"`
	Operation       string                       `json:"operation"`
	Resource        *metav1.GroupVersionResource `json:"resource"`
	NamespaceObject string                       `json:"namespaceObject"`
	UserInfo        *authenticationv1.UserInfo   `json:"userInfo"`
	Name            string                       `json:"name"`
	DryRun          bool                         `json:"dryRun"`
	Authorizer      *simpleAuthorizer            `json:"authorizer"`
}

// policySet holds the decoded policies and bindings, in the order given.
type policySet struct {
	validating         []*admissionregistrationv1.ValidatingAdmissionPolicy
	validatingBindings []*admissionregistrationv1.ValidatingAdmissionPolicyBinding
	mutating           []*admissionregistrationv1.MutatingAdmissionPolicy
	mutatingBindings   []*admissionregistrationv1.MutatingAdmissionPolicyBinding
}

// opPolicy validates admission policies and their bindings as a write of them
// does, checks types as the controller does, and, if there is an object, runs
// the admission plugins with them.
func opPolicy(ctx context.Context, req *request) (answer, error) {
	w, err := newWorld(req)
	if err != nil {
		return nil, err
	}
	olds := map[string]runtime.Object{}
	oldDocuments, err := documents(req.OldPolicy)
	if err != nil {
		return nil, fmt.Errorf("oldPolicy: %w", err)
	}
	for _, text := range oldDocuments {
		old, _, _, err := decodeBuiltin(text)
		if err != nil {
			return nil, fmt.Errorf("oldPolicy: %w", err)
		}
		olds[nameAndKind(old)] = old
	}

	set := &policySet{}
	errs, messages, strict, warned, stored := []fieldError{}, []string{}, []string{}, []string{}, []runtime.Object{}
	for _, part := range []struct{ name, text string }{{"policy", req.Policy}, {"binding", req.Binding}} {
		texts, err := documents(part.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
		for _, text := range texts {
			obj, gvk, strictErrs, err := decodeBuiltin(text)
			if err != nil {
				return answer{"decodeError": err.Error(), "valid": false}, nil
			}
			strict = append(strict, strictErrs...)
			name := nameAndKind(obj)
			list, warnings, err := w.validatePolicy(ctx, obj, olds[name], gvk.Version)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", part.name, err)
			}
			warned = append(warned, warnings...)
			for _, e := range toFieldErrors(list) {
				e.Source = name
				errs = append(errs, e)
			}
			if len(list) > 0 {
				kind, _, _ := strings.Cut(name, "/")
				gk := schema.GroupKind{Group: admissionregistrationv1.GroupName, Kind: kind}
				accessor, _ := meta.Accessor(obj)
				messages = append(messages, apierrors.NewInvalid(gk, accessor.GetName(), list).Error())
			}
			v1obj, err := set.add(obj)
			if err != nil {
				return nil, err
			}
			stored = append(stored, v1obj)
		}
	}
	ans := answer{"valid": len(errs) == 0, "errors": errs, "strict": strict, "warnings": warned, "stored": stored}
	if len(messages) > 0 {
		ans["messages"] = messages
	}
	if len(set.validating) > 0 {
		ans["typeWarnings"] = w.typeWarnings(set.validating)
	}
	if req.Object == "" && req.OldObject == "" {
		return ans, nil
	}
	if ans["decision"], err = w.decide(ctx, req, set); err != nil {
		return nil, err
	}
	return ans, nil
}

// documents splits YAML at its document separators; JSON is one document.
func documents(text string) (out []string, err error) {
	if isJSON(text) {
		return []string{text}, nil
	}
	r := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		doc, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(doc)) > 0 {
			out = append(out, string(doc))
		}
	}
}

// decodeBuiltin decodes as the handlers do: strictly, with defaults, to the
// internal version. Strict errors are returned apart.
func decodeBuiltin(text string) (runtime.Object, *schema.GroupVersionKind, []string, error) {
	mediaType := runtime.ContentTypeYAML
	if isJSON(text) {
		mediaType = runtime.ContentTypeJSON
	}
	info, ok := runtime.SerializerInfoForMediaType(legacyscheme.Codecs.SupportedMediaTypes(), mediaType)
	if !ok {
		return nil, nil, nil, fmt.Errorf("no serializer for %s", mediaType)
	}
	obj, gvk, err := legacyscheme.Codecs.DecoderToVersion(info.StrictSerializer, runtime.InternalGroupVersioner).Decode([]byte(text), nil, nil)
	if err == nil {
		return obj, gvk, nil, nil
	}
	strictErr, ok := runtime.AsStrictDecodingError(err)
	if !ok || obj == nil {
		return nil, nil, nil, err
	}
	var strict []string
	for _, e := range strictErr.Errors() {
		strict = append(strict, e.Error())
	}
	return obj, gvk, strict, nil
}

func nameAndKind(obj runtime.Object) string {
	kind := ""
	if kinds, _, err := legacyscheme.Scheme.ObjectKinds(obj); err == nil && len(kinds) > 0 {
		kind = kinds[0].Kind
	}
	name := ""
	if accessor, err := meta.Accessor(obj); err == nil {
		name = accessor.GetName()
	}
	return kind + "/" + name
}

// validatePolicy does what a create, or an update of old, does before the
// object is stored, with the strategies of the API server. No authorizer is
// given to them: the right to read the params is not checked.
func (w *world) validatePolicy(ctx context.Context, obj, old runtime.Object, version string) (field.ErrorList, []string, error) {
	var strategy rest.RESTCreateUpdateStrategy
	resolve := resolver.ResourceResolverFunc(func(gvk schema.GroupVersionKind) (schema.GroupVersionResource, error) {
		mapping, err := w.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err != nil {
			return schema.GroupVersionResource{}, err
		}
		return mapping.Resource, nil
	})
	switch obj.(type) {
	case *admissionregistration.ValidatingAdmissionPolicy:
		strategy = validatingadmissionpolicy.NewStrategy(nil, resolve)
	case *admissionregistration.ValidatingAdmissionPolicyBinding:
		strategy = validatingadmissionpolicybinding.NewStrategy(nil, nil, resolve)
	case *admissionregistration.MutatingAdmissionPolicy:
		strategy = mutatingadmissionpolicy.NewStrategy(nil, resolve)
	case *admissionregistration.MutatingAdmissionPolicyBinding:
		strategy = mutatingadmissionpolicybinding.NewStrategy(nil, nil, resolve)
	default:
		return nil, nil, fmt.Errorf("a %T is no admission policy or binding", obj)
	}
	ctx = genericapirequest.WithNamespace(ctx, "")
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		IsResourceRequest: true, APIGroup: admissionregistrationv1.GroupName, APIVersion: version,
	})
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return nil, nil, err
	}
	if old != nil {
		oldAccessor, err := meta.Accessor(old)
		if err != nil {
			return nil, nil, err
		}
		oldAccessor.SetUID(fakeUID)
		oldAccessor.SetCreationTimestamp(fakeTime)
		oldAccessor.SetResourceVersion(fakeResourceVersion)
		accessor.SetUID(fakeUID)
		accessor.SetCreationTimestamp(fakeTime)
		accessor.SetResourceVersion(fakeResourceVersion)
		accessor.SetGeneration(oldAccessor.GetGeneration())
		strategy.PrepareForUpdate(ctx, obj, old)
		errs := rest.ValidateUpdate(ctx, obj, old, strategy)
		return errs, strategy.WarningsOnUpdate(ctx, obj, old), nil
	}
	rest.FillObjectMetaSystemFields(accessor)
	accessor.SetUID(fakeUID)
	accessor.SetCreationTimestamp(fakeTime)
	if accessor.GetName() == "" && accessor.GetGenerateName() != "" {
		accessor.SetName(accessor.GetGenerateName() + "xxxxx")
	}
	strategy.PrepareForCreate(ctx, obj)
	errs := rest.ValidateCreate(ctx, obj, strategy)
	return errs, strategy.WarningsOnCreate(ctx, obj), nil
}

// add converts to v1, the version that the plugins watch.
func (s *policySet) add(obj runtime.Object) (runtime.Object, error) {
	out, err := legacyscheme.Scheme.ConvertToVersion(obj, admissionregistrationv1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	switch o := out.(type) {
	case *admissionregistrationv1.ValidatingAdmissionPolicy:
		s.validating = append(s.validating, o)
	case *admissionregistrationv1.ValidatingAdmissionPolicyBinding:
		s.validatingBindings = append(s.validatingBindings, o)
	case *admissionregistrationv1.MutatingAdmissionPolicy:
		s.mutating = append(s.mutating, o)
	case *admissionregistrationv1.MutatingAdmissionPolicyBinding:
		s.mutatingBindings = append(s.mutatingBindings, o)
	}
	shown := out.DeepCopyObject()
	if accessor, err := meta.Accessor(shown); err == nil {
		accessor.SetUID("")
		accessor.SetResourceVersion("")
		accessor.SetCreationTimestamp(metav1.Time{})
	}
	return shown, nil
}

// typeWarning is an expression warning of the status of a policy.
type typeWarning struct {
	Policy   string `json:"policy"`
	FieldRef string `json:"fieldRef"`
	Warning  string `json:"warning"`
}

func (w *world) typeWarnings(policies []*admissionregistrationv1.ValidatingAdmissionPolicy) []typeWarning {
	checker := &validating.TypeChecker{
		SchemaResolver: builtinResolver().Combine(w.schemaResolver()),
		RestMapper:     w.mapper,
	}
	out := []typeWarning{}
	for _, p := range policies {
		for _, warning := range checker.Check(p) {
			out = append(out, typeWarning{p.Name, warning.FieldRef, warning.Warning})
		}
	}
	return out
}
