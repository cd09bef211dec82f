//! Attributes as public projects write them, in the combinations they have: a module per habit. The types
//! are made up.

use crdgen::kube::{CustomResource, JsonSchema, KubeSchema};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Patterns in statics, columns as JSON, names spelled out: an updater of nodes.
pub mod statics {
    use super::*;
    use std::sync::LazyLock;

    /// Anything that shows its pattern will do, as a compiled regex does.
    static SEMVER: LazyLock<String> = LazyLock::new(|| r"^\d+\.\d+\.\d+$".to_owned());

    #[derive(Clone, CustomResource, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
    #[kube(
        derive = "Default",
        derive = "PartialEq",
        group = "update.example.com",
        kind = "NodeShadow",
        namespaced,
        plural = "nodeshadows",
        shortname = "nds",
        singular = "nodeshadow",
        status = "NodeShadowStatus",
        version = "v2",
        printcolumn = r#"{"name":"State", "type":"string", "jsonPath":".status.current_state"}"#,
        printcolumn = r#"{"name":"Version", "type":"string", "jsonPath":".status.current_version"}"#,
        printcolumn = r#"{"name":"Target", "type":"string", "jsonPath":".spec.version"}"#
    )]
    pub struct NodeShadowSpec {
        pub state: State,
        pub state_transition_timestamp: Option<String>,
        #[validate(regex = "SEMVER")]
        pub version: Option<String>,
    }

    #[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
    pub enum State {
        #[default]
        Idle,
        Staged,
        Rebooted,
    }

    #[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
    pub struct NodeShadowStatus {
        #[validate(regex(path = *SEMVER))]
        current_version: String,
        #[validate(regex(path = "SEMVER"))]
        target_version: String,
        pub current_state: State,
        pub crash_count: u32,
    }
}

/// Defaults by path, generic parts, a scale subresource as JSON: a fleet of game servers.
pub mod defaults {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Default, Deserialize, JsonSchema, Serialize)]
    #[kube(
        kind = "Fleet",
        group = "games.example.com",
        version = "v1alpha1",
        namespaced,
        status = "FleetStatus",
        printcolumn = r#"{"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"}"#,
        scale = r#"{"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.selector"}"#
    )]
    #[serde(rename_all = "camelCase")]
    pub struct FleetSpec {
        pub replicas: u32,
        /// A pointer to another object.
        pub cluster_ref: Reference<Cluster>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub redis: Option<Redis>,
        #[schemars(regex(pattern = r"^[a-z0-9\-]+$"))]
        #[serde(default)]
        pub tags: Option<String>,
        #[serde(flatten)]
        pub extra: Extra,
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
    pub struct Reference<T> {
        pub name: String,
        #[serde(skip)]
        pub kind: std::marker::PhantomData<T>,
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
    pub struct Cluster {}

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
    pub struct Redis {
        #[schemars(default = "Redis::default_port")]
        #[serde(default = "Redis::default_port")]
        pub port: u16,
    }

    impl Redis {
        fn default_port() -> u16 {
            6379
        }
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Extra {
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub node_selector: BTreeMap<String, String>,
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
    pub struct FleetStatus {
        pub replicas: i32,
        pub selector: String,
    }
}

/// Generated clients: roots with other names, derives for them, all names written out.
pub mod generated {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
    #[kube(
        group = "gateway.example.com",
        version = "v1",
        kind = "GRPCRoute",
        plural = "grpcroutes",
        root = "GrpcRoute"
    )]
    #[kube(namespaced)]
    #[kube(status = "GrpcRouteStatus")]
    #[kube(derive = "Default")]
    #[kube(derive = "PartialEq")]
    pub struct GrpcRouteSpec {
        /// What it is attached to.
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "parentRefs")]
        pub parent_refs: Option<Vec<GrpcRouteParentRefs>>,
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "type")]
        pub r#type: Option<GrpcRouteType>,
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
    pub struct GrpcRouteParentRefs {
        pub name: String,
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "sectionName")]
        pub section_name: Option<String>,
    }

    #[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
    pub enum GrpcRouteType {
        Exact,
        #[serde(rename = "HTTP")]
        Http,
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
    pub struct GrpcRouteStatus {
        pub parents: Vec<String>,
    }
}

/// Tagged and untagged unions, and roots with other names: policies of a mesh.
pub mod unions {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
    #[kube(
        group = "policy.example.com",
        version = "v1beta1",
        kind = "Server",
        root = "MeshServer",
        namespaced
    )]
    #[serde(rename_all = "camelCase")]
    pub struct ServerSpec {
        pub selector: Selector,
        pub port: Port,
        pub proxy_protocol: Option<ProxyProtocol>,
        pub filters: Option<Vec<Filter>>,
        #[serde(flatten)]
        pub inner: Inner,
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Selector {
        Pod(BTreeMap<String, String>),
        ExternalWorkload(BTreeMap<String, String>),
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(untagged)]
    pub enum Port {
        Number(u16),
        Name(String),
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    pub enum ProxyProtocol {
        #[serde(rename = "unknown")]
        Unknown,
        #[serde(rename = "HTTP/1")]
        Http1,
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(tag = "type", rename_all = "PascalCase")]
    pub enum Filter {
        #[serde(rename_all = "camelCase")]
        RequestHeaderModifier { request_header_modifier: HashMap<String, String> },
        #[serde(rename_all = "camelCase")]
        RequestRedirect { request_redirect: Redirect },
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    pub struct Redirect {
        pub scheme: Option<String>,
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
    pub struct Inner {
        #[serde(default)]
        pub weight: i32,
    }
}

/// Derives and attributes behind a feature, rules by `extend`, functions for schemas: an identity provider.
pub mod conditional {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, PartialEq, Serialize)]
    #[cfg_attr(feature = "schemars", derive(JsonSchema))]
    #[cfg_attr(test, derive(Default))]
    #[kube(
        category = "identity",
        group = "identity.example.com",
        version = "v1beta1",
        kind = "Person",
        plural = "people",
        singular = "person",
        shortname = "who",
        namespaced,
        status = "PersonStatus",
        doc = r#"A person, with an account."#,
        printcolumn = r#"{"name":"Name","type":"string","jsonPath":".spec.attributes.displayname"}"#,
        printcolumn = r#"{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}"#,
        derive = "PartialEq"
    )]
    #[serde(rename_all = "camelCase")]
    pub struct PersonSpec {
        #[cfg_attr(
            feature = "schemars",
            schemars(extend("x-kubernetes-validations" = [{"message": "name cannot be changed.", "rule": "self == oldSelf"}]))
        )]
        pub login: String,
        pub attributes: Attributes,
        #[cfg_attr(feature = "schemars", schemars(schema_with = "credential", default))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub minimum: Option<Credential>,
    }

    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[cfg_attr(feature = "schemars", derive(JsonSchema))]
    pub struct Attributes {
        #[validate(length(min = 1, max = 100))]
        pub displayname: String,
        #[validate(length(max = 100))]
        pub mail: Option<Vec<String>>,
    }

    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Credential {
        #[default]
        Any,
        Passkey,
    }

    fn credential(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": ["string", "null"],
            "enum": ["any", "passkey", null],
            "x-kubernetes-validations": [{"rule": "self != 'any' || oldSelf == 'any'", "message": "no way back"}]
        })
    }

    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
    #[cfg_attr(feature = "schemars", derive(JsonSchema))]
    pub struct PersonStatus {
        pub ready: bool,
    }
}

/// Modules for serde, with functions for their schemas: discovery of devices.
pub mod functions {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(rename_all = "camelCase")]
    #[kube(group = "devices.example.com", version = "v0", kind = "Configuration", namespaced)]
    #[kube(category = "devices", shortname = "dcf")]
    #[kube(printcolumn = r#"{"name":"Capacity", "type":"string", "jsonPath":".spec.capacity"}"#)]
    pub struct ConfigurationSpec {
        #[serde(default = "one")]
        pub capacity: i32,
        #[serde(default, serialize_with = "as_text", deserialize_with = "from_text")]
        #[schemars(schema_with = "broker")]
        pub broker: Option<Broker>,
        #[serde(default)]
        #[schemars(schema_with = "open")]
        pub properties: HashMap<String, serde_json::Value>,
    }

    #[derive(Clone, Debug, Deserialize, Serialize)]
    pub enum Broker {
        Pod(String),
        Job(String),
    }

    fn one() -> i32 {
        1
    }

    fn as_text<S: serde::Serializer>(broker: &Option<Broker>, s: S) -> Result<S::Ok, S::Error> {
        match broker {
            Some(Broker::Pod(name)) => s.serialize_str(&format!("pod/{name}")),
            Some(Broker::Job(name)) => s.serialize_str(&format!("job/{name}")),
            None => s.serialize_none(),
        }
    }

    fn from_text<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<Broker>, D::Error> {
        let text = Option::<String>::deserialize(d)?;
        Ok(text.map(|text| match text.split_once('/') {
            Some(("job", name)) => Broker::Job(name.to_owned()),
            _ => Broker::Pod(text),
        }))
    }

    fn broker(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["string", "null"], "pattern": "^(pod|job)/" })
    }

    fn open(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })
    }
}

/// Rules of all kinds, and a schema by hand: a data store. The deprecation is a warning about a rule for changes of an optional field
/// (RST045).
#[allow(deprecated)]
pub mod rules {
    use super::*;
    use schemars::SchemaGenerator;

    #[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
    #[kube(
        group = "store.example.com",
        version = "v1",
        kind = "Store",
        plural = "stores",
        status = "StoreStatus",
        derive = "PartialEq",
        shortname = "st",
        cel,
        printcolumn = r#"{"name":"Ready", "type":"string", "description":"whether", "jsonPath":".status.ready"}"#
    )]
    #[x_kube(validation = Rule::new("!has(self.autoscaling) || !has(self.mode) || self.mode == 'Auto'").message("autoscaling needs mode Auto"))]
    #[derive(PartialEq)]
    #[serde(rename_all = "camelCase")]
    pub struct StoreSpec {
        #[schemars(range(min = 1))]
        pub replicas: i32,
        #[schemars(range(min = 1, max = 65535))]
        pub port: Option<u16>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub autoscaling: Option<bool>,
        #[x_kube(validation = Rule::new("self == oldSelf").message("mode is immutable"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub mode: Option<String>,
        #[schemars(default, schema_with = "env")]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub env: Option<Vec<BTreeMap<String, String>>>,
        #[schemars(regex(pattern = "^[a-z]+$"))]
        pub class: String,
    }

    fn env(_: &mut SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "nullable": true,
            "type": "array",
            "items": { "type": "object", "additionalProperties": { "type": "string" } }
        })
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
    pub struct StoreStatus {
        pub ready: Option<String>,
    }

    /// The schema of the whole object by hand.
    #[derive(Clone, CustomResource, Debug, Deserialize, Serialize)]
    #[kube(
        group = "store.example.com",
        version = "v1",
        kind = "Shop",
        namespaced,
        schema = "manual",
        status = "ShopStatus"
    )]
    pub struct ShopSpec {
        pub rooms: i32,
    }

    #[derive(Clone, Debug, Deserialize, Serialize)]
    pub struct ShopStatus {
        pub open: bool,
    }

    impl schemars::JsonSchema for Shop {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Shop".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({
                "type": "object",
                "required": ["spec"],
                "properties": {
                    "spec": {
                        "type": "object",
                        "properties": { "rooms": { "type": "integer", "format": "int32", "minimum": 1 } },
                        "required": ["rooms"]
                    },
                    "status": { "type": "object", "properties": { "open": { "type": "boolean" } } }
                }
            })
        }
    }
    ::crdgen::from_schemars!(Shop);
}

/// Generics with bounds, types that serde reads as others, schemas for variants: parts of a framework.
pub mod framework {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
    #[kube(
        group = "data.example.com",
        version = "v1alpha1",
        kind = "Cluster",
        plural = "clusters",
        namespaced,
        crates(
            kube_core = "crate::framework::kube::core",
            k8s_openapi = "crate::framework::k8s_openapi",
            schemars = "crate::framework::schemars",
            crdgen = "crate::framework::crdgen"
        )
    )]
    #[schemars(crate = "crate::framework::schemars")]
    #[schema(crate = "crate::framework::crdgen")]
    #[serde(rename_all = "camelCase")]
    pub struct ClusterSpec {
        pub servers: Option<Role<Config, Common>>,
        #[schemars(length(min = 1))]
        pub host: Option<Host>,
        #[serde(default)]
        pub cache: Cache,
        pub hook: Option<Hook>,
        /// What is replaced in the configuration.
        #[serde(default)]
        #[schemars(schema_with = "raw_object")]
        pub overrides: serde_json::Value,
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(
        rename_all = "camelCase",
        bound(deserialize = "C: Default + Deserialize<'de>, D: Default + Deserialize<'de>")
    )]
    #[schemars(bound = "C: JsonSchema, D: Default + JsonSchema + Serialize")]
    pub struct Role<C, D> {
        #[serde(flatten)]
        pub config: C,
        #[serde(default)]
        pub common: D,
        pub groups: HashMap<String, C>,
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
    pub struct Config {
        #[serde(default)]
        pub replicas: Option<u16>,
    }

    #[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
    pub struct Common {
        #[serde(default)]
        pub graceful: bool,
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(try_from = "String", into = "String")]
    pub struct Host(#[validate(regex(pattern = "^[a-z.]+$"))] String);

    impl TryFrom<String> for Host {
        type Error = String;
        fn try_from(text: String) -> Result<Self, String> {
            if text.is_empty() { Err("empty".to_owned()) } else { Ok(Host(text)) }
        }
    }

    impl From<Host> for String {
        fn from(host: Host) -> String {
            host.0
        }
    }

    /// A cache.
    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[schemars(description = "Least recently used (LRU) cache.")]
    #[serde(rename_all = "camelCase")]
    pub struct Cache {
        #[serde(default = "Cache::default_entries")]
        pub max_entries: u32,
    }

    impl Cache {
        fn default_entries() -> u32 {
            1000
        }
    }

    impl Default for Cache {
        fn default() -> Cache {
            Cache { max_entries: Cache::default_entries() }
        }
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
    pub enum Hook {
        #[schemars(schema_with = "raw_object")]
        Raw(serde_json::Value),
        InTree {
            max_size: i32,
        },
        #[serde(skip)]
        Internal,
    }

    fn raw_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })
    }
}

/// Attributes that all projects together use only once or twice.
pub mod rare {
    use super::*;

    #[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
    #[kube(group = "rare.example.com", version = "v1", kind = "Rarity", namespaced)]
    #[allow(non_snake_case)]
    pub struct RaritySpec {
        #[deprecated(note = "This field is deprecated and it is no longer used")]
        pub oldField: Option<String>,
        #[schemars(description = "Words about it.")]
        pub described: Option<i32>,
        #[allow(clippy::doc_overindented_list_items)]
        pub fixed: Fixed,
        pub named: Named,
        pub raw: Raw,
        pub limits: Limits<Bounds>,
        pub wrapped: Wrapped,
        pub kind: Kind,
        #[serde(skip)]
        pub cache: Option<std::time::Instant>,
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[schemars(extend("x-kubernetes-validations" = [{ "message": "Value is immutable", "rule": "self == oldSelf" }]))]
    pub struct Fixed {
        pub value: String,
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(rename = "PascalCase")]
    #[schemars(rename_all = "camelCase")]
    #[serde(rename_all = "camelCase")]
    pub struct Named {
        pub first_name: String,
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[schemars(schema_with = "raw_object")]
    #[repr(transparent)]
    pub struct Raw(pub serde_json::Value);

    fn raw_object(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })
    }

    /// The default limits.
    pub trait Least {
        const LEAST: i32;
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(
        rename_all = "camelCase",
        bound(deserialize = "D: Least + Deserialize<'de>", serialize = "D: Least + Serialize")
    )]
    #[schemars(bound(serialize = "D: JsonSchema"))]
    pub struct Limits<D> {
        #[serde(bound(deserialize = "D: Least + Deserialize<'de>"), flatten)]
        pub inner: D,
        pub max_entries: u16,
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    pub struct Bounds {
        pub least: i32,
    }

    impl Least for Bounds {
        const LEAST: i32 = 3;
    }

    #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
    #[serde(transparent)]
    pub struct Wrapped(pub BTreeMap<String, String>);

    #[derive(
        Clone, Copy, Debug, Default, Deserialize, Eq, Hash, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
    )]
    pub enum Kind {
        #[allow(unused)]
        #[default]
        One,
        #[serde(rename_all = "camelCase")]
        #[allow(unused)]
        Two,
    }
}
