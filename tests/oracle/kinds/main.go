// Command kinds writes what is known about the types of Kubernetes' own kinds: their schemas, from the published OpenAPI documents in
// the module k8s.io/kubernetes, and how Go encodes their fields, from the types themselves.
//
// It writes one JSON object, a kind or type a line. A kind is [apiVersion, kind, plural, namespaced, type,
// subresources...]. The keyword x-go of a property is:
//
//   - not written if it is empty (zero, "", false, or without items), although no pointer
//     0  always written, as the zero of its type if it is absent
//     n  always written, as null if it is absent
//     s  a struct that is always written
//     z  a struct that is not written if it is zero
//
// Without it, the field is a pointer: it is written if it is there. The keyword x-type is the name of the type of texts, numbers
// and booleans that have one of their own, and x-in the embedded struct that has the field: messages of Go's decoder have them.
//
// The keyword x-order of a struct lists its fields in the order in which Go writes them, if that is not the order of their names.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

type object = map[string]any

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "kinds:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").Output()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "api/openapi-spec/v3/*.json"))
	if err != nil {
		return err
	}
	models, paths := object{}, object{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var document struct {
			Paths      object
			Components struct{ Schemas object }
		}
		if err := json.Unmarshal(text, &document); err != nil {
			return err
		}
		for name, schema := range document.Components.Schemas {
			models[name] = schema
		}
		for path, item := range document.Paths {
			paths[path] = item
		}
	}
	addEnums(models)
	encodings := encodings()
	kinds := kindsOf(paths, models)
	types := object{}
	for name := range models {
		collect(name, models, encodings, types)
	}

	out := bufio.NewWriter(os.Stdout)
	fmt.Fprint(out, "{\"kinds\":[")
	for i, kind := range kinds {
		line(out, i, kind)
	}
	fmt.Fprint(out, "],\n\"types\":{")
	for i, name := range sorted(types) {
		key, _ := json.Marshal(name)
		text, err := json.Marshal(types[name])
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprintf(out, "\n%s:%s", key, text)
	}
	fmt.Fprint(out, "}}\n")
	return out.Flush()
}

func line(out *bufio.Writer, i int, value any) {
	text, _ := json.Marshal(value)
	if i > 0 {
		fmt.Fprint(out, ",")
	}
	fmt.Fprintf(out, "\n%s", text)
}

func sorted(all object) []string {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// kindsOf finds the kinds whose objects can be patched.
func kindsOf(paths, models object) [][]any {
	types := map[string]string{}
	for name, model := range models {
		kinds, _ := model.(object)["x-kubernetes-group-version-kind"].([]any)
		if len(kinds) != 1 {
			continue // lists of options
		}
		kind := kinds[0].(object)
		types[version(kind)+" "+kind["kind"].(string)] = name
	}
	subresources := map[string][]string{}
	var kinds [][]any
	for _, path := range sorted(paths) {
		patch, ok := paths[path].(object)["patch"].(object)
		if !ok {
			continue
		}
		steps := strings.Split(strings.Trim(path, "/"), "/")
		name := slices.Index(steps, "{name}")
		if len(steps) > name+1 {
			of := strings.Join(steps[:name+1], "/")
			subresources[of] = append(subresources[of], steps[name+1])
			continue
		}
		kind := patch["x-kubernetes-group-version-kind"].(object)
		apiVersion := version(kind)
		ty, ok := types[apiVersion+" "+kind["kind"].(string)]
		if !ok {
			continue
		}
		namespaced := slices.Contains(steps, "{namespace}")
		kinds = append(kinds, []any{apiVersion, kind["kind"], steps[name-1], namespaced, ty, strings.Join(steps, "/")})
	}
	for i, kind := range kinds {
		of := kind[5].(string)
		kinds[i] = kind[:5]
		for _, subresource := range subresources[of] {
			kinds[i] = append(kinds[i], subresource)
		}
	}
	slices.SortFunc(kinds, func(a, b []any) int {
		return strings.Compare(fmt.Sprint(a[:2]), fmt.Sprint(b[:2]))
	})
	return kinds
}

func version(kind object) string {
	if group := kind["group"].(string); group != "" {
		return group + "/" + kind["version"].(string)
	}
	return kind["version"].(string)
}

// collect adds a model and all models to which it refers.
func collect(name string, models object, encodings map[string]*fields, types object) {
	if _, ok := types[name]; ok {
		return
	}
	types[name] = nil
	model, ok := models[name].(object)
	if !ok {
		panic("no model " + name)
	}
	refer := func(name string) { collect(name, models, encodings, types) }
	encoding := encodings[name]
	if encoding == nil {
		encoding = &fields{}
	}
	out := stripped(model, encoding.of, refer)
	if !slices.IsSorted(encoding.order) {
		out["x-order"] = encoding.order
	}
	// Options of requests name all groups.
	if kinds, _ := model["x-kubernetes-group-version-kind"].([]any); len(kinds) == 1 {
		out["x-kubernetes-group-version-kind"] = kinds
	}
	types[name] = out
}

var kept = []string{
	"description", "type", "format", "default", "enum", "required", "oneOf", "x-kubernetes-list-type", "x-kubernetes-list-map-keys",
	"x-kubernetes-map-type", "x-kubernetes-patch-strategy", "x-kubernetes-patch-merge-key", "x-kubernetes-preserve-unknown-fields",
	"x-kubernetes-unions",
}

// addEnums adds what the server publishes and the documents of the module do not have: the values of enums, and their descriptions.
func addEnums(models object) {
	reference := func(string) spec.Ref { return spec.Ref{} }
	for name, definition := range openapi.GetOpenAPIDefinitions(reference) {
		model, _ := models[name].(object)
		properties, _ := model["properties"].(object)
		for name, of := range definition.Schema.Properties {
			property, ok := properties[name].(object)
			if !ok {
				continue
			}
			values := map[string][]any{"": of.Enum}
			if of.Items != nil {
				values["items"] = of.Items.Schema.Enum
			}
			if of.AdditionalProperties != nil && of.AdditionalProperties.Schema != nil {
				values["additionalProperties"] = of.AdditionalProperties.Schema.Enum
			}
			for part, enum := range values {
				at := property
				if part != "" {
					at, ok = property[part].(object)
				}
				if ok && len(enum) > 0 {
					at["enum"], property["description"] = enum, of.Description
				}
			}
		}
	}
}

// stripped returns what is needed of a schema.
func stripped(schema object, encoding map[string]field, refer func(string)) object {
	out := object{}
	for _, name := range kept {
		if value, ok := schema[name]; ok {
			out[name] = value
		}
	}
	reference, ok := schema["$ref"].(string)
	if all, _ := schema["allOf"].([]any); len(all) == 1 {
		reference, ok = all[0].(object)["$ref"].(string)
	}
	if ok {
		name := reference[strings.LastIndex(reference, "/")+1:]
		out["$ref"] = name
		refer(name)
	}
	for _, part := range []string{"items", "additionalProperties"} {
		if sub, ok := schema[part].(object); ok {
			out[part] = stripped(sub, nil, refer)
		} else if value, ok := schema[part]; ok {
			out[part] = value
		}
	}
	if properties, ok := schema["properties"].(object); ok {
		members := object{}
		for name, property := range properties {
			member := stripped(property.(object), nil, refer)
			of := encoding[name]
			for key, text := range map[string]string{"x-go": of.code, "x-type": of.ty, "x-in": of.in} {
				if text != "" {
					member[key] = text
				}
			}
			members[name] = member
		}
		out["properties"] = members
	}
	return out
}

// field is what Go does with a field.
type field struct{ code, ty, in string }

// fields are those of a struct, and the order in which Go writes them.
type fields struct {
	of    map[string]field
	order []string
}

// encodings returns what Go does with the fields of all structs, by the names of their models.
func encodings() map[string]*fields {
	out := map[string]*fields{}
	for _, ty := range scheme.Scheme.AllKnownTypes() {
		encoding(ty, out)
	}
	encoding(reflect.TypeFor[apiextensionsv1.CustomResourceDefinition](), out)
	return out
}

func encoding(ty reflect.Type, out map[string]*fields) {
	switch ty.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		encoding(ty.Elem(), out)
		return
	case reflect.Struct:
	default:
		return
	}
	name := model(ty)
	if _, ok := out[name]; ok {
		return
	}
	out[name] = &fields{of: map[string]field{}}
	add(ty, "", out[name], out)
}

func add(ty reflect.Type, in string, to *fields, out map[string]*fields) {
	for i := range ty.NumField() {
		member := ty.Field(i)
		tag, ok := member.Tag.Lookup("json")
		if !ok || !member.IsExported() {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		if name == "" {
			add(member.Type, strings.TrimPrefix(in+"."+member.Name, "."), to, out)
			continue
		}
		encoding(member.Type, out)
		to.order = append(to.order, name)
		if name == "kind" || name == "apiVersion" {
			continue
		}
		has := func(option string) bool { return slices.Contains(strings.Split(options, ","), option) }
		to.of[name] = field{code(member.Type, has("omitempty"), has("omitzero")), named(member.Type), in}
	}
}

// named returns the name of a type of texts, numbers or booleans that has one of its own.
func named(ty reflect.Type) string {
	switch ty.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return named(ty.Elem())
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64:
		if ty.PkgPath() != "" {
			return ty.String()
		}
	}
	return ""
}

func code(ty reflect.Type, omitEmpty, omitZero bool) string {
	switch ty.Kind() {
	case reflect.Struct:
		// Times, IntOrString, Quantity and raw objects write themselves. Those without a value are null.
		if _, ok := ty.MethodByName("MarshalJSON"); ok {
			switch {
			case omitZero:
				return "-"
			case ty.Name() == "IntOrString" || ty.Name() == "Quantity":
				return "0"
			default:
				return "n"
			}
		}
		if omitZero {
			return "z"
		}
		return "s"
	case reflect.Pointer:
		if omitEmpty || omitZero {
			return ""
		}
		return "n"
	case reflect.Slice, reflect.Map, reflect.Interface:
		if omitEmpty || omitZero {
			return "-"
		}
		return "n"
	default:
		if omitEmpty || omitZero {
			return "-"
		}
		return "0"
	}
}

// model returns the name of the model of a type.
func model(ty reflect.Type) string {
	domain, path, _ := strings.Cut(ty.PkgPath(), "/")
	if domain == "k8s.io" {
		return "io.k8s." + strings.ReplaceAll(path, "/", ".") + "." + ty.Name()
	}
	return ty.PkgPath() + "." + ty.Name()
}
