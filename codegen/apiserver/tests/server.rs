//! The server in the process of a test, without a socket.

use crate::common::{JSON, get, merge, post, request, send};
use crdgen_apiserver::{Fault, Rule, Server};
use crdgen_core::json;
use crdgen_core::value::Value;
use http_body_util::BodyExt;
use std::time::Duration;
use tower_service::Service;

const CRD: &str = include_str!("crd.yaml");
const CRONTABS: &str = "/apis/stable.example.com/v1/namespaces/default/crontabs";

fn server() -> Server {
    let server = Server::new();
    server.add(CRD).unwrap_or_else(|why| panic!("{why}"));
    server
}

/// A field of a message in protobuf.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let length = u8::try_from(bytes.len()).expect("a short field");
    [&[number << 3 | 2, length][..], bytes].concat()
}

/// Sends an object in protobuf, as clients in Go do.
async fn protobuf(server: &Server, method: &str, uri: &str, of: (&str, &str), object: &[u8]) -> (u16, Value) {
    let of_type = [field(1, of.0.as_bytes()), field(2, of.1.as_bytes())].concat();
    let body = [b"k8s\0".to_vec(), field(1, &of_type), field(2, object)].concat();
    // The fields in this test are ASCII.
    let body = String::from_utf8(body).expect("ASCII");
    send(server, method, uri, "application/vnd.kubernetes.protobuf", &body).await
}

async fn delete(server: &Server, uri: &str, options: &str) -> (u16, Value) {
    send(server, "DELETE", uri, "application/json", options).await
}

fn at<'v>(value: &'v Value, path: &[&str]) -> &'v str {
    let found = path.iter().try_fold(value, |value, name| value.get(name));
    found.and_then(Value::as_str).unwrap_or_default()
}

fn crontab(name: &str, metadata: &str) -> String {
    format!(
        r#"{{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{{{metadata}"name":"{name}"}},"spec":{{"image":"a"}}}}"#
    )
}

/// The events of a watch that are there without waiting, as `TYPE name`.
async fn events(server: &Server, query: &str) -> Vec<String> {
    let uri = format!("{CRONTABS}?watch=true&{query}");
    let Ok(answer) = server.clone().call(request("GET", &uri, "", "")).await;
    let mut body = answer.into_body();
    let mut out = Vec::new();
    while let Ok(Some(Ok(frame))) = tokio::time::timeout(Duration::from_millis(20), body.frame()).await {
        let line = frame.into_data().expect("data");
        let event = json::read(&line).expect("an event");
        let name = at(&event, &["object", "metadata", "name"]);
        let code = event.get("object").and_then(|object| object.get("code")?.as_int());
        let what = code.map_or_else(|| name.to_owned(), |code| code.to_string());
        out.push(format!("{} {what}", at(&event, &["type"])).trim_end().to_owned());
    }
    out
}

#[tokio::test]
async fn objects_are_created_changed_and_deleted() {
    let server = server();
    let (code, created) = post(&server, CRONTABS, &crontab("a", "")).await;
    assert_eq!(code, 201, "{created}");
    assert_eq!(created.get("spec").and_then(|spec| spec.get("replicas")?.as_int()), Some(1), "the default");
    assert_eq!(post(&server, CRONTABS, &crontab("a", "")).await.0, 409);
    let version = at(&created, &["metadata", "resourceVersion"]).to_owned();
    let one = format!("{CRONTABS}/a");
    let (code, same) = merge(&server, &one, r#"{"spec":{"image":"a"}}"#).await;
    assert_eq!(
        (code, at(&same, &["metadata", "resourceVersion"])),
        (200, version.as_str()),
        "nothing changed"
    );
    let (code, status) =
        merge(&server, &one, r#"{"metadata":{"resourceVersion":"1"},"spec":{"image":"b"}}"#).await;
    assert_eq!((code, at(&status, &["reason"])), (409, "Conflict"));
    let (code, status) = merge(&server, &one, r#"{"spec":{"replicas":11}}"#).await;
    assert_eq!((code, at(&status, &["reason"])), (422, "Invalid"));
    assert_eq!(delete(&server, &one, r#"{"preconditions":{"uid":"other"}}"#).await.0, 409);
    assert_eq!(delete(&server, &one, "").await.0, 200);
    assert_eq!(get(&server, &one).await.0, 404);
}

#[tokio::test]
async fn lists_are_consistent_from_their_first_part_to_the_last() {
    let server = server();
    for name in ["a", "b", "c"] {
        assert_eq!(post(&server, CRONTABS, &crontab(name, "")).await.0, 201);
    }
    let (_, first) = get(&server, &format!("{CRONTABS}?limit=2")).await;
    let token = at(&first, &["metadata", "continue"]).to_owned();
    assert_eq!(first.get("metadata").and_then(|m| m.get("remainingItemCount")?.as_int()), Some(1));
    assert_eq!(delete(&server, &format!("{CRONTABS}/c"), "").await.0, 200);
    let (_, rest) = get(&server, &format!("{CRONTABS}?limit=2&continue={token}")).await;
    let names: Vec<&str> = rest
        .get("items")
        .and_then(Value::as_list)
        .unwrap_or_default()
        .iter()
        .map(|item| at(item, &["metadata", "name"]))
        .collect();
    assert_eq!(names, ["c"], "as it was when the list began");
    server.forget_changes();
    let (code, status) = get(&server, &format!("{CRONTABS}?limit=2&continue={token}")).await;
    assert_eq!((code, at(&status, &["reason"])), (410, "Expired"));
    assert_eq!(get(&server, &format!("{CRONTABS}?resourceVersion=999999")).await.0, 504);
}

#[tokio::test]
async fn watches_get_every_change_once() {
    let server = server();
    let (_, list) = get(&server, CRONTABS).await;
    let start = at(&list, &["metadata", "resourceVersion"]).to_owned();
    post(&server, CRONTABS, &crontab("a", r#""labels":{"x":"y"},"#)).await;
    merge(&server, &format!("{CRONTABS}/a"), r#"{"spec":{"image":"b"}}"#).await;
    merge(&server, &format!("{CRONTABS}/a"), r#"{"metadata":{"labels":{"x":"z"}}}"#).await;
    let from = format!("resourceVersion={start}");
    assert_eq!(events(&server, &from).await, ["ADDED a", "MODIFIED a", "MODIFIED a"]);
    let selected = events(&server, &format!("{from}&labelSelector=x%3Dy")).await;
    assert_eq!(selected, ["ADDED a", "MODIFIED a", "DELETED a"], "it leaves the selection");
    assert_eq!(events(&server, "").await, ["ADDED a"]);
    let initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    assert_eq!(events(&server, initial).await, ["ADDED a", "BOOKMARK"]);
    server.forget_changes();
    assert_eq!(events(&server, &from).await, ["ERROR 410"]);
}

#[tokio::test]
async fn finalizers_keep_objects_until_they_are_gone() {
    let server = server();
    post(&server, CRONTABS, &crontab("a", r#""finalizers":["example.com/f"],"#)).await;
    let one = format!("{CRONTABS}/a");
    let (code, object) = delete(&server, &one, "").await;
    assert_eq!(code, 200);
    assert!(!at(&object, &["metadata", "deletionTimestamp"]).is_empty(), "{object}");
    assert_eq!(get(&server, &one).await.0, 200);
    assert_eq!(merge(&server, &one, r#"{"metadata":{"finalizers":null}}"#).await.0, 200);
    assert_eq!(get(&server, &one).await.0, 404);
}

/// Creates an owner, and a dependent that blocks its deletion.
async fn owner_and_dependent(server: &Server) {
    let (_, owner) = post(server, CRONTABS, &crontab("owner", "")).await;
    let uid = at(&owner, &["metadata", "uid"]);
    let reference = format!(
        r#""ownerReferences":[{{"apiVersion":"stable.example.com/v1","kind":"CronTab","name":"owner","uid":"{uid}","blockOwnerDeletion":true}}],"#
    );
    let (code, dependent) = post(server, CRONTABS, &crontab("dependent", &reference)).await;
    assert_eq!(code, 201, "{dependent}");
}

#[tokio::test]
async fn dependents_go_with_their_owner_or_stay_if_the_client_wants() {
    for (options, stays) in [
        ("", false),
        (r#"{"propagationPolicy":"Foreground"}"#, false),
        (r#"{"propagationPolicy":"Orphan"}"#, true),
    ] {
        let server = server();
        owner_and_dependent(&server).await;
        assert_eq!(delete(&server, &format!("{CRONTABS}/owner"), options).await.0, 200);
        assert_eq!(get(&server, &format!("{CRONTABS}/owner")).await.0, 404, "{options}");
        let (code, dependent) = get(&server, &format!("{CRONTABS}/dependent")).await;
        assert_eq!(code, if stays { 200 } else { 404 }, "{options}");
        assert!(dependent.get("metadata").is_none_or(|m| m.get("ownerReferences").is_none()), "{dependent}");
    }
}

#[tokio::test]
async fn an_owner_waits_for_dependents_with_finalizers_in_the_foreground() {
    let server = server();
    owner_and_dependent(&server).await;
    let dependent = format!("{CRONTABS}/dependent");
    merge(&server, &dependent, r#"{"metadata":{"finalizers":["example.com/f"]}}"#).await;
    delete(&server, &format!("{CRONTABS}/owner"), r#"{"propagationPolicy":"Foreground"}"#).await;
    assert_eq!(get(&server, &format!("{CRONTABS}/owner")).await.0, 200);
    merge(&server, &dependent, r#"{"metadata":{"finalizers":null}}"#).await;
    assert_eq!(get(&server, &dependent).await.0, 404);
    assert_eq!(get(&server, &format!("{CRONTABS}/owner")).await.0, 404);
}

#[tokio::test]
async fn namespaces_and_crds_take_their_objects_with_them() {
    let server = server();
    let namespace = r#"{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"x"}}"#;
    assert_eq!(post(&server, "/api/v1/namespaces", namespace).await.0, 201);
    let inside = "/apis/stable.example.com/v1/namespaces/x/crontabs";
    post(&server, inside, &crontab("a", r#""finalizers":["example.com/f"],"#)).await;
    delete(&server, "/api/v1/namespaces/x", "").await;
    let (_, found) = get(&server, "/api/v1/namespaces/x").await;
    assert_eq!(at(&found, &["status", "phase"]), "Terminating");
    let grace = found.get("metadata").and_then(|it| it.get("deletionGracePeriodSeconds"));
    assert_eq!(grace, None, "{found}");
    let conditions = found.get("status").and_then(|it| it.get("conditions")?.as_list()).unwrap_or_default();
    let conditions: Vec<[&str; 3]> =
        conditions.iter().map(|it| [at(it, &["type"]), at(it, &["status"]), at(it, &["message"])]).collect();
    let expected = [
        ["NamespaceDeletionDiscoveryFailure", "False", "All resources successfully discovered"],
        ["NamespaceDeletionGroupVersionParsingFailure", "False", "All legacy kube types successfully parsed"],
        [
            "NamespaceDeletionContentFailure",
            "False",
            "All content successfully deleted, may be waiting on finalization",
        ],
        [
            "NamespaceContentRemaining",
            "True",
            "Some resources are remaining: crontabs.stable.example.com has 1 resource instances",
        ],
        [
            "NamespaceFinalizersRemaining",
            "True",
            "Some content in the namespace has finalizers remaining: example.com/f in 1 resource instances",
        ],
    ];
    assert_eq!(conditions, expected);
    let (code, status) = post(&server, inside, &crontab("b", "")).await;
    assert_eq!((code, at(&status, &["reason"])), (403, "Forbidden"), "{status}");
    merge(&server, &format!("{inside}/a"), r#"{"metadata":{"finalizers":null}}"#).await;
    assert_eq!(get(&server, "/api/v1/namespaces/x").await.0, 404);

    post(&server, CRONTABS, &crontab("a", "")).await;
    let crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com";
    assert_eq!(delete(&server, crd, "").await.0, 200);
    assert_eq!(get(&server, crd).await.0, 404);
    assert_eq!(get(&server, CRONTABS).await.0, 404);
    server.add(CRD).unwrap_or_else(|why| panic!("{why}"));
    let (_, list) = get(&server, CRONTABS).await;
    assert_eq!(list.get("items").and_then(Value::as_list).map(<[Value]>::len), Some(0));
}

#[tokio::test]
async fn faults_happen_by_rule_and_requests_are_recorded() {
    let server = server();
    post(&server, CRONTABS, &crontab("a", "")).await;
    let one = format!("{CRONTABS}/a");
    server.inject(Rule::new(Fault::Conflict).verb("patch").resource("crontabs"));
    server.inject(Rule::new(Fault::LostResponse).verb("create"));
    let before = server.requests().len();
    assert_eq!(merge(&server, &one, r#"{"spec":{"image":"b"}}"#).await.0, 409);
    assert_eq!(merge(&server, &one, r#"{"spec":{"image":"b"}}"#).await.0, 200);
    assert_eq!(post(&server, CRONTABS, &crontab("b", "")).await.0, 504);
    assert_eq!(get(&server, &format!("{CRONTABS}/b")).await.0, 200, "it was written");
    let writes = server.requests().since(before).writes_to("crontabs");
    let codes: Vec<(&str, u16)> = writes.iter().map(|request| (request.verb, request.code)).collect();
    assert_eq!(codes, [("patch", 409), ("patch", 200), ("create", 504)]);
    assert_eq!(writes.iter().next().map(|request| request.manager.as_str()), Some("tests"));
}

#[tokio::test]
async fn the_clock_and_the_state_can_be_moved() {
    let server = server();
    let (_, a) = post(&server, CRONTABS, &crontab("a", "")).await;
    let snapshot = server.snapshot();
    server.advance(Duration::from_secs(3600));
    let (_, b) = post(&server, CRONTABS, &crontab("b", "")).await;
    let time = |object: &Value| at(object, &["metadata", "creationTimestamp"]).to_owned();
    assert!(time(&a) < time(&b));
    let last = at(&b, &["metadata", "resourceVersion"]).to_owned();
    server.restore(&snapshot);
    assert_eq!(get(&server, &format!("{CRONTABS}/b")).await.0, 404);
    assert_eq!(events(&server, &format!("resourceVersion={last}")).await, ["ERROR 410"]);
}

#[tokio::test]
async fn other_kinds_have_strategic_patches_and_scale() {
    let server = server();
    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    let web = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},
        "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"a","image":"x"},{"name":"b","image":"y"}]}}}}"#;
    let (code, created) = post(&server, deployments, web).await;
    assert_eq!(code, 201, "{created}");
    let patch = r#"{"spec":{"template":{"spec":{"containers":[{"name":"a","image":"z"}]}}}}"#;
    let uri = format!("{deployments}/web");
    let (code, patched) = send(&server, "PATCH", &uri, "application/strategic-merge-patch+json", patch).await;
    assert_eq!(code, 200, "{patched}");
    let containers =
        patched.get("spec").and_then(|s| s.get("template")?.get("spec")?.get("containers")?.as_list());
    let images: Vec<&str> = containers.unwrap_or_default().iter().map(|it| at(it, &["image"])).collect();
    assert_eq!(images, ["z", "y"]);
    let (code, scale) = merge(&server, &format!("{uri}/scale"), r#"{"spec":{"replicas":4}}"#).await;
    assert_eq!(code, 200, "{scale}");
    assert_eq!(at(&scale, &["status", "selector"]), "a=b");
    let (_, found) = get(&server, &uri).await;
    assert_eq!(found.get("spec").and_then(|spec| spec.get("replicas")?.as_int()), Some(4));
}

#[tokio::test]
async fn no_body_and_no_query_makes_the_server_panic() {
    let server = server();
    let deep = format!(
        r#"{{"apiVersion":"stable.example.com/v1","kind":"CronTab","spec":{}1{}}}"#,
        "[".repeat(400),
        "]".repeat(400)
    );
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "1",
        "\"x\"",
        "\u{0}",
        r#"{"metadata":1}"#,
        r#"{"metadata":{"name":1}}"#,
        &deep,
    ];
    post(&server, CRONTABS, &crontab("a", "")).await;
    let types = [
        "application/json",
        "application/yaml",
        "application/merge-patch+json",
        "application/json-patch+json",
        "application/apply-patch+yaml",
        "application/strategic-merge-patch+json",
        "application/vnd.kubernetes.protobuf",
        "x",
    ];
    let paths = [
        CRONTABS,
        "/api/v1/namespaces/default/pods",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    ];
    let queries = [
        "",
        "?limit=-1",
        "?limit=x",
        "?continue=x",
        "?resourceVersion=x",
        "?labelSelector=%3D",
        "?fieldSelector=x",
        "?dryRun=x",
        "?fieldManager=m&force=true",
    ];
    for path in paths {
        for one in
            [path.to_owned(), format!("{path}/a"), format!("{path}/a/status"), format!("{path}/a/scale")]
        {
            for query in queries {
                for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
                    let body_of: &[&str] = if matches!(method, "GET" | "OPTIONS") { &[""] } else { &bodies };
                    let type_of: &[&str] = if method == "PATCH" { &types } else { &types[..1] };
                    for (content_type, body) in
                        type_of.iter().flat_map(|ty| body_of.iter().map(move |body| (ty, body)))
                    {
                        let uri = format!("{one}{query}");
                        let (code, _) = send(&server, method, &uri, content_type, body).await;
                        assert!((200..600).contains(&code), "{method} {uri} {body}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn clients_in_go_send_protobuf() {
    let server = server();
    let maps = "/api/v1/namespaces/default/configmaps";
    let entry = [field(1, b"key"), field(2, b"value")].concat();
    let map = [field(1, &field(1, b"settings")), field(2, &entry)].concat();
    let (code, found) = protobuf(&server, "POST", maps, ("v1", "ConfigMap"), &map).await;
    assert_eq!((code, at(&found, &["data", "key"])), (201, "value"), "{found:?}");
    let uid = "00000000-1111-2222-3333-444444444444";
    let (uri, options) = (format!("{maps}/settings"), field(2, &field(1, uid.as_bytes())));
    let (code, found) = protobuf(&server, "DELETE", &uri, ("v1", "DeleteOptions"), &options).await;
    assert_eq!((code, at(&found, &["reason"])), (409, "Conflict"), "{found:?}");
    let (code, _) = protobuf(&server, "DELETE", &uri, ("v1", "DeleteOptions"), &[]).await;
    assert_eq!(code, 200);
    // Custom resources have no messages.
    let of = ("stable.example.com/v1", "CronTab");
    let (code, found) = protobuf(&server, "POST", CRONTABS, of, &[]).await;
    assert_eq!((code, at(&found, &["reason"])), (415, "UnsupportedMediaType"), "{found:?}");
}

#[tokio::test]
async fn own_kinds_are_decoded_and_checked_as_the_code_of_the_server_does() {
    let server = Server::new();
    let of_default = |plural: &str| format!("/api/v1/namespaces/default/{plural}");
    let (code, found) = get(&server, &format!("{}/kubernetes", of_default("services"))).await;
    assert_eq!((code, at(&found, &["spec", "clusterIP"])), (200, "10.96.0.1"));

    let secret = r#"{"metadata":{"name":"s"},"stringData":{"a":"b"},"immutable":true}"#;
    let (code, found) = post(&server, &of_default("secrets"), secret).await;
    assert_eq!((code, at(&found, &["data", "a"]), at(&found, &["type"])), (201, "Yg==", "Opaque"));
    assert!(
        found.get("stringData").is_none()
            && found.get("metadata").is_some_and(|it| it.get("generation").is_none())
    );
    let secret = format!("{}/s", of_default("secrets"));
    let (code, found) = merge(&server, &secret, r#"{"data":{"a":"Yw=="}}"#).await;
    let wanted = "Secret \"s\" is invalid: data: Forbidden: field is immutable when `immutable` is set";
    assert_eq!((code, at(&found, &["message"])), (422, wanted));

    let sets = "/apis/apps/v1/namespaces/default/replicasets";
    let set = |labels: &str| {
        format!(
            r#"{{"metadata":{{"name":"r"}},"spec":{{"selector":{{"matchLabels":{{"app":"a"}}}},"template":{{"metadata":{{"labels":{labels}}},"spec":{{"containers":[{{"name":"c","image":"i"}}]}}}}}}}}"#
        )
    };
    let (code, found) = post(&server, sets, &set(r#"{"app":"b"}"#)).await;
    assert_eq!(code, 422);
    let wanted = "spec.template.metadata.labels: Invalid value: {\"app\":\"b\"}: `selector` does not match template `labels`";
    assert!(at(&found, &["message"]).ends_with(wanted), "{found:?}");
    let (code, found) = post(&server, sets, &set(r#"{"app":"a"}"#)).await;
    assert_eq!(
        (code, at(&found, &["spec", "template", "spec", "dnsPolicy"])),
        (201, "ClusterFirst"),
        "{found:?}"
    );
    let change = r#"{"spec":{"selector":{"matchLabels":{"app":"a","b":"c"}},"template":{"metadata":{"labels":{"b":"c"}}}}}"#;
    let (code, found) = merge(&server, &format!("{sets}/r"), change).await;
    assert_eq!(code, 422);
    assert!(at(&found, &["message"]).ends_with("field is immutable"), "{found:?}");

    let pod = r#"{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}"#;
    let (code, found) = post(&server, &of_default("pods"), pod).await;
    assert_eq!((code, at(&found, &["status", "phase"])), (201, "Pending"), "{found:?}");
    let status = r#"{"status":{"phase":"Running"}}"#;
    let (code, found) = merge(&server, &format!("{}/p/status", of_default("pods")), status).await;
    assert_eq!((code, at(&found, &["status", "phase"])), (200, "Running"), "{found:?}");

    let job = r#"{"metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}"#;
    let (code, found) = post(&server, "/apis/batch/v1/namespaces/default/jobs", job).await;
    assert_eq!(code, 201, "{found:?}");
    let selected = at(&found, &["spec", "selector", "matchLabels", "batch.kubernetes.io/controller-uid"]);
    assert_eq!(selected, at(&found, &["metadata", "uid"]));
}

#[tokio::test]
async fn kubernetes_own_kinds_are_selected_by_their_fields() {
    let server = server();
    let pods = "/api/v1/namespaces/default/pods";
    for (name, node) in [("a", "n1"), ("b", "n2")] {
        let pod = format!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}"}},"spec":{{"nodeName":"{node}","containers":[{{"name":"c","image":"i"}}]}}}}"#
        );
        assert_eq!(post(&server, pods, &pod).await.0, 201);
    }
    let event = r#"{"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"a","namespace":"default"},"reason":"R","type":"Normal"}"#;
    assert_eq!(post(&server, "/api/v1/namespaces/default/events", event).await.0, 201);
    for (path, expected) in [
        ("/api/v1/pods?fieldSelector=spec.nodeName%3Dn2", "b"),
        ("/api/v1/pods?fieldSelector=spec.nodeName!%3Dn2,status.phase%3DPending", "a"),
        ("/api/v1/events?fieldSelector=involvedObject.name%3Da,reason%3DR", "e"),
        ("/api/v1/events?fieldSelector=involvedObject.name%3Db", ""),
        ("/api/v1/namespaces?fieldSelector=status.phase%3DTerminating", ""),
    ] {
        let (code, list) = get(&server, path).await;
        let items = list.get("items").and_then(Value::as_list).unwrap_or_default();
        let names: Vec<&str> =
            items.iter().filter_map(|item| item.get("metadata")?.get("name")?.as_str()).collect();
        assert_eq!((code, names.join(",")), (200, expected.to_owned()), "{path}");
        // The list says once what its items are.
        assert!(items.iter().all(|item| item.get("kind").is_none() && item.get("apiVersion").is_none()));
    }
    assert_eq!(get(&server, "/api/v1/pods?fieldSelector=spec.x%3Da").await.0, 400);
}

#[tokio::test]
async fn versions_of_objects_of_kubernetes_own_kinds_are_read_as_go_does() {
    let server = server();
    let (path, all) = ("/api/v1/namespaces/default/configmaps/a", "/api/v1/namespaces/default/configmaps");
    let apply = |data: &str| {
        format!(
            r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"a","resourceVersion":""}},"data":{{"a":"{data}"}}}}"#
        )
    };
    for (data, code) in [("1", 201), ("2", 200), ("2", 200)] {
        let uri = format!("{path}?fieldManager=m");
        assert_eq!(send(&server, "PATCH", &uri, "application/apply-patch+yaml", &apply(data)).await.0, code);
    }
    // The storage rejects versions of new objects, which a dry run does not reach.
    let new = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b","resourceVersion":"5"}}"#;
    assert_eq!(post(&server, &format!("{all}?dryRun=All"), new).await.0, 201);
    assert_eq!(post(&server, all, new).await.0, 500);
}

#[tokio::test]
async fn crds_free_their_names_and_reject_new_objects_while_they_go() {
    let crd = |plural: &str, short: &str| {
        format!(
            r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"{plural}.free.com",
            "finalizers":["free.com/wait"]}},"spec":{{"group":"free.com","scope":"Cluster","names":{{"plural":"{plural}",
            "kind":"{plural}","shortNames":["{short}"]}},"versions":[{{"name":"v1","served":true,"storage":true,"schema":
            {{"openAPIV3Schema":{{"type":"object"}}}}}}]}}}}"#
        )
    };
    let server = Server::new();
    let crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    for plural in ["as", "bs"] {
        assert_eq!(post(&server, crds, &crd(plural, "x")).await.0, 201);
    }
    let naming = async || {
        let (_, crd) = get(&server, &format!("{crds}/bs.free.com")).await;
        let conditions = crd.get("status").and_then(|status| status.get("conditions")?.as_list());
        let is_about = |it: &&Value| it.get("type").and_then(Value::as_str) == Some("NamesAccepted");
        conditions.and_then(|it| it.iter().find(is_about)?.get("status").cloned())
    };
    assert_eq!(naming().await, Some("False".into()));
    assert_eq!(send(&server, "DELETE", &format!("{crds}/as.free.com"), JSON, "").await.0, 200);
    let object = r#"{"apiVersion":"free.com/v1","kind":"as","metadata":{"name":"late"}}"#;
    let (code, answer) = post(&server, "/apis/free.com/v1/as", object).await;
    let why = "as.free.com \"late\" is forbidden: create not allowed while custom resource definition is terminating";
    assert_eq!((code, answer.get("message").and_then(Value::as_str)), (403, Some(why)));
    let done = r#"{"metadata":{"finalizers":null}}"#;
    assert_eq!(merge(&server, &format!("{crds}/as.free.com"), done).await.0, 200);
    assert_eq!(get(&server, &format!("{crds}/as.free.com")).await.0, 404);
    assert_eq!(naming().await, Some("True".into()));
}

/// What a list answers, in a form.
async fn listed(server: &Server, accept: &str) -> String {
    let mut request = request("GET", CRONTABS, "", "");
    request.headers_mut().insert("accept", accept.parse().expect("a header"));
    let Ok(answer) = server.clone().call(request).await;
    assert_eq!(answer.status().as_u16(), 200);
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    String::from_utf8(body.to_vec()).expect("a text")
}

/// The server remembers what it has read, and only as long as the CRD stays as it is.
#[tokio::test]
async fn a_changed_crd_changes_what_lists_show() {
    const DEFINITION: &str =
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/crontabs.stable.example.com";
    const PROPERTIES: &str = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    let server = server();
    assert_eq!(post(&server, CRONTABS, &crontab("a", "")).await.0, 201);
    let uri = format!("{CRONTABS}/a");
    for (change, expected) in [
        (String::new(), r#"{"image":"a","replicas":1}"#),
        (
            format!(r#"{{"op":"add","path":"{PROPERTIES}/tier","value":{{"type":"string","default":"x"}}}}"#),
            r#"{"image":"a","replicas":1,"tier":"x"}"#,
        ),
        (
            format!(r#"{{"op":"replace","path":"{PROPERTIES}/tier/default","value":"y"}}"#),
            r#"{"image":"a","replicas":1,"tier":"y"}"#,
        ),
        (format!(r#"{{"op":"remove","path":"{PROPERTIES}/image"}}"#), r#"{"replicas":1,"tier":"y"}"#),
    ] {
        if !change.is_empty() {
            let patch = format!("[{change}]");
            let (code, crd) = send(&server, "PATCH", DEFINITION, "application/json-patch+json", &patch).await;
            assert_eq!(code, 200, "{crd}");
        }
        for _ in 0..2 {
            let (_, one) = get(&server, &uri).await;
            let spec = one.get("spec").map(json::to_string);
            assert_eq!(spec.as_deref(), Some(expected));
            let as_json = listed(&server, "application/json").await;
            let list = json::read(as_json.as_bytes()).expect("JSON");
            let item = list.get("items").and_then(|items| items.as_list()?.first());
            assert_eq!(item, Some(&one), "{as_json}");
            assert_eq!(as_json, format!("{}\n", json::to_string(&list)), "the order of the fields");
            assert_eq!(listed(&server, "application/yaml").await, crdgen_core::yaml::write(&list));
            let table = listed(&server, "application/json;as=Table;v=v1;g=meta.k8s.io").await;
            assert!(table.contains(r#""rows":[{"cells":["a",null,1,"#), "{table}");
            let old = listed(&server, "application/json;as=Table;v=v1beta1;g=meta.k8s.io").await;
            assert_eq!(old, table.replace("meta.k8s.io/v1", "meta.k8s.io/v1beta1"));
        }
    }
}

#[tokio::test]
async fn fields_that_an_object_of_go_does_not_have_are_zero() {
    let server = Server::new();
    assert_eq!(post(&server, "/api/v1/nodes", r#"{"metadata":{"name":"a"}}"#).await.0, 201);
    let found = async |selector: &str| {
        let (code, list) = get(&server, &format!("/api/v1/nodes?fieldSelector={selector}")).await;
        assert_eq!(code, 200, "{list}");
        list.get("items").and_then(Value::as_list).map(<[Value]>::len)
    };
    for (selector, number) in [
        ("spec.unschedulable%3Dfalse", 1),
        ("spec.unschedulable%3D%3Dfalse,metadata.name%3Da", 1),
        ("spec.unschedulable%3Dtrue", 0),
        ("spec.unschedulable%3D", 0),
    ] {
        assert_eq!(found(selector).await, Some(number), "{selector}");
    }
    assert_eq!(merge(&server, "/api/v1/nodes/a", r#"{"spec":{"unschedulable":true}}"#).await.0, 200);
    assert_eq!(found("spec.unschedulable%3Dtrue").await, Some(1));
}

/// The messages are those of a server of 1.37, which remembers for ten seconds that a token was valid.
#[tokio::test]
async fn tokens_are_valid_as_long_as_what_they_are_about() {
    const NAMESPACE: &str = "/api/v1/namespaces/default";
    let server = Server::new();
    let create = async |plural: &str, body: &str| {
        let (code, created) = post(&server, &format!("{NAMESPACE}/{plural}"), body).await;
        assert_eq!(code, 201, "{created}");
        at(&created, &["metadata", "uid"]).to_owned()
    };
    let token = async |bound: &str| {
        let body = format!(r#"{{"spec":{{{bound}}}}}"#);
        let (code, answer) = post(&server, &format!("{NAMESPACE}/serviceaccounts/robot/token"), &body).await;
        assert_eq!(code, 201, "{answer}");
        at(&answer, &["status", "token"]).to_owned()
    };
    let review = async |token: &str| {
        let body = format!(r#"{{"kind":"TokenReview","spec":{{"token":"{token}"}}}}"#);
        let (_, answer) = post(&server, "/apis/authentication.k8s.io/v1/tokenreviews", &body).await;
        let error = at(&answer, &["status", "error"]);
        if error.is_empty() { at(&answer, &["status", "user", "username"]) } else { error }.to_owned()
    };
    let status_of = async |token: &str| {
        let mut request = request("GET", &format!("{NAMESPACE}/secrets"), "", "");
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().expect("a header"));
        let Ok(answer) = server.clone().call(request).await;
        answer.status().as_u16()
    };
    let robot = "system:serviceaccount:default:robot";
    create("serviceaccounts", r#"{"metadata":{"name":"robot"}}"#).await;
    let old = create("secrets", r#"{"metadata":{"name":"anchor"}}"#).await;
    let pod = r#"{"metadata":{"name":"p"},"spec":{"serviceAccountName":"robot","nodeName":"n","containers":[{"name":"c","image":"i"}]}}"#;
    create("pods", pod).await;
    let of_secret = token(r#""boundObjectRef":{"apiVersion":"v1","kind":"Secret","name":"anchor"}"#).await;
    let of_pod = token(r#""boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p"}"#).await;
    let plain = token("").await;
    for token in [&of_secret, &of_pod, &plain] {
        assert_eq!((review(token).await.as_str(), status_of(token).await), (robot, 200));
    }
    let invalidated = "[invalid bearer token, service account token has been invalidated]";
    assert_eq!(delete(&server, &format!("{NAMESPACE}/secrets/anchor"), "").await.0, 200);
    assert_eq!((review(&of_secret).await.as_str(), status_of(&of_secret).await), (invalidated, 401));
    let new = create("secrets", r#"{"metadata":{"name":"anchor"}}"#).await;
    let other = format!(
        "[invalid bearer token, secret UID ({new}) does not match service account secret ref claim ({old})]"
    );
    assert_eq!(review(&of_secret).await, other);
    // A pod that is being deleted still needs its token.
    assert_eq!(delete(&server, &format!("{NAMESPACE}/pods/p"), "").await.0, 200);
    assert_eq!(review(&of_pod).await, robot);
    assert_eq!(delete(&server, &format!("{NAMESPACE}/pods/p?gracePeriodSeconds=0"), "").await.0, 200);
    assert_eq!(review(&of_pod).await, invalidated);
    assert_eq!(delete(&server, &format!("{NAMESPACE}/serviceaccounts/robot"), "").await.0, 200);
    let gone = "[invalid bearer token, serviceaccounts \"robot\" not found]";
    assert_eq!((review(&plain).await.as_str(), status_of(&plain).await), (gone, 401));
    // Clients need no token here.
    assert_eq!((review("any").await.as_str(), status_of("any").await), ("kubernetes-admin", 200));
}

/// Objects of kinds with rules are checked without the lock, and the request runs again.
#[tokio::test(start_paused = true)]
async fn all_objects_have_their_own_names_and_uids() {
    let server = server();
    let rule = CRD.replacen(
        "openAPIV3Schema:\n",
        "openAPIV3Schema:\n          x-kubernetes-validations: [{rule: 'true'}]\n",
        1,
    );
    assert_ne!(rule, CRD, "the CRD has no such place");
    let crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let with_rule = rule.replace("stable.example.com", "ruled.example.com");
    let (code, _) = send(&server, "POST", crds, "application/yaml", &with_rule).await;
    assert_eq!(code, 201);
    let uri = CRONTABS.replace("stable", "ruled");
    let (mut names, mut uids) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    for i in 0..12 {
        let large: String = (0..2000).map(|key| format!(r#""k{key}":"v","#)).collect();
        let (uri, body) = match i % 3 {
            0 => (
                uri.clone(),
                crontab("x", "\"generateName\":\"g-\",")
                    .replace(",\"name\":\"x\"", "")
                    .replace("stable", "ruled"),
            ),
            1 => (
                "/api/v1/namespaces/default/configmaps".to_owned(),
                format!(r#"{{"metadata":{{"generateName":"g-"}},"data":{{{large}"a":"b"}}}}"#),
            ),
            _ => (CRONTABS.to_owned(), crontab(&format!("n{i}"), "")),
        };
        let (code, object) = post(&server, &uri, &body).await;
        assert_eq!(code, 201, "{object:?}");
        assert!(names.insert(at(&object, &["metadata", "name"]).to_owned()), "{object:?}");
        assert!(uids.insert(at(&object, &["metadata", "uid"]).to_owned()), "{object:?}");
    }
}
