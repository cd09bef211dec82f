//go:build !kube_1_33 && !kube_1_34

package main

import "k8s.io/apiserver/pkg/cel/environment"

var baseEnvironments = environment.MustBaseEnvSet
