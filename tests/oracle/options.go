//go:build !kube_1_38

package main

import "k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"

// The options of the server's OpenAPI controllers. Since 1.38, selectable fields are always included.
var builderOptions = builder.Options{IncludeSelectableFields: true}
