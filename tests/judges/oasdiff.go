package checker

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

// document reads no files: the tests of this module compare specifications.
func document(t *testing.T, path string) fields {
	t.Fatal(path)
	return nil
}

// reportsOf asks about a request whose body has the schemas of two CRDs.
func reportsOf(t *testing.T, old, new string) ([]string, error) {
	before, err := specification(old)
	if err != nil {
		return nil, err
	}
	after, err := specification(new)
	if err != nil {
		return nil, err
	}
	found, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), before, after)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, change := range CheckBackwardCompatibility(NewConfig(GetAllChecks()), found, sources) {
		out = append(out, fmt.Sprintf("%s: %s", change.GetId(), change.GetUncolorizedText(NewDefaultLocalizer())))
	}
	return out, nil
}

func specification(crd string) (*load.SpecInfo, error) {
	var read struct {
		Spec struct {
			Versions []struct {
				Schema struct{ OpenAPIV3Schema fields }
			}
		}
	}
	if err := json.Unmarshal([]byte(crd), &read); err != nil {
		return nil, err
	}
	content := fields{"application/json": fields{"schema": read.Spec.Versions[0].Schema.OpenAPIV3Schema}}
	operation := fields{
		"operationId": "create",
		"requestBody": fields{"required": true, "content": content},
		"responses":   fields{"200": fields{"description": "created"}},
	}
	document := fields{
		"openapi": "3.0.3",
		"info":    fields{"title": "CRD", "version": "1"},
		"paths":   fields{"/objects": fields{"post": operation}},
	}
	bytes, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	spec, err := openapi3.NewLoader().LoadFromData(bytes)
	if err != nil {
		return nil, err
	}
	return &load.SpecInfo{Url: "crd", Spec: spec, Version: "1"}, nil
}
