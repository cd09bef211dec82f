//! What Kubernetes' own kinds do with objects that say that they are something else, or that do not say what they are. The
//! messages are those of a server of 1.37.

use crate::common::{JSON, get, merge, post, send};
use crdgen_apiserver::Server;

const CONFIG_MAPS: &str = "/api/v1/namespaces/default/configmaps";
const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";
const EVENTS: &str = "/api/v1/namespaces/default/events";
const AUTOSCALERS: &str = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const REVIEWS: &str = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
const APPLY: &str = "application/apply-patch+yaml";

fn object(api_version: &str, kind: &str) -> String {
    format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}","metadata":{{"name":"a"}}}}"#)
}

/// The message for a kind that the server does not know.
fn unknown(kind: &str, api_version: &str) -> String {
    format!(
        r#"no kind "{kind}" is registered for version "{api_version}" in scheme "pkg/runtime/scheme.go:111""#
    )
}

fn unconvertible(kind: &str, own: &str) -> String {
    format!("converting (v1.{kind}) to ({own}): unknown conversion")
}

fn not_handled(kind: &str, version: &str, own: &str, why: &str) -> String {
    format!(r#"{kind} in version "{version}" cannot be handled as a {own}: {why}"#)
}

fn other_version(found: &str, wanted: &str) -> String {
    format!("the API version in the data ({found}) does not match the expected API version ({wanted})")
}

#[tokio::test]
async fn rejects_objects_of_other_kinds_and_versions() {
    let server = Server::new();
    let to = |kind: &str, own: &str, package: &str| {
        not_handled(kind, "v1", own, &unconvertible(kind, &format!("{package}.{own}")))
    };
    let none = |kind: &str, api_version: &str, own: &str| {
        let version = api_version.rsplit('/').next().unwrap_or_default();
        not_handled(kind, version, own, &unknown(kind, api_version))
    };
    for (uri, api_version, kind, expected) in [
        (CONFIG_MAPS, "v1", "Secret", to("Secret", "ConfigMap", "core")),
        (CONFIG_MAPS, "", "Secret", to("Secret", "ConfigMap", "core")),
        (CONFIG_MAPS, "apps/v1", "Deployment", to("Deployment", "ConfigMap", "core")),
        (CONFIG_MAPS, "v2", "ConfigMap", none("ConfigMap", "v2", "ConfigMap")),
        (CONFIG_MAPS, "apps/v1", "", none("ConfigMap", "apps/v1", "ConfigMap")),
        (CONFIG_MAPS, "x.io/v1", "Foo", none("Foo", "x.io/v1", "ConfigMap")),
        (
            CONFIG_MAPS,
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            none("CustomResourceDefinition", "apiextensions.k8s.io/v1", "ConfigMap"),
        ),
        (DEFINITIONS, "v1", "Secret", none("Secret", "v1", "CustomResourceDefinition")),
        (
            DEFINITIONS,
            "apiextensions.k8s.io/v1beta1",
            "CustomResourceDefinition",
            other_version("apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1"),
        ),
        (DEPLOYMENTS, "apps/v1", "StatefulSet", to("StatefulSet", "Deployment", "apps")),
        (DEPLOYMENTS, "extensions/v1beta1", "Deployment", other_version("extensions/v1beta1", "apps/v1")),
        (DEPLOYMENTS, "apps/v1beta1", "Deployment", other_version("apps/v1beta1", "apps/v1")),
        (
            "/apis/rbac.authorization.k8s.io/v1/clusterroles",
            "rbac.authorization.k8s.io/v1alpha1",
            "ClusterRole",
            other_version("rbac.authorization.k8s.io/v1alpha1", "rbac.authorization.k8s.io/v1"),
        ),
        (EVENTS, "events.k8s.io/v1", "Event", other_version("events.k8s.io/v1", "v1")),
        ("/apis/events.k8s.io/v1/namespaces/default/events", "v1", "Secret", to("Secret", "Event", "core")),
        (
            AUTOSCALERS,
            "autoscaling/v1",
            "HorizontalPodAutoscaler",
            other_version("autoscaling/v1", "autoscaling/v2"),
        ),
        (
            AUTOSCALERS,
            "autoscaling/v3",
            "HorizontalPodAutoscaler",
            none("HorizontalPodAutoscaler", "autoscaling/v3", "HorizontalPodAutoscaler"),
        ),
        (REVIEWS, "v1", "Pod", to("Pod", "SubjectAccessReview", "authorization")),
        ("/api/v1/namespaces/default/bindings", "v1", "Pod", to("Pod", "Binding", "core")),
        ("/api/v1/namespaces/missing/configmaps", "v1", "Secret", to("Secret", "ConfigMap", "core")),
    ] {
        for query in ["", "?dryRun=All", "?fieldValidation=Strict"] {
            let (code, answer) = post(&server, &format!("{uri}{query}"), &object(api_version, kind)).await;
            assert_eq!((code, answer.text("message")), (400, expected.as_str()), "{uri}{query}");
        }
    }
    let (code, _) = get(&server, &format!("{CONFIG_MAPS}/a")).await;
    assert_eq!(code, 404);
}

#[tokio::test]
async fn keeps_the_kind_and_the_version_of_an_object() {
    let server = Server::new();
    assert_eq!(post(&server, CONFIG_MAPS, &object("v1", "ConfigMap")).await.0, 201);
    let one = format!("{CONFIG_MAPS}/a");
    let (secret, v2) = (unconvertible("Secret", "core.ConfigMap"), unknown("ConfigMap", "v2"));
    for (api_version, kind, expected) in [
        ("v1", "Secret", not_handled("Secret", "v1", "ConfigMap", &secret)),
        ("v2", "ConfigMap", not_handled("ConfigMap", "v2", "ConfigMap", &v2)),
    ] {
        let body = object(api_version, kind);
        for uri in [&one, &format!("{CONFIG_MAPS}/missing")] {
            let (code, answer) = send(&server, "PUT", uri, JSON, &body).await;
            assert_eq!((code, answer.text("message")), (400, expected.as_str()), "{uri}");
        }
        let expected = format!("invalid object type: /{api_version}, Kind={kind}");
        for name in ["a", "b"] {
            let uri = format!("{CONFIG_MAPS}/{name}?fieldManager=m");
            let (code, answer) = send(&server, "PATCH", &uri, APPLY, &body).await;
            assert_eq!((code, answer.text("message")), (400, expected.as_str()), "{uri}");
        }
    }
    for (media_type, patch, code, expected) in [
        ("merge-patch", r#"{"kind":"Secret"}"#, 422, secret.as_str()),
        ("merge-patch", r#"{"apiVersion":"v2"}"#, 422, &v2),
        (
            "merge-patch",
            r#"{"kind":5}"#,
            422,
            "json: cannot unmarshal number into Go struct field .kind of type string",
        ),
        ("merge-patch", r#"{"apiVersion":null}"#, 400, "was undeterminable: name must be provided"),
        ("merge-patch", r#"{"kind":null,"data":{"x":"y"}}"#, 200, ""),
        ("json-patch", r#"[{"op":"replace","path":"/kind","value":"Secret"}]"#, 422, &secret),
        ("json-patch", r#"[{"op":"remove","path":"/kind"}]"#, 200, ""),
        ("strategic-merge-patch", r#"{"kind":"Secret","data":{"x":"z"}}"#, 200, ""),
        ("strategic-merge-patch", r#"{"kind":null,"apiVersion":"apps/v1"}"#, 200, ""),
    ] {
        let media_type = format!("application/{media_type}+json");
        let (found, answer) = send(&server, "PATCH", &one, &media_type, patch).await;
        let message = answer.text("message");
        assert!(found == code && message.ends_with(expected), "{patch}: {found} {message}");
        if found == 200 {
            assert_eq!((answer.text("apiVersion"), answer.text("kind")), ("v1", "ConfigMap"), "{patch}");
        }
    }
    let (_, stored) = get(&server, &one).await;
    assert_eq!((stored.text("apiVersion"), stored.text("kind")), ("v1", "ConfigMap"));
    assert_eq!(stored.get("data").map(|data| data.text("x")), Some("z"));
    let missing = format!("{CONFIG_MAPS}/missing");
    assert_eq!(merge(&server, &missing, r#"{"kind":"Secret"}"#).await.0, 404);
}

#[tokio::test]
async fn completes_objects_without_a_kind_and_a_version() {
    let server = Server::new();
    for (uri, api_version, kind) in [
        (CONFIG_MAPS, "v1", "ConfigMap"),
        ("/apis/rbac.authorization.k8s.io/v1/clusterroles", "rbac.authorization.k8s.io/v1", "ClusterRole"),
    ] {
        for (name, start) in [
            ("a", String::new()),
            ("b", format!(r#""apiVersion":"{api_version}","#)),
            ("c", format!(r#""kind":"{kind}","#)),
            ("d", r#""apiVersion":null,"kind":"","#.to_owned()),
        ] {
            let one = format!("{uri}/{name}");
            let body = format!(r#"{{{start}"metadata":{{"name":"{name}"}}}}"#);
            let created = post(&server, uri, &body).await;
            let replaced = send(&server, "PUT", &one, JSON, &body).await;
            for (code, answer) in [(201, created), (200, replaced), (200, get(&server, &one).await)] {
                let found = (answer.0, answer.1.text("apiVersion"), answer.1.text("kind"));
                assert_eq!(found, (code, api_version, kind), "{body}");
            }
        }
    }
    let (code, answer) = send(
        &server,
        "PUT",
        "/api/v1/namespaces/default/finalize",
        JSON,
        r#"{"metadata":{"name":"default"}}"#,
    )
    .await;
    assert_eq!((code, answer.text("kind")), (200, "Namespace"));
    let review = r#"{"spec":{"user":"x","nonResourceAttributes":{"path":"/","verb":"get"}}}"#;
    let (code, answer) = post(&server, REVIEWS, review).await;
    assert_eq!((code, answer.text("kind")), (201, "SubjectAccessReview"));
    let config = r#"{"metadata":{"name":"a"}}"#;
    let uri = format!("{CONFIG_MAPS}/a?fieldManager=m");
    let (code, answer) = send(&server, "PATCH", &uri, APPLY, config).await;
    assert_eq!((code, answer.text("message")), (400, "invalid object type: /, Kind="));
}

#[tokio::test]
async fn rejects_bodies_that_are_no_objects() {
    let server = Server::new();
    let into = |ty: &str| {
        format!(
            r#"json: cannot unmarshal {ty} into Go value of type struct {{ APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }}"#
        )
    };
    assert_eq!(post(&server, CONFIG_MAPS, &object("v1", "ConfigMap")).await.0, 201);
    let one = format!("{CONFIG_MAPS}/a");
    for (body, why, sent) in [
        ("", "unexpected end of JSON input".to_owned(), "<empty>"),
        (" ", "unexpected end of JSON input".to_owned(), "20"),
        ("[]", into("array"), "5b5d"),
        ("[1]", into("array"), "5b315d"),
        (r#""x""#, into("string"), "227822"),
        ("5", into("number"), "35"),
        (
            r#"{"apiVersion":5,"kind":"ConfigMap","metadata":{"name":"a"}}"#,
            "json: cannot unmarshal number into Go struct field .apiVersion of type string".to_owned(),
            r#"{"apiVersion":5,"kind":"Config ..."#,
        ),
    ] {
        let expected = format!(
            "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: {why} ({sent})"
        );
        for (method, uri) in [("POST", CONFIG_MAPS), ("PUT", &one)] {
            let (code, answer) = send(&server, method, uri, JSON, body).await;
            assert_eq!((code, answer.text("message")), (400, expected.as_str()), "{method} {body}");
        }
    }
    let (code, answer) = post(&server, CONFIG_MAPS, &object("a/b/c", "ConfigMap")).await;
    let expected = r#"the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)"#;
    assert_eq!((code, answer.text("message")), (400, expected));
    let (code, answer) = post(&server, CONFIG_MAPS, "null").await;
    let expected =
        r#"ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required"#;
    assert_eq!((code, answer.text("message")), (422, expected));
    let (code, answer) = send(&server, "PUT", &one, JSON, "null").await;
    let expected = "the name of the object (a based on URL) was undeterminable: name must be provided";
    assert_eq!((code, answer.text("message")), (400, expected));
}
