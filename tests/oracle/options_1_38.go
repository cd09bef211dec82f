//go:build kube_1_38

package main

import "k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"

var builderOptions = builder.Options{}
