//! `#[versioned]`: types with their history convert in the same way as types that are written for each version.

#![allow(unreachable_pub)]

use crdgen::{CustomResource, Schema, versioned};
use crdgen_source::{Cfgs, CrateSource, Program, Sources};
use serde::{Deserialize, Serialize};

/// The same kind twice: as a type with its history, and as a type for each version.
#[versioned(v1alpha1(deprecated = "use v1"), v1beta1, v1, preserve_module)]
mod sites {
    use super::*;

    /// A web site.
    #[derive(Clone, Debug, CustomResource, Deserialize, PartialEq, Schema, Serialize)]
    #[kube(group = "example.com", kind = "Site", namespaced, status = "SiteStatus")]
    #[serde(rename_all = "camelCase")]
    pub struct SiteSpec {
        /// Where the site is.
        #[versioned(
            changed(
                since = "v1beta1",
                from_name = "host",
                from_type = "String",
                with = "one_host",
                back = "main_host"
            ),
            attr(before = "v1beta1", schema(min_length = 1)),
            attr(since = "v1beta1", schema(min_items = 1, items(min_length = 1)))
        )]
        pub hosts: Vec<String>,
        /// How many servers run.
        #[versioned(renamed(since = "v1", from = "replicas"))]
        #[serde(default)]
        pub servers: i32,
        /// How long a request may take.
        #[versioned(changed(
            since = "v1",
            from_name = "timeout_seconds",
            with = "to_millis",
            back = "to_seconds"
        ))]
        #[serde(default)]
        pub timeout_millis: i64,
        /// The look.
        #[versioned(removed(since = "v1beta1"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub theme: Option<String>,
        /// Whether it runs.
        #[versioned(
            added(since = "v1beta1"),
            changed(
                since = "v1",
                from_name = "paused",
                from_type = "bool",
                with = "state",
                back = "is_paused"
            )
        )]
        #[serde(default)]
        pub state: State,
        /// A number that was smaller.
        #[versioned(changed(since = "v1", from_type = "Small"))]
        pub size: Large,
        /// What answers.
        #[versioned(nested)]
        #[serde(default)]
        #[schema(list_type = "map", list_map_keys = ["name"])]
        pub backends: Vec<Backend>,
        /// An old way.
        #[versioned(deprecated(since = "v1", note = "use hosts"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub deprecated_alias: Option<String>,
    }

    /// What answers.
    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub struct Backend {
        /// Its name.
        pub name: String,
        /// Where it listens.
        #[versioned(renamed(since = "v1", from = "port"))]
        pub target: i32,
        /// How to speak to it.
        #[versioned(added(since = "v1beta1"))]
        #[serde(default)]
        pub protocol: Protocol,
        /// What it is for.
        #[versioned(removed(since = "v1beta1", lossy, reason = "nobody read it"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
    }

    /// How to speak to a backend.
    #[versioned(added(since = "v1beta1"))]
    #[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
    pub enum Protocol {
        /// HTTP/1.1
        #[default]
        Http,
        /// HTTP/2
        #[versioned(renamed(since = "v1", from = "H2c"))]
        Http2,
        /// gRPC
        #[versioned(added(since = "v1", as = "H2c"))]
        Grpc,
        /// Gopher
        #[versioned(removed(since = "v1", as = "Http"))]
        Gopher,
    }

    /// What is there.
    #[derive(Clone, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
    pub struct SiteStatus {
        /// Whether it runs.
        #[versioned(
            changed(since = "v1", from_type = "bool", try_with = "word", try_back = "flag"),
            attr(since = "v1", schema(one_of_values = ["yes", "no"]))
        )]
        pub ready: String,
    }

    /// Whether a site runs.
    #[versioned(added(since = "v1"))]
    #[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Schema, Serialize)]
    pub enum State {
        /// It runs.
        #[default]
        Running,
        /// It answers that it is away.
        Maintenance,
        /// It does not run.
        Paused,
    }

    fn state(paused: bool) -> v1::State {
        if paused { v1::State::Paused } else { v1::State::Running }
    }
    fn is_paused(state: v1::State) -> bool {
        state == v1::State::Paused
    }
    fn one_host(host: String) -> Vec<String> {
        vec![host]
    }
    fn main_host(hosts: Vec<String>) -> String {
        hosts.into_iter().next().unwrap_or_default()
    }
    fn to_millis(seconds: i64) -> i64 {
        seconds.saturating_mul(1000)
    }
    fn to_seconds(millis: i64) -> i64 {
        millis / 1000
    }
    fn word(ready: bool) -> Result<String, String> {
        Ok(if ready { "yes" } else { "no" }.to_owned())
    }
    fn flag(ready: String) -> Result<bool, String> {
        match &*ready {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(format!("`{other}` is neither yes nor no")),
        }
    }
}

/// Types without a history, with `From` both ways.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
pub struct Small(pub i32);
/// The same, larger.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
pub struct Large(pub i64);
impl From<Small> for Large {
    fn from(Small(size): Small) -> Large {
        Large(size.into())
    }
}
impl From<Large> for Small {
    fn from(Large(size): Large) -> Small {
        Small(size.try_into().unwrap_or(i32::MAX))
    }
}

fn json(value: impl serde::Serialize) -> serde_json::Value {
    serde_json::to_value(value).expect("it is JSON")
}

fn convert(object: &serde_json::Value, to: &str) -> serde_json::Value {
    let to = format!("example.com/{to}");
    let converted = sites::v1::Site::versions().convert(object, &to);
    json(converted.unwrap_or_else(|e| panic!("{e}: {object}")))
}

fn oldest() -> serde_json::Value {
    serde_json::json!({
        "apiVersion": "example.com/v1alpha1",
        "kind": "Site",
        "metadata": {"name": "a"},
        "spec": {
            "host": "h",
            "replicas": 2,
            "timeoutSeconds": 3,
            "theme": "dark",
            "size": 7,
            "backends": [{"name": "b", "port": 1}],
            "alias": "x",
        },
        "status": {"ready": true},
    })
}

#[test]
fn converts_through_all_versions() {
    let second = convert(&oldest(), "v1beta1");
    assert_eq!(
        second["spec"],
        serde_json::json!({
            "hosts": ["h"],
            "replicas": 2,
            "timeoutSeconds": 3,
            "paused": false,
            "size": 7,
            "backends": [{"name": "b", "port": 1, "protocol": "Http"}],
            "alias": "x",
        })
    );
    let newest = convert(&oldest(), "v1");
    assert_eq!(
        newest["spec"],
        serde_json::json!({
            "hosts": ["h"],
            "servers": 2,
            "timeoutMillis": 3000,
            "state": "Running",
            "size": 7,
            "backends": [{"name": "b", "target": 1, "protocol": "Http"}],
            "deprecatedAlias": "x",
        })
    );
    assert_eq!(newest["status"], serde_json::json!({"ready": "yes"}));
    assert_eq!(convert(&newest, "v1alpha1"), oldest());
    assert_eq!(convert(&second, "v1alpha1"), oldest());
}

#[test]
fn keeps_what_a_version_cannot_express() {
    let newest = convert(&oldest(), "v1");
    for (pointer, value) in [
        ("/spec/hosts", serde_json::json!(["h", "i"])),
        ("/spec/timeoutMillis", serde_json::json!(1500)),
        ("/spec/state", serde_json::json!("Maintenance")),
        ("/spec/size", serde_json::json!(i64::MAX)),
        ("/spec/backends/0/protocol", serde_json::json!("Grpc")),
    ] {
        let mut changed = newest.clone();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
        for version in ["v1beta1", "v1alpha1"] {
            let older = convert(&changed, version);
            assert_eq!(convert(&older, "v1"), changed, "{pointer} {version}");
        }
    }
}

#[test]
fn a_conversion_can_fail_where_a_function_can() {
    let mut newest = convert(&oldest(), "v1");
    newest["status"]["ready"] = "maybe".into();
    let error = sites::v1::Site::versions().convert(&newest, "example.com/v1alpha1").expect_err("it fails");
    assert_eq!(error.to_string(), "status.ready: `maybe` is neither yes nor no");
}

#[test]
fn has_one_definition_of_all_versions() {
    let crd = sites::v1::Site::versions().crd().expect("it is a definition");
    let versions: Vec<(&str, bool, bool)> =
        crd.spec.versions.iter().map(|it| (&*it.name, it.storage, it.deprecated)).collect();
    assert_eq!(versions, [("v1", true, false), ("v1beta1", false, false), ("v1alpha1", false, true)]);
    // The oldest version has the constraint of a string, the others that of a list.
    let schema = json(crdgen::to_yaml(&crd)).as_str().map(str::to_owned).expect("text");
    assert_eq!(schema.matches("minItems: 1").count(), 2);
    assert!(schema.contains("Deprecated: use hosts") || schema.contains("use hosts"), "{schema}");
}

/// A single type in the form of stackable-versioned.
mod stackable {
    use super::*;

    #[versioned(
        version(name = "v1alpha1"),
        version(name = "v1beta1"),
        version(name = "v1"),
        k8s(group = "example.com", shortname = "f", options(experimental_conversion_tracking))
    )]
    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    pub struct FooSpec {
        #[versioned(added(since = "v1beta1"), changed(since = "v1", from_name = "prev_bar", from_type = "u16", upgrade_with = u32_of, downgrade_with = u16_of), hint(option))]
        bar: u32,
        baz: bool,
    }
}

fn u32_of(bar: u16) -> u32 {
    bar.into()
}

fn u16_of(bar: u32) -> u16 {
    bar.try_into().unwrap_or(u16::MAX)
}

#[test]
fn reads_what_is_written_for_stackable_versioned() {
    let old = serde_json::json!({
        "apiVersion": "example.com/v1alpha1",
        "kind": "Foo",
        "metadata": {"name": "a"},
        "spec": {"baz": true},
    });
    let versions = stackable::v1::Foo::versions();
    let new = json(versions.convert(&old, "example.com/v1").expect("it converts"));
    assert_eq!(new["spec"], serde_json::json!({"bar": 0, "baz": true}));
    assert_eq!(json(versions.convert(&new, "example.com/v1alpha1").expect("it converts")), old);
    assert_eq!(versions.crd().expect("a definition").spec.names.short_names, ["f"]);
}

/// Fields at the top level. One of them is left out if it is empty, and one depends on the object's metadata.
#[versioned(v1beta1, v1, preserve_module)]
mod drawers {
    use super::*;
    use crdgen::convert::Object;

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", kind = "Drawer", namespaced, no_spec, status = "DrawerStatus")]
    pub struct DrawerBody {
        #[versioned(changed(since = "v1", omit_empty))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limits: Option<Limits>,
        #[versioned(changed(since = "v1", from_name = "owner", with = "near", back = "far", object))]
        pub keeper: String,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    #[versioned(attr(since = "v1", schema(min_properties = 1)))]
    pub struct Limits {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub cpu: Option<i32>,
        #[versioned(removed(since = "v1"))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub memory: Option<i32>,
    }

    #[derive(Clone, Debug, Deserialize, Schema, Serialize)]
    pub struct DrawerStatus {
        #[versioned(renamed(since = "v1", from = "open"))]
        pub is_open: bool,
    }

    fn near(owner: String, object: &Object) -> String {
        owner.strip_prefix(&prefix(object)).map_or(owner.clone(), str::to_owned)
    }
    fn far(keeper: String, object: &Object) -> String {
        format!("{}{keeper}", prefix(object))
    }
    fn prefix(object: &Object) -> String {
        format!("{}/", object.namespace().unwrap_or_default())
    }
}

#[test]
fn histories_leave_empty_values_out_and_know_the_object() {
    let old = |limits: serde_json::Value| {
        serde_json::json!({
            "apiVersion": "example.com/v1beta1",
            "kind": "Drawer",
            "metadata": {"name": "a", "namespace": "b"},
            "limits": limits,
            "owner": "b/x",
            "status": {"open": true},
        })
    };
    let versions = drawers::v1::Drawer::versions();
    for (limits, left) in [
        (serde_json::json!({"cpu": 1}), serde_json::json!({"cpu": 1})),
        (serde_json::json!({"memory": 1}), serde_json::Value::Null),
        (serde_json::json!({}), serde_json::Value::Null),
    ] {
        let new = json(versions.convert(&old(limits.clone()), "example.com/v1").expect("it converts"));
        assert_eq!((&new["limits"], &new["keeper"]), (&left, &serde_json::json!("x")), "{new}");
        assert_eq!(new["status"], serde_json::json!({"is_open": true}));
        assert_eq!(json(versions.convert(&new, "example.com/v1beta1").expect("it converts")), old(limits));
    }
    // If an object lacks a spec, errors do not contain `spec`.
    let mut wrong = old(serde_json::json!({}));
    wrong["owner"] = 1.into();
    let error = versions.convert(&wrong, "example.com/v1").expect_err("it is no text");
    assert!(!error.to_string().contains("spec"), "{error}");
}

/// This file as a source, as `crdgen emit` reads it.
struct Source;

impl Sources for Source {
    fn read(&mut self, path: &str) -> Option<String> {
        (path == "versioned.rs").then(|| include_str!("versioned.rs").to_owned())
    }

    fn extern_crate(&mut self, _: &CrateSource, _: &str) -> Option<CrateSource> {
        None
    }
}

#[test]
fn the_source_and_the_compiled_types_agree() {
    let name = || "versioned".to_owned();
    let krate = CrateSource {
        name: name(),
        id: name(),
        root: "versioned.rs".to_owned(),
        cfgs: Cfgs::default(),
        environment: Vec::new(),
        dependency: None,
    };
    let mut sources = Source;
    let program = Program::new(&mut sources, krate);
    let read: Vec<(String, crdgen::ir::Crd)> =
        program.kinds(&|_, _| true).known.into_iter().map(|kind| (kind.name, kind.crd)).collect();
    assert!(!program.has_errors(), "{:?}", program.found());
    let compiled = [
        ("versioned::sites::v1alpha1::SiteSpec", sites::v1alpha1::Site::crd()),
        ("versioned::sites::v1beta1::SiteSpec", sites::v1beta1::Site::crd()),
        ("versioned::sites::v1::SiteSpec", sites::v1::Site::crd()),
        ("versioned::stackable::v1alpha1::FooSpec", stackable::v1alpha1::Foo::crd()),
        ("versioned::stackable::v1beta1::FooSpec", stackable::v1beta1::Foo::crd()),
        ("versioned::stackable::v1::FooSpec", stackable::v1::Foo::crd()),
        ("versioned::drawers::v1beta1::DrawerBody", drawers::v1beta1::Drawer::crd()),
        ("versioned::drawers::v1::DrawerBody", drawers::v1::Drawer::crd()),
    ];
    let compiled: Vec<(String, crdgen::ir::Crd)> =
        compiled.into_iter().map(|(name, crd)| (name.to_owned(), crd)).collect();
    assert_eq!(read, compiled);
}
