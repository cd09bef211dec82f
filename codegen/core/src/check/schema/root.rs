//! What may stand at the root of a schema.

use super::{SchemaOptions, shown};
use crate::diag::codes::schema as codes;
use crate::diag::{Diag, Diags};
use crate::ir::{Extensions, Foreign, Limits, Schema, Type};
use crate::path::Path;

/// The fields which the server allows at the root if `properties.status` is validated on its own.
const ALLOWED: &str = "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength \
     MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example \
     XPreserveUnknownFields XValidations]";

pub(super) fn check(schema: &Schema, options: &SchemaOptions, path: &Path<'_>, out: &mut Diags) {
    if options.status {
        // The server looks at the fields in their order in its type, and stops at the first one.
        let wrong_type = schema.ty.as_ref().filter(|ty| **ty != Type::Object);
        match wrong_type {
            Some(ty) if !has_forbidden_before_type(schema) => out.push(
                Diag::invalid(
                    &codes::STATUS_ROOT,
                    &path.child("type"),
                    ty.as_str(),
                    "only \"object\" is allowed as the type at the root of the schema if the status subresource is \
                     enabled",
                )
                .help("write `type: object`"),
            ),
            Some(_) | None => {
                if has_forbidden_before_type(schema) || has_forbidden_after_type(schema) {
                    out.push(
                        Diag::invalid(
                            &codes::STATUS_ROOT,
                            path,
                            shown(schema, options, path),
                            format!(
                                "only {ALLOWED} fields are allowed at the root of the schema if the status \
                                 subresource is enabled"
                            ),
                        )
                        .help("move the other keywords into `properties.spec`, or say them as rules"),
                    );
                }
            }
        }
    }
    if schema.nullable {
        out.push(
            Diag::forbidden(
                &codes::ROOT_TYPE,
                &path.child("nullable"),
                "nullable cannot be true at the root",
            )
            .help("remove `nullable`"),
        );
    }
}

fn has_forbidden_before_type(schema: &Schema) -> bool {
    schema
        .foreign
        .as_deref()
        .is_some_and(|f| !f.id.is_empty() || !f.schema.is_empty() || f.reference.is_some())
}

fn has_forbidden_after_type(schema: &Schema) -> bool {
    let Schema {
        nullable,
        default,
        additional_properties,
        ext,
        limits,
        foreign,
        // allowed
        ty: _,
        title: _,
        description: _,
        example: _,
        external_docs: _,
        properties: _,
        items: _,
        rules: _,
        empty,
    } = schema;
    let Extensions {
        embedded_resource,
        int_or_string,
        list_type,
        list_map_keys,
        map_type,
        preserve_unknown_fields: _, // allowed
        unions: _,                  // unknown to the server
    } = ext;
    let Limits {
        max_properties,
        min_properties,
        enumeration,
        all_of,
        any_of,
        one_of,
        not,
        // allowed
        format: _,
        maximum: _,
        exclusive_maximum: _,
        minimum: _,
        exclusive_minimum: _,
        multiple_of: _,
        max_length: _,
        min_length: _,
        pattern: _,
        max_items: _,
        min_items: _,
        unique_items: _,
        required: _,
    } = limits;
    const LISTS_AND_MAPS: &[&str] = &[
        "allOf",
        "anyOf",
        "definitions",
        "dependencies",
        "enum",
        "oneOf",
        "patternProperties",
        "x-kubernetes-list-map-keys",
    ];
    *nullable
        || LISTS_AND_MAPS.iter().any(|keyword| empty.has(keyword))
        || default.is_some()
        || additional_properties.is_some()
        || *embedded_resource
        || *int_or_string
        || list_type.is_some()
        || !list_map_keys.is_empty()
        || map_type.is_some()
        || max_properties.is_some()
        || min_properties.is_some()
        || !enumeration.is_empty()
        || !all_of.is_empty()
        || !any_of.is_empty()
        || !one_of.is_empty()
        || not.is_some()
        || foreign.as_deref().is_some_and(|foreign| {
            let Foreign {
                pattern_properties,
                dependencies,
                additional_items,
                definitions,
                id: _,
                schema: _,
                reference: _, // they stand before the type
            } = foreign;
            !pattern_properties.is_empty()
                || !dependencies.is_empty()
                || additional_items.is_some()
                || !definitions.is_empty()
        })
}
