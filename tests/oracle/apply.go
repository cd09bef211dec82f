//go:build !older

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/client-go/scale"
	"k8s.io/kube-openapi/pkg/builder3"
	openapiutil "k8s.io/kube-openapi/pkg/util"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// applyRequest has the fields of op apply; crd, version, namespace and
// subresource are those of the other ops.
type applyRequest struct {
	Live    string `json:"live"` // as stored, with managedFields; op smd: the live object
	Request string `json:"request"`
	Kind    string `json:"kind"`
	Manager string `json:"manager"`
	Force   bool   `json:"force"`
}

type conflict struct {
	Manager string `json:"manager"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

// opApply does a write of a custom resource together with its field management:
// a server-side apply, a PUT (a POST without live) or a JSON merge patch.
func opApply(ctx context.Context, req *request) (answer, error) {
	s, v, err := serving(req.CRD, req.Version)
	if err != nil {
		return nil, err
	}
	manager, err := s.fieldManager(v, req.Subresource)
	if err != nil {
		return nil, err
	}
	var live *unstructured.Unstructured
	if req.Live != "" {
		if live, err = s.decodeStored(req.Live, v.kind.Version); err != nil {
			return nil, fmt.Errorf("live: %w", err)
		}
		live.SetUID(cmp.Or(live.GetUID(), fakeUID))
		live.SetResourceVersion(cmp.Or(live.GetResourceVersion(), fakeResourceVersion))
		if t := live.GetCreationTimestamp(); t.IsZero() {
			live.SetCreationTimestamp(fakeTime)
		}
	} else if req.Subresource != "" {
		return nil, fmt.Errorf("subresource %q needs live", req.Subresource)
	}

	start := time.Now()
	w := &write{req: req, s: s, v: v, manager: manager, live: live, ans: answer{}}
	warned, err := clientWarnings(ctx, func(ctx context.Context) { w.run(ctx, start) })
	if err != nil {
		return nil, err
	}
	if w.bad != nil {
		return nil, w.bad
	}
	w.ans["warnings"] = append(append([]string{}, v.warnings...), warned...)
	return w.ans, nil
}

// opApplyTime measures the library alone: each object is created by an apply,
// and applied a second time, as often as asked for; ns is the processor time
// of all of it.
func opApplyTime(ctx context.Context, req *request) (answer, error) {
	s, v, err := serving(req.CRD, req.Version)
	if err != nil {
		return nil, err
	}
	manager, err := s.fieldManager(v, "")
	if err != nil {
		return nil, err
	}
	applied := 0
	start := processorTime()
	for range req.Repeat {
		for _, text := range req.Objects {
			one := *req
			one.Request, one.Manager, one.Namespace = text, "bench", "default"
			w := &write{req: &one, s: s, v: v, manager: manager, ans: answer{}}
			for range 2 {
				obj, err := w.managed(ctx)
				if err == nil && w.bad == nil {
					obj, err = w.stored(ctx, obj)
				}
				if err != nil || w.bad != nil {
					break
				}
				w.live = obj
				w.live.SetResourceVersion(fakeResourceVersion)
				applied++
			}
		}
	}
	return answer{"ns": (processorTime() - start).Nanoseconds(), "succeeded": applied}, nil
}

// write is one request on its way through the server.
type write struct {
	req     *request
	s       *served
	v       *servedVersion
	manager *managedfields.FieldManager
	live    *unstructured.Unstructured // nil when there is none
	ans     answer
	bad     error // the request to the oracle is wrong
}

func (w *write) run(ctx context.Context, start time.Time) {
	obj, err := w.managed(ctx)
	if err == nil && w.bad == nil {
		w.ans["merged"] = w.shown(obj, start)
		obj, err = w.stored(ctx, obj)
	}
	if w.bad != nil {
		return
	}
	if err == nil {
		w.ans["object"] = w.shown(obj, start)
		return
	}
	status := responsewriters.ErrorToAPIStatus(err)
	w.ans["error"], w.ans["status"] = status.Message, status
	conflicts := []conflict{}
	if status.Details != nil {
		for _, cause := range status.Details.Causes {
			if cause.Type == metav1.CauseTypeFieldManagerConflict {
				var m string
				_, _ = fmt.Sscanf(cause.Message, "conflict with %q", &m)
				conflicts = append(conflicts, conflict{m, cause.Field, cause.Message})
			}
		}
	}
	w.ans["conflicts"] = conflicts
}

// managed is the object with its managedFields, before the strategy.
func (w *write) managed(ctx context.Context) (*unstructured.Unstructured, error) {
	if w.req.Subresource == "scale" {
		return w.managedScale(ctx)
	}
	// Without a stored object the field manager gets an empty one.
	current := w.live
	if current == nil {
		current = &unstructured.Unstructured{}
		current.SetGroupVersionKind(w.v.kind)
	}
	change, err := w.change(ctx, func(text string) (runtime.Object, error) {
		u, strict, _, err := w.s.decodeRequest(text, w.v.kind)
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		w.ans["strict"] = strict
		return u, nil
	})
	if err != nil || w.bad != nil {
		return nil, err
	}
	obj, err := change(current)
	if err != nil {
		return nil, err
	}
	return obj.(*unstructured.Unstructured), nil
}

// change gives the function that makes the new object from the current one.
func (w *write) change(ctx context.Context, decode func(string) (runtime.Object, error)) (func(runtime.Object) (runtime.Object, error), error) {
	req := w.req
	switch req.Kind {
	case "", "apply":
		if req.Manager == "" {
			w.bad = errors.New("apply needs a manager")
			return nil, nil
		}
		return func(current runtime.Object) (runtime.Object, error) {
			patch := &unstructured.Unstructured{Object: map[string]any{}}
			if err := yaml.Unmarshal([]byte(req.Request), &patch.Object); err != nil {
				return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
			}
			obj, err := w.manager.Apply(current, patch, req.Manager, req.Force)
			if err != nil {
				return nil, err
			}
			if err := yaml.UnmarshalStrict([]byte(req.Request), &map[string]any{}); err != nil {
				w.ans["strict"] = []string{err.Error()}
			}
			return obj, nil
		}, nil
	case "update":
		return func(current runtime.Object) (runtime.Object, error) {
			obj, err := decode(req.Request)
			if err != nil {
				return nil, err
			}
			u, ok := obj.(*unstructured.Unstructured)
			if ok && w.live == nil {
				rest.WipeObjectMetaSystemFields(u)
			}
			if ok && w.live != nil && u.GetResourceVersion() == "" {
				u.SetResourceVersion(w.live.GetResourceVersion()) // as if the client had just read it
			}
			dedupOwnerReferences(obj, ctx, false)
			return w.manager.UpdateNoErrors(current, obj, req.Manager), nil
		}, nil
	case "patch-merge":
		if w.live == nil {
			return nil, apierrors.NewNotFound(schema.GroupResource{Group: w.s.crd.Spec.Group, Resource: w.s.crd.Spec.Names.Plural}, req.Name)
		}
		return func(current runtime.Object) (runtime.Object, error) {
			currentJSON, err := json.Marshal(current)
			if err != nil {
				return nil, err
			}
			patch := []byte(req.Request)
			if !isJSON(req.Request) {
				if patch, err = yaml.ToJSON(patch); err != nil {
					return nil, err
				}
			}
			patched, err := jsonpatch.MergePatch(currentJSON, patch)
			if err != nil {
				return nil, apierrors.NewBadRequest(err.Error())
			}
			obj, err := decode(string(patched))
			if err != nil {
				return nil, err
			}
			return w.manager.UpdateNoErrors(current, obj, req.Manager), nil
		}, nil
	}
	w.bad = fmt.Errorf("unknown kind %q", req.Kind)
	return nil, nil
}

// managedScale goes through the scale subresource and back.
func (w *write) managedScale(ctx context.Context) (*unstructured.Unstructured, error) {
	kind := autoscalingv1.SchemeGroupVersion.WithKind("Scale")
	change, err := w.change(ctx, func(text string) (runtime.Object, error) {
		codecs := scale.NewScaleConverter().Codecs()
		mediaType := runtime.ContentTypeYAML
		if isJSON(text) {
			mediaType = runtime.ContentTypeJSON
		}
		info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), mediaType)
		obj, _, err := codecs.DecoderToVersion(info.Serializer, kind.GroupVersion()).Decode([]byte(text), &kind, &autoscalingv1.Scale{})
		if err != nil {
			return nil, apierrors.NewBadRequest(err.Error())
		}
		return obj, nil
	})
	if err != nil || w.bad != nil {
		return nil, err
	}
	paths := w.v.spec.Subresources.Scale
	update := &scaleUpdate{
		reqObjInfo: rest.DefaultUpdatedObjectInfo(nil, func(_ context.Context, _, current runtime.Object) (runtime.Object, error) {
			return change(current)
		}),
		specReplicasPath: paths.SpecReplicasPath, statusReplicasPath: paths.StatusReplicasPath,
		parentGV: w.v.kind.GroupVersion(), replicasPathMapping: w.s.replicasPaths(),
	}
	if paths.LabelSelectorPath != nil {
		update.labelSelectorPath = *paths.LabelSelectorPath
	}
	obj, err := scaleUpdatedObject(update, ctx, w.live)
	if err != nil {
		return nil, err
	}
	return obj.(*unstructured.Unstructured), nil
}

// stored is what the registry does with the object: the strategy, validation and
// the passage through storage. There is no admission.
func (w *write) stored(ctx context.Context, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	namespace := ""
	if w.s.namespaced() {
		namespace = cmp.Or(w.req.Namespace, u.GetNamespace(), "default")
	}
	ctx = genericapirequest.WithNamespace(ctx, namespace)
	dedupOwnerReferences(u, ctx, true)
	if w.live == nil {
		rest.FillObjectMetaSystemFields(u)
		if u.GetName() == "" && u.GetGenerateName() != "" {
			u.SetName(u.GetGenerateName() + "xxxxx")
		}
		if err := rest.BeforeCreate(w.v.create, ctx, u); err != nil {
			return nil, err
		}
	} else {
		strategy := w.v.update
		if w.req.Subresource == "status" {
			strategy = w.v.status
		}
		if w.live.GetNamespace() == "" {
			w.live.SetNamespace(namespace)
		}
		if got := u.GetResourceVersion(); got != w.live.GetResourceVersion() {
			return nil, apierrors.NewConflict(schema.GroupResource{Group: w.s.crd.Spec.Group, Resource: w.s.crd.Spec.Names.Plural}, u.GetName(),
				errors.New("the object has been modified; please apply your changes to the latest version and try again"))
		}
		if err := rest.BeforeUpdate(strategy, ctx, u, w.live); err != nil {
			return nil, err
		}
		obj, err := fieldmanager.IgnoreManagedFieldsTimestampsTransformer(ctx, u, w.live)
		if err != nil {
			return nil, err
		}
		u = obj.(*unstructured.Unstructured)
	}
	_, result, err := w.s.store(u)
	return result, err
}

// shown has the managedFields, but not the other fields of a system. Times that
// were set by this request are replaced by a constant.
func (w *write) shown(u *unstructured.Unstructured, start time.Time) map[string]any {
	u = u.DeepCopy()
	entries := u.GetManagedFields()
	for i := range entries {
		if t := entries[i].Time; t != nil && !t.Time.Before(start.Truncate(time.Second)) {
			entries[i].Time = &fakeTime
		}
	}
	u.SetManagedFields(entries)
	kept, _, _ := unstructured.NestedFieldNoCopy(u.Object, "metadata", "managedFields")
	out := presentable(u)
	if meta, ok := out["metadata"].(map[string]any); ok && kept != nil {
		meta["managedFields"] = kept
	}
	return out
}

// fieldManager is composed as scopeWithFieldManager and its callers do.
func (s *served) fieldManager(v *servedVersion, subresource string) (*managedfields.FieldManager, error) {
	if s.typeConverter == nil {
		static, err := staticModels()
		if err != nil {
			return nil, err
		}
		models, err := openAPIModelsForApply(static, s.crd)
		s.typeConverter = managedfields.NewDeducedTypeConverter()
		if err == nil && len(models) > 0 {
			if s.typeConverter, err = managedfields.NewTypeConverter(models, s.crd.Spec.PreserveUnknownFields); err != nil {
				return nil, err
			}
		}
	}
	type resetter interface {
		GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set
	}
	kind, reset := v.kind, map[fieldpath.APIVersion]*fieldpath.Set(nil)
	switch subresource {
	case "":
		reset = v.create.(resetter).GetResetFields()
	case "status":
		if v.status == nil {
			return nil, fmt.Errorf("version %s has no status subresource", v.kind.Version)
		}
		reset = map[fieldpath.APIVersion]*fieldpath.Set{}
		for _, o := range s.versions {
			if o.status != nil {
				for version, set := range o.status.(resetter).GetResetFields() {
					reset[version] = set
				}
			}
		}
	case "scale":
		if v.spec.Subresources == nil || v.spec.Subresources.Scale == nil {
			return nil, fmt.Errorf("version %s has no scale subresource", v.kind.Version)
		}
		kind = autoscalingv1.SchemeGroupVersion.WithKind("Scale")
	default:
		return nil, fmt.Errorf("unknown subresource %q", subresource)
	}
	converter, err := s.converter()
	if err != nil {
		return nil, err
	}
	return managedfields.NewDefaultCRDFieldManager(s.typeConverter, converter, defaulter{s}, unstructuredscheme.NewUnstructuredCreator(),
		kind, v.kind.GroupVersion(), subresource, fieldpath.NewExcludeFilterSetMap(reset))
}

// replicasPaths is replicasPathInCustomResource of the handler.
func (s *served) replicasPaths() managedfields.ResourcePathMappings {
	out := managedfields.ResourcePathMappings{}
	for _, v := range s.crd.Spec.Versions {
		gv := schema.GroupVersion{Group: s.crd.Spec.Group, Version: v.Name}.String()
		out[gv] = nil
		if v.Subresources == nil || v.Subresources.Scale == nil {
			continue
		}
		path := fieldpath.Path{}
		for _, element := range splitPath(v.Subresources.Scale.SpecReplicasPath) {
			path = append(path, fieldpath.PathElement{FieldName: &element})
		}
		out[gv] = path
	}
	return out
}

// staticModels is StaticOpenAPISpec of the apiextensions group: ObjectMeta and
// the like, with the schema of CRDs.
var staticModels = sync.OnceValues(func() (map[string]*spec.Schema, error) {
	config := genericapiserver.DefaultOpenAPIV3Config(
		openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions),
		openapinamer.NewDefinitionNamer(apiserver.Scheme))
	return builder3.BuildOpenAPIDefinitionsForResources(config, openapiutil.GetCanonicalTypeName(&apiextensionsv1.CustomResourceDefinition{}))
})
