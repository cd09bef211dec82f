//! Encodes a CRD outside of its schemas.

use super::object::{Object, all};
use super::schema::schema;
use crate::go;
use crate::ir::{
    Body, ClientConfig, Column, Condition, Conversion, Metadata, Names, OwnerReference, Scale,
    SelectableField, ServiceReference, Spec, Status, Subresources, Validation, Version,
};
use crate::value::{Map, Value};

/// The metadata that an author may set.
pub(super) fn own_metadata(metadata: &Metadata) -> Value {
    let Metadata {
        name, generate_name, namespace, labels, annotations, owner_references, finalizers, ..
    } = metadata;
    Object::new()
        .some("annotations", texts(annotations))
        .texts("finalizers", finalizers)
        .text("generateName", generate_name)
        .some("labels", texts(labels))
        .text("name", name)
        .text("namespace", namespace)
        .list("ownerReferences", owner_references, owner)
        .build()
}

/// The metadata that the server stores, without values that are not known in advance.
pub(super) fn metadata(metadata: &Metadata) -> Value {
    let Metadata {
        name,
        generate_name,
        namespace,
        self_link,
        uid: _,
        resource_version: _,
        generation,
        creation_timestamp: _,
        deletion_timestamp,
        deletion_grace_period_seconds,
        labels,
        annotations,
        owner_references,
        finalizers,
        managed_fields: _,
    } = metadata;
    Object::new()
        .some("annotations", texts(annotations))
        .some("deletionGracePeriodSeconds", *deletion_grace_period_seconds)
        .some("deletionTimestamp", Some(deletion_timestamp.clone()).filter(|t| !t.is_null()))
        .texts("finalizers", finalizers)
        .text("generateName", generate_name)
        .number("generation", *generation)
        .some("labels", texts(labels))
        .text("name", name)
        .text("namespace", namespace)
        .list("ownerReferences", owner_references, owner)
        .text("selfLink", self_link)
        .build()
}

fn texts(map: &Map<String>) -> Option<Value> {
    let written = || Value::Map(map.iter().map(|(name, text)| (name, Value::from(text.as_str()))).collect());
    (!map.is_empty()).then(written)
}

fn owner(owner: &OwnerReference) -> Value {
    let OwnerReference { api_version, kind, name, uid, controller, block_owner_deletion } = owner;
    Object::new()
        .set("apiVersion", api_version.as_str())
        .some("blockOwnerDeletion", *block_owner_deletion)
        .some("controller", *controller)
        .set("kind", kind.as_str())
        .set("name", name.as_str())
        .set("uid", uid.as_str())
        .build()
}

pub(super) fn spec(spec: &Spec) -> Value {
    let Spec {
        group,
        names: spec_names,
        scope,
        version: name,
        shared,
        versions,
        no_versions: _,
        conversion,
        preserve_unknown_fields,
    } = spec;
    let lone = Version { name: name.clone(), served: true, storage: true, ..Version::default() };
    let versions =
        if versions.is_empty() && !name.is_empty() { std::slice::from_ref(&lone) } else { versions };
    Object::new()
        .some("conversion", conversion.as_ref().map(write_conversion))
        .set("group", group.as_str())
        .set("names", names(spec_names))
        .flag("preserveUnknownFields", *preserve_unknown_fields == Some(true))
        .set("scope", scope.as_str())
        .set("versions", all(versions, |v| version(v, shared)))
        .build()
}

fn names(names: &Names) -> Value {
    let Names { plural, singular, short_names, kind, list_kind, categories } = names;
    Object::new()
        .texts("categories", categories)
        .set("kind", kind.as_str())
        .text("listKind", list_kind)
        .set("plural", plural.as_str())
        .texts("shortNames", short_names)
        .text("singular", singular)
        .build()
}

/// A version. Parts that all versions share replace its own parts.
fn version(version: &Version, shared: &Body) -> Value {
    let Version { name, served, storage, deprecated, deprecation_warning, body, allowed: _ } = version;
    let columns = shared.columns.as_ref().or(body.columns.as_ref()).map_or(&[][..], Vec::as_slice);
    let fields =
        shared.selectable_fields.as_ref().or(body.selectable_fields.as_ref()).map_or(&[][..], Vec::as_slice);
    Object::new()
        .list("additionalPrinterColumns", columns, column)
        .flag("deprecated", *deprecated)
        .some("deprecationWarning", deprecation_warning.as_deref())
        .set("name", name.as_str())
        .some("schema", shared.schema.as_ref().or(body.schema.as_ref()).map(validation))
        .list("selectableFields", fields, selectable_field)
        .set("served", *served)
        .set("storage", *storage)
        .some("subresources", shared.subresources.as_ref().or(body.subresources.as_ref()).map(subresources))
        .build()
}

fn validation(validation: &Validation) -> Value {
    let Validation { open_api_v3_schema } = validation;
    Object::new().some("openAPIV3Schema", open_api_v3_schema.as_ref().map(schema)).build()
}

fn subresources(subresources: &Subresources) -> Value {
    let Subresources { status, scale: written } = subresources;
    let empty = || Value::Map(Map::new());
    Object::new().some("scale", written.as_ref().map(scale)).some("status", status.then(empty)).build()
}

fn scale(scale: &Scale) -> Value {
    let Scale { spec_replicas_path, status_replicas_path, label_selector_path } = scale;
    Object::new()
        .some("labelSelectorPath", label_selector_path.as_deref())
        .set("specReplicasPath", spec_replicas_path.as_str())
        .set("statusReplicasPath", status_replicas_path.as_str())
        .build()
}

fn column(column: &Column) -> Value {
    let Column { name, ty, format, description, priority, json_path } = column;
    Object::new()
        .text("description", description)
        .text("format", format)
        .set("jsonPath", json_path.as_str())
        .set("name", name.as_str())
        .number("priority", i64::from(*priority))
        .set("type", ty.as_str())
        .build()
}

fn selectable_field(field: &SelectableField) -> Value {
    let SelectableField { json_path } = field;
    Object::new().set("jsonPath", json_path.as_str()).build()
}

/// The webhook is written if one of its fields is set.
fn write_conversion(conversion: &Conversion) -> Value {
    let Conversion { strategy, client_config: config, review_versions } = conversion;
    let webhook = || {
        Object::new()
            .some("clientConfig", config.as_ref().map(client_config))
            .some("conversionReviewVersions", review_versions.clone())
            .build()
    };
    Object::new()
        .set("strategy", strategy.as_str())
        .some("webhook", (config.is_some() || review_versions.is_some()).then(webhook))
        .build()
}

fn client_config(config: &ClientConfig) -> Value {
    let ClientConfig { url, service: reference, ca_bundle } = config;
    Object::new()
        .text("caBundle", &go::base64_encode(ca_bundle))
        .some("service", reference.as_ref().map(service))
        .some("url", url.as_deref())
        .build()
}

fn service(service: &ServiceReference) -> Value {
    let ServiceReference { namespace, name, path, port } = service;
    Object::new()
        .set("name", name.as_str())
        .set("namespace", namespace.as_str())
        .some("path", path.as_deref())
        .some("port", port.map(i64::from))
        .build()
}

pub(super) fn status(status: &Status) -> Value {
    let Status { conditions, accepted_names, stored_versions, observed_generation } = status;
    let list = |c: &Vec<Condition>| all(c, condition);
    Object::new()
        .set("acceptedNames", names(accepted_names))
        .set("conditions", conditions.as_ref().map_or(Value::Null, list))
        .number("observedGeneration", *observed_generation)
        .set("storedVersions", stored_versions.clone().map_or(Value::Null, Value::from))
        .build()
}

fn condition(condition: &Condition) -> Value {
    let Condition { ty, status, last_transition_time, reason, message, observed_generation } = condition;
    Object::new()
        .set("lastTransitionTime", last_transition_time.clone())
        .text("message", message)
        .number("observedGeneration", *observed_generation)
        .text("reason", reason)
        .set("status", status.as_str())
        .set("type", ty.as_str())
        .build()
}
