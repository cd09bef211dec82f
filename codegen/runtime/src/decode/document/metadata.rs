//! Object metadata.

use super::fields::time;
use crate::decode::context::{Cx, Decode};
use crate::ir::{Metadata, OwnerReference};
use crate::path::Path;
use crate::value::Value;

impl Decode for Metadata {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Metadata {
        let mut out = Metadata::default();
        object!(cx, at, value, {
            "name" => out.name;
            "generateName" => out.generate_name;
            "namespace" => out.namespace;
            "selfLink" => out.self_link;
            "uid" => out.uid;
            "resourceVersion" => out.resource_version;
            "generation" => out.generation;
            "creationTimestamp" => out.creation_timestamp, with time;
            "deletionTimestamp" => out.deletion_timestamp, with time;
            "deletionGracePeriodSeconds" => out.deletion_grace_period_seconds;
            "labels" => out.labels;
            "annotations" => out.annotations;
            "ownerReferences" => out.owner_references;
            "finalizers" => out.finalizers;
            "managedFields" => out.managed_fields, with managed_fields;
        });
        out
    }
}

impl Decode for OwnerReference {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> OwnerReference {
        let mut out = OwnerReference::default();
        object!(cx, at, value, {
            "apiVersion" => out.api_version;
            "kind" => out.kind;
            "name" => out.name;
            "uid" => out.uid;
            "controller" => out.controller;
            "blockOwnerDeletion" => out.block_owner_deletion;
        });
        out
    }
}

/// The entries are kept as they are. Only their types are checked.
fn managed_fields(value: Value, at: &Path<'_>, cx: &mut Cx) -> Vec<Value> {
    let entries = value.as_list().map(<[Value]>::to_vec).unwrap_or_default();
    Vec::<ManagedFields>::decode(value, at, cx);
    entries
}

struct ManagedFields;

impl Decode for ManagedFields {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> ManagedFields {
        let (mut _text, mut _value) = (String::new(), Value::Null);
        object!(cx, at, value, {
            "manager" => _text;
            "operation" => _text;
            "apiVersion" => _text;
            "time" => _value, with time;
            "fieldsType" => _text;
            "fieldsV1" => _value;
            "subresource" => _text;
        });
        ManagedFields
    }
}
