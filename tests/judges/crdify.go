package runner

import (
	"encoding/json"
	"fmt"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/crdify/pkg/config"
)

func reports(old, new *v1.CustomResourceDefinition) ([]string, error) {
	settings := &config.Config{}
	if err := config.ValidateConfig(settings); err != nil {
		return nil, err
	}
	runner, err := New(settings, DefaultRegistry())
	if err != nil {
		return nil, err
	}
	results := runner.Run(old, new)
	if !results.HasFailures() {
		return []string{}, nil
	}
	bytes, err := json.Marshal(results)
	return []string{fmt.Sprint(string(bytes))}, err
}
