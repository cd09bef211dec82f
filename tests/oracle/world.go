//go:build !older

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/openapi"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"sigs.k8s.io/yaml"
)

// world is what the plugins see of the cluster: its resources, the params and
// the namespace. Where a server has live clients, these are client-go's fakes.
type world struct {
	served []*served // of crd and crds
	mapper meta.RESTMapper
	params []*unstructured.Unstructured
}

func newWorld(req *request) (*world, error) {
	w := &world{}
	own := meta.NewDefaultRESTMapper(nil)
	for _, text := range append([]string{req.CRD}, req.CRDs...) {
		if text == "" {
			continue
		}
		s, _, err := serving(text, "")
		if err != nil {
			return nil, fmt.Errorf("crd: %w", err)
		}
		w.served = append(w.served, s)
		for _, v := range s.crd.Spec.Versions {
			if v.Served {
				s.addTo(own, v.Name)
			}
		}
	}
	w.mapper = append(slices.Clone(builtinMapper()), own)
	for i, text := range req.Params {
		u, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("params[%d]: %w", i, err)
		}
		gvk := u.GroupVersionKind()
		s := w.servedFor(gvk)
		switch {
		case s != nil:
			if u, err = s.decodeStored(text, gvk.Version); err != nil {
				return nil, fmt.Errorf("params[%d]: %w", i, err)
			}
		case !clientscheme.Scheme.Recognizes(gvk):
			if _, err := w.mapper.RESTMapping(gvk.GroupKind(), gvk.Version); err != nil { // a kind without its CRD
				scope := meta.RESTScope(meta.RESTScopeRoot)
				if u.GetNamespace() != "" {
					scope = meta.RESTScopeNamespace
				}
				own.Add(gvk, scope)
			}
		}
		w.params = append(w.params, u)
	}
	return w, nil
}

func (s *served) addTo(mapper *meta.DefaultRESTMapper, version string) {
	scope := meta.RESTScope(meta.RESTScopeRoot)
	if s.namespaced() {
		scope = meta.RESTScopeNamespace
	}
	gv := schema.GroupVersion{Group: s.crd.Spec.Group, Version: version}
	names := s.crd.Spec.Names
	mapper.AddSpecific(gv.WithKind(names.Kind), gv.WithResource(names.Plural), gv.WithResource(names.Singular), scope)
}

func (w *world) servedFor(gvk schema.GroupVersionKind) *served {
	for _, s := range w.served {
		if s.crd.Spec.Group == gvk.Group && s.crd.Spec.Names.Kind == gvk.Kind && s.versions[gvk.Version] != nil {
			return s
		}
	}
	return nil
}

// parse reads an object without looking at its kind.
func parse(text string) (*unstructured.Unstructured, error) {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	return u, u.UnmarshalJSON(data)
}

// clients gives the fake clients, with the objects that the plugins look up.
func (w *world) clients(set *policySet, namespaces ...*corev1.Namespace) (kubernetes.Interface, dynamic.Interface, error) {
	var native []runtime.Object
	for _, o := range set.validating {
		native = append(native, o)
	}
	for _, o := range set.validatingBindings {
		native = append(native, o)
	}
	for _, o := range set.mutating {
		native = append(native, o)
	}
	for _, o := range set.mutatingBindings {
		native = append(native, o)
	}
	for _, o := range namespaces {
		native = append(native, o)
	}
	listKinds := map[schema.GroupVersionResource]string{}
	for _, s := range w.served {
		for _, v := range s.crd.Spec.Versions {
			gvr := schema.GroupVersionResource{Group: s.crd.Spec.Group, Version: v.Name, Resource: s.crd.Spec.Names.Plural}
			listKinds[gvr] = s.crd.Spec.Names.Kind + "List"
		}
	}
	type custom struct {
		gvr schema.GroupVersionResource
		u   *unstructured.Unstructured
	}
	var customs []custom
	for i, u := range w.params {
		gvk := u.GroupVersionKind()
		if typed, err := clientscheme.Scheme.New(gvk); err == nil {
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, typed); err != nil {
				return nil, nil, fmt.Errorf("params[%d]: %w", i, err)
			}
			native = append(native, typed)
			continue
		}
		mapping, err := w.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err != nil {
			return nil, nil, fmt.Errorf("params[%d]: %w", i, err)
		}
		listKinds[mapping.Resource] = gvk.Kind + "List"
		customs = append(customs, custom{mapping.Resource, u})
	}
	for i, o := range native { // objects of an informer have no type metadata
		native[i] = o.DeepCopyObject()
		native[i].GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	}
	dynamicClient := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), listKinds)
	for i, c := range customs {
		if err := dynamicClient.Tracker().Create(c.gvr, c.u, c.u.GetNamespace()); err != nil {
			return nil, nil, fmt.Errorf("params[%d]: %w", i, err)
		}
	}
	return kubefake.NewSimpleClientset(native...), dynamicClient, nil
}

// schemaResolver is the second half of what kube-controller-manager checks types
// with: the OpenAPI documents of the CRDs, by discovery.
func (w *world) schemaResolver() resolver.SchemaResolver {
	return &resolver.ClientDiscoveryResolver{Discovery: published{served: w.served}}
}

// published serves the OpenAPI v3 documents of CRDs, without HTTP.
type published struct {
	discovery.DiscoveryInterface
	served []*served
}

func (p published) OpenAPIV3() openapi.Client { return p }

func (p published) Paths() (map[string]openapi.GroupVersion, error) {
	specs := map[string][]*spec3.OpenAPI{}
	for _, s := range p.served {
		for _, v := range s.crd.Spec.Versions {
			if !v.Served {
				continue
			}
			document, err := builder.BuildOpenAPIV3(s.crd, v.Name, builderOptions)
			if err != nil {
				return nil, err
			}
			path := "apis/" + s.crd.Spec.Group + "/" + v.Name
			specs[path] = append(specs[path], document)
		}
	}
	out := map[string]openapi.GroupVersion{}
	for path, list := range specs {
		merged, err := builder.MergeSpecsV3(list...)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(merged)
		if err != nil {
			return nil, err
		}
		out[path] = document{path, data}
	}
	return out, nil
}

type document struct {
	path string
	data []byte
}

func (d document) Schema(string) ([]byte, error) { return d.data, nil }
func (d document) ServerRelativeURL() string     { return "/openapi/v3/" + d.path }

// objectInterfaces is what a handlers.RequestScope is to the plugins.
type objectInterfaces struct {
	runtime.ObjectCreater
	runtime.ObjectTyper
	runtime.ObjectDefaulter
	runtime.ObjectConvertor
	runtime.EquivalentResourceMapper
}

func (o objectInterfaces) GetObjectCreater() runtime.ObjectCreater     { return o.ObjectCreater }
func (o objectInterfaces) GetObjectTyper() runtime.ObjectTyper         { return o.ObjectTyper }
func (o objectInterfaces) GetObjectDefaulter() runtime.ObjectDefaulter { return o.ObjectDefaulter }
func (o objectInterfaces) GetObjectConvertor() runtime.ObjectConvertor { return o.ObjectConvertor }
func (o objectInterfaces) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper {
	return o.EquivalentResourceMapper
}

func builtinInterfaces() objectInterfaces {
	scheme := legacyscheme.Scheme
	return objectInterfaces{scheme, scheme, scheme, scheme, builtinEquivalents()}
}

// interfaces is for custom resources, as getOrCreateServingInfoFor has it.
func (s *served) interfaces() (objectInterfaces, error) {
	converter, err := s.converter()
	if err != nil {
		return objectInterfaces{}, err
	}
	registry := runtime.NewEquivalentResourceRegistry()
	for _, v := range s.crd.Spec.Versions {
		if !v.Served {
			continue
		}
		gvr := schema.GroupVersionResource{Group: s.crd.Spec.Group, Version: v.Name, Resource: s.crd.Spec.Names.Plural}
		registry.RegisterKindFor(gvr, "", kindOf(s.crd, v.Name))
		if v.Subresources != nil && v.Subresources.Status != nil {
			registry.RegisterKindFor(gvr, "status", kindOf(s.crd, v.Name))
		}
		if v.Subresources != nil && v.Subresources.Scale != nil {
			registry.RegisterKindFor(gvr, "scale", autoscalingv1.SchemeGroupVersion.WithKind("Scale"))
		}
	}
	return objectInterfaces{unstructuredscheme.NewUnstructuredCreator(), crdserverscheme.NewUnstructuredObjectTyper(), defaulter{s}, converter, registry}, nil
}

// converter is the server's, for the None strategy; no webhook is called.
func (s *served) converter() (runtime.ObjectConvertor, error) {
	if c := s.crd.Spec.Conversion; c != nil && c.Strategy != apiextensionsv1.NoneConverter {
		return nil, fmt.Errorf("conversion strategy %s is not supported by the oracle", c.Strategy)
	}
	factory, err := conversion.NewCRConverterFactory(nil, nil)
	if err != nil {
		return nil, err
	}
	safe, _, err := factory.NewConverter(s.crd)
	return safe, err
}

// defaulter is unstructuredDefaulter of the handler, unexported.
type defaulter struct{ *served }

func (d defaulter) Default(in runtime.Object) {
	if u, ok := in.(*unstructured.Unstructured); ok {
		d.setDefaults(u)
	}
}

// simpleAuthorizer allows what one of its rules matches, and has no opinion on
// the rest. A rule matches if each of its fields is missing, "*" or equal.
type simpleAuthorizer struct {
	Allow []map[string]string `json:"allow"`
	Deny  []map[string]string `json:"deny"`
	Error string              `json:"error"` // every check fails with it
}

var authorizerFields = map[string]func(authorizer.Attributes) string{
	"user":          func(a authorizer.Attributes) string { return a.GetUser().GetName() },
	"verb":          authorizer.Attributes.GetVerb,
	"group":         authorizer.Attributes.GetAPIGroup,
	"version":       authorizer.Attributes.GetAPIVersion,
	"resource":      authorizer.Attributes.GetResource,
	"subresource":   authorizer.Attributes.GetSubresource,
	"namespace":     authorizer.Attributes.GetNamespace,
	"name":          authorizer.Attributes.GetName,
	"path":          authorizer.Attributes.GetPath,
	"fieldSelector": func(a authorizer.Attributes) string { s, _ := a.GetFieldSelector(); return fmt.Sprint(s) },
	"labelSelector": func(a authorizer.Attributes) string { s, _ := a.GetLabelSelector(); return fmt.Sprint(s) },
}

func (s *simpleAuthorizer) check() error {
	for _, rule := range append(slices.Clone(s.Allow), s.Deny...) {
		for key := range rule {
			if authorizerFields[key] == nil {
				known := slices.Sorted(maps.Keys(authorizerFields))
				return fmt.Errorf("authorizer: %q is none of %s", key, strings.Join(known, ", "))
			}
		}
	}
	return nil
}

func (s *simpleAuthorizer) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	if s.Error != "" {
		return authorizer.DecisionNoOpinion, "", fmt.Errorf("%s", s.Error)
	}
	matches := func(rule map[string]string) bool {
		for key, want := range rule {
			if want != "*" && authorizerFields[key](a) != want {
				return false
			}
		}
		return true
	}
	if slices.ContainsFunc(s.Deny, matches) {
		return authorizer.DecisionDeny, "denied by a rule", nil
	}
	if slices.ContainsFunc(s.Allow, matches) {
		return authorizer.DecisionAllow, "allowed by a rule", nil
	}
	return authorizer.DecisionNoOpinion, "", nil
}

func (s *simpleAuthorizer) ConditionsAwareAuthorize(ctx context.Context, a authorizer.Attributes) authorizer.ConditionsAwareDecision {
	return authorizer.ConditionsAwareDecisionFromParts(s.Authorize(ctx, a))
}

func (*simpleAuthorizer) EvaluateConditions(context.Context, authorizer.ConditionsAwareDecision, authorizer.ConditionsData) (authorizer.Decision, string, error) {
	return authorizer.DecisionDeny, "", authorizer.ErrorConditionEvaluationNotSupported
}

// plainInterfaces is for objects of a kind that has no CRD in the request.
func (s *served) plainInterfaces() objectInterfaces {
	return objectInterfaces{unstructuredscheme.NewUnstructuredCreator(), crdserverscheme.NewUnstructuredObjectTyper(),
		defaulter{&served{crd: &apiextensionsv1.CustomResourceDefinition{}}}, legacyscheme.Scheme, runtime.NewEquivalentResourceRegistry()}
}
