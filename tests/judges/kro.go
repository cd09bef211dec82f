package compat

import v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

func reports(old, new *v1.CustomResourceDefinition) ([]string, error) {
	report, err := CompareVersions(old.Spec.Versions, new.Spec.Versions)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, change := range report.BreakingChanges {
		out = append(out, change.Description())
	}
	return out, nil
}
