//! Decodes a CRD outside of its schemas.

use super::fields::{bytes, presence, time};
use crate::decode::context::{Cx, Decode};
use crate::ir::{
    ApiVersion, Body, ClientConfig, Column, Condition, Conversion, Crd, Names, Scale, SelectableField,
    ServiceReference, Spec, Status, Subresources, Validation, Version,
};
use crate::path::Path;
use crate::value::Value;

impl Decode for Crd {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Crd {
        let mut out = Crd { spec: Spec { no_versions: true, ..Spec::default() }, ..Crd::default() };
        let (mut _kind, mut _api_version) = (String::new(), String::new());
        object!(cx, at, value, {
            "apiVersion" => _api_version;
            "kind" => _kind;
            "metadata" => out.metadata;
            "spec" => out.spec;
            "status" => out.status;
        });
        out
    }
}

impl Decode for Spec {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Spec {
        let mut out =
            Spec { no_versions: value.get("versions").is_none_or(Value::is_null), ..Spec::default() };
        match cx.version {
            ApiVersion::V1 => object!(cx, at, value, {
                "group" => out.group;
                "names" => out.names;
                "scope" => out.scope;
                "versions" => out.versions;
                "conversion" => out.conversion;
                "preserveUnknownFields" => out.preserve_unknown_fields;
            }),
            ApiVersion::V1beta1 => object!(cx, at, value, {
                "group" => out.group;
                "version" => out.version;
                "names" => out.names;
                "scope" => out.scope;
                "validation" => out.shared.schema;
                "subresources" => out.shared.subresources;
                "versions" => out.versions;
                "additionalPrinterColumns" => out.shared.columns;
                "selectableFields" => out.shared.selectable_fields;
                "conversion" => out.conversion;
                "preserveUnknownFields" => out.preserve_unknown_fields;
            }),
        }
        out
    }
}

impl Decode for Names {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Names {
        let mut out = Names::default();
        object!(cx, at, value, {
            "plural" => out.plural;
            "singular" => out.singular;
            "shortNames" => out.short_names;
            "kind" => out.kind;
            "listKind" => out.list_kind;
            "categories" => out.categories;
        });
        out
    }
}

impl Decode for Version {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Version {
        let mut out = Version::default();
        let Body { schema, subresources, columns, selectable_fields } = &mut out.body;
        object!(cx, at, value, {
            "name" => out.name;
            "served" => out.served;
            "storage" => out.storage;
            "deprecated" => out.deprecated;
            "deprecationWarning" => out.deprecation_warning;
            "schema" => *schema;
            "subresources" => *subresources;
            "additionalPrinterColumns" => *columns;
            "selectableFields" => *selectable_fields;
        });
        out
    }
}

impl Decode for Validation {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Validation {
        let mut out = Validation::default();
        object!(cx, at, value, { "openAPIV3Schema" => out.open_api_v3_schema; });
        out
    }
}

impl Decode for Subresources {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Subresources {
        let mut out = Subresources::default();
        object!(cx, at, value, {
            "status" => out.status, with presence;
            "scale" => out.scale;
        });
        out
    }
}

impl Decode for Scale {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Scale {
        let mut out = Scale::default();
        object!(cx, at, value, {
            "specReplicasPath" => out.spec_replicas_path;
            "statusReplicasPath" => out.status_replicas_path;
            "labelSelectorPath" => out.label_selector_path;
        });
        out
    }
}

impl Decode for Column {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Column {
        let mut out = Column::default();
        match cx.version {
            ApiVersion::V1 => object!(cx, at, value, {
                "name" => out.name;
                "type" => out.ty;
                "format" => out.format;
                "description" => out.description;
                "priority" => out.priority;
                "jsonPath" => out.json_path;
            }),
            ApiVersion::V1beta1 => object!(cx, at, value, {
                "name" => out.name;
                "type" => out.ty;
                "format" => out.format;
                "description" => out.description;
                "priority" => out.priority;
                "JSONPath" => out.json_path;
            }),
        }
        out
    }
}

impl Decode for SelectableField {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> SelectableField {
        let mut out = SelectableField::default();
        object!(cx, at, value, { "jsonPath" => out.json_path; });
        out
    }
}

impl Decode for Conversion {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Conversion {
        let mut out = Conversion::default();
        match cx.version {
            ApiVersion::V1 => {
                let mut webhook = Webhook::default();
                object!(cx, at, value, {
                    "strategy" => out.strategy;
                    "webhook" => webhook;
                });
                out.client_config = webhook.client_config;
                out.review_versions = webhook.review_versions;
            }
            ApiVersion::V1beta1 => object!(cx, at, value, {
                "strategy" => out.strategy;
                "webhookClientConfig" => out.client_config;
                "conversionReviewVersions" => out.review_versions;
            }),
        }
        out
    }
}

/// A level that only exists in v1. The model does not have it.
#[derive(Default)]
struct Webhook {
    client_config: Option<ClientConfig>,
    review_versions: Option<Vec<String>>,
}

impl Decode for Webhook {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Webhook {
        let mut out = Webhook::default();
        object!(cx, at, value, {
            "clientConfig" => out.client_config;
            "conversionReviewVersions" => out.review_versions;
        });
        out
    }
}

impl Decode for ClientConfig {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> ClientConfig {
        let mut out = ClientConfig::default();
        object!(cx, at, value, {
            "url" => out.url;
            "service" => out.service;
            "caBundle" => out.ca_bundle, with bytes;
        });
        out
    }
}

impl Decode for ServiceReference {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> ServiceReference {
        let mut out = ServiceReference::default();
        object!(cx, at, value, {
            "namespace" => out.namespace;
            "name" => out.name;
            "path" => out.path;
            "port" => out.port;
        });
        out
    }
}

impl Decode for Status {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Status {
        let mut out = Status::default();
        object!(cx, at, value, {
            "conditions" => out.conditions;
            "acceptedNames" => out.accepted_names;
            "storedVersions" => out.stored_versions;
            "observedGeneration" => out.observed_generation;
        });
        out
    }
}

impl Decode for Condition {
    fn decode(value: Value, at: &Path<'_>, cx: &mut Cx) -> Condition {
        let mut out = Condition::default();
        object!(cx, at, value, {
            "type" => out.ty;
            "status" => out.status;
            "lastTransitionTime" => out.last_transition_time, with time;
            "reason" => out.reason;
            "message" => out.message;
            "observedGeneration" => out.observed_generation;
        });
        out
    }
}
