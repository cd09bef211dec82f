package PACKAGE

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type fields = map[string]any

// TestJudge makes CRDs of the pairs in $RECORD, or of the folders in $FOLDERS, and writes them to $PAIRS with what this
// module reports about each.
func TestJudge(t *testing.T) {
	out, err := os.Create(os.Getenv("PAIRS"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	seen := map[string]bool{}
	add := func(name string, old, new fields) {
		before, after := text(t, old), text(t, new)
		if seen[before+after] {
			return
		}
		seen[before+after] = true
		reported, err := reportsOf(t, before, after)
		pair := fields{"name": name, "old": before, "new": after, "reported": reported}
		if err != nil {
			pair["failed"] = err.Error()
		}
		fmt.Fprintln(out, text(t, pair))
	}
	folders := os.Getenv("FOLDERS")
	for pattern, other := range map[string]string{"*/*/existing.yaml": "new.yaml", "*/a.yaml": "b.yaml"} {
		found, _ := filepath.Glob(filepath.Join(folders, pattern))
		for _, path := range found {
			name, _ := filepath.Rel(folders, filepath.Dir(path))
			add(name, complete(document(t, path)), complete(document(t, filepath.Join(filepath.Dir(path), other))))
		}
	}
	file, err := os.Open(os.Getenv("RECORD"))
	if os.IsNotExist(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var pair struct {
			Name     string
			Old, New fields
		}
		if err := json.Unmarshal(lines.Bytes(), &pair); err != nil {
			t.Fatal(err)
		}
		old, new := complete(pair.Old), complete(pair.New)
		guess(old, new)
		add(pair.Name, old, new)
	}
}

// complete makes a CRD of a schema, a version or an incomplete CRD.
func complete(part fields) fields {
	_, isVersion := part["served"]
	_, isCrd := part["spec"]
	if !isVersion && !isCrd {
		field := fields{"type": "object", "properties": fields{"f": part}}
		if properties, is := part["properties"].(fields); is && properties["spec"] != nil {
			field = part
		}
		if part == nil {
			field = fields{"type": "object"}
		}
		root := fields{"type": "object", "properties": fields{"spec": field}}
		part = fields{"name": "v1", "served": true, "schema": fields{"openAPIV3Schema": root}}
	}
	if !isCrd {
		part["served"] = true
		part = fields{"spec": fields{"versions": []any{part}}}
	}
	spec := part["spec"].(fields)
	set := func(in fields, key string, value any) {
		if in[key] == nil || in[key] == "" {
			in[key] = value
		}
	}
	set(spec, "group", "example.com")
	set(spec, "scope", "Namespaced")
	names, _ := spec["names"].(fields)
	if names == nil {
		names = fields{}
		spec["names"] = names
	}
	set(names, "kind", "W")
	set(names, "plural", strings.ToLower(names["kind"].(string))+"s")
	metadata, _ := part["metadata"].(fields)
	annotations := metadata["annotations"]
	part["metadata"] = fields{"name": fmt.Sprintf("%v.%v", names["plural"], spec["group"]), "annotations": annotations}
	part["apiVersion"], part["kind"] = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	versions, _ := spec["versions"].([]any)
	if len(versions) == 0 {
		versions = []any{fields{"name": "v1", "served": true}}
		spec["versions"] = versions
	}
	stored := false
	for _, version := range versions {
		version := version.(fields)
		stored = stored || version["storage"] == true
		if version["served"] == nil {
			version["served"] = true
		}
		schema, _ := version["schema"].(fields)
		if schema["openAPIV3Schema"] == nil {
			version["schema"] = fields{"openAPIV3Schema": fields{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}
		}
	}
	if !stored {
		versions[0].(fields)["storage"] = true
	}
	if conversion, is := spec["conversion"].(fields); is && conversion["strategy"] == "Webhook" {
		client := fields{"url": "https://example.com/convert"}
		set(conversion, "webhook", fields{"clientConfig": client, "conversionReviewVersions": []any{"v1"}})
	}
	status, _ := part["status"].(fields)
	if status["storedVersions"] == nil {
		delete(part, "status")
	}
	return part
}

// guess adds the types that tests leave out, to both sides the same.
func guess(old, new any) {
	before, isBefore := old.(fields)
	after, isAfter := new.(fields)
	if isBefore {
		for key, value := range before {
			guess(value, after[key])
		}
	}
	if isAfter {
		for key, value := range after {
			if before[key] == nil {
				guess(nil, value)
			}
		}
	}
	if list, is := old.([]any); is {
		others, _ := new.([]any)
		for i, value := range list {
			if i < len(others) {
				guess(value, others[i])
			}
		}
	}
	field := func(side fields, is bool) fields {
		properties, _ := side["properties"].(fields)
		field, _ := properties["f"].(fields)
		if !is {
			return nil
		}
		return field
	}
	f, g := field(before, isBefore), field(after, isAfter)
	ty := "string"
	for key, guessed := range map[string]string{
		"minimum": "integer", "maximum": "integer", "items": "array", "minItems": "array", "maxItems": "array",
		"properties": "object", "required": "object", "minProperties": "object", "maxProperties": "object",
		"additionalProperties": "object",
	} {
		if f[key] != nil || g[key] != nil {
			ty = guessed
		}
	}
	for _, side := range []fields{f, g} {
		if side == nil {
			continue
		}
		if f["type"] == nil && g["type"] == nil || side["type"] == nil && (f["type"] == nil) != (g["type"] == nil) {
			side["type"] = ty
		}
		if ty == "array" && side["items"] == nil {
			side["items"] = fields{"type": "string"}
		}
		if ty == "object" {
			properties, _ := side["properties"].(fields)
			required, _ := side["required"].([]any)
			for _, name := range required {
				if properties == nil {
					properties = fields{}
					side["properties"] = properties
				}
				if properties[name.(string)] == nil {
					properties[name.(string)] = fields{"type": "string"}
				}
			}
		}
	}
}

func text(t *testing.T, value any) string {
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
