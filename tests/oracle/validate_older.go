//go:build older

package main

import (
	"context"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// validateCreate is the part of rest.BeforeCreate that validates.
func validateCreate(ctx context.Context, obj runtime.Object, strategy rest.RESTCreateStrategy) field.ErrorList {
	if errs := strategy.Validate(ctx, obj); len(errs) > 0 {
		return errs
	}
	return validateMeta(obj, strategy.NamespaceScoped())
}

// validateUpdate is the part of rest.BeforeUpdate that validates.
func validateUpdate(ctx context.Context, obj, old runtime.Object, strategy rest.RESTUpdateStrategy) field.ErrorList {
	errs := validateMeta(obj, strategy.NamespaceScoped())
	objMeta, err := meta.Accessor(obj)
	if err != nil {
		return append(errs, field.InternalError(field.NewPath("metadata"), err))
	}
	oldMeta, err := meta.Accessor(old)
	if err != nil {
		return append(errs, field.InternalError(field.NewPath("metadata"), err))
	}
	errs = append(errs, validation.ValidateObjectMetaAccessorUpdate(objMeta, oldMeta, field.NewPath("metadata"))...)
	return append(errs, strategy.ValidateUpdate(ctx, obj, old)...)
}

func validateMeta(obj runtime.Object, namespaced bool) field.ErrorList {
	objMeta, err := meta.Accessor(obj)
	if err != nil {
		return field.ErrorList{field.InternalError(field.NewPath("metadata"), err)}
	}
	return validation.ValidateObjectMetaAccessor(objMeta, namespaced, path.ValidatePathSegmentName, field.NewPath("metadata"))
}

func validateEmbedded(_ context.Context, pth *field.Path, obj any, s *structuralschema.Structural, isResourceRoot bool) field.ErrorList {
	return schemaobjectmeta.Validate(pth, obj, s, isResourceRoot)
}
