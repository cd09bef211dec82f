//go:build !older

package main

import (
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiserver/pkg/registry/rest"
)

// What the server runs on a write. Older versions do not export it; see validate_older.go.
var (
	validateCreate   = rest.ValidateCreate
	validateUpdate   = rest.ValidateUpdate
	validateEmbedded = schemaobjectmeta.Validate
)
