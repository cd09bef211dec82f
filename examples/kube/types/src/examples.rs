use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use schemars::{SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Attributes for the root, typed columns and scale, a list map by a function.
#[derive(Clone, CustomResource, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[kube(
    group = "books.example.com",
    version = "v1",
    kind = "Ledger",
    plural = "ledgerz",
    root = "LedgerObject",
    namespaced,
    doc = "A ledger and what is in it",
    status = "LedgerStatus",
    derive = "PartialEq",
    derive = "Default",
    attr = "allow(deprecated)",
    attr = "cfg_attr(docsrs, doc(cfg(feature = \"latest\")))",
    shortname = "lg",
    scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"),
    printcolumn(name = "Name", type_ = "string", description = "whose it is", json_path = ".spec.name"),
    selectable = ".spec.name"
)]
pub struct Ledger {
    name: String,
    replicas: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<String>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
pub struct LedgerStatus {
    is_bad: bool,
    replicas: i32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "conditions")]
    pub conditions: Vec<Condition>,
}

fn conditions(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": {
            "type": "object",
            "properties": {
                "lastTransitionTime": { "format": "date-time", "type": "string" },
                "message": { "type": "string" },
                "observedGeneration": { "type": "integer", "format": "int64", "default": 0 },
                "reason": { "type": "string" },
                "status": { "type": "string" },
                "type": { "type": "string" }
            },
            "required": ["lastTransitionTime", "message", "reason", "status", "type"]
        }
    })
}

/// What may be missing, what may be null, and what has a default, in all combinations; rules in all forms.
#[derive(Clone, CustomResource, Debug, Default, Deserialize, Eq, KubeSchema, PartialEq, Serialize)]
#[kube(
    group = "books.example.com",
    version = "v1",
    kind = "Entry",
    namespaced,
    derive = "PartialEq",
    derive = "Default",
    validation = "self.metadata.name != 'forbidden'"
)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = "self.nonNullable == oldSelf.nonNullable")]
pub struct EntrySpec {
    pub non_nullable: String,
    #[serde(default = "value")]
    pub non_nullable_with_default: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nullable_skipped: Option<String>,
    pub nullable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(default = "some_value")]
    pub nullable_skipped_with_default: Option<String>,
    #[serde(default = "some_value")]
    pub nullable_with_default: Option<String>,
    /// A list that may be missing.
    #[serde(default)]
    pub default_list: Vec<u32>,
    #[serde(default)]
    #[schemars(schema_with = "set_of_numbers")]
    pub set_list: Vec<u32>,
    #[serde(default = "legal")]
    #[x_kube(
        validation = Rule::new("self != 'illegal'").message(Message::Expression("'it cannot be illegal'".into())).reason(Reason::FieldValueForbidden),
        validation = Rule::new("self != 'not legal'").reason(Reason::FieldValueInvalid),
    )]
    pub checked: Option<String>,
    #[serde(default)]
    #[x_kube(
        validation = Rule::new("oldSelf.optMap(o, o == self).orValue(true)").optional_old_self(true).message("it stays")
    )]
    pub once: Option<String>,
    #[x_kube(validation = Rule::new("self == oldSelf").message("it is immutable"))]
    pub sub: Option<SubEntry>,
    #[serde(default = "EntrySpec::yes")]
    pub associated_default: bool,
    #[x_kube(validation = "self != 'a'", validation = Rule::new("self != 'b'"))]
    #[x_kube(validation = ("self != 'c'", "c is no good"))]
    pub several: String,
}

#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
pub struct SubEntry {
    pub field: String,
    pub other: Option<String>,
}

fn set_of_numbers(_: &mut SchemaGenerator) -> schemars::Schema {
    json_schema!({
        "type": "array",
        "items": { "format": "int64", "minimum": 0, "maximum": u32::MAX, "type": "integer" },
        "x-kubernetes-list-type": "set"
    })
}

fn value() -> String {
    "value".into()
}

fn some_value() -> Option<String> {
    Some("some value".into())
}

fn legal() -> Option<String> {
    Some("legal".into())
}

impl EntrySpec {
    fn yes() -> bool {
        true
    }
}

/// Two versions of one kind, one of which refers to the other.
pub mod v1 {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Default, Deserialize, JsonSchema, Serialize)]
    #[kube(group = "books.example.com", version = "v1", kind = "Many", status = "ManyStatus", namespaced)]
    pub struct ManySpec {
        pub name: String,
        pub old: u32,
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
    pub struct ManyStatus {
        pub condition: Option<bool>,
    }
}

pub mod v2 {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Default, Deserialize, JsonSchema, Serialize)]
    #[kube(group = "books.example.com", version = "v2", kind = "Many", namespaced, status = "v1::ManyStatus")]
    pub struct ManySpec {
        pub name: String,
        pub extra: Option<String>,
    }
}

/// A schema by hand, of the whole object.
#[derive(Clone, CustomResource, Debug, Deserialize, Serialize)]
#[kube(group = "books.example.com", version = "v1", kind = "Page", namespaced, schema = "manual")]
pub struct MyPage {
    pub words: u32,
}

impl JsonSchema for Page {
    fn schema_name() -> Cow<'static, str> {
        "Page".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        json_schema!({
            "properties": {
                "spec": {
                    "properties": { "words": { "type": "integer" } },
                    "required": ["words"],
                    "type": "object"
                }
            },
            "required": ["spec"],
            "title": "Page"
        })
    }
}

/// A schema by hand for a part, which refers to another part.
pub struct Cover(pub String);

impl Serialize for Cover {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Cover {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d).map(Cover)
    }
}

impl JsonSchema for Cover {
    fn schema_name() -> Cow<'static, str> {
        "Cover".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        json_schema!({ "type": "string", "pattern": "^#[0-9a-f]{6}$" })
    }
}

/// Lengths for two crates; a spec that is a mixture of everything.
#[derive(CustomResource, Deserialize, JsonSchema, Serialize)]
#[kube(group = "books.example.com", version = "v1", kind = "Bound")]
#[kube(namespaced, status = "BoundStatus", derive = "Default")]
#[kube(printcolumn(name = "Team", json_path = ".spec.team", type_ = "string"))]
#[kube(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"))]
#[derive(Clone, Debug, Default)]
pub struct BoundSpec {
    #[schemars(length(min = 3))]
    #[garde(length(min = 3))]
    pub team: String,
    #[garde(skip)]
    pub info: String,
    #[garde(skip)]
    pub replicas: i32,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct BoundStatus {
    pub is_bad: bool,
    pub replicas: i32,
}

/// Columns and scale as JSON.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[kube(
    group = "books.example.com",
    version = "v1",
    kind = "Compat",
    printcolumn = r#"{"jsonPath": ".spec.name", "name": "Name", "type": "string"}"#,
    status = "CompatStatus",
    scale = r#"{"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.labelSelector"}"#
)]
pub struct CompatSpec {
    pub name: String,
    pub replicas: i32,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CompatStatus {
    pub replicas: usize,
    pub label_selector: String,
}

/// Enums in all places that are taken today.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "books.example.com", version = "v1", kind = "Binding")]
#[serde(rename_all = "camelCase")]
pub struct BindingSpec {
    /// Its kind.
    pub plain: Gender,
    pub optional: Option<Gender>,
    /// With a description.
    pub described: Option<Gender>,
    pub complex: Complex,
    pub optional_complex: Option<Complex>,
    /// One of two structs.
    pub person: Person,
    #[serde(flatten)]
    pub flat: Person,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub enum Gender {
    Female,
    Male,
    /// This one has a comment.
    Other,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Complex {
    /// With a number.
    VariantOne { int: i32 },
    /// With a text.
    VariantTwo { str: String },
    /// With nothing.
    VariantThree {},
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Person {
    GenderAndAge(GenderAndAge),
    GenderAndBirth(GenderAndBirth),
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct GenderAndAge {
    pub gender: Gender,
    pub age: i32,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GenderAndBirth {
    pub gender: Gender,
    pub date_of_birth: String,
}

/// The spec is an enum.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "books.example.com", version = "v1", kind = "Choice")]
#[serde(rename_all = "camelCase")]
pub enum ChoiceSpec {
    /// With a number.
    VariantOne { int: i32 },
    /// With nothing.
    VariantThree {},
}
