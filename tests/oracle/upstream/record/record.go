// Package record writes down what upstream's own tests give to the functions of the API server, as requests to the
// oracle. The driver beside it puts it into a copy of upstream's module; nothing else imports it.
package record

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// request is a line that the oracle reads.
type request struct {
	ID      string   `json:"id"`
	Op      string   `json:"op"`
	CRD     string   `json:"crd"`
	Old     string   `json:"old,omitempty"`
	Version string   `json:"version,omitempty"`
	Object  string   `json:"object,omitempty"`
	Objects []string `json:"objects,omitempty"`

	Brief                bool `json:"brief,omitempty"`
	StripValueValidation bool `json:"stripValueValidation,omitempty"`
	StripNullable        bool `json:"stripNullable,omitempty"`
	AllowNonStructural   bool `json:"allowNonStructural,omitempty"`
}

var (
	mutex sync.Mutex
	// kept is the schema of the validator that was made last.
	kept any
)

// On says whether the calls of a kind are written down in this run: the functions call each other, and only what
// tests give them counts.
func On(kind string) bool {
	return os.Getenv("UPSTREAM_KIND") == kind
}

// Definition writes down a definition and, for an update, the one before.
func Definition(crd, old any) {
	r := request{Op: "crd", CRD: text(crd)}
	if old != nil {
		r.Old = text(old)
	}
	write(r)
}

// Schema writes down a definition with a schema, as a request of each of some ops.
func Schema(schema any, isRoot bool, ops ...string) {
	if isNil(schema) {
		return
	}
	crd := definition(schema, isRoot)
	for _, op := range ops {
		write(request{Op: op, CRD: crd})
	}
}

// Document writes down a definition whose documents are built with some options.
func Document(crd any, version string, stripValueValidation, stripNullable, allowNonStructural bool) {
	write(request{
		Op: "openapi", CRD: text(crd), Version: version, Brief: true, StripValueValidation: stripValueValidation,
		StripNullable: stripNullable, AllowNonStructural: allowNonStructural,
	})
}

// Keep keeps the schema of a validator, or the columns of a table, for the objects that follow.
func Keep(value any) {
	mutex.Lock()
	defer mutex.Unlock()
	kept = json.RawMessage(text(value))
}

// Kept writes down an object of the schema that was kept.
func Kept(object, old any) {
	Object(keptValue(), false, object, old)
}

// Row writes down an object for which the columns are printed that were kept.
func Row(object any) {
	crd := map[string]any{}
	if err := json.Unmarshal([]byte(definition(map[string]any{"type": "object"}, true)), &crd); err != nil {
		return
	}
	version := crd["spec"].(map[string]any)["versions"].([]any)[0].(map[string]any)
	version["additionalPrinterColumns"] = keptValue()
	write(request{Op: "table", CRD: text(crd), Version: "v1", Objects: []string{text(object)}})
}

func keptValue() any {
	mutex.Lock()
	defer mutex.Unlock()
	return kept
}

// Object writes down an object of a schema, and for an update the one before.
func Object(schema any, isRoot bool, object, old any) {
	if isNil(schema) {
		return
	}
	_, isMap := object.(map[string]any)
	isRoot = isRoot && isMap
	r := request{Op: "object", CRD: definition(schema, isRoot), Version: "v1", Object: resource(object, isRoot)}
	if old != nil {
		r.Old = resource(old, isRoot)
	}
	write(r)
}

func isNil(value any) bool {
	v := reflect.ValueOf(value)
	return value == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

// definition is one with a schema, of the whole object or of its field x.
func definition(schema any, isRoot bool) string {
	root := any(json.RawMessage(text(schema)))
	if !isRoot {
		root = map[string]any{"type": "object", "properties": map[string]any{"x": root}}
	}
	return text(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "tests.upstream.example.com"},
		"spec": map[string]any{
			"group": "upstream.example.com", "scope": "Cluster",
			"names": map[string]any{"kind": "Test", "listKind": "TestList", "plural": "tests", "singular": "test"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": root},
			}},
		},
	})
}

// resource is an object of that definition.
func resource(object any, isRoot bool) string {
	out := map[string]any{"apiVersion": "upstream.example.com/v1", "kind": "Test", "metadata": map[string]any{"name": "a"}}
	if !isRoot {
		out["x"] = object
		return text(out)
	}
	members, _ := object.(map[string]any)
	for key, value := range members {
		out[key] = value
	}
	return text(out)
}

// text is JSON. Internal types are written as v1, in which requests are.
func text(value any) string {
	switch in := value.(type) {
	case *apiextensions.CustomResourceDefinition:
		out := &v1.CustomResourceDefinition{}
		if v1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(in, out, nil) != nil {
			return ""
		}
		out.APIVersion, out.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
		value = out
	case *apiextensions.JSONSchemaProps:
		out := &v1.JSONSchemaProps{}
		if v1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps(in, out, nil) != nil {
			return ""
		}
		value = out
	}
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}

func write(r request) {
	if r.CRD == "" {
		return
	}
	mutex.Lock()
	defer mutex.Unlock()
	r.ID = os.Getenv("UPSTREAM_KIND")
	file, err := os.OpenFile(os.Getenv("UPSTREAM_OUT"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := fmt.Fprintln(file, text(r)); err != nil {
		panic(err)
	}
}
