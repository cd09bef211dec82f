//go:build !older

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/filters"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/kubeapiserver/admission/exclusion"
)

// target is the request that the policies are asked about.
type target struct {
	kind       schema.GroupVersionKind
	resource   schema.GroupVersionResource
	operation  admission.Operation
	name       string
	namespace  string
	object     runtime.Object // in the version that the handlers have in memory
	old        runtime.Object
	interfaces objectInterfaces
}

func (w *world) target(req *request) (*target, error) {
	t := &target{operation: admission.Operation(cmp.Or(req.Operation, "CREATE"))}
	switch t.operation {
	case admission.Create, admission.Update, admission.Delete, admission.Connect:
	default:
		return nil, fmt.Errorf("unknown operation %q", req.Operation)
	}
	plain, err := parse(cmp.Or(req.Object, req.OldObject))
	if err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	t.kind = plain.GroupVersionKind()
	s := w.servedFor(t.kind)
	decode := func(text string, stored bool) (runtime.Object, error) {
		switch {
		case text == "":
			return nil, nil
		case legacyscheme.Scheme.Recognizes(t.kind):
			obj, _, _, err := decodeBuiltin(text)
			return obj, err
		case s == nil:
			return parse(text)
		case stored:
			return s.decodeStored(text, t.kind.Version)
		}
		u, _, _, err := s.decodeRequest(text, t.kind)
		return u, err
	}
	switch {
	case legacyscheme.Scheme.Recognizes(t.kind):
		t.interfaces = builtinInterfaces()
	case s != nil:
		if t.interfaces, err = s.interfaces(); err != nil {
			return nil, err
		}
	default: // no CRD: the object is taken as it is
		t.interfaces = (&served{}).plainInterfaces()
	}
	if t.object, err = decode(req.Object, false); err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	if t.old, err = decode(req.OldObject, true); err != nil {
		return nil, fmt.Errorf("oldObject: %w", err)
	}

	scope := meta.RESTScope(meta.RESTScopeNamespace)
	mapping, err := w.mapper.RESTMapping(t.kind.GroupKind(), t.kind.Version)
	switch {
	case err == nil:
		t.resource, scope = mapping.Resource, mapping.Scope
	case req.Resource == nil:
		t.resource, _ = meta.UnsafeGuessKindToResource(t.kind)
	}
	if req.Resource != nil {
		t.resource = schema.GroupVersionResource(*req.Resource)
	}
	t.name = cmp.Or(req.Name, plain.GetName())
	if scope.Name() == meta.RESTScopeNameNamespace {
		t.namespace = cmp.Or(req.Namespace, plain.GetNamespace(), "default")
	}
	if t.resource == (schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}) {
		t.namespace = t.name // as the handlers do
	}
	for _, obj := range []runtime.Object{t.object, t.old} {
		if obj == nil || req.Subresource != "" {
			continue
		}
		accessor, err := meta.Accessor(obj)
		if err != nil {
			return nil, err
		}
		expected := rest.ExpectedNamespaceForResource(t.namespace, t.resource)
		if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(expected, accessor); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// options are the operation options, request.options in an expression.
func (t *target) options(dryRun bool) runtime.Object {
	var all []string
	if dryRun {
		all = []string{metav1.DryRunAll}
	}
	var o runtime.Object
	switch t.operation {
	case admission.Create:
		o = &metav1.CreateOptions{DryRun: all}
	case admission.Update:
		o = &metav1.UpdateOptions{DryRun: all}
	case admission.Delete:
		o = &metav1.DeleteOptions{DryRun: all}
	default:
		return nil
	}
	o.GetObjectKind().SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind(fmt.Sprintf("%T", o)[len("*v1."):]))
	return o
}

// shown gives obj in the version of the request.
func (t *target) shown(obj runtime.Object) (any, error) {
	if obj == nil {
		return nil, nil
	}
	out, err := admission.ConvertToGVK(obj.DeepCopyObject(), t.kind, t.interfaces)
	if err != nil {
		return nil, err
	}
	if u, ok := out.(*unstructured.Unstructured); ok {
		return u.Object, nil
	}
	return out, nil
}

// namespaceFor is the namespace object, or the one that a server makes itself.
func (w *world) namespaceFor(req *request, t *target) (*corev1.Namespace, error) {
	name := t.namespace
	ns := &corev1.Namespace{}
	if req.NamespaceObject != "" {
		u, err := parse(req.NamespaceObject)
		if err != nil {
			return nil, fmt.Errorf("namespaceObject: %w", err)
		}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, ns); err != nil {
			return nil, fmt.Errorf("namespaceObject: %w", err)
		}
		if ns.Name == "" {
			ns.Name = name
		}
		return ns, nil
	}
	ns.Name = name
	ns.Labels = map[string]string{corev1.LabelMetadataName: name}
	ns.Spec.Finalizers = []corev1.FinalizerName{corev1.FinalizerKubernetes}
	ns.Status.Phase = corev1.NamespaceActive
	return ns, nil
}

// decide runs the admission chain of the two plugins.
func (w *world) decide(ctx context.Context, req *request, set *policySet) (answer, error) {
	t, err := w.target(req)
	if err != nil {
		return nil, err
	}
	authz := req.Authorizer
	if authz == nil {
		authz = &simpleAuthorizer{}
	}
	if err := authz.check(); err != nil {
		return nil, err
	}
	namespace, err := w.namespaceFor(req, t)
	if err != nil {
		return nil, err
	}
	recorded := &recorder{target: t}
	chain, stop, err := w.chain(set, namespace, authz, recorded)
	defer stop()
	if err != nil {
		return nil, err
	}

	info := cmp.Or(req.UserInfo, &authenticationv1.UserInfo{Username: "system:anonymous", Groups: []string{"system:unauthenticated"}})
	extra := map[string][]string{}
	for k, v := range info.Extra {
		extra[k] = v
	}
	attributes := &auditedAttributes{
		Attributes: admission.NewAttributesRecord(t.object, t.old, t.kind, t.namespace, t.name, t.resource, req.Subresource,
			t.operation, t.options(req.DryRun), req.DryRun,
			&user.DefaultInfo{Name: info.Username, UID: info.UID, Groups: info.Groups, Extra: extra}),
		annotations: map[string]string{}, errors: []string{},
	}
	var denied error
	warned, err := clientWarnings(ctx, func(ctx context.Context) {
		if !chain.Handles(t.operation) {
			return
		}
		if denied = chain.(admission.MutationInterface).Admit(ctx, attributes, t.interfaces); denied == nil {
			denied = chain.(admission.ValidationInterface).Validate(ctx, attributes, t.interfaces)
		}
	})
	if err != nil {
		return nil, err
	}

	ans := answer{
		"allowed": denied == nil, "warnings": warned,
		"auditAnnotations": attributes.annotations, "evaluations": nonNilSlice(recorded.evaluations),
	}
	if len(attributes.errors) > 0 {
		ans["auditErrors"] = attributes.errors
	}
	if denied != nil {
		ans["status"] = responsewriters.ErrorToAPIStatus(denied)
	}
	if len(set.mutating) > 0 && denied == nil {
		if ans["object"], err = t.shown(attributes.GetObject()); err != nil {
			return nil, err
		}
		ans["reinvoked"] = attributes.GetReinvocationContext().IsReinvoke()
	}
	return ans, nil
}

func nonNilSlice[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// chain makes the plugins as their NewPlugin functions do, with the policies
// recorded, and puts them into a chain as the server does (which reinvokes). The
// order of policies and bindings is that of the request; a server's is random.
func (w *world) chain(set *policySet, namespace *corev1.Namespace, authz authorizer.Authorizer, rec *recorder) (admission.Interface, func(), error) {
	stopCh := make(chan struct{})
	stop := func() { close(stopCh) }
	client, dynamicClient, err := w.clients(set, namespace)
	if err != nil {
		return nil, stop, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	registration := factory.Admissionregistration().V1()
	synced := []func() bool{
		factory.Core().V1().Namespaces().Informer().HasSynced,
		registration.ValidatingAdmissionPolicies().Informer().HasSynced,
		registration.ValidatingAdmissionPolicyBindings().Informer().HasSynced,
		registration.MutatingAdmissionPolicies().Informer().HasSynced,
		registration.MutatingAdmissionPolicyBindings().Informer().HasSynced,
	}
	factory.Start(stopCh)
	if err := waitFor(synced...); err != nil {
		return nil, stop, err
	}

	var validatingSource generic.Source[validating.PolicyHook]
	newValidating := func(f informers.SharedInformerFactory, _ kubernetes.Interface, d dynamic.Interface, m meta.RESTMapper) generic.Source[validating.PolicyHook] {
		validatingSource = ordered[validating.PolicyHook]{generic.NewPolicySource(
			f.Admissionregistration().V1().ValidatingAdmissionPolicies().Informer(),
			f.Admissionregistration().V1().ValidatingAdmissionPolicyBindings().Informer(),
			validating.NewValidatingAdmissionPolicyAccessor, validating.NewValidatingAdmissionPolicyBindingAccessor,
			rec.validator, f, d, m), set.orderValidating}
		return validatingSource
	}
	var mutatingSource generic.Source[mutating.PolicyHook]
	newMutating := func(f informers.SharedInformerFactory, _ kubernetes.Interface, d dynamic.Interface, m meta.RESTMapper) generic.Source[mutating.PolicyHook] {
		mutatingSource = ordered[mutating.PolicyHook]{generic.NewPolicySource(
			f.Admissionregistration().V1().MutatingAdmissionPolicies().Informer(),
			f.Admissionregistration().V1().MutatingAdmissionPolicyBindings().Informer(),
			mutating.NewMutatingAdmissionPolicyAccessor, mutating.NewMutatingAdmissionPolicyBindingAccessor,
			rec.evaluator, f, d, m), set.orderMutating}
		return mutatingSource
	}
	converters, err := w.typeConverters(len(set.mutating) > 0)
	if err != nil {
		return nil, stop, err
	}

	plugins := admission.NewPlugins()
	plugins.Register(mutating.PluginName, func(io.Reader) (admission.Interface, error) {
		p, err := mutating.NewPlugin(nil)
		if err != nil {
			return nil, err
		}
		p.Plugin = generic.NewPlugin(p.Handler, newMutating,
			func(a authorizer.UnconditionalAuthorizer, m *matching.Matcher, _ kubernetes.Interface) generic.Dispatcher[mutating.PolicyHook] {
				return mutating.NewDispatcher(a, m, converters)
			})
		return p, nil
	})
	plugins.Register(validating.PluginName, func(io.Reader) (admission.Interface, error) {
		p, err := validating.NewPlugin(nil)
		if err != nil {
			return nil, err
		}
		p.Plugin = generic.NewPlugin(p.Handler, newValidating,
			func(a authorizer.UnconditionalAuthorizer, m *matching.Matcher, _ kubernetes.Interface) generic.Dispatcher[validating.PolicyHook] {
				return validating.NewDispatcher(a, generic.NewPolicyMatcher(m))
			})
		p.SetEnabled(true)
		return p, nil
	})
	inits := admission.PluginInitializers{
		initializer.New(client, dynamicClient, factory, authz, utilfeature.DefaultFeatureGate,
			compatibility.DefaultBuildEffectiveVersion(), stopCh, w.mapper),
		excluding{},
	}
	chain, err := plugins.NewFromPlugins([]string{mutating.PluginName, validating.PluginName}, noConfig{}, inits, nil)
	if err != nil {
		return nil, stop, err
	}
	if err := waitFor(validatingSource.HasSynced, mutatingSource.HasSynced); err != nil {
		return nil, stop, err
	}
	for _, h := range validatingSource.Hooks() {
		if h.ParamInformer != nil {
			err = errors.Join(err, waitFor(h.ParamInformer.Informer().HasSynced))
		}
	}
	for _, h := range mutatingSource.Hooks() {
		if h.ParamInformer != nil {
			err = errors.Join(err, waitFor(h.ParamInformer.Informer().HasSynced))
		}
	}
	return chain, stop, err
}

func waitFor(conditions ...func() bool) error {
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(200 * time.Microsecond) {
		if !slices.ContainsFunc(conditions, func(ok func() bool) bool { return !ok() }) {
			return nil
		}
	}
	return errors.New("the caches are not filled after 10 seconds")
}

// typeConverters is the server's manager, which has read the documents once. The
// built-in kinds are given to it as static ones, and not by discovery.
func (w *world) typeConverters(builtin bool) (patch.TypeConverterManager, error) {
	if !builtin {
		return patch.NewTypeConverterManager(nil, published{}), nil
	}
	static, err := builtinConverter()
	if err != nil {
		return nil, err
	}
	manager := patch.NewTypeConverterManager(static, published{served: w.served})
	once, cancel := context.WithCancel(context.Background())
	cancel() // the first poll is done all the same
	manager.Run(once)
	return manager, nil
}

type noConfig struct{}

func (noConfig) ConfigFor(string) (io.Reader, error) { return nil, nil }

// excluding is what the initializer of the API server adds.
type excluding struct{}

func (excluding) Initialize(plugin admission.Interface) {
	if p, ok := plugin.(initializer.WantsExcludedAdmissionResources); ok {
		p.SetExcludedAdmissionResources(exclusion.Excluded())
	}
}

// ordered is a source whose hooks are put in order.
type ordered[H any] struct {
	generic.Source[H]
	order func([]H) []H
}

func (o ordered[H]) Hooks() []H { return o.order(o.Source.Hooks()) }

func position[T metav1.Object](list []T, name string) int {
	return slices.IndexFunc(list, func(o T) bool { return o.GetName() == name })
}

func (s *policySet) orderValidating(hooks []validating.PolicyHook) []validating.PolicyHook {
	hooks = slices.Clone(hooks)
	slices.SortFunc(hooks, func(a, b validating.PolicyHook) int {
		return cmp.Compare(position(s.validating, a.Policy.Name), position(s.validating, b.Policy.Name))
	})
	for i := range hooks {
		hooks[i].Bindings = slices.Clone(hooks[i].Bindings)
		slices.SortFunc(hooks[i].Bindings, func(a, b *validating.PolicyBinding) int {
			return cmp.Compare(position(s.validatingBindings, a.Name), position(s.validatingBindings, b.Name))
		})
	}
	return hooks
}

func (s *policySet) orderMutating(hooks []mutating.PolicyHook) []mutating.PolicyHook {
	hooks = slices.Clone(hooks)
	slices.SortFunc(hooks, func(a, b mutating.PolicyHook) int {
		return cmp.Compare(position(s.mutating, a.Policy.Name), position(s.mutating, b.Policy.Name))
	})
	for i := range hooks {
		hooks[i].Bindings = slices.Clone(hooks[i].Bindings)
		slices.SortFunc(hooks[i].Bindings, func(a, b *mutating.PolicyBinding) int {
			return cmp.Compare(position(s.mutatingBindings, a.Name), position(s.mutatingBindings, b.Name))
		})
	}
	return hooks
}

// auditedAttributes keeps the audit annotations; the server logs the errors.
type auditedAttributes struct {
	admission.Attributes
	annotations map[string]string
	errors      []string
}

func (a *auditedAttributes) AddAnnotation(key, value string) error {
	err := a.Attributes.AddAnnotation(key, value)
	if err != nil {
		a.errors = append(a.errors, err.Error())
		return err
	}
	a.annotations[key] = value
	return nil
}

// clientWarnings gives the warnings of f as a client gets them: through the
// server's filter (which drops repeated ones and truncates) and the headers.
func clientWarnings(ctx context.Context, f func(context.Context)) ([]string, error) {
	response := httptest.NewRecorder()
	filters.WithWarningRecorder(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		f(r.Context())
	})).ServeHTTP(response, httptest.NewRequest(http.MethodPost, "/", strings.NewReader("")).WithContext(ctx))
	parsed, errs := utilnet.ParseWarningHeaders(response.Header().Values("Warning"))
	out := []string{}
	for _, w := range parsed {
		out = append(out, w.Text)
	}
	return out, errors.Join(errs...)
}
