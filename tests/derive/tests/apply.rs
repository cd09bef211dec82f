//! `#[derive(Apply)]`: what the partners of types serialize, and how they merge.

use crdgen::apply::{Merge, to_json};
use crdgen::{Apply, CustomResource, Schema};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A program on some machines.
#[derive(Clone, Debug, Apply, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Web", namespaced, status = "WebStatus")]
#[serde(rename_all = "camelCase")]
struct WebSpec {
    image: String,
    #[serde(default)]
    replicas: i32,
    #[serde(rename = "type")]
    r#type: Type,
    #[schema(list_type = "map", list_map_keys = ["port", "protocol"])]
    ports: Vec<Port>,
    #[serde(default)]
    #[schema(list_type = "set")]
    args: Vec<String>,
    commands: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<String, String>,
    #[schema(map_type = "atomic")]
    selector: Option<BTreeMap<String, String>>,
    source: Option<Source>,
    #[serde(flatten)]
    limits: Limits,
    child: Option<Box<Child>>,
    #[serde(skip)]
    #[expect(dead_code, reason = "only its absence is tested")]
    cache: BTreeSet<u8>,
    #[apply(whole)]
    place: Option<Place>,
    /// `null` is not the same as absent.
    #[apply(whole)]
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable)]
    limit: Option<Option<i32>>,
    #[apply(whole)]
    #[serde(default)]
    #[schema(list_type = "map", list_map_keys = ["zone"])]
    places: Vec<Place>,
    size: Option<Size>,
}

fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

#[derive(Clone, Debug, Apply, Deserialize, PartialEq, Schema, Serialize)]
#[apply(whole)]
#[serde(untagged)]
#[schema(int_or_string)]
enum Size {
    Number(i64),
    Text(String),
}

/// A kind whose type is the whole object.
#[derive(Clone, Debug, Apply, CustomResource, Deserialize, Schema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Bare", whole)]
struct Bare {
    #[schema(skip)]
    metadata: crdgen::ObjectMeta,
    data: Option<Git>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
}

#[derive(Clone, Debug, Apply, Deserialize, PartialEq, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
enum Choice {
    #[apply(whole)]
    Place(Place),
}

#[derive(Clone, Copy, Debug, Apply, Deserialize, PartialEq, Schema, Serialize)]
enum Type {
    Internal,
    External,
}

#[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
struct Port {
    #[apply(key)]
    port: u16,
    /// It has a default, so configurations may leave it out.
    #[apply(key)]
    #[schema(default = "TCP")]
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<String>,
    node_port: Option<u16>,
}

#[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
#[serde(rename_all = "camelCase")]
enum Source {
    Git(Git),
    Image(String),
}

#[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
struct Git {
    url: String,
    branch: Option<String>,
}

#[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
struct Limits {
    cpu: Option<String>,
}

#[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
struct Child {
    name: String,
}

/// A type without a partner.
#[derive(Clone, Debug, Deserialize, PartialEq, Schema, Serialize)]
struct Place {
    zone: String,
    #[serde(default)]
    about: String,
}

#[derive(Clone, Debug, Apply, Deserialize, Schema, Serialize)]
struct WebStatus {
    ready: Option<i32>,
}

#[test]
fn serializes_only_what_is_set() {
    assert_eq!(to_json(&WebSpecApply::new()), "{}");
    let web = WebApply::new("front").with_metadata(|metadata| metadata.namespace = Some("shop".into()));
    assert_eq!(
        to_json(&web),
        r#"{"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"front","namespace":"shop"}}"#
    );
    let spec = WebSpecApply::new()
        .with_replicas(0)
        .with_type(Type::External)
        .with_ports([PortApply::new(80u16).with_node_port(30080u16)])
        .with_commands(Vec::new())
        .with_source(SourceApply::Git(GitApply::new().with_branch("main")))
        .with_limits(LimitsApply::new().with_cpu("1"))
        .with_child(ChildApply::new().with_name("x"))
        .with_place(Place { zone: "a".into(), about: "b".into() });
    assert_eq!(
        to_json(&web.with_spec(spec).with_status(WebStatusApply::new().with_ready(1))),
        concat!(
            r#"{"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"front","namespace":"shop"},"#,
            r#""spec":{"child":{"name":"x"},"commands":[],"cpu":"1","place":{"about":"b","zone":"a"},"#,
            r#""ports":[{"nodePort":30080,"port":80}],"replicas":0,"source":{"git":{"branch":"main"}},"#,
            r#""type":"External"},"status":{"ready":1}}"#
        )
    );
}

#[test]
fn partners_of_values_set_all_of_them() {
    let git = Git { url: "u".into(), branch: None };
    assert_eq!(GitApply::from(git.clone()), GitApply::new().with_url("u"));
    let port = Port { port: 80, protocol: Some("UDP".into()), node_port: None };
    assert_eq!(PortApply::from(port), PortApply::new(80u16).with_protocol("UDP"));
    assert_eq!(Source::Git(git).into_config(), Some(SourceApply::Git(GitApply::new().with_url("u"))));
}

#[test]
fn reads_what_it_writes() {
    let spec =
        WebSpecApply::new().with_ports([PortApply::new(80u16)]).with_limits(LimitsApply::new().with_cpu("1"));
    let web = WebApply::new("front").with_spec(spec);
    let text = to_json(&web);
    let read: WebApply = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(to_json(&read), text);
}

#[test]
fn merges_by_list_types_and_keys() {
    let mut own = WebSpecApply::new()
        .with_image("a")
        .with_ports([PortApply::new(80u16).with_protocol("TCP"), PortApply::new(81u16)])
        .with_args(["x".to_owned()])
        .with_commands(["x".to_owned()])
        .with_labels([("a".to_owned(), "1".to_owned()), ("b".to_owned(), "1".to_owned())])
        .with_selector([("a".to_owned(), "1".to_owned())])
        .with_source(SourceApply::Git(GitApply::new().with_url("u")))
        .with_limits(LimitsApply::new().with_cpu("1"));
    own.merge(
        WebSpecApply::new()
            .with_replicas(2)
            .with_ports([
                PortApply::new(80u16).with_protocol("TCP").with_node_port(1u16),
                PortApply::new(82u16),
            ])
            .with_args(["y".to_owned(), "x".to_owned()])
            .with_commands(["y".to_owned()])
            .with_labels([("b".to_owned(), "2".to_owned())])
            .with_selector([("b".to_owned(), "2".to_owned())])
            .with_source(SourceApply::Git(GitApply::new().with_branch("main")))
            .with_limits(LimitsApply::new().with_cpu("2")),
    );
    assert_eq!(
        to_json(&own),
        concat!(
            r#"{"args":["x","y"],"commands":["y"],"cpu":"2","image":"a","labels":{"a":"1","b":"2"},"#,
            r#""ports":[{"nodePort":1,"port":80,"protocol":"TCP"},{"port":81},{"port":82}],"replicas":2,"#,
            r#""selector":{"b":"2"},"source":{"git":{"branch":"main","url":"u"}}}"#
        )
    );
    // Another variant replaces the value.
    own.merge(WebSpecApply::new().with_source(SourceApply::Image("i".into())));
    assert_eq!(own.source, Some(SourceApply::Image("i".into())));
}

#[test]
fn applies_whole_values() {
    let places = |items: &[(&str, &str)]| -> Vec<Place> {
        items.iter().map(|(zone, about)| Place { zone: (*zone).into(), about: (*about).into() }).collect()
    };
    let mut own = WebSpecApply::new()
        .with_limit(None)
        .with_places(places(&[("a", "1"), ("b", "1")]))
        .with_size(Size::Number(1));
    assert_eq!(
        to_json(&own),
        r#"{"limit":null,"places":[{"about":"1","zone":"a"},{"about":"1","zone":"b"}],"size":1}"#
    );
    let read: WebSpecApply = serde_json::from_str(&to_json(&own)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(to_json(&read), to_json(&own));
    own.merge(
        WebSpecApply::new().with_places(places(&[("b", "2"), ("c", "2")])).with_size(Size::Text("x".into())),
    );
    assert_eq!(own.places, Some(places(&[("a", "1"), ("b", "2"), ("c", "2")])));
    assert_eq!((own.limit, own.size), (Some(None), Some(Size::Text("x".into()))));
}

#[test]
fn whole_objects_have_their_type() {
    let bare = BareApply::new()
        .with_metadata(crdgen::ObjectMeta { name: Some("x".into()), ..Default::default() })
        .with_data(GitApply::new().with_url("u"))
        .with_choice(ChoiceApply::Place(Place { zone: "a".into(), about: String::new() }));
    assert_eq!(
        to_json(&bare),
        concat!(
            r#"{"apiVersion":"example.com/v1","choice":{"place":{"about":"","zone":"a"}},"data":{"url":"u"},"#,
            r#""kind":"Bare","metadata":{"name":"x"}}"#
        )
    );
}
