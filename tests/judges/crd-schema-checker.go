package manifestcomparators

import v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

func reports(old, new *v1.CustomResourceDefinition) ([]string, error) {
	out := []string{}
	// The others look at the new CRD alone.
	for _, check := range []CRDComparator{NoFieldRemoval(), NoEnumRemoval(), NoNewRequiredFields(), NoDataTypeChange()} {
		results, err := check.Compare(old, new)
		if err != nil {
			return nil, err
		}
		out = append(out, results.Errors...)
	}
	return out, nil
}
