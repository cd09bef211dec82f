//! Admission webhooks.

use super::{at, find, get, map, merge, post, read, reviewer, send};
use bytes::Bytes;
use crdgen_apiserver::Server;
use crdgen_core::go;
use crdgen_core::value::Value;
use http::Request;
use http_body_util::{BodyExt, Full};
use std::sync::{Arc, Mutex};
use tower_service::Service;

const CRD: &str = include_str!("crd.yaml");
const V1: &str = "/apis/example.com/v1/namespaces/default/widgets";
const V2: &str = "/apis/example.com/v2/namespaces/default/widgets";

/// A server with the CRD, without conversion of fields.
fn server() -> Server {
    let start = CRD.find("  conversion:").expect("a conversion");
    let end = CRD.find("  versions:").expect("versions");
    let server = Server::new();
    server.add(&format!("{}{}", &CRD[..start], &CRD[end..])).unwrap_or_else(|why| panic!("{why}"));
    server
}

/// Adds a configuration with one webhook for widgets in `v1`. `more` are other fields of the webhook.
fn configure(server: &Server, kind: &str, name: &str, more: &str) {
    let configuration = format!(
        "
apiVersion: admissionregistration.k8s.io/v1
kind: {kind}WebhookConfiguration
metadata: {{name: {name}}}
webhooks:
- name: {name}.example.com
  clientConfig: {{service: {{name: {name}, namespace: system}}}}
  rules: [{{apiGroups: [example.com], apiVersions: [v1], operations: ['*'], resources: [widgets, widgets/status]}}]
  sideEffects: None
  admissionReviewVersions: [v1]
{more}"
    );
    server.add(&configuration).unwrap_or_else(|why| panic!("{why}"));
}

/// Adds a configuration with one mutating webhook, which is asked about new ConfigMaps.
fn configure_config_maps(server: &Server) {
    let configuration = "
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: m}
webhooks:
- name: m.example.com
  clientConfig: {service: {name: m, namespace: system}}
  rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  sideEffects: None
  admissionReviewVersions: [v1]
";
    server.add(configuration).unwrap_or_else(|why| panic!("{why}"));
}

/// Adds a webhook with its answers, and returns the requests that it gets.
fn webhook(
    server: &Server,
    kind: &str,
    name: &str,
    more: &str,
    answer: impl Fn(&Value) -> Value + Send + Sync + 'static,
) -> Arc<Mutex<Vec<Value>>> {
    configure(server, kind, name, more);
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    let webhook = reviewer(move |request| {
        seen.lock().expect("no panic").push(request.clone());
        answer(request)
    });
    server.webhook(&format!("{name}.system.svc"), webhook);
    requests
}

fn allowed(_: &Value) -> Value {
    map([("allowed", true.into())])
}

/// An answer with a patch that adds a value.
fn adding(path: &str, value: &str) -> Value {
    let patch = format!(r#"[{{"op":"add","path":"{path}","value":{value}}}]"#);
    map([
        ("allowed", true.into()),
        ("patchType", "JSONPatch".into()),
        ("patch", go::base64_encode(patch.as_bytes()).into()),
    ])
}

fn widget(name: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"{name}"}},"spec":{{"host":"a"}}}}"#
    )
}

#[tokio::test]
async fn a_webhook_denies_a_write_with_its_own_words() {
    for (status, code, reason, message) in [
        (
            r#"{"message":"not today","code":418,"reason":"Teapot"}"#,
            418,
            "Teapot",
            "denied the request: not today",
        ),
        (r#"{"reason":"Nope"}"#, 400, "Nope", "denied the request: Nope"),
        ("{}", 400, "", "denied the request without explanation"),
    ] {
        let server = server();
        webhook(&server, "Validating", "v", "", move |_| {
            map([("allowed", false.into()), ("status", read(status))])
        });
        let (found, answer) = post(&server, V1, &widget("a")).await;
        let message = format!("admission webhook \"v.example.com\" {message}");
        assert_eq!((found, at(&answer, "reason"), at(&answer, "message")), (code, reason, message.as_str()));
        assert_eq!(get(&server, &format!("{V1}/a")).await.0, 404, "nothing is stored");
    }
}

#[tokio::test]
async fn webhooks_change_objects_one_after_the_other() {
    let server = server();
    webhook(&server, "Mutating", "a", "", |_| adding("/metadata/annotations", r#"{"a":"1"}"#));
    let second = webhook(&server, "Mutating", "b", "", |request| {
        let size = if at(request, "object.metadata.annotations.a") == "1" { "7" } else { "1" };
        adding("/spec/size", size)
    });
    let last = webhook(&server, "Validating", "v", "", allowed);
    let (code, created) = post(&server, V1, &widget("a")).await;
    assert_eq!((code, find(&created, "spec.size")), (201, Some(&Value::Int(7))), "{created}");
    assert_eq!(second.lock().expect("no panic").len(), 1);
    let last = last.lock().expect("no panic");
    assert_eq!(find(&last[0], "object.spec.size"), Some(&Value::Int(7)), "it sees the changed object");
    assert_eq!(at(&last[0], "object.metadata.uid"), at(&created, "metadata.uid"));
    assert_eq!((at(&last[0], "operation"), at(&last[0], "name")), ("CREATE", "a"));
    assert_eq!(at(&last[0], "options.kind"), "CreateOptions");
}

#[tokio::test]
async fn a_change_is_checked_and_pruned() {
    let server = server();
    webhook(&server, "Mutating", "a", "", |_| adding("/spec/size", r#""text""#));
    let (code, answer) = post(&server, V1, &widget("a")).await;
    assert_eq!(code, 422, "{answer}");
    let other = self::server();
    webhook(&other, "Mutating", "a", "", |_| adding("/spec/unknown", "1"));
    let (code, answer) = post(&other, V1, &widget("a")).await;
    assert_eq!((code, find(&answer, "spec.unknown")), (201, None), "{answer}");
}

#[tokio::test]
async fn a_webhook_sees_later_changes_if_it_wants() {
    let server = server();
    let first = webhook(&server, "Mutating", "a", "  reinvocationPolicy: IfNeeded", allowed);
    let second = webhook(&server, "Mutating", "b", "", |_| adding("/spec/size", "7"));
    assert_eq!(post(&server, V1, &widget("a")).await.0, 201);
    let first = first.lock().expect("no panic");
    let sizes: Vec<_> = first.iter().map(|request| find(request, "object.spec.size")).collect();
    assert_eq!(sizes, [None, Some(&Value::Int(7))]);
    assert_eq!(second.lock().expect("no panic").len(), 1);
}

#[tokio::test]
async fn webhooks_see_every_operation() {
    let server = server();
    let requests = webhook(&server, "Validating", "v", "", allowed);
    assert_eq!(post(&server, V1, &widget("a")).await.0, 201);
    assert_eq!(merge(&server, &format!("{V1}/a"), r#"{"spec":{"size":2}}"#).await.0, 200);
    assert_eq!(merge(&server, &format!("{V1}/a/status"), r#"{"status":{"size":2}}"#).await.0, 200);
    let dry_run = r#"{"dryRun":["All"],"propagationPolicy":"Background"}"#;
    assert_eq!(send(&server, "DELETE", &format!("{V1}/a"), "application/json", dry_run).await.0, 200);
    assert_eq!(send(&server, "DELETE", V1, "application/json", "").await.0, 200);
    let requests = requests.lock().expect("no panic");
    let seen: Vec<_> = requests
        .iter()
        .map(|it| (at(it, "operation"), at(it, "subResource"), find(it, "dryRun").and_then(Value::as_bool)))
        .collect();
    let (no, yes) = (Some(false), Some(true));
    let expected = [
        ("CREATE", "", no),
        ("UPDATE", "", no),
        ("UPDATE", "status", no),
        ("DELETE", "", yes),
        ("DELETE", "", no),
    ];
    assert_eq!(seen, expected);
    assert_eq!(at(&requests[3], "options.propagationPolicy"), "Background");
    assert_eq!(find(&requests[1], "oldObject.spec.size"), None);
    assert_eq!(find(&requests[1], "object.spec.size"), Some(&Value::Int(2)));
    assert_eq!(
        (find(&requests[3], "object"), at(&requests[3], "oldObject.spec.host")),
        (Some(&Value::Null), "a")
    );
}

#[tokio::test]
async fn other_versions_of_a_resource_match_unless_the_policy_is_exact() {
    let in_v2 = widget("a").replace("/v1", "/v2");
    let server = server();
    let requests = webhook(&server, "Validating", "v", "", allowed);
    assert_eq!(post(&server, V2, &in_v2).await.0, 201);
    let requests = requests.lock().expect("no panic").clone();
    assert_eq!(at(&requests[0], "object.apiVersion"), "example.com/v1");
    assert_eq!((at(&requests[0], "kind.version"), at(&requests[0], "requestKind.version")), ("v1", "v2"));
    let exact = self::server();
    let requests = webhook(&exact, "Validating", "v", "  matchPolicy: Exact", allowed);
    assert_eq!(post(&exact, V2, &in_v2).await.0, 201);
    assert!(requests.lock().expect("no panic").is_empty());
}

#[tokio::test]
async fn selectors_and_conditions_choose_the_writes() {
    for (more, is_called) in [
        ("  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}", true),
        ("  namespaceSelector: {matchExpressions: [{key: a, operator: Exists}]}", false),
        ("  objectSelector: {matchExpressions: [{key: a, operator: DoesNotExist}]}", true),
        ("  objectSelector: {matchLabels: {a: b}}", false),
        ("  matchConditions: [{name: a, expression: 'object.spec.host == \"a\"'}]", true),
        ("  matchConditions: [{name: a, expression: 'request.operation == \"UPDATE\"'}]", false),
        (
            "  failurePolicy: Ignore\n  matchConditions: [{name: a, expression: 'object.spec.none == 1'}]",
            false,
        ),
    ] {
        let server = server();
        let requests = webhook(&server, "Validating", "v", more, allowed);
        assert_eq!(post(&server, V1, &widget("a")).await.0, 201, "{more}");
        assert_eq!(!requests.lock().expect("no panic").is_empty(), is_called, "{more}");
    }
    let server = server();
    let condition = "  matchConditions: [{name: a, expression: 'object.spec.none == 1'}]";
    webhook(&server, "Validating", "v", condition, allowed);
    let (code, answer) = post(&server, V1, &widget("a")).await;
    let expected = "widgets.example.com \"a\" is forbidden: expression 'object.spec.none == 1' resulted in error: no such key: none";
    assert_eq!((code, at(&answer, "message")), (403, expected));
}

#[tokio::test]
async fn a_webhook_that_fails_fails_the_write_unless_its_policy_is_ignore() {
    let answer = |_: &Value| map([("uid", "x".into()), ("allowed", true.into())]);
    let server = server();
    webhook(&server, "Validating", "v", "", answer);
    let (code, status) = post(&server, V1, &widget("a")).await;
    let message = at(&status, "message");
    let start = "Internal error occurred: failed calling webhook \"v.example.com\": received invalid webhook response: expected \
                 response.uid=";
    assert!(code == 500 && message.starts_with(start) && message.ends_with("got \"x\""), "{message}");
    let ignoring = self::server();
    webhook(&ignoring, "Validating", "v", "  failurePolicy: Ignore", answer);
    assert_eq!(post(&ignoring, V1, &widget("a")).await.0, 201);
    // A webhook that is not there.
    let missing = self::server();
    configure(&missing, "Validating", "v", "");
    let (code, status) = post(&missing, V1, &widget("a")).await;
    let expected = "Internal error occurred: failed calling webhook \"v.example.com\": failed to call webhook: Post \
                    \"https://v.system.svc:443/?timeout=10s\": service \"v\" not found: answer its calls in this process with \
                    `Server::webhook(\"v.system.svc\", …)`";
    assert_eq!((code, at(&status, "message")), (500, expected));
}

#[tokio::test]
async fn warnings_reach_the_client() {
    let server = server();
    webhook(&server, "Validating", "v", "", |_| {
        map([("allowed", true.into()), ("warnings", vec!["first", "second"].into())])
    });
    let request = Request::post(V1).header("content-type", "application/json");
    let request = request.body(Full::new(Bytes::from(widget("a")))).expect("a request");
    let Ok(answer) = server.clone().call(request).await;
    let warnings: Vec<_> = answer.headers().get_all("warning").iter().collect();
    assert_eq!(warnings, ["299 - \"first\"", "299 - \"second\""]);
    drop(answer.into_body().collect().await);
}

#[tokio::test]
async fn kubernetes_own_kinds_are_admitted_too() {
    let server = server();
    configure_config_maps(&server);
    server.webhook("m.system.svc", reviewer(|_| adding("/data", r#"{"added":"yes"}"#)));
    let object = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
    let (code, created) = post(&server, "/api/v1/namespaces/default/configmaps", object).await;
    assert_eq!((code, at(&created, "data.added")), (201, "yes"), "{created}");
}

#[tokio::test]
async fn a_webhook_may_have_no_side_effects() {
    let server = server();
    webhook(&server, "Validating", "v", "", allowed);
    let patch = r#"[{"op":"replace","path":"/webhooks/0/sideEffects","value":"Some"}]"#;
    let uri = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/v";
    let (code, status) = send(&server, "PATCH", uri, "application/json-patch+json", patch).await;
    let expected = "ValidatingWebhookConfiguration.admissionregistration.k8s.io \"v\" is invalid: \
                    webhooks[0].sideEffects: Unsupported value: \"Some\": supported values: \"None\", \"NoneOnDryRun\"";
    assert_eq!((code, at(&status, "message")), (422, expected));
}

#[tokio::test]
async fn webhooks_know_who_writes() {
    let server = server();
    let requests = webhook(&server, "Validating", "user", "", allowed);
    let send_as = |user: &'static str| {
        let request = Request::post(V1).header("content-type", "application/json");
        let request = request.header("impersonate-user", user).header("impersonate-group", "builders");
        request.body(Full::new(Bytes::from(widget(user)))).expect("a request")
    };
    let Ok(answer) = server.clone().call(send_as("ada")).await;
    assert_eq!(answer.status(), 201);
    post(&server, V1, &widget("own")).await;
    let users: Vec<Value> = requests
        .lock()
        .expect("no panic")
        .iter()
        .map(|request| find(request, "userInfo").cloned().unwrap_or_default())
        .collect();
    let user = |name: &str, group: &str| {
        map([("username", name.into()), ("groups", vec![group, "system:authenticated"].into())])
    };
    assert_eq!(users, [user("ada", "builders"), user("kubernetes-admin", "system:masters")]);

    let review = r#"{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}"#;
    let (code, review) = post(&server, "/apis/authentication.k8s.io/v1/selfsubjectreviews", review).await;
    assert_eq!((code, at(&review, "status.userInfo.username")), (201, "kubernetes-admin"));
}

#[tokio::test]
async fn webhooks_see_and_change_scales() {
    let server = Server::new();
    let deployment = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2,"selector":
        {"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}"#;
    let url = "/apis/apps/v1/namespaces/default/deployments";
    assert_eq!(post(&server, url, deployment).await.0, 201);
    for (kind, name) in [("Mutating", "m"), ("Validating", "v")] {
        configure(&server, kind, name, "");
        let url = format!(
            "/apis/admissionregistration.k8s.io/v1/{}webhookconfigurations/{name}",
            kind.to_lowercase()
        );
        let rules = r#"[{"op":"replace","path":"/webhooks/0/rules/0","value":{"apiGroups":["apps"],"apiVersions":["v1"],
            "operations":["UPDATE"],"resources":["deployments/scale"]}}]"#;
        assert_eq!(send(&server, "PATCH", &url, "application/json-patch+json", rules).await.0, 200);
    }
    server.webhook(
        "m.system.svc",
        reviewer(|request| {
            if find(request, "object.spec.replicas") == Some(&Value::Int(7)) {
                adding("/spec/replicas", "5")
            } else {
                allowed(request)
            }
        }),
    );
    let seen = Arc::new(Mutex::new(Vec::new()));
    let requests = Arc::clone(&seen);
    server.webhook(
        "v.system.svc",
        reviewer(move |request| {
            requests.lock().expect("no panic").push(request.clone());
            let few = find(request, "object.spec.replicas")
                .and_then(Value::as_int)
                .is_some_and(|number| number < 9);
            map([("allowed", few.into())])
        }),
    );
    let scale = format!("{url}/web/scale");
    let (code, answer) = merge(&server, &scale, r#"{"spec":{"replicas":7}}"#).await;
    assert_eq!((code, find(&answer, "spec.replicas")), (200, Some(&Value::Int(5))));
    let (code, _) = merge(&server, &scale, r#"{"spec":{"replicas":9}}"#).await;
    assert_eq!(code, 400);
    let (_, live) = get(&server, &format!("{url}/web")).await;
    assert_eq!(find(&live, "spec.replicas"), Some(&Value::Int(5)));
    let seen = seen.lock().expect("no panic");
    assert_eq!(at(&seen[0], "kind.kind"), "Scale");
    assert_eq!((at(&seen[0], "resource.resource"), at(&seen[0], "subResource")), ("deployments", "scale"));
    assert_eq!(find(&seen[0], "oldObject.spec.replicas"), Some(&Value::Int(2)));
}

/// An answer with a patch that replaces a value.
fn replacing(path: &str, value: &str) -> Value {
    let patch = format!(r#"[{{"op":"replace","path":"{path}","value":{value}}}]"#);
    map([
        ("allowed", true.into()),
        ("patchType", "JSONPatch".into()),
        ("patch", go::base64_encode(patch.as_bytes()).into()),
    ])
}

/// The words of a server of 1.37.
#[tokio::test]
async fn a_webhook_may_not_make_another_kind_of_an_object() {
    for (path, value, code, expected) in [
        (
            "/kind",
            r#""Secret""#,
            422,
            r#"Secret.example.com "a" is invalid: kind: Invalid value: "Secret": must be Widget"#,
        ),
        (
            "/apiVersion",
            r#""apps/v1""#,
            500,
            r#"apps/v1, Kind=Widget is unstructured and is not suitable for converting to "example.com/v1""#,
        ),
        (
            "/apiVersion",
            r#""v9""#,
            500,
            r#"/v9, Kind=Widget is unstructured and is not suitable for converting to "example.com/v1""#,
        ),
        (
            "/a/b",
            "1",
            500,
            "Internal error occurred: replace operation does not apply: doc is missing path: /a/b: missing value",
        ),
    ] {
        let server = server();
        let (path, value) = (path.to_owned(), value.to_owned());
        webhook(&server, "Mutating", "m", "", move |_| replacing(&path, &value));
        let object = r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{}}"#;
        let (found, status) = post(&server, V1, object).await;
        assert_eq!((found, at(&status, "message")), (code, expected));
        assert_eq!(get(&server, &format!("{V1}/a")).await.0, 404);
    }
}

#[tokio::test]
async fn a_webhook_may_not_make_another_kind_of_a_built_in_object() {
    for (path, value, expected) in [
        ("/kind", "ServiceAccount", "converting (v1.ServiceAccount) to (core.ConfigMap): unknown conversion"),
        (
            "/kind",
            "Nope",
            r#"Internal error occurred: no kind "Nope" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111""#,
        ),
        (
            "/apiVersion",
            "v9",
            r#"Internal error occurred: no kind "ConfigMap" is registered for version "v9" in scheme "pkg/runtime/scheme.go:111""#,
        ),
    ] {
        let server = server();
        configure_config_maps(&server);
        let (path, value) = (path.to_owned(), format!("\"{value}\""));
        server.webhook("m.system.svc", reviewer(move |_| replacing(&path, &value)));
        let object = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
        let (code, status) = post(&server, "/api/v1/namespaces/default/configmaps", object).await;
        assert_eq!((code, at(&status, "message")), (500, expected));
    }
}

#[tokio::test]
async fn strict_writes_end_before_webhooks_are_asked() {
    for kind in ["Mutating", "Validating"] {
        let server = server();
        let requests = webhook(&server, kind, "m", "", allowed);
        let object =
            r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"nope":1}}"#;
        let (code, status) = post(&server, &format!("{V1}?fieldValidation=Strict"), object).await;
        assert_eq!(code, 400, "{status}");
        assert!(at(&status, "message").contains("unknown field \"spec.nope\""), "{status}");
        assert!(requests.lock().expect("no panic").is_empty(), "{kind}");
        assert_eq!(post(&server, &format!("{V1}?fieldValidation=Warn"), object).await.0, 201);
        assert_eq!(requests.lock().expect("no panic").len(), 1);
    }
}

#[tokio::test]
async fn there_may_be_many_webhooks() {
    let server = server();
    let requests: Vec<_> = (0..150)
        .map(|number| {
            let path = format!("/metadata/labels/l{number}");
            let answer = move |_: &Value| adding(&path, r#""x""#);
            webhook(&server, "Mutating", &format!("m{number}"), "", answer)
        })
        .collect();
    let object = r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","labels":{"a":"b"}},"spec":{}}"#;
    let (code, created) = post(&server, V1, object).await;
    assert_eq!(code, 201, "{created}");
    assert_eq!(find(&created, "metadata.labels").and_then(Value::as_map).map(|it| it.len()), Some(151));
    assert!(requests.iter().all(|requests| requests.lock().expect("no panic").len() == 1));
}

#[tokio::test]
async fn a_webhook_is_asked_about_all_deletions_at_once() {
    let server = server();
    for number in 0..200 {
        let object = format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"w{number}","namespace":"default"}}}}"#
        );
        server.add(&object).unwrap_or_else(|why| panic!("{why}"));
    }
    let requests = webhook(&server, "Validating", "all", "", allowed);
    assert_eq!(send(&server, "DELETE", V1, "application/json", "").await.0, 200);
    assert_eq!(requests.lock().expect("no panic").len(), 200);
}
