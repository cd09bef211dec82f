//go:build !older

package main

import (
	"cmp"
	"regexp"
	"slices"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/openapi"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/builder3"
	openapiutil "k8s.io/kube-openapi/pkg/util"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	coreopenapi "k8s.io/kubernetes/pkg/generated/openapi"

	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

// The kinds of the core API server, of the groups imported above, in their
// stable versions (the others are not served by default). A server knows its
// resources from its storages; here they are guessed from the scheme, as the
// tests of Kubernetes do.

var stableVersion = regexp.MustCompile(`^v[0-9]+$`)

// builtinKinds are the kinds with metadata, preferred versions first.
var builtinKinds = sync.OnceValue(func() (kinds []schema.GroupVersionKind) {
	for _, gv := range legacyscheme.Scheme.PrioritizedVersionsAllGroups() {
		if !stableVersion.MatchString(gv.Version) {
			continue
		}
		first := len(kinds)
		for kind := range legacyscheme.Scheme.KnownTypes(gv) {
			gvk := gv.WithKind(kind)
			if obj, err := legacyscheme.Scheme.New(gvk); err == nil {
				if _, err := meta.Accessor(obj); err == nil {
					kinds = append(kinds, gvk)
				}
			}
		}
		slices.SortFunc(kinds[first:], func(a, b schema.GroupVersionKind) int { return cmp.Compare(a.Kind, b.Kind) })
	}
	return kinds
})

// builtinMapper maps builtinKinds. The scopes are those of testrestmapper.
var builtinMapper = sync.OnceValue(func() meta.MultiRESTMapper {
	scopes := testrestmapper.TestOnlyStaticRESTMapper(legacyscheme.Scheme)
	var all meta.MultiRESTMapper
	groups := map[string]*meta.DefaultRESTMapper{}
	for _, gvk := range builtinKinds() {
		mapper := groups[gvk.Group]
		if mapper == nil {
			mapper = meta.NewDefaultRESTMapper(legacyscheme.Scheme.PrioritizedVersionsForGroup(gvk.Group))
			groups[gvk.Group] = mapper
			all = append(all, mapper)
		}
		if mapping, err := scopes.RESTMapping(gvk.GroupKind(), gvk.Version); err == nil {
			mapper.Add(gvk, mapping.Scope)
		}
	}
	return all
})

// builtinEquivalents registers the kinds as the installer of the server does.
var builtinEquivalents = sync.OnceValue(func() runtime.EquivalentResourceMapper {
	registry := runtime.NewEquivalentResourceRegistry()
	for _, gvk := range builtinKinds() {
		mapping, err := builtinMapper().RESTMapping(gvk.GroupKind(), gvk.Version)
		if err != nil {
			continue
		}
		registry.RegisterKindFor(mapping.Resource, "", gvk)
		registry.RegisterKindFor(mapping.Resource, "status", gvk)
		switch gvk.Kind {
		case "Deployment", "ReplicaSet", "StatefulSet", "ReplicationController":
			registry.RegisterKindFor(mapping.Resource, "scale", autoscalingv1.SchemeGroupVersion.WithKind("Scale"))
		}
	}
	return registry
})

// builtinConverter is built as GenericAPIServer.getOpenAPIModels does.
var builtinConverter = sync.OnceValues(func() (managedfields.TypeConverter, error) {
	config := genericapiserver.DefaultOpenAPIV3Config(
		openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(coreopenapi.GetOpenAPIDefinitions),
		openapinamer.NewDefinitionNamer(legacyscheme.Scheme))
	var names []string
	for _, gvk := range builtinKinds() {
		sample, err := legacyscheme.Scheme.New(gvk)
		if err != nil {
			return nil, err
		}
		names = append(names, openapiutil.GetCanonicalTypeName(sample))
	}
	models, err := builder3.BuildOpenAPIDefinitionsForResources(config, names...)
	if err != nil {
		return nil, err
	}
	return managedfields.NewTypeConverter(models, false)
})

// builtinResolver is the first half of what kube-controller-manager checks types with.
var builtinResolver = sync.OnceValue(func() *resolver.DefinitionsSchemaResolver {
	return resolver.NewDefinitionsSchemaResolver(coreopenapi.GetOpenAPIDefinitions, clientscheme.Scheme)
})
