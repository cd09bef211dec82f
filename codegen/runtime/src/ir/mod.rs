//! The model of a CustomResourceDefinition and its schemas, with everything that v1 and v1beta1 can express. All readers and
//! writers use it. It is plain data, without Rust syntax, YAML or files.
//!
//! Fields have the names of the API. A pointer in Go is an `Option` here. Where Go's encoder omits empty values, an empty value
//! means that the field is absent.

mod case;
mod children;
mod keyword;
mod keyword_value;
mod metadata;
mod number_size;
mod schema;
mod schema_of;

pub use children::{Edge, Junctors, Which};
pub use keyword::{About, Keyword, Position};
pub use keyword_value::KeywordValue;
pub use metadata::{Metadata, OwnerReference};
pub use number_size::NumberSize;
pub use schema::{
    Additional, Dependency, Empty, Extensions, ExternalDocs, FieldUnion, Foreign, Items, Limits, Rule,
    Schema, Type,
};
pub use schema_of::SchemaOf;

use crate::path::Step;
use crate::value::Value;

/// The API version of a CRD.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApiVersion {
    /// `apiextensions.k8s.io/v1`
    #[default]
    V1,
    /// `apiextensions.k8s.io/v1beta1`, which crdgen reads and converts, but servers no longer serve.
    V1beta1,
}

/// A CustomResourceDefinition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crd {
    /// The version of the API.
    pub api_version: ApiVersion,
    /// The metadata of the CRD.
    pub metadata: Metadata,
    /// The spec.
    pub spec: Spec,
    /// The status.
    pub status: Status,
}

/// `spec` of a CRD.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// `group`
    pub group: String,
    /// `names`
    pub names: Names,
    /// `scope`: `Cluster` or `Namespaced`. Other values are kept for the error message.
    pub scope: String,
    /// `version` of v1beta1.
    pub version: String,
    /// `validation`, `subresources`, … of v1beta1, which apply to all versions.
    pub shared: Body,
    /// `versions`
    pub versions: Vec<Version>,
    /// Whether `versions` is missing. Error messages distinguish this from an empty list.
    pub no_versions: bool,
    /// `conversion`
    pub conversion: Option<Conversion>,
    /// `preserveUnknownFields`
    pub preserve_unknown_fields: Option<bool>,
}

/// `names`, in `spec` and in `status.acceptedNames`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// `plural`
    pub plural: String,
    /// `singular`
    pub singular: String,
    /// `shortNames`
    pub short_names: Vec<String>,
    /// `kind`
    pub kind: String,
    /// `listKind`
    pub list_kind: String,
    /// `categories`
    pub categories: Vec<String>,
}

/// One of `versions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Version {
    /// `name`
    pub name: String,
    /// `served`
    pub served: bool,
    /// `storage`
    pub storage: bool,
    /// `deprecated`
    pub deprecated: bool,
    /// `deprecationWarning`
    pub deprecation_warning: Option<String>,
    /// The version's schema, subresources, columns and selectable fields.
    pub body: Body,
    /// The warnings that the author allows. They are not part of the document.
    pub allowed: Vec<Allowed>,
}

/// The steps from the root of a CRD to the schema of the version with this index.
pub fn schema_steps(version: usize) -> Vec<Step> {
    let key = |k: &str| Step::Key(k.to_owned());
    vec![key("spec"), key("versions"), Step::Index(version), key("schema"), key("openAPIV3Schema")]
}

/// A warning that the author of a CRD allows at a place and below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// The steps from the schema of the version to the place.
    pub steps: Vec<Step>,
    /// The code of the warning.
    pub code: String,
    /// Why it does not matter.
    pub reason: String,
    /// Whether the types of the CRD have such a warning there. Warnings about the CRD itself do not count.
    pub used: bool,
}

impl Allowed {
    /// Creates an allowed warning. `steps` lead from the root of the CRD to a schema.
    pub fn new(steps: Vec<Step>, code: String, reason: String) -> Allowed {
        let steps = Allowed::in_schema(&steps).map(<[Step]>::to_vec).unwrap_or_default();
        Allowed { steps, code, reason, used: false }
    }

    /// Whether this allows warnings with a code at a place. `steps` lead from the root of the CRD to the place.
    pub fn allows(&self, code: &str, steps: &[Step]) -> bool {
        let is_around = || Allowed::in_schema(steps).is_some_and(|inside| inside.starts_with(&self.steps));
        self.code == code && (self.steps.is_empty() || is_around())
    }

    /// The part of the steps that is inside the schema of a version. None if they lead to another place.
    pub fn in_schema(steps: &[Step]) -> Option<&[Step]> {
        match steps {
            [
                Step::Key(spec),
                Step::Key(versions),
                Step::Index(_),
                Step::Key(_),
                Step::Key(schema),
                rest @ ..,
            ] if spec == "spec" && versions == "versions" && schema == "openAPIV3Schema" => Some(rest),
            _ => None,
        }
    }
}

/// The schema and other settings of a version. In v1beta1, all versions may share them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// `schema` (v1beta1 shared: `validation`)
    pub schema: Option<Validation>,
    /// `subresources`
    pub subresources: Option<Subresources>,
    /// `additionalPrinterColumns`; absent and empty differ in v1beta1.
    pub columns: Option<Vec<Column>>,
    /// `selectableFields`
    pub selectable_fields: Option<Vec<SelectableField>>,
}

/// The object that contains a schema. `schema: {}` contains none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Validation {
    /// `openAPIV3Schema`
    pub open_api_v3_schema: Option<Schema>,
}

/// `subresources`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subresources {
    /// `status: {}`
    pub status: bool,
    /// `scale`
    pub scale: Option<Scale>,
}

/// `subresources.scale`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// `specReplicasPath`
    pub spec_replicas_path: String,
    /// `statusReplicasPath`
    pub status_replicas_path: String,
    /// `labelSelectorPath`
    pub label_selector_path: Option<String>,
}

impl Scale {
    /// The names of the fields to which one of its paths leads, such as `.spec.replicas`.
    pub fn names(path: &str) -> impl Iterator<Item = &str> {
        path.strip_prefix('.').unwrap_or(path).split('.')
    }
}

/// One of `additionalPrinterColumns`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// `name`
    pub name: String,
    /// `type`
    pub ty: String,
    /// `format`
    pub format: String,
    /// `description`
    pub description: String,
    /// `priority`
    pub priority: i32,
    /// `jsonPath`
    pub json_path: String,
}

/// One of `selectableFields`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectableField {
    /// `jsonPath`
    pub json_path: String,
}

/// `conversion`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// `strategy`: `None` or `Webhook`. Other values are kept for the error message.
    pub strategy: String,
    /// `webhook.clientConfig`
    pub client_config: Option<ClientConfig>,
    /// `webhook.conversionReviewVersions`; absent and empty differ.
    pub review_versions: Option<Vec<String>>,
}

/// `webhook.clientConfig`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientConfig {
    /// `url`
    pub url: Option<String>,
    /// `service`
    pub service: Option<ServiceReference>,
    /// `caBundle`, decoded.
    pub ca_bundle: Vec<u8>,
}

/// `webhook.clientConfig.service`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceReference {
    /// `namespace`
    pub namespace: String,
    /// `name`
    pub name: String,
    /// `path`
    pub path: Option<String>,
    /// `port`; absent until defaulted.
    pub port: Option<i32>,
}

/// `status` of a CRD.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// `conditions`; absent and empty differ.
    pub conditions: Option<Vec<Condition>>,
    /// `acceptedNames`
    pub accepted_names: Names,
    /// `storedVersions`; absent and empty differ.
    pub stored_versions: Option<Vec<String>>,
    /// `observedGeneration`
    pub observed_generation: i64,
}

/// One of `status.conditions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Condition {
    /// `type`
    pub ty: String,
    /// `status`
    pub status: String,
    /// `lastTransitionTime`
    pub last_transition_time: Value,
    /// `reason`
    pub reason: String,
    /// `message`
    pub message: String,
    /// `observedGeneration`
    pub observed_generation: i64,
}

impl Crd {
    /// Removes the keyword `x-kubernetes-unions` from all schemas, because servers do not know it.
    pub fn drop_unions(&mut self) {
        let own = self.spec.versions.iter_mut().map(|version| &mut version.body);
        let schemas = own.chain([&mut self.spec.shared]).filter_map(|body| body.schema.as_mut());
        schemas.filter_map(|schema| schema.open_api_v3_schema.as_mut()).for_each(Schema::drop_unions);
    }
}

impl Spec {
    /// Returns the schema of the version at `index`. In v1beta1, shared settings take precedence.
    pub fn schema_of(&self, index: usize) -> Option<&Schema> {
        let own = self.versions.get(index).and_then(|v| v.body.schema.as_ref());
        self.shared.schema.as_ref().or(own)?.open_api_v3_schema.as_ref()
    }

    /// Returns the subresources of the version at `index`.
    pub fn subresources_of(&self, index: usize) -> Option<&Subresources> {
        let own = self.versions.get(index).and_then(|v| v.body.subresources.as_ref());
        self.shared.subresources.as_ref().or(own)
    }

    /// Returns the printer columns of the version at `index`.
    pub fn columns_of(&self, index: usize) -> &[Column] {
        let own = self.versions.get(index).and_then(|v| v.body.columns.as_ref());
        self.shared.columns.as_ref().or(own).map_or(&[], Vec::as_slice)
    }

    /// Returns the selectable fields of the version at `index`.
    pub fn selectable_fields_of(&self, index: usize) -> &[SelectableField] {
        let own = self.versions.get(index).and_then(|v| v.body.selectable_fields.as_ref());
        self.shared.selectable_fields.as_ref().or(own).map_or(&[], Vec::as_slice)
    }

    /// Returns the storage version, if there is exactly one.
    pub fn storage_version(&self) -> Option<&Version> {
        self.versions.iter().find(|v| v.storage)
    }
}
