// upstream runs the tests of k8s.io/apiextensions-apiserver in a copy of the module that writes down what they give
// to the server's functions, and prints it as requests to the oracle, each once:
//
//	go run ./upstream > requests.jsonl
//
// The copy is made of the module cache and removed afterwards; nothing of upstream's is kept here.
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed record/record.go
var recorder []byte

const module = "k8s.io/apiextensions-apiserver"

// hook is a call to the recorder at the start of a function.
type hook struct {
	// file is the path of the source in the module.
	file string
	// function is its name.
	function string
	// call is the statement; $ stands for the recorder's package.
	call string
}

// kind is what is written down in one run of tests.
type kind struct {
	name string
	// tests are the packages whose tests are run.
	tests []string
	hooks []hook
}

const (
	api        = "pkg/apis/apiextensions/validation"
	controller = "pkg/controller"
	object     = "pkg/apiserver/validation"
	registry   = "pkg/registry/customresourcedefinition"
	schema     = "pkg/apiserver/schema"
)

var kinds = []kind{
	{"definition", []string{api, registry}, []hook{
		{api + "/validation.go", "ValidateCustomResourceDefinition", "$.Definition(obj, nil)"},
		{api + "/validation.go", "ValidateCustomResourceDefinitionUpdate", "$.Definition(obj, oldObj)"},
	}},
	{"validation", []string{api}, []hook{
		{api + "/validation.go", "validateCustomResourceDefinitionValidation", `if v := customResourceValidation; v != nil { $.Schema(v.OpenAPIV3Schema, true, "crd", "structural", "cel", "openapi") }`},
	}},
	{"warning", []string{registry}, []hook{
		{registry + "/strategy.go", "PrepareForCreate", "$.Definition(obj, nil)"},
		{registry + "/strategy.go", "PrepareForUpdate", "$.Definition(obj, old)"},
		{registry + "/strategy.go", "WarningsOnCreate", "$.Definition(obj, nil)"},
		{registry + "/strategy.go", "WarningsOnUpdate", "$.Definition(obj, old)"},
	}},
	{"condition", []string{controller + "/apiapproval", controller + "/nonstructuralschema"}, []hook{
		{controller + "/apiapproval/apiapproval_controller.go", "calculateCondition", "$.Definition(crd, nil)"},
		{controller + "/nonstructuralschema/nonstructuralschema_controller.go", "calculateCondition", "$.Definition(in, nil)"},
	}},
	{"structural", []string{schema}, []hook{
		{schema + "/complete.go", "validateStructuralCompleteness", `$.Schema(s.ToKubeOpenAPI(), true, "structural", "crd")`},
	}},
	{"rule", []string{schema + "/cel"}, []hook{
		{schema + "/cel/compilation.go", "Compile", `$.Schema(s.ToKubeOpenAPI(), false, "cel", "crd")`},
	}},
	{"value", []string{schema + "/cel"}, []hook{
		{schema + "/cel/validation.go", "Validate", "$.Object(sts.ToKubeOpenAPI(), s != nil && s.isResourceRoot, obj, oldObj)"},
	}},
	{"default", []string{schema + "/defaulting"}, []hook{
		{schema + "/defaulting/validation.go", "ValidateDefaults", `$.Schema(s.ToKubeOpenAPI(), isResourceRoot, "crd")`},
		{schema + "/defaulting/algorithm.go", "Default", "$.Object(s.ToKubeOpenAPI(), true, x, nil)"},
		{schema + "/defaulting/prunenulls.go", "PruneNonNullableNullsWithoutDefaults", "$.Object(s.ToKubeOpenAPI(), true, x, nil)"},
	}},
	{"list", []string{schema + "/listtype"}, []hook{
		{schema + "/listtype/validation.go", "ValidateListSetsAndMaps", "$.Object(s.ToKubeOpenAPI(), true, obj, nil)"},
	}},
	{"metadata", []string{schema + "/objectmeta"}, []hook{
		{schema + "/objectmeta/algorithm.go", "CoerceWithOptions", "$.Object(s.ToKubeOpenAPI(), isResourceRoot, obj, nil)"},
		{schema + "/objectmeta/validation.go", "Validate", "$.Object(s.ToKubeOpenAPI(), isResourceRoot, obj, nil)"},
	}},
	{"pruning", []string{schema + "/pruning"}, []hook{
		{schema + "/pruning/algorithm.go", "PruneWithOptions", "$.Object(s.ToKubeOpenAPI(), isResourceRoot, obj, nil)"},
	}},
	{"object", []string{object}, []hook{
		{object + "/validation.go", "NewSchemaValidatorForVersion", "$.Keep(customResourceValidation)"},
		{object + "/validation.go", "ValidateCustomResource", "$.Kept(customResource, nil)"},
		{object + "/validation.go", "ValidateCustomResourceUpdate", "$.Kept(customResource, old)"},
	}},
	{"document", []string{controller + "/openapi/builder"}, []hook{
		{controller + "/openapi/builder/builder.go", "generateBuilder", "$.Document(crd, version, opts.StripValueValidation, opts.StripNullable, opts.AllowNonStructural)"},
	}},
	{"v2", []string{controller + "/openapi/v2"}, []hook{
		{controller + "/openapi/v2/conversion.go", "ToStructuralOpenAPIV2", `$.Schema(in.ToKubeOpenAPI(), true, "openapi")`},
	}},
	{"table", []string{"pkg/registry/customresource/tableconvertor"}, []hook{
		{"pkg/registry/customresource/tableconvertor/tableconvertor.go", "New", "$.Keep(crdColumns)"},
		{"pkg/registry/customresource/tableconvertor/tableconvertor.go", "ConvertToTable", "$.Row(obj)"},
	}},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "upstream:", err)
		os.Exit(1)
	}
}

func run() error {
	found, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return fmt.Errorf("finding %s: %w", module, err)
	}
	dir, err := os.MkdirTemp("", "upstream")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(strings.TrimSpace(string(found)))); err != nil {
		return err
	}
	if err := put(filepath.Join(dir, "pkg/record/record.go"), recorder); err != nil {
		return err
	}
	for _, kind := range kinds {
		for _, hook := range kind.hooks {
			if err := insert(dir, kind.name, hook); err != nil {
				return err
			}
		}
	}
	out := filepath.Join(dir, "requests.jsonl")
	for _, kind := range kinds {
		if err := test(dir, out, kind); err != nil {
			return err
		}
	}
	return printOnce(out)
}

// put writes a file that may be there, read-only.
func put(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// insert puts a hook into its source.
func insert(dir, kind string, h hook) error {
	path := filepath.Join(dir, h.file)
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, text, 0)
	if err != nil {
		return err
	}
	for _, decl := range parsed.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok || function.Name.Name != h.function || function.Body == nil {
			continue
		}
		start := files.Position(function.Pos()).Offset
		body := files.Position(function.Body.Lbrace).Offset + 1
		// Parameters without a name that a hook asks for get one.
		signature := strings.Replace(string(text[start:body]), "_ *schema.Structural", "sts *schema.Structural", 1)
		call := fmt.Sprintf(" if $.On(%q) { %s };", kind, h.call)
		changed := string(text[:start]) + signature + strings.ReplaceAll(call, "$", "record") + string(text[body:])
		importing := fmt.Sprintf("\n\nimport %q\n", module+"/pkg/record")
		if !strings.Contains(changed, importing) {
			end := files.Position(parsed.Name.End()).Offset
			changed = changed[:end] + importing + changed[end:]
		}
		return put(path, []byte(changed))
	}
	return fmt.Errorf("%s has no function %s", h.file, h.function)
}

// test runs the tests of a kind.
func test(dir, out string, k kind) error {
	args := []string{"test", "-vet=off", "-count=1"}
	for _, name := range k.tests {
		args = append(args, "./"+name)
	}
	command := exec.Command("go", args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "UPSTREAM_KIND="+k.name, "UPSTREAM_OUT="+out, "GOFLAGS=-mod=mod", "GOWORK=off")
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("the tests of %s: %w\n%s", k.name, err, said)
	}
	return nil
}

// printOnce prints the requests, each once, and counts them by their ids.
func printOnce(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	seen := map[string]bool{}
	count := map[string]int{}
	out := bufio.NewWriter(os.Stdout)
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if seen[lines.Text()] {
			continue
		}
		seen[lines.Text()] = true
		var request map[string]any
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			return err
		}
		kind, _ := request["id"].(string)
		count[kind]++
		request["id"] = fmt.Sprintf("%s %d", kind, count[kind])
		line, err := json.Marshal(request)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	fmt.Fprintln(os.Stderr, "upstream:", count)
	if err := lines.Err(); err != nil {
		return err
	}
	return out.Flush()
}
