//! The rules that apply to every node outside of junctors.

use super::{Level, int_or_string, junctors, metadata};
use crate::diag::codes::schema as codes;
use crate::diag::{Diag, Diags};
use crate::ir::{Schema, SchemaOf, Type};
use crate::path::Path;
use crate::server::Server;

pub(super) fn check(schema: &Schema, level: Level, path: &Path<'_>, server: Server, out: &mut Diags) {
    if schema.ty == Some(Type::Array) && schema.item().is_none() {
        out.push(
            Diag::required(&codes::MISSING_ITEMS, &path.child("items"), "must be specified")
                .help("add `items` with the type of the items"),
        );
    }
    if let Some(item) = schema.item() {
        check(item, Level::Item, &path.child("items"), server, out);
    }
    let properties = path.child("properties");
    for (name, property) in schema.properties.iter() {
        check(property, Level::Field, &properties.key(name), server, out);
    }
    if schema.additional_properties.is_some() && level == Level::Root {
        out.push(
            Diag::forbidden(
                &codes::ROOT_TYPE,
                &path.child("additionalProperties"),
                "must not be used at the root",
            )
            .help("a resource is a struct: list its `properties` (spec, status …)"),
        );
    }
    if let Some(value) = schema.value() {
        check(value, Level::Field, &path.child("additionalProperties"), server, out);
    }
    extensions(schema, path, out);
    let skip = junctors::Skip {
        any_of: int_or_string::is_any_of_form(schema, server),
        first_all_of: int_or_string::is_all_of_form(schema, server),
    };
    junctors::limits(&schema.limits, skip, path, out);
    types(schema, level, path, out);
    meta(schema, level, path, server, out);
}

fn extensions(schema: &Schema, path: &Path<'_>, out: &mut Diags) {
    let ext = &schema.ext;
    let clashes = [
        (schema.preserves_unknown_fields(), "x-kubernetes-preserve-unknown-fields"),
        (ext.embedded_resource, "x-kubernetes-embedded-resource"),
    ];
    for (_, name) in clashes.into_iter().filter(|(there, _)| *there && ext.int_or_string) {
        out.push(
            Diag::invalid(
                &codes::INT_OR_STRING,
                &path.child(name),
                true,
                "must be false if x-kubernetes-int-or-string is true",
            )
            .help(format!("remove `{name}` or `x-kubernetes-int-or-string`")),
        );
    }
    if ext.embedded_resource && schema.additional_properties.is_some() {
        out.push(
            Diag::forbidden(
                &codes::EMBEDDED,
                &path.child("additionalProperties"),
                "must not be used if x-kubernetes-embedded-resource is set",
            )
            .help("use `x-kubernetes-preserve-unknown-fields: true` for resources of any kind"),
        );
    }
    if ext.embedded_resource && !schema.preserves_unknown_fields() && schema.properties.is_empty() {
        out.push(
            Diag::required(
                &codes::EMBEDDED,
                &path.child("properties"),
                "must not be empty if x-kubernetes-embedded-resource is true without \
                 x-kubernetes-preserve-unknown-fields",
            )
            .help("add `x-kubernetes-preserve-unknown-fields: true`, or list the properties"),
        );
    }
}

fn types(schema: &Schema, level: Level, path: &Path<'_>, out: &mut Diags) {
    let at = path.child("type");
    let embedded = "must be object if x-kubernetes-embedded-resource is true";
    match &schema.ty {
        Some(Type::Object) => {}
        Some(other) if schema.ext.embedded_resource => {
            out.push(
                Diag::invalid(&codes::EMBEDDED, &at, other.as_str(), embedded).help("write `type: object`"),
            );
        }
        Some(_) => {}
        None if schema.ext.embedded_resource => {
            out.push(Diag::required(&codes::EMBEDDED, &at, embedded).help("write `type: object`"));
        }
        None if schema.ext.int_or_string || schema.preserves_unknown_fields() => {}
        None => {
            let detail = match level {
                Level::Root => "must not be empty at the root",
                Level::Item => "must not be empty for specified array items",
                Level::Field => "must not be empty for specified object fields",
            };
            let help = match level {
                Level::Root => "write `type: object`",
                Level::Item | Level::Field if is_int_or_string(schema) => {
                    "for an integer or a string, add `x-kubernetes-int-or-string: true`"
                }
                Level::Item | Level::Field => {
                    "add a `type`, or `x-kubernetes-preserve-unknown-fields: true` if any value is fine"
                }
            };
            out.push(Diag::required(&codes::MISSING_TYPE, &at, detail).help(help));
        }
    }
    match &schema.ty {
        Some(other) if level == Level::Root && *other != Type::Object => {
            out.push(
                Diag::invalid(&codes::ROOT_TYPE, &at, other.as_str(), "must be object at the root")
                    .help("write `type: object`"),
            );
        }
        Some(_) | None => {}
    }
}

/// Checks apiVersion, kind and metadata of the resource and of embedded resources.
fn meta(schema: &Schema, level: Level, path: &Path<'_>, server: Server, out: &mut Diags) {
    let of = SchemaOf::resource_if(level == Level::Root).or_nested(schema);
    let properties = path.child("properties");
    if of.is_resource() {
        for name in ["kind", "apiVersion"] {
            let Some(property) = schema.properties.get(name) else { continue };
            if property.ty != Some(Type::String) {
                let at = properties.key(name);
                out.push(
                    Diag::invalid(
                        &codes::META_TYPE,
                        &at.child("type"),
                        property.type_name(),
                        "must be string",
                    )
                    .help("write `type: string`"),
                );
            }
        }
    }
    if let Some(property) = schema.properties.get("metadata") {
        metadata::check(property, (of, level), &properties.key("metadata"), server, out);
    }
}

/// Whether the alternatives are an integer and a string, which is what `x-kubernetes-int-or-string` is for.
fn is_int_or_string(schema: &Schema) -> bool {
    let is_both = |branches: &[Schema]| {
        let has = |ty: &Type| branches.iter().any(|branch| branch.ty.as_ref() == Some(ty));
        branches.len() == 2 && has(&Type::Integer) && has(&Type::String)
    };
    is_both(&schema.limits.any_of) || is_both(&schema.limits.one_of)
}
