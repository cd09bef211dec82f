package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"
)

// evalRequest holds the fields of op eval.
type evalRequest struct {
	Schema  string   `json:"schema"`  // YAML or JSON of the schema of self; an object without properties when empty
	Self    string   `json:"self"`    // YAML or JSON
	OldSelf string   `json:"oldSelf"` // YAML or JSON; oldSelf has no value when empty
	Exprs   []string `json:"exprs"`
	Kube    string   `json:"kube"`   // new expressions of this compatibility version; stored ones of the current one when empty
	Repeat  int      `json:"repeat"` // run each expression so many times more, and say how long that took
}

// evalResult is what became of one expression: one of the errors, or a value.
type evalResult struct {
	Compile string `json:"compile,omitempty"` // it does not parse or has type errors
	Program string `json:"program,omitempty"` // no program could be made of it
	Error   string `json:"error,omitempty"`
	Value   string `json:"value,omitempty"` // see show
	Type    string `json:"type,omitempty"`  // as checked
	Cost    uint64 `json:"cost"`
	Nanos   int64  `json:"nanos,omitempty"` // of all repetitions
}

func opEval(_ context.Context, req *request) (answer, error) {
	structural, err := evalSchema(req.Schema)
	if err != nil {
		return nil, err
	}
	env, err := evalEnv(structural, req.Kube)
	if err != nil {
		return nil, err
	}
	vars := map[string]any{}
	for name, text := range map[string]string{"self": req.Self, "oldSelf": req.OldSelf} {
		if text == "" {
			continue
		}
		obj, err := decodeAny(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		vars[name] = cel.UnstructuredToVal(obj, structural)
	}
	results := make([]evalResult, 0, len(req.Exprs))
	for _, expr := range req.Exprs {
		results = append(results, evalOne(env, expr, vars, req.Repeat))
	}
	return answer{"results": results}, nil
}

func evalSchema(text string) (*structuralschema.Structural, error) {
	if text == "" {
		text = "type: object"
	}
	var v1 apiextensionsv1.JSONSchemaProps
	if err := yaml.Unmarshal([]byte(text), &v1); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil); err != nil {
		return nil, err
	}
	return structuralschema.NewStructural(&internal)
}

// evalEnv is the environment of expressions with self and oldSelf of the schema's type: of stored ones, or of
// new ones of a compatibility version.
func evalEnv(s *structuralschema.Structural, kube string) (*celgo.Env, error) {
	compatibility := environment.DefaultCompatibilityVersion()
	if kube != "" {
		parsed, err := version.ParseMajorMinor(kube)
		if err != nil {
			return nil, err
		}
		compatibility = parsed
	}
	decl := model.SchemaDeclType(s, false)
	if decl == nil {
		return nil, fmt.Errorf("the schema has no CEL type")
	}
	scoped := decl.MaybeAssignTypeName("selfType")
	set, err := baseEnvironments(compatibility).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []celgo.EnvOption{
			celgo.Variable("self", scoped.CelType()),
			celgo.Variable("oldSelf", scoped.CelType()),
		},
		DeclTypes: []*apiservercel.DeclType{scoped},
	})
	if err != nil {
		return nil, err
	}
	if kube != "" {
		return set.NewExpressionsEnv(), nil
	}
	return set.StoredExpressionsEnv(), nil
}

func decodeAny(text string) (any, error) {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return numbers(v), nil
}

// numbers makes int64 or float64 of the numbers in decoded JSON, as the API server does.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

func evalOne(env *celgo.Env, expr string, vars map[string]any, repeat int) (result evalResult) {
	ast, issues := env.Compile(expr)
	if issues != nil {
		result.Compile = issues.String()
		return result
	}
	result.Type = checker.FormatCELType(ast.OutputType())
	program, err := env.Program(ast)
	if err != nil {
		result.Program = err.Error()
		return result
	}
	if repeat > 0 {
		result.Nanos = nanos(repeat, func() { _, _, _ = program.Eval(vars) })
	}
	value, details, err := program.Eval(vars)
	if details != nil && details.ActualCost() != nil {
		result.Cost = *details.ActualCost()
	}
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Value = show(value)
	return result
}

// nanos says what so many calls take, as far as others on the machine let them.
func nanos(times int, call func()) int64 {
	const batch = 10
	best := int64(math.MaxInt64)
	for range (times + batch - 1) / batch {
		start := time.Now()
		for range batch {
			call()
		}
		best = min(best, time.Since(start).Nanoseconds())
	}
	return best * int64(times) / batch
}

// show writes a value so that equal texts are equal values of equal types.
func show(v ref.Val) string {
	switch v := v.(type) {
	case types.Null:
		return "null"
	case types.Bool:
		return strconv.FormatBool(bool(v))
	case types.Int:
		return strconv.FormatInt(int64(v), 10)
	case types.Uint:
		return strconv.FormatUint(uint64(v), 10) + "u"
	case types.Double:
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Sprintf("double(%v)", float64(v))
		}
		return strconv.FormatFloat(float64(v), 'f', -1, 64) + "d"
	case types.String:
		return quoted(string(v))
	case types.Bytes:
		return "b" + hex.EncodeToString(v)
	case types.Duration:
		return fmt.Sprintf("duration(%d)", int64(v.Duration))
	case types.Timestamp:
		return "timestamp(" + string(v.ConvertToType(types.StringType).(types.String)) + ")"
	case *types.Optional:
		if !v.HasValue() {
			return "none"
		}
		return "some(" + show(v.GetValue()) + ")"
	case ref.Type:
		return "type(" + v.TypeName() + ")"
	case apiservercel.IP:
		return "ip(" + v.Addr.String() + ")"
	case apiservercel.CIDR:
		return "cidr(" + v.Prefix.String() + ")"
	case apiservercel.URL:
		return "url(" + v.URL.String() + ")"
	case apiservercel.Quantity:
		return "quantity(" + fmt.Sprint(v.Quantity.AsApproximateFloat64()) + ")"
	case *apiservercel.Quantity:
		return "quantity(" + fmt.Sprint(v.Quantity.AsApproximateFloat64()) + ")"
	case apiservercel.Semver:
		return "semver(" + v.Version.String() + ")"
	case apiservercel.Format:
		return "format(" + v.Name + ")"
	case traits.Lister:
		var items []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			items = append(items, show(it.Next()))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case traits.Mapper:
		var entries []string
		for it := v.Iterator(); it.HasNext() == types.True; {
			k := it.Next()
			if k == nil { // members that the schema does not know
				continue
			}
			entries = append(entries, show(k)+": "+show(v.Get(k)))
		}
		sort.Strings(entries)
		return "{" + strings.Join(entries, ", ") + "}"
	case *types.Err:
		return "error(" + v.Error() + ")"
	}
	return fmt.Sprintf("%T", v)
}

func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}
