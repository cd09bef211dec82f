//go:build kube_1_33 || kube_1_34

package main

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// baseEnvironments enforces cost limits, which CRDs always do.
func baseEnvironments(v *version.Version) *environment.EnvSet {
	return environment.MustBaseEnvSet(v, true)
}
