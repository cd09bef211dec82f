// Command k8s-types writes the schemas of Kubernetes' own types as controller-gen gives them for Go
// types that embed them: list types, map keys, defaults, patterns, but no descriptions.
//
// It reads the names of the wanted types (core/v1.PodSpec, meta/v1.Condition), one a line, and writes
// one JSON object from those that there are to their schemas. A sub-schema that is a wanted type itself
// is written {"$ref": NAME}, so that the table stays small; putting the schemas in place of the
// references gives exactly what controller-gen writes.
//
// With the argument "metadata" it writes what ObjectMeta can be instead of a bare object: what
// controller-gen writes with generateEmbeddedObjectMeta=true, and all of it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"regexp"
	"sort"
	"strings"

	// The packages whose types are read.
	_ "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	_ "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "k8s-types:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) > 1 && os.Args[1] == "metadata" {
		return metadata()
	}
	wanted := map[string]bool{}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		wanted[in.Text()] = true
	}
	if err := in.Err(); err != nil {
		return err
	}
	table, err := flattened(wanted)
	if err != nil {
		return err
	}
	intern(table)
	out := bufio.NewWriter(os.Stdout)
	// One type a line: a change of the table is readable as a diff.
	fmt.Fprint(out, "{")
	for i, name := range names(table) {
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprintf(out, "\n%q:%s", name, encode(table[name]))
	}
	fmt.Fprintln(out, "\n}")
	return out.Flush()
}

func metadata() error {
	const path = "k8s.io/apimachinery/pkg/apis/meta/v1"
	table := map[string]any{}
	for _, name := range []string{"full", "subset"} {
		roots, err := loader.LoadRoots(path)
		if err != nil {
			return err
		}
		parser, err := newParser()
		if err != nil {
			return err
		}
		parser.GenerateEmbeddedObjectMeta = name == "subset"
		crd.AddKnownTypes(parser)
		id := crd.TypeIdent{Package: roots[0], Name: "ObjectMeta"}
		if known := parser.PackageOverrides[path]; name == "full" {
			parser.PackageOverrides[path] = func(p *crd.Parser, pkg *loader.Package) {
				known(p, pkg)
				delete(p.Schemata, id)
			}
		}
		parser.NeedPackage(roots[0])
		parser.NeedFlattenedSchemaFor(id)
		if table[name], err = plain(parser.FlattenedSchemata[id]); err != nil {
			return err
		}
	}
	fmt.Println(encode(table))
	return nil
}

func newParser() (*crd.Parser, error) {
	registry := &markers.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		return nil, err
	}
	return &crd.Parser{
		Collector:           &markers.Collector{Registry: registry},
		Checker:             &loader.TypeChecker{NodeFilters: []loader.NodeFilter{func(ast.Node) bool { return true }}},
		AllowDangerousTypes: true,
	}, nil
}

// flattened gives the schemas of the wanted types without references.
func flattened(wanted map[string]bool) (map[string]any, error) {
	roots, err := loader.LoadRoots(
		"k8s.io/api/...",
		"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
		"k8s.io/apimachinery/pkg/api/resource",
		"k8s.io/apimachinery/pkg/apis/meta/v1",
		"k8s.io/apimachinery/pkg/runtime",
		"k8s.io/apimachinery/pkg/util/intstr",
	)
	if err != nil {
		return nil, err
	}
	parser, err := newParser()
	if err != nil {
		return nil, err
	}
	crd.AddKnownTypes(parser)
	for _, root := range roots {
		parser.NeedPackage(root)
	}
	// Known types such as Quantity have a schema, but are not parsed.
	ids := map[string]crd.TypeIdent{}
	add := func(id crd.TypeIdent) {
		if name, ok := shortName(loader.NonVendorPath(id.Package.PkgPath), id.Name); ok && ast.IsExported(id.Name) {
			ids[name] = id
		}
	}
	for id := range parser.Types {
		add(id)
	}
	for id := range parser.Schemata {
		add(id)
	}
	table := map[string]any{}
	// In order: what controller-gen makes of a recursive type depends on where it started.
	for _, name := range names(ids) {
		parser.NeedFlattenedSchemaFor(ids[name])
		schema, err := plain(parser.FlattenedSchemata[ids[name]])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if hasType(schema) && wanted[name] {
			table[name] = schema
		}
	}
	return table, nil
}

var packages = regexp.MustCompile(`^k8s\.io/(?:api/(.+)|apiextensions-apiserver/pkg/apis/(apiextensions/v1)|apimachinery/pkg/(?:apis/(meta/v1)|api/(resource)|util/(intstr)|(runtime)))$`)

// shortName is the name of a type in the table; false for packages that are no part of the API.
func shortName(pkg, name string) (string, bool) {
	parts := packages.FindStringSubmatch(pkg)
	if parts == nil {
		return "", false
	}
	short := strings.Join(parts[1:], "")
	switch short {
	case "resource":
		return short + "." + name, name == "Quantity"
	case "intstr":
		return short + "." + name, name == "IntOrString"
	case "runtime":
		return short + "." + name, name == "RawExtension"
	case "apiextensions/v1":
		// Its schemas contain schemas.
		return short + "." + name, name == "JSON"
	}
	return short + "." + name, true
}

// plain gives the JSON of a schema without descriptions.
func plain(schema apiextensionsv1.JSONSchemaProps) (any, error) {
	schema = *schema.DeepCopy()
	crd.TruncateDescription(&schema, 0)
	data, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var out any
	return out, json.Unmarshal(data, &out)
}

// hasType leaves out what is no schema, such as interfaces.
func hasType(schema any) bool {
	m, _ := schema.(map[string]any)
	return m["type"] != nil || m["x-kubernetes-int-or-string"] != nil || m["x-kubernetes-preserve-unknown-fields"] != nil
}

// intern replaces sub-schemas that are types of their own by references to them.
func intern(table map[string]any) {
	byText := map[string]string{}
	for _, name := range names(table) {
		text := encode(table[name])
		// Scalars and bare objects are shorter than a reference.
		if _, taken := byText[text]; !taken && len(text) > 60 {
			byText[text] = name
		}
	}
	replaced := map[string]any{}
	for _, name := range names(table) {
		schema := table[name].(map[string]any)
		if first := byText[encode(schema)]; first != "" && first != name {
			replaced[name] = map[string]any{"$ref": first}
		} else {
			replaced[name] = children(schema, byText)
		}
	}
	for name, schema := range replaced {
		table[name] = schema
	}
}

func children(schema map[string]any, byText map[string]string) map[string]any {
	out := map[string]any{}
	for key, value := range schema {
		switch inner := value.(type) {
		case map[string]any:
			if key == "properties" {
				fields := map[string]any{}
				for name, field := range inner {
					fields[name] = replace(field, byText)
				}
				out[key] = fields
				continue
			}
			if key == "items" || key == "additionalProperties" {
				out[key] = replace(inner, byText)
				continue
			}
		}
		out[key] = value
	}
	return out
}

func replace(schema any, byText map[string]string) any {
	m, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	if name := byText[encode(m)]; name != "" {
		return map[string]any{"$ref": name}
	}
	return children(m, byText)
}

func names[T any](table map[string]T) []string {
	out := make([]string, 0, len(table))
	for name := range table {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // maps, strings and numbers always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}
