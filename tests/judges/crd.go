package PACKAGE

import (
	"encoding/json"
	"os"
	"testing"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// reportsOf asks this module about two CRDs.
func reportsOf(t *testing.T, old, new string) ([]string, error) {
	return reports(definition(t, old), definition(t, new))
}

func document(t *testing.T, path string) fields {
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out fields
	if err := yaml.Unmarshal(bytes, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func definition(t *testing.T, text string) *v1.CustomResourceDefinition {
	var out v1.CustomResourceDefinition
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return &out
}
