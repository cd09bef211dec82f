//! `#[derive(Convert)]`: every kind of move, in both directions, with and without edits in between.

#![allow(deprecated, reason = "the variants of some enums have different types")]
#![allow(unreachable_pub)]

use crdgen::convert::{Context, Object, Versions};
use crdgen::{Convert, CustomResource, Schema};
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;
    use std::collections::{BTreeMap, HashMap};

    #[derive(Clone, Debug, CustomResource, Deserialize, PartialEq, Schema, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1beta1",
        kind = "Widget",
        namespaced,
        status = "WidgetStatus",
        storage = false
    )]
    #[serde(rename_all = "camelCase")]
    pub struct WidgetSpec {
        pub size: i32,
        pub host: String,
        #[serde(default)]
        pub timeout_seconds: i64,
        pub address: String,
        pub user: String,
        pub domain: String,
        pub min_replicas: i32,
        pub max_replicas: i32,
        pub storage: Storage,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub legacy_mode: Option<String>,
        #[serde(default)]
        pub debug: bool,
        #[serde(default)]
        pub ports: Vec<Port>,
        #[serde(default)]
        pub backends: BTreeMap<String, Port>,
        #[serde(default)]
        pub hashed: HashMap<String, Vec<Port>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub main: Option<Box<Port>>,
        pub policy: Policy,
        pub pair: Pair,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limits: Option<Limits>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub owner: Option<String>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub muted: bool,
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub struct Limits {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub cpu: Option<i32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub memory: Option<i32>,
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub struct Storage {
        pub class: String,
        pub gigabytes: i64,
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub struct Port {
        pub port: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub comment: Option<String>,
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub enum Policy {
        Always,
        Never,
        Legacy,
        Sometimes { percent: i32, seed: i64 },
        Custom(String),
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub struct Pair(pub i32, pub i32);

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub struct WidgetStatus {
        pub ready: bool,
    }
}

mod v1 {
    use super::*;
    use crdgen::convert::Object;
    use std::collections::{BTreeMap, HashMap};

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, PartialEq, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Widget", namespaced, status = "WidgetStatus")]
    #[convert(
        from = "v1beta1::WidgetSpec",
        removed(legacy_mode, debug(lossy, reason = "it never did anything")),
        split(from = "address", into = ["street", "city"], with = "split", back = "join"),
        inside(storage = "v1beta1::Storage")
    )]
    #[serde(rename_all = "camelCase")]
    pub struct WidgetSpec {
        #[convert(from = "size")]
        pub replicas: i32,
        #[convert(from = "host", with = "one", back = "first")]
        pub hosts: Vec<String>,
        #[convert(from = "timeout_seconds", with = "to_millis", back = "to_seconds")]
        pub timeout_millis: i64,
        pub street: String,
        pub city: String,
        #[convert(from = ["user", "domain"], with = "email", back = "of_email")]
        pub email: String,
        #[convert(parts(min = "min_replicas", max = "max_replicas"))]
        pub scaling: Scaling,
        #[convert(from = "storage.class")]
        pub storage_class: String,
        #[convert(from = "storage.gigabytes")]
        pub storage_gigabytes: i64,
        #[serde(default)]
        #[convert(default)]
        pub paused: bool,
        #[serde(default = "three")]
        #[convert(default = "three")]
        pub retries: i32,
        #[serde(default)]
        pub ports: Vec<Port>,
        #[serde(default)]
        pub backends: BTreeMap<String, Port>,
        #[serde(default)]
        pub hashed: HashMap<String, Vec<Port>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub main: Option<Box<Port>>,
        pub policy: Policy,
        pub pair: Pair,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(omit_empty)]
        pub limits: Option<Limits>,
        /// In another namespace only with its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(with = "near", back = "far", object)]
        pub owner: Option<String>,
        /// `false` is not the same as nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(with = "only_true", back = "is_true")]
        pub muted: Option<bool>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
    #[convert(from = "v1beta1::Limits", removed(memory))]
    #[schema(min_properties = 1)]
    pub struct Limits {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub cpu: Option<i32>,
    }

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub struct Scaling {
        pub min: i32,
        pub max: i32,
    }

    #[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
    #[convert(from = "v1beta1::Port", removed(comment))]
    pub struct Port {
        #[convert(from = "port")]
        pub number: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[convert(default)]
        pub protocol: Option<String>,
    }

    #[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
    #[convert(from = "v1beta1::Policy", removed(Legacy(as = "Never")))]
    pub enum Policy {
        Always,
        Never,
        #[convert(as = "Always")]
        Often,
        #[convert(removed(seed))]
        Sometimes {
            #[convert(from = "percent", with = "per_mille", back = "per_cent")]
            per_mille: i32,
        },
        #[convert(from = "Custom")]
        Other(String),
    }

    #[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
    #[convert(from = "v1beta1::Pair")]
    pub struct Pair(#[convert(from = "1")] pub i32, #[convert(from = "0")] pub i32);

    #[derive(Clone, Debug, Convert, Deserialize, PartialEq, Schema, Serialize)]
    #[convert(from = "v1beta1::WidgetStatus", fallible)]
    pub struct WidgetStatus {
        #[schema(one_of_values = ["Ready", "Waiting"])]
        #[convert(from = "ready", try_with = "to_state", try_back = "to_ready")]
        pub state: String,
    }

    fn one(host: String) -> Vec<String> {
        vec![host]
    }
    fn first(hosts: Vec<String>) -> String {
        hosts.into_iter().next().unwrap_or_default()
    }
    fn to_millis(seconds: i64) -> i64 {
        seconds.saturating_mul(1000)
    }
    fn to_seconds(millis: i64) -> i64 {
        millis / 1000
    }
    fn split(address: String) -> (String, String) {
        match address.split_once(", ") {
            Some((street, city)) => (street.to_owned(), city.to_owned()),
            None => (address, String::new()),
        }
    }
    fn join(street: String, city: String) -> String {
        format!("{street}, {city}")
    }
    fn email(user: String, domain: String) -> String {
        format!("{user}@{domain}")
    }
    fn of_email(email: String) -> (String, String) {
        let (user, domain) = email.split_once('@').unwrap_or((&email, ""));
        (user.to_owned(), domain.to_owned())
    }
    fn three() -> i32 {
        3
    }
    fn near(owner: Option<String>, object: &Object) -> Option<String> {
        let owner = owner?;
        match owner.split_once('/') {
            Some((namespace, name)) if object.namespace() == Some(namespace) => Some(name.to_owned()),
            _ => Some(owner),
        }
    }
    fn far(owner: Option<String>, object: &Object) -> Option<String> {
        let owner = owner?;
        match (owner.contains('/'), object.namespace()) {
            (false, Some(namespace)) => Some(format!("{namespace}/{owner}")),
            _ => Some(owner),
        }
    }
    fn only_true(muted: bool) -> Option<bool> {
        muted.then_some(true)
    }
    fn is_true(muted: Option<bool>) -> bool {
        muted.unwrap_or_default()
    }
    fn per_mille(percent: i32) -> i32 {
        percent.saturating_mul(10)
    }
    fn per_cent(per_mille: i32) -> i32 {
        per_mille / 10
    }
    fn to_state(ready: bool) -> Result<String, String> {
        Ok(if ready { "Ready" } else { "Waiting" }.to_owned())
    }
    fn to_ready(state: String) -> Result<bool, String> {
        match &*state {
            "Ready" => Ok(true),
            "Waiting" => Ok(false),
            other => Err(format!("`{other}` is no state of v1beta1")),
        }
    }
}

const ANNOTATION: &str = "example.com/conversion";

/// The versions of a widget.
pub fn versions() -> Versions {
    Versions::new().pair::<v1beta1::Widget, v1::Widget>()
}

fn old() -> serde_json::Value {
    serde_json::json!({
        "apiVersion": "example.com/v1beta1",
        "kind": "Widget",
        "metadata": {"name": "a", "namespace": "b", "uid": "u", "managedFields": [{"manager": "m"}]},
        "spec": {
            "size": 2,
            "host": "h",
            "timeoutSeconds": 3,
            "address": "s, c",
            "user": "u",
            "domain": "d",
            "minReplicas": 1,
            "maxReplicas": 2,
            "storage": {"class": "fast", "gigabytes": 10},
            "debug": false,
            "ports": [{"port": 1}, {"port": 2}],
            "backends": {"a": {"port": 1}},
            "hashed": {"x": [{"port": 1}]},
            "main": {"port": 9},
            "policy": "Always",
            "pair": [1, 2],
        },
        "status": {"ready": true},
    })
}

fn convert(object: &serde_json::Value, to: &str) -> serde_json::Value {
    let to = format!("example.com/{to}");
    let converted = versions().convert(object, &to).unwrap_or_else(|e| panic!("{e}: {object}"));
    serde_json::to_value(&converted).expect("it is JSON")
}

fn with(object: &serde_json::Value, pointer: &str, value: serde_json::Value) -> serde_json::Value {
    let mut object = object.clone();
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    match object.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}")) {
        serde_json::Value::Array(items) => items[name.parse::<usize>().expect("an index")] = value,
        serde_json::Value::Object(members) => _ = members.insert(name.to_owned(), value),
        other => panic!("{pointer}: {other}"),
    }
    object
}

#[test]
fn moves_every_field() {
    let new = convert(&old(), "v1");
    assert_eq!(new["apiVersion"], "example.com/v1");
    assert_eq!(new["metadata"], old()["metadata"]);
    assert_eq!(
        new["spec"],
        serde_json::json!({
            "replicas": 2,
            "hosts": ["h"],
            "timeoutMillis": 3000,
            "street": "s",
            "city": "c",
            "email": "u@d",
            "scaling": {"min": 1, "max": 2},
            "storageClass": "fast",
            "storageGigabytes": 10,
            "paused": false,
            "retries": 3,
            "ports": [{"number": 1}, {"number": 2}],
            "backends": {"a": {"number": 1}},
            "hashed": {"x": [{"number": 1}]},
            "main": {"number": 9},
            "policy": "Always",
            "pair": [2, 1],
        })
    );
    assert_eq!(new["status"], serde_json::json!({"state": "Ready"}));
    assert_eq!(convert(&new, "v1beta1"), old());
}

/// What the newer version cannot express is restored, and then the annotation is removed.
#[test]
fn keeps_what_the_newer_version_cannot_express() {
    for (pointer, value) in [
        ("/spec/legacyMode", serde_json::json!("fast")),
        ("/spec/address", serde_json::json!("no comma")),
        ("/spec/timeoutSeconds", serde_json::json!(i64::MAX)),
        ("/spec/user", serde_json::json!("a@b")),
        ("/spec/ports/1", serde_json::json!({"port": 2, "comment": "two"})),
        ("/spec/ports", serde_json::json!([{"port": 2}, {"port": 2, "comment": "two"}])),
        ("/spec/backends/b", serde_json::json!({"port": 2, "comment": "two"})),
        ("/spec/hashed/b", serde_json::json!([{"port": 2, "comment": "two"}])),
        ("/spec/main", serde_json::json!({"port": 2, "comment": "two"})),
        ("/spec/policy", serde_json::json!("Legacy")),
        ("/spec/limits", serde_json::json!({})),
        ("/spec/limits", serde_json::json!({"memory": 1})),
        ("/spec/limits", serde_json::json!({"cpu": 1, "memory": 1})),
        ("/spec/owner", serde_json::json!("without-namespace")),
        ("/spec/policy", serde_json::json!({"Sometimes": {"percent": 3, "seed": 7}})),
    ] {
        let old = with(&old(), pointer, value.clone());
        let new = convert(&old, "v1");
        assert!(new["metadata"]["annotations"][ANNOTATION].is_string(), "{pointer}: {new}");
        assert_eq!(convert(&new, "v1beta1"), old, "{pointer}");
    }
}

#[test]
fn keeps_what_the_older_version_cannot_express() {
    let new = convert(&old(), "v1");
    for (pointer, value) in [
        ("/spec/paused", serde_json::json!(true)),
        ("/spec/retries", serde_json::json!(4)),
        ("/spec/hosts", serde_json::json!(["h", "i"])),
        ("/spec/hosts", serde_json::json!([])),
        ("/spec/timeoutMillis", serde_json::json!(1500)),
        ("/spec/email", serde_json::json!("no at")),
        ("/spec/ports/0", serde_json::json!({"number": 1, "protocol": "http"})),
        ("/spec/backends/a", serde_json::json!({"number": 1, "protocol": "http"})),
        ("/spec/policy", serde_json::json!("Often")),
        ("/spec/limits", serde_json::json!({})),
        ("/spec/muted", serde_json::json!(false)),
        ("/spec/policy", serde_json::json!({"Sometimes": {"per_mille": 33}})),
    ] {
        let new = with(&new, pointer, value.clone());
        let old = convert(&new, "v1beta1");
        assert!(old["metadata"]["annotations"][ANNOTATION].is_string(), "{pointer}: {old}");
        assert_eq!(convert(&old, "v1"), new, "{pointer}");
    }
}

/// An empty value is left out. If the user then sets a value, the new value is used.
#[test]
fn leaves_empty_values_out() {
    let empty = with(&old(), "/spec/limits", serde_json::json!({"memory": 1}));
    let mut new = convert(&empty, "v1");
    assert_eq!(new["spec"].get("limits"), None);
    new["spec"]["limits"] = serde_json::json!({"cpu": 2});
    assert_eq!(convert(&new, "v1beta1")["spec"]["limits"], serde_json::json!({"cpu": 2}));

    let kept = with(&old(), "/spec/limits", serde_json::json!({"cpu": 1}));
    assert_eq!(convert(&kept, "v1")["spec"]["limits"], serde_json::json!({"cpu": 1}));
}

#[test]
fn functions_know_the_object() {
    for (owner, new) in [("b/x", "x"), ("c/x", "c/x")] {
        let old = with(&old(), "/spec/owner", owner.into());
        let converted = convert(&old, "v1");
        assert_eq!(converted["spec"]["owner"], new);
        assert_eq!(converted["metadata"].get("annotations"), None, "{converted}");
        assert_eq!(convert(&converted, "v1beta1"), old);
    }
    // A value alone has no object around it.
    assert_eq!(Context::alone().object(), Object::default());
}

/// A field that a type reads but does not write is not an unknown field: its value has another meaning in the other
/// version.
#[test]
fn keeps_only_fields_that_the_type_does_not_know() {
    let mut old = with(&old(), "/spec/muted", false.into());
    old["spec"]["unknown"] = 1.into();
    let new = convert(&old, "v1");
    assert_eq!(new["spec"].get("muted"), None);
    assert_eq!(new["spec"]["unknown"], 1);
}

/// If a user changes a value, the new value is used, and what was kept for the old value is dropped.
#[test]
fn drops_what_was_kept_for_a_value_that_changed() {
    let new = with(&convert(&old(), "v1"), "/spec/hosts", serde_json::json!(["h", "i"]));
    let mut old = convert(&new, "v1beta1");
    old["spec"]["host"] = "other".into();
    let again = convert(&old, "v1");
    assert_eq!(again["spec"]["hosts"], serde_json::json!(["other"]));
    assert_eq!(again["metadata"].get("annotations"), None);

    let new = with(&new, "/spec/policy", serde_json::json!("Often"));
    let mut old = convert(&new, "v1beta1");
    old["spec"]["policy"] = "Never".into();
    assert_eq!(convert(&old, "v1")["spec"]["policy"], "Never");
}

/// Items of lists are identified even if they move.
#[test]
fn follows_items_of_lists() {
    let ports = serde_json::json!([{"number": 1, "protocol": "http"}, {"number": 2, "protocol": "grpc"}, {"number": 3}]);
    let new = with(&convert(&old(), "v1"), "/spec/ports", ports);
    let mut old = convert(&new, "v1beta1");
    assert_eq!(old["spec"]["ports"], serde_json::json!([{"port": 1}, {"port": 2}, {"port": 3}]));
    old["spec"]["ports"] = serde_json::json!([{"port": 3}, {"port": 2}, {"port": 4}]);
    assert_eq!(
        convert(&old, "v1")["spec"]["ports"],
        serde_json::json!([{"number": 3}, {"number": 2, "protocol": "grpc"}, {"number": 4}])
    );
}

#[test]
fn names_the_place_of_an_error() {
    let new = with(&convert(&old(), "v1"), "/status/state", "Odd".into());
    let error = versions().convert(&new, "example.com/v1beta1").expect_err("there is no such state");
    assert_eq!(error.to_string(), "status.state: `Odd` is no state of v1beta1");
}

/// A server accepts 256 KiB of annotations. If more has to be kept, the conversion fails and loses nothing.
#[test]
fn keeps_no_more_than_a_server_takes() {
    const LIMIT: usize = 256 << 10;
    let with_legacy = |length: usize| with(&old(), "/spec/legacyMode", "x".repeat(length).into());
    let annotated = |length: usize| {
        let new = versions().convert(&with_legacy(length), "example.com/v1")?;
        let new = serde_json::to_value(&new).expect("it is JSON");
        let text = new["metadata"]["annotations"][ANNOTATION].as_str().expect("an annotation");
        Ok::<usize, crdgen::convert::Error>(ANNOTATION.len() + text.len())
    };
    let around = annotated(0).expect("it is short");
    assert_eq!(annotated(LIMIT - around), Ok(LIMIT));
    let error = annotated(LIMIT - around + 1).expect_err("one byte too many");
    let message =
        format!("v1 cannot express what must be kept, and {} bytes are too many for annotations", LIMIT + 1);
    assert_eq!(error.to_string(), message);

    // Other annotations count towards the limit too.
    let mut object = with_legacy(LIMIT - around);
    object["metadata"]["annotations"] = serde_json::json!({"a": "b"});
    let error = versions().convert(&object, "example.com/v1").expect_err("two bytes too many");
    assert!(error.to_string().contains(&format!("{} bytes", LIMIT + 2)), "{error}");
}

#[test]
fn leaves_annotations_of_others_alone() {
    let mut with_others = old();
    with_others["metadata"]["annotations"] = serde_json::json!({"a": "b"});
    with_others["spec"]["legacyMode"] = "x".into();
    let new = convert(&with_others, "v1");
    assert_eq!(new["metadata"]["annotations"]["a"], "b");
    assert_eq!(convert(&new, "v1beta1"), with_others);

    // Users can edit the annotation.
    for text in [
        "",
        "{",
        "[]",
        "{}",
        r#"{"format":2}"#,
        r#"{"format":1,"versions":{"v1":{"fields":{"spec":{"fields":{"paused":{"value":"no"},"ports":{"items":[1,{},{"for":1}]}}}}}}}"#,
    ] {
        let mut odd = old();
        odd["metadata"]["annotations"] = serde_json::json!({ANNOTATION: text});
        assert_eq!(convert(&odd, "v1"), convert(&old(), "v1"), "{text}");
    }
}

#[test]
fn rejects_what_it_does_not_know() {
    for (pointer, value, wrong) in [
        ("/kind", "Other", "its kind is `Other`, not Widget"),
        (
            "/apiVersion",
            "example.com/v2",
            "Widget has no version `example.com/v2`; it has example.com/v1, example.com/v1beta1",
        ),
        ("/metadata", "x", "its metadata is not an object"),
        ("/spec", "x", "spec: invalid type: string \"x\", expected struct WidgetSpec"),
    ] {
        let error = versions().convert(&with(&old(), pointer, value.into()), "example.com/v1");
        assert_eq!(error.expect_err("it is wrong").to_string(), wrong);
    }
}

#[test]
fn converts_types_without_an_object() {
    let old = v1beta1::Port { port: 1, comment: Some("lost".to_owned()) };
    let new = v1::Port::from(old);
    assert_eq!(new, v1::Port { number: 1, protocol: None });
    assert_eq!(v1beta1::Port::from(new), v1beta1::Port { port: 1, comment: None });
    let wrong = v1beta1::WidgetStatus::try_from(v1::WidgetStatus { state: "x".to_owned() });
    assert_eq!(wrong.expect_err("no state").path(), "state");
}

/// Two kinds, one of which has a status, and a kind whose spec is in a field with another name.
mod statuses {
    use crdgen::{Convert, CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
    pub struct Status {
        pub ready: bool,
    }

    #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v1", kind = "Gadget")]
    pub struct First {
        pub a: i32,
    }

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v2", kind = "Gadget", root = "Gadget2", status = "Status")]
    #[convert(from = "First", kind = "Gadget", status = "added")]
    pub struct Second {
        pub a: i32,
    }

    #[derive(Clone, Debug, Convert, CustomResource, Deserialize, Schema, Serialize)]
    #[kube(group = "example.com", version = "v3", kind = "Gadget", root = "Gadget3")]
    #[convert(from = "Second", kind = "Gadget2", status = "removed")]
    pub struct Third {
        pub a: i32,
    }
}

#[test]
fn converts_kinds_of_which_one_has_a_status() {
    use statuses::{Gadget, Gadget2, Gadget3};
    let versions = Versions::new().pair::<Gadget, Gadget2>().pair::<Gadget2, Gadget3>();
    let second = serde_json::json!({
        "apiVersion": "example.com/v2",
        "kind": "Gadget",
        "metadata": {"name": "a"},
        "spec": {"a": 1},
        "status": {"ready": true},
    });
    for version in ["v1", "v3"] {
        let other = versions.convert(&second, &format!("example.com/{version}")).expect("it converts");
        assert_eq!(other.get("status"), None);
        let back = versions.convert(&other, "example.com/v2").expect("it converts");
        assert_eq!(serde_json::to_value(&back).expect("JSON"), second);
    }
}
