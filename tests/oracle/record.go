//go:build !older

package main

import (
	"context"
	"encoding/json"

	"github.com/google/cel-go/common/types"
	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
)

// recorder notes what the evaluators of the policies answer to the dispatchers.
type recorder struct {
	target      *target
	evaluations []evaluation
}

// evaluation is one call of an evaluator: a policy with one binding and param.
// The costs are those that the server subtracts from its budgets, in the order
// of the expressions (a variable costs where it is used first). They come from
// evaluating the same expressions again; -1: there is none after an error.
type evaluation struct {
	Policy           string            `json:"policy"`
	Param            string            `json:"param,omitempty"`
	MatchConditions  []conditionResult `json:"matchConditions,omitempty"`
	Matched          *bool             `json:"matched,omitempty"` // false: the rest was not looked at
	MatchError       string            `json:"matchError,omitempty"`
	Validations      []decision        `json:"validations,omitempty"`
	AuditAnnotations []auditAnnotation `json:"auditAnnotations,omitempty"`
	Mutation         *mutation         `json:"mutation,omitempty"`
}

type conditionResult struct {
	Name   string `json:"name"`
	Result any    `json:"result"`
	Error  string `json:"error,omitempty"`
	Cost   int64  `json:"cost"`
}

type decision struct {
	Action      string `json:"action"`
	Evaluation  string `json:"evaluation"`
	Message     string `json:"message,omitempty"`
	Reason      string `json:"reason,omitempty"`
	Cost        int64  `json:"cost"`
	MessageCost *int64 `json:"messageCost,omitempty"`
}

type auditAnnotation struct {
	Key    string `json:"key"`
	Action string `json:"action"`
	Value  string `json:"value,omitempty"`
	Error  string `json:"error,omitempty"`
	Cost   int64  `json:"cost"`
}

type mutation struct {
	Index  int    `json:"index"`
	Type   string `json:"type"`
	Value  any    `json:"value,omitempty"` // of the expression: an apply configuration
	Error  string `json:"error,omitempty"`
	Object any    `json:"object,omitempty"` // after it, before defaulting
	Cost   int64  `json:"cost"`
}

// call holds the inputs of one evaluation.
type call struct {
	ctx     context.Context
	attr    *admission.VersionedAttributes
	request *admissionv1.AdmissionRequest
	params  runtime.Object
	authz   authorizer.UnconditionalAuthorizer
}

// costs evaluates longer and longer beginnings of list and gives the difference
// that each expression makes to the rest of the budget, and the rest of all.
func (c call) costs(compiler *plugincel.CompositedCompiler, list []plugincel.ExpressionAccessor, decl plugincel.OptionalVariableDeclarations, ns *corev1.Namespace, budget int64) ([]plugincel.EvaluationResult, []int64, int64) {
	bindings := plugincel.OptionalVariableBindings{VersionedParams: c.params}
	if decl.HasAuthorizer && c.authz != nil {
		bindings.Authorizer = c.authz
	}
	var results []plugincel.EvaluationResult
	out, left := []int64{}, budget
	for i := range list {
		filter := compiler.CompileCondition(list[:i+1], decl, environment.StoredExpressions)
		r, rest, err := filter.ForInput(c.ctx, c.attr, c.request, bindings, ns, budget)
		if err != nil {
			for len(out) < len(list) {
				out = append(out, -1)
			}
			return results, out, -1
		}
		results, out, left = r, append(out, left-rest), rest
	}
	return results, out, left
}

// conditions evaluates the match conditions one by one.
func (c call) conditions(compiler *plugincel.CompositedCompiler, list []admissionregistrationv1.MatchCondition, decl plugincel.OptionalVariableDeclarations) []conditionResult {
	c.request = plugincel.CreateAdmissionRequest(c.attr.Attributes, metav1.GroupVersionResource(c.attr.GetResource()), metav1.GroupVersionKind(c.attr.VersionedKind))
	results, costs, _ := c.costs(compiler, matchAccessors(list), decl, nil, celconfig.RuntimeCELCostBudgetMatchConditions)
	var out []conditionResult
	for i := range list {
		r := conditionResult{Name: list[i].Name, Cost: costs[i]}
		if i < len(results) {
			if err := results[i].Error; err != nil {
				r.Error = err.Error()
			} else if v := results[i].EvalResult; v != nil {
				r.Result = v.Value()
			}
		}
		out = append(out, r)
	}
	return out
}

func matchAccessors(list []admissionregistrationv1.MatchCondition) []plugincel.ExpressionAccessor {
	accessors := make([]plugincel.ExpressionAccessor, len(list))
	for i := range list {
		accessors[i] = (*matchconditions.MatchCondition)(&list[i])
	}
	return accessors
}

func (e *evaluation) setMatch(r matchconditions.MatchResult) {
	e.Matched = &r.Matches
	if r.Error != nil {
		e.MatchError = r.Error.Error()
	}
}

func paramName(param runtime.Object) string {
	if param == nil {
		return ""
	}
	if u, ok := param.(interface{ ToUnstructured() any }); ok { // a typed param, wrapped by the dispatcher
		if content, ok := u.ToUnstructured().(map[string]any); ok {
			if m, ok := content["metadata"].(map[string]any); ok {
				ns, _ := m["namespace"].(string)
				name, _ := m["name"].(string)
				return join(ns, name)
			}
		}
	}
	if accessor, err := meta.Accessor(param); err == nil {
		return join(accessor.GetNamespace(), accessor.GetName())
	}
	return ""
}

func join(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// validator compiles as the plugin does, and records.
func (r *recorder) validator(p *validating.Policy) validating.Validator {
	return &recordingValidator{compileValidatingPolicy(p), p, r}
}

type recordingValidator struct {
	validating.Validator
	policy *validating.Policy
	rec    *recorder
}

func (v *recordingValidator) Validate(ctx context.Context, resource schema.GroupVersionResource, attr *admission.VersionedAttributes, params runtime.Object, namespace *corev1.Namespace, budget int64, authz authorizer.UnconditionalAuthorizer) validating.ValidateResult {
	result := v.Validator.Validate(ctx, resource, attr, params, namespace, budget, authz)

	spec := &v.policy.Spec
	decl := plugincel.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil, HasAuthorizer: true}
	withoutAuthorizer := plugincel.OptionalVariableDeclarations{HasParams: spec.ParamKind != nil}
	e := evaluation{Policy: v.policy.Name, Param: paramName(params)}
	compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		panic(err)
	}
	variables := make([]plugincel.NamedExpressionAccessor, len(spec.Variables))
	for i, x := range spec.Variables {
		variables[i] = &validating.Variable{Name: x.Name, Expression: x.Expression}
	}
	compiler.CompileAndStoreVariables(variables, decl, environment.StoredExpressions)
	c := call{ctx: ctx, attr: attr, params: params, authz: authz,
		request: plugincel.CreateAdmissionRequest(attr.Attributes, metav1.GroupVersionResource(resource), metav1.GroupVersionKind(attr.VersionedKind))}
	if len(spec.MatchConditions) > 0 {
		e.MatchConditions = c.conditions(compiler, spec.MatchConditions, decl)
		e.setMatch(matchconditions.NewMatcher(compiler.CompileCondition(matchAccessors(spec.MatchConditions), decl, environment.StoredExpressions),
			spec.FailurePolicy, "policy", "validate", v.policy.Name).Match(ctx, attr, params, authz))
	}

	n := len(spec.Validations)
	validations, messages := make([]plugincel.ExpressionAccessor, n), make([]plugincel.ExpressionAccessor, n)
	for i, x := range spec.Validations {
		validations[i] = &validating.ValidationCondition{Expression: x.Expression}
		if x.MessageExpression != "" {
			messages[i] = &validating.MessageExpressionCondition{MessageExpression: x.MessageExpression}
		}
	}
	ns := plugincel.CreateNamespaceObject(namespace)
	_, costs, left := c.costs(compiler, validations, decl, ns, budget)
	_, messageCosts, _ := c.costs(compiler, messages, withoutAuthorizer, ns, left)
	for i, d := range result.Decisions {
		out := decision{Action: string(d.Action), Evaluation: string(d.Evaluation), Message: d.Message, Reason: string(d.Reason), Cost: -1}
		if len(result.Decisions) == n {
			out.Cost = costs[i]
			if messages[i] != nil {
				out.MessageCost = &messageCosts[i]
			}
		}
		e.Validations = append(e.Validations, out)
	}
	annotations := make([]plugincel.ExpressionAccessor, len(spec.AuditAnnotations))
	for i, x := range spec.AuditAnnotations {
		annotations[i] = &validating.AuditAnnotationCondition{Key: x.Key, ValueExpression: x.ValueExpression}
	}
	auditCall := c
	auditCall.authz = nil // the validator gives none here, though the variable is declared
	_, auditCosts, _ := auditCall.costs(compiler, annotations, decl, namespace, budget)
	for i, a := range result.AuditAnnotations {
		e.AuditAnnotations = append(e.AuditAnnotations, auditAnnotation{Key: a.Key, Action: string(a.Action), Value: a.Value, Error: a.Error, Cost: auditCosts[i]})
	}
	v.rec.evaluations = append(v.rec.evaluations, e)
	return result
}

// evaluator compiles as the plugin does, and records.
func (r *recorder) evaluator(p *mutating.Policy) mutating.PolicyEvaluator {
	e := compileMutatingPolicy(p)
	if e.CompositedCompiler == nil {
		return e
	}
	decl := plugincel.OptionalVariableDeclarations{HasParams: p.Spec.ParamKind != nil, HasAuthorizer: true}
	if e.Matcher != nil {
		e.Matcher = &recordingMatcher{e.Matcher, p, decl, e.CompositedCompiler, r}
	}
	if len(e.Mutators) != len(p.Spec.Mutations) {
		return e // the dispatcher answers with an error
	}
	decl.HasPatchTypes = true
	for i, m := range p.Spec.Mutations {
		var accessor plugincel.ExpressionAccessor
		switch {
		case m.PatchType == admissionregistrationv1.PatchTypeJSONPatch:
			accessor = &patch.JSONPatchCondition{Expression: m.JSONPatch.Expression}
		default:
			accessor = &patch.ApplyConfigurationCondition{Expression: m.ApplyConfiguration.Expression}
		}
		again := e.CompositedCompiler.CompileMutatingEvaluator(accessor, decl, environment.StoredExpressions)
		e.Mutators[i] = &recordingPatcher{e.Mutators[i], p, i, again, r}
	}
	return e
}

type recordingMatcher struct {
	matchconditions.Matcher
	policy   *mutating.Policy
	decl     plugincel.OptionalVariableDeclarations
	compiler *plugincel.CompositedCompiler
	rec      *recorder
}

func (m *recordingMatcher) Match(ctx context.Context, attr *admission.VersionedAttributes, params runtime.Object, authz authorizer.UnconditionalAuthorizer) matchconditions.MatchResult {
	result := m.Matcher.Match(ctx, attr, params, authz)
	c := call{ctx: ctx, attr: attr, params: params, authz: authz}
	e := evaluation{Policy: m.policy.Name, Param: paramName(params), MatchConditions: c.conditions(m.compiler, m.policy.Spec.MatchConditions, m.decl)}
	e.setMatch(result)
	m.rec.evaluations = append(m.rec.evaluations, e)
	return result
}

type recordingPatcher struct {
	patch.Patcher
	policy *mutating.Policy
	index  int
	again  plugincel.MutatingEvaluator
	rec    *recorder
}

func (p *recordingPatcher) Patch(ctx context.Context, r patch.Request, budget int64) (runtime.Object, error) {
	obj, err := p.Patcher.Patch(ctx, r, budget)
	m := &mutation{Index: p.index, Type: string(p.policy.Spec.Mutations[p.index].PatchType), Cost: -1}
	request := plugincel.CreateAdmissionRequest(r.VersionedAttributes.Attributes, metav1.GroupVersionResource(r.MatchedResource), metav1.GroupVersionKind(r.VersionedAttributes.VersionedKind))
	result, left, evalErr := p.again.ForInput(ctx, r.VersionedAttributes, request, r.OptionalVariables, r.Namespace, budget)
	if evalErr == nil {
		m.Cost = budget - left
		if v := result.EvalResult; result.Error == nil && v != nil && v.Type() != types.ListType {
			if _, err := json.Marshal(v.Value()); err == nil {
				m.Value = v.Value()
			}
		}
	}
	if err != nil {
		m.Error = err.Error()
	} else if shown, err := p.rec.target.shown(obj); err == nil {
		m.Object = shown
	}
	p.rec.evaluations = append(p.rec.evaluations, evaluation{Policy: p.policy.Name, Param: paramName(r.OptionalVariables.VersionedParams), Mutation: m})
	return obj, err
}
