// Command lints makes CRDs of the test data of kube-api-linter, and compares its findings with those of crdgen.
//
//	go run lints.go make CHECKOUT FOLDER     writes Go packages with a kind for each field of the test data
//	go run lints.go table FOLDER REASONS     reads the findings of crdgen from standard input, as JSON, and prints a table
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// codes has the lints of crdgen for each of kube-api-linter's rules.
var codes = map[string][]string{
	"arrayofstruct": {"LNT101"}, "conditions": {"LNT102"}, "defaultorrequired": {"LNT103"}, "integers": {"LNT104", "LNT008"},
	"maxlength": {"LNT105"}, "minlength": {"LNT106"}, "jsontags": {"LNT107"}, "nobools": {"LNT009"},
	"nodurations": {"LNT108"}, "nofloats": {"LNT007"}, "nomaps": {"LNT109"}, "nonullable": {"LNT110"},
	"nophase": {"LNT111"}, "noreferences": {"LNT112"}, "notimestamp": {"LNT113"}, "ssatags": {"LNT002", "LNT102"},
	"statusoptional": {"LNT114"}, "statussubresource": {"LNT006"}, "defaults": {"LNT103"},
}

// aboutKinds is the rule about whole kinds. The test data has them.
const aboutKinds = "statussubresource"

// inStatus has the rules about fields of the status.
var inStatus = []string{"conditions", "nophase", "statusoptional"}

// A Case is a field of the test data.
type Case struct {
	Rule, Package, Struct, Field, JSON, CRD string
	// Want is what kube-api-linter reports.
	Want string
}

var want = regexp.MustCompile("// want .*")

// controller-gen writes no CRD of a package with a marker that it cannot read: wrong has those without a meaning, and unquoted those with
// a text that must be JSON.
var (
	wrong    = regexp.MustCompile(`(?m)^\s*// ?\+kubebuilder:validation:\w+(?:Length|Items|Properties):?=[a-z]+$`)
	unquoted = regexp.MustCompile(`(?m)^(\s*// ?\+(?:kubebuilder:)?default:?=)([a-z]\w*)$`)
)

// isStatus has the types that are a status in the test data of the rule about required fields.
var isStatus = regexp.MustCompile("^(StatusWithEmbeddings|NestedStatusStatus|StatusMarkedRequired|InlineEmbed)$")

func main() {
	switch os.Args[1] {
	case "make":
		write(os.Args[2], os.Args[3])
	case "table":
		table(os.Args[2], readReasons(os.Args[3]))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func write(checkout, out string) {
	var cases []Case
	folders, err := filepath.Glob(filepath.Join(checkout, "pkg/analysis/*/testdata/src/?"))
	check(err)
	for _, folder := range folders {
		parts := strings.Split(folder, string(filepath.Separator))
		rule, pkg := parts[len(parts)-4], parts[len(parts)-1]
		if codes[rule] != nil {
			cases = append(cases, writePackage(folder, out, rule, pkg)...)
		}
	}
	bytes, err := json.MarshalIndent(cases, "", " ")
	check(err)
	check(os.WriteFile(filepath.Join(out, "cases.json"), bytes, 0o644))
}

func writePackage(folder, out, rule, pkg string) (cases []Case) {
	name := rule + pkg
	check(os.MkdirAll(filepath.Join(out, name), 0o755))
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	check(err)
	for number, path := range files {
		bytes, err := os.ReadFile(path)
		check(err)
		bytes = unquoted.ReplaceAll(wrong.ReplaceAll(bytes, nil), []byte(`$1"$2"`))
		if rule != "jsontags" {
			bytes = tagged(bytes)
		}
		text, set := string(bytes), token.NewFileSet()
		file, err := parser.ParseFile(set, path, bytes, parser.ParseComments)
		check(err)
		var kinds strings.Builder
		ast.Inspect(file, func(node ast.Node) bool {
			spec, isType := node.(*ast.TypeSpec)
			if !isType || spec.TypeParams != nil {
				return true
			}
			fields, isStruct := spec.Type.(*ast.StructType)
			if !isStruct {
				return true
			}
			if rule == aboutKinds {
				if it, isKind := kindCase(file, text, set, spec, fields, fmt.Sprintf("K%dx%d", number, len(cases)), &kinds); isKind {
					it.Rule, it.Package, it.CRD = rule, pkg, it.CRD+"."+name+".example.com"
					cases = append(cases, it)
				}
				return true
			}
			if rule == "statusoptional" && !isStatus.MatchString(spec.Name.Name) {
				return true
			}
			for _, field := range fields.Fields.List {
				// controller-gen panics on types without a name.
				if len(field.Names) != 1 || field.Tag == nil || isNameless(field.Type) {
					continue
				}
				tag, err := strconv.Unquote(field.Tag.Value)
				check(err)
				own, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
				if own == "" || own == "-" {
					continue
				}
				start, end := field.Pos(), field.End()
				if field.Doc != nil {
					start = field.Doc.Pos()
				}
				line := text[set.Position(end).Offset:]
				line, _, _ = strings.Cut(line, "\n")
				kind := fmt.Sprintf("K%dx%d", number, len(cases))
				parent := "Spec"
				if slices.Contains(inStatus, rule) {
					parent = "Status"
				}
				written := want.ReplaceAllString(text[set.Position(start).Offset:set.Position(end).Offset], "")
				fmt.Fprintf(&kinds, kindOf, kind, parent, strings.ToLower(parent), written)
				cases = append(cases, Case{
					Rule: rule, Package: pkg, Struct: spec.Name.Name, Field: field.Names[0].Name, JSON: own,
					CRD: strings.ToLower(kind) + "s." + name + ".example.com", Want: want.FindString(line),
				})
			}
			return true
		})
		// Its own markers of kinds would make kinds of the same names.
		text = strings.ReplaceAll(text, "+kubebuilder:object:root", "+left:out")
		at := set.Position(file.Name.End()).Offset
		head := strings.Replace(text[:at], "package "+file.Name.Name, fmt.Sprintf(packageOf, name, name), 1)
		text = head + "\nimport kinds \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n" + text[at:] + "\nvar _ kinds.TypeMeta\n" + kinds.String()
		check(os.WriteFile(filepath.Join(out, name, filepath.Base(path)), []byte(text), 0o644))
	}
	return cases
}

// kindCase writes a kind with the fields and the markers of a struct that is one.
func kindCase(file *ast.File, text string, set *token.FileSet, spec *ast.TypeSpec, fields *ast.StructType, kind string, kinds *strings.Builder) (Case, bool) {
	doc := ""
	for _, decl := range file.Decls {
		if general, ok := decl.(*ast.GenDecl); ok && slices.Contains(general.Specs, ast.Spec(spec)) && general.Doc != nil {
			for _, line := range general.Doc.List {
				doc += line.Text + "\n"
			}
		}
	}
	if !strings.Contains(doc, "+kubebuilder:object:root") {
		return Case{}, false
	}
	marker, own := "", ""
	if strings.Contains(doc, "+kubebuilder:subresource:status") {
		marker = "// +kubebuilder:subresource:status\n"
	}
	for _, field := range fields.Fields.List {
		if len(field.Names) == 1 && slices.Contains([]string{"Spec", "Status"}, field.Names[0].Name) {
			own += "\t" + want.ReplaceAllString(text[set.Position(field.Pos()).Offset:set.Position(field.End()).Offset], "") + "\n"
		}
	}
	// Lists are not kinds.
	if own == "" {
		return Case{}, false
	}
	line, _, _ := strings.Cut(text[set.Position(fields.Pos()).Offset:], "\n")
	fmt.Fprintf(kinds, wholeKind, kind, marker, own)
	return Case{Struct: spec.Name.Name, CRD: strings.ToLower(kind) + "s", Want: want.FindString(line)}, true
}

const wholeKind = `
// +kubebuilder:object:root=true
%[2]stype %[1]s struct {
	kinds.TypeMeta   ` + "`json:\",inline\"`" + `
	kinds.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
%[3]s}
`

// isNameless returns whether a type has a struct without a name in it.
func isNameless(expr ast.Expr) (found bool) {
	ast.Inspect(expr, func(node ast.Node) bool {
		_, isStruct := node.(*ast.StructType)
		found = found || isStruct
		return true
	})
	return found
}

// tagged adds the names in JSON that fields do not have: without one, a field is not in a CRD.
func tagged(text []byte) []byte {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, 0)
	check(err)
	tags := map[int]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		if fields, isStruct := node.(*ast.StructType); isStruct {
			for _, field := range fields.Fields.List {
				if field.Tag == nil && len(field.Names) == 1 && field.Names[0].IsExported() {
					name := field.Names[0].Name
					tags[set.Position(field.End()).Offset] = " `json:\"" + strings.ToLower(name[:1]) + name[1:] + "\"`"
				}
			}
		}
		return true
	})
	// The last one first, so that the others stay where they are.
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(tags))) {
		text = slices.Insert(text, at, []byte(tags[at])...)
	}
	return text
}

const packageOf = "// +groupName=%s.example.com\n// +versionName=v1\npackage %s"

const kindOf = `
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type %[1]s struct {
	kinds.TypeMeta   ` + "`json:\",inline\"`" + `
	kinds.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	%[2]s %[1]s%[2]s ` + "`json:\"%[3]s,omitempty\"`" + `
}

type %[1]s%[2]s struct {
	%[4]s
}
`

// A Finding is one of crdgen.
type Finding struct{ Code, Field, Object, Detail, Level string }

func table(out string, reasons [][2]string) {
	explained := make([]int, len(reasons))
	var cases []Case
	bytes, err := os.ReadFile(filepath.Join(out, "cases.json"))
	check(err)
	check(json.Unmarshal(bytes, &cases))
	var report struct{ Findings []Finding }
	check(json.NewDecoder(os.Stdin).Decode(&report))
	type row struct{ cases, missing, both, neither, theirs, ours int }
	rows := map[string]*row{}
	var differences []string
	for _, it := range cases {
		key := it.Rule + "/" + it.Package
		if rows[key] == nil {
			rows[key] = &row{}
		}
		row := rows[key]
		plural, group, _ := strings.Cut(it.CRD, ".")
		text, err := os.ReadFile(filepath.Join(out, "crds", group+"_"+plural+".yaml"))
		// controller-gen writes an empty schema for what it does not know.
		if err != nil || it.JSON != "" && strings.Contains(string(text), " "+it.JSON+": {}\n") {
			row.missing++
			continue
		}
		row.cases++
		var ours []string
		for _, finding := range report.Findings {
			isHere := it.JSON == "" || strings.Contains(finding.Field, "properties["+it.JSON+"]") || strings.Contains(finding.Field, ".required[")
			if finding.Object == it.CRD && isHere && (slices.Contains(codes[it.Rule], finding.Code) || it.Rule == "ssatags" && finding.Level == "error") {
				ours = append(ours, finding.Code+" "+finding.Detail)
			}
		}
		switch theirs := it.Want != ""; {
		case theirs && ours != nil:
			row.both++
			continue
		case !theirs && ours == nil:
			row.neither++
			continue
		case theirs:
			row.theirs++
		default:
			row.ours++
		}
		name := key + " " + it.Struct + "." + it.Field
		if index := slices.IndexFunc(reasons, func(reason [2]string) bool { return matches(reason[0], name) }); index >= 0 {
			explained[index]++
			continue
		}
		differences = append(differences, fmt.Sprintf("%s %s.%s: kube-api-linter: %s; crdgen: %s", key, it.Struct, it.Field, it.Want, strings.Join(ours, "; ")))
	}
	fmt.Println("| rule | cases | both report | none reports | only kube-api-linter | only crdgen | no CRD |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	var keys []string
	for key := range rows {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		it := rows[key]
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d |\n", key, it.cases, it.both, it.neither, it.theirs, it.ours, it.missing)
	}
	fmt.Println()
	for index, reason := range reasons {
		if explained[index] == 0 {
			differences = append(differences, "the reason for "+reason[0]+" has no case")
		}
		fmt.Printf("- %d × %s: %s\n", explained[index], reason[0], reason[1])
	}
	if len(differences) > 0 {
		fmt.Println("\nDifferences without a reason:")
		fmt.Println()
		for _, line := range differences {
			fmt.Println("- " + line)
		}
		os.Exit(1)
	}
}

// readReasons reads lines such as `RULE/PACKAGE STRUCT.FIELD -- REASON`, in which `*` matches anything.
func readReasons(path string) (out [][2]string) {
	bytes, err := os.ReadFile(path)
	check(err)
	for line := range strings.Lines(string(bytes)) {
		if name, reason, found := strings.Cut(strings.TrimSpace(line), " -- "); found && !strings.HasPrefix(name, "#") {
			out = append(out, [2]string{name, reason})
		}
	}
	return out
}

func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	for index := range parts {
		parts[index] = regexp.QuoteMeta(parts[index])
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString(name)
}
