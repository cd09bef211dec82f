//! What one client can make the server do: each request ends, and leaves others their turn. Work is counted in revisions and in ratios,
//! never in seconds.

use crate::common::{JSON, get, merge, post, request, send};
use bytes::Bytes;
use crdgen_apiserver::{Server, User};
use crdgen_core::value::Value;
use http::Request;
use http_body::{Body, Frame};
use http_body_util::{BodyExt, Full};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use tower_service::Service;

const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const QUOTAS: &str = "/api/v1/namespaces/default/resourcequotas";
const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn at<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, name| value.get(name))
}

async fn revision(server: &Server) -> u64 {
    let (_, list) = get(server, MAPS).await;
    at(&list, &["metadata", "resourceVersion"])
        .and_then(Value::as_str)
        .expect("a version")
        .parse()
        .expect("a number")
}

/// A cluster role with a label and a rule for a group, which collects the rules of those with another label.
fn role(name: &str, label: &str, collects: &str) -> String {
    format!(
        r#"{{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{{"name":"{name}","labels":{{"is":"{label}"}}}},"rules":[{{"apiGroups":["{name}"],"resources":["r"],"verbs":["get"]}}],"aggregationRule":{{"clusterRoleSelectors":[{{"matchLabels":{{"is":"{collects}"}}}}]}}}}"#
    )
}

/// The groups of the rules of a cluster role.
async fn groups(server: &Server, name: &str) -> Vec<String> {
    let (_, role) = get(server, &format!("{ROLES}/{name}")).await;
    let rules = role.get("rules").and_then(Value::as_list).unwrap_or_default();
    let group = |rule: &Value| rule.get("apiGroups")?.as_list()?.first()?.as_str().map(str::to_owned);
    rules.iter().filter_map(group).collect()
}

#[tokio::test]
async fn roles_that_collect_each_other_are_set_once_for_each_change() {
    for rings in [1, 2, 3, 7] {
        let server = Server::new();
        for i in 0..rings {
            let body = role(&format!("r{i}"), &format!("l{i}"), &format!("l{}", (i + 1) % rings));
            let before = revision(&server).await;
            assert_eq!(post(&server, ROLES, &body).await.0, 201);
            assert!(revision(&server).await - before <= 1 + rings, "{rings}");
        }
    }
    let server = Server::new();
    for name in ["a", "b", "c"] {
        assert_eq!(post(&server, ROLES, &role(name, "all", "all")).await.0, 201);
    }
    assert_eq!(groups(&server, "a").await, groups(&server, "b").await);
}

#[tokio::test]
async fn roles_collect_through_others_in_any_order() {
    let server = Server::new();
    // Each collects the next one, and the last one the rule of a plain role.
    for i in 0..20 {
        assert_eq!(
            post(&server, ROLES, &role(&format!("r{i}"), &format!("l{i}"), &format!("l{}", i + 1))).await.0,
            201
        );
    }
    let plain = r#"{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"plain","labels":{"is":"l20"}},"rules":[{"apiGroups":["plain"],"resources":["r"],"verbs":["get"]}]}"#;
    let before = revision(&server).await;
    assert_eq!(post(&server, ROLES, plain).await.0, 201);
    assert_eq!(revision(&server).await - before, 21);
    for i in 0..20 {
        assert_eq!(groups(&server, &format!("r{i}")).await, ["plain"], "{i}");
    }
}

#[tokio::test]
async fn amounts_of_any_size_are_written_as_they_are() {
    for (sent, written) in [
        ("9000Gi", "9000Gi"),
        ("1000000Gi", "1000000Gi"),
        ("100000000Gi", "100000000Gi"),
        ("1.5Gi", "1536Mi"),
        ("0.1Gi", "107374182400m"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("1e30", "1e30"),
        ("-1Gi", ""),
        ("16Ei", "9223372036854775807"),
    ] {
        let server = Server::new();
        let body = format!(
            r#"{{"apiVersion":"v1","kind":"ResourceQuota","metadata":{{"name":"q"}},"spec":{{"hard":{{"limits.memory":"{sent}"}}}}}}"#
        );
        let before = revision(&server).await;
        let (code, answer) = post(&server, QUOTAS, &body).await;
        if written.is_empty() {
            assert_eq!(code, 422, "{answer}");
            continue;
        }
        assert_eq!(code, 201, "{sent}");
        assert!(revision(&server).await - before <= 2, "{sent}");
        let (_, quota) = get(&server, &format!("{QUOTAS}/q")).await;
        let hard = at(&quota, &["status", "hard", "limits.memory"]).and_then(Value::as_str);
        assert_eq!(hard, Some(written), "{sent}");
        let before = revision(&server).await;
        assert_eq!(
            post(&server, MAPS, r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#).await.0,
            201
        );
        assert_eq!(revision(&server).await - before, 1, "{sent}");
    }
}

async fn config_map(server: &Server, name: &str) -> String {
    let body = format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#);
    let (_, made) = post(server, MAPS, &body).await;
    at(&made, &["metadata", "uid"]).and_then(Value::as_str).expect("a uid").to_owned()
}

#[tokio::test]
async fn owners_that_own_each_other_end() {
    for policy in ["Foreground", "Background", "Orphan"] {
        let server = Server::new();
        let mut uids = Vec::new();
        for name in ["a", "b", "c"] {
            uids.push((name, config_map(&server, name).await));
        }
        for (i, name) in ["a", "b", "c"].into_iter().enumerate() {
            let owners: Vec<String> = [i, (i + 1) % 3]
                .iter()
                .map(|it| {
                    let (owner, uid) = &uids[*it];
                    format!(
                        r#"{{"apiVersion":"v1","kind":"ConfigMap","name":"{owner}","uid":"{uid}","blockOwnerDeletion":true}}"#
                    )
                })
                .collect();
            let body = format!(r#"{{"metadata":{{"ownerReferences":[{}]}}}}"#, owners.join(","));
            assert_eq!(merge(&server, &format!("{MAPS}/{name}"), &body).await.0, 200);
        }
        let options =
            format!(r#"{{"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"{policy}"}}"#);
        let before = revision(&server).await;
        let (code, answer) =
            send(&server, "DELETE", &format!("{MAPS}/a"), crate::common::JSON, &options).await;
        assert_eq!(code, 200, "{answer}");
        assert!(revision(&server).await - before <= 12, "{policy}");
    }
}

/// A body that has a part, and never ends.
struct Unfinished(Option<Bytes>);

impl Body for Unfinished {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.take().map_or(Poll::Pending, |part| Poll::Ready(Some(Ok(Frame::data(part)))))
    }
}

#[tokio::test]
async fn bodies_that_never_end_do_not_fill_the_memory() {
    let server = Server::new();
    let part = Bytes::from(vec![b' '; 3 << 20]);
    let mut context = Context::from_waker(Waker::noop());
    let mut open = Vec::new();
    for _ in 0..50 {
        let request = Request::post(MAPS).header("content-type", "application/json");
        let request = request.body(Unfinished(Some(part.clone()))).expect("a request");
        let mut answer = Box::pin(server.clone().call(request));
        match answer.as_mut().poll(&mut context) {
            Poll::Pending => open.push(answer),
            Poll::Ready(Ok(answer)) => assert_eq!(answer.status(), 429),
        }
    }
    assert!((40..46).contains(&open.len()), "{}", open.len());
    drop(open);
    let body = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
    assert_eq!(post(&server, MAPS, body).await.0, 201);
}

/// Clients that send no body to the end keep connections until their time is over.
#[tokio::test(start_paused = true)]
async fn bodies_that_are_late_leave_connections_to_others() {
    let server = Server::new();
    let late = |_| {
        let request = Request::post(MAPS).header("content-type", "application/json");
        let request = request.body(Unfinished(Some(Bytes::from_static(b"{")))).expect("a request");
        let mut server = server.clone();
        tokio::spawn(async move { server.call(request).await.map(|answer| answer.status()) })
    };
    let open: Vec<_> = (0..4200).map(late).collect();
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let waiting = open.iter().filter(|request| !request.is_finished()).count();
    assert!((2000..2100).contains(&waiting), "{waiting}");
    let body = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
    assert_eq!(post(&server, MAPS, body).await.0, 201);
}

#[tokio::test]
async fn rules_with_many_parts_are_not_compared_one_by_one() {
    let server = Server::new().with_rbac();
    let manifests = r#"
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: giver}
rules:
- {apiGroups: [rbac.authorization.k8s.io], resources: [clusterroles], verbs: [create]}
- {apiGroups: ["*"], resources: ["*"], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: giver}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: giver}
subjects: [{kind: ServiceAccount, name: giver, namespace: default}]
"#;
    server.add(manifests).unwrap_or_else(|why| panic!("{why}"));
    let client = server.client_as(User::service_account("default", "giver"));
    let list = |letter: &str| (0..1000).map(|i| format!(r#""{letter}{i}""#)).collect::<Vec<_>>().join(",");
    let role = |name: &str, verbs: &str| {
        let (groups, resources) = (list("g"), list("r"));
        format!(
            r#"{{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{{"name":"{name}"}},"rules":[{{"apiGroups":[{groups}],"resources":[{resources}],"verbs":[{verbs}]}}]}}"#
        )
    };
    for (name, verbs, wanted) in [("covered", r#""get""#.to_owned(), 201), ("many", list("v"), 403)] {
        let Ok(answer) = client
            .clone()
            .call(crate::common::request("POST", ROLES, crate::common::JSON, &role(name, &verbs)))
            .await;
        let code = answer.status().as_u16();
        let body = answer.into_body().collect().await.expect("a body").to_bytes();
        assert_eq!(code, wanted, "{}", String::from_utf8_lossy(&body[..body.len().min(500)]));
        let is_cut = String::from_utf8_lossy(&body).contains("the rules have 1000000000 parts to compare");
        assert_eq!(is_cut, wanted == 403);
    }
}

/// Clients that read slowly keep connections. Each would have a copy of a large list.
#[tokio::test]
async fn a_list_is_sent_in_pieces() {
    let server = Server::new();
    for i in 0..3 {
        let text = "é".repeat(100_000 * i);
        let body = format!(r#"{{"metadata":{{"name":"m{i}"}},"data":{{"a":"{text}"}}}}"#);
        assert_eq!(post(&server, MAPS, &body).await.0, 201);
        let Ok(answer) = server.clone().call(request("GET", MAPS, JSON, "")).await;
        let mut body = answer.into_body();
        let (whole, mut text) = (body.size_hint().exact(), Vec::new());
        while let Some(Ok(frame)) = body.frame().await {
            let piece = frame.into_data().expect("data");
            assert!(piece.len() <= 64 << 10);
            text.extend_from_slice(&piece);
        }
        assert_eq!(whole, Some(text.len() as u64));
        let list = crdgen_core::json::read(&text).expect("JSON");
        let items = list.get("items").and_then(Value::as_list).expect("items");
        assert_eq!(items.len(), i + 2, "and the certificates that each namespace has");
        assert_eq!(text, format!("{}\n", crdgen_core::json::to_string(&list)).into_bytes());
    }
}

/// Each of many columns may show the same large text.
#[tokio::test]
async fn a_table_has_a_largest_size() {
    let server = Server::new();
    let columns: Vec<String> =
        (0..100).map(|i| format!(r#"{{"name":"C{i}","type":"string","jsonPath":".spec"}}"#)).collect();
    let crd = format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"things.example.com"}},"spec":{{"group":"example.com","scope":"Namespaced","names":{{"plural":"things","kind":"Thing"}},"versions":[{{"name":"v1","served":true,"storage":true,"schema":{{"openAPIV3Schema":{{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}},"additionalPrinterColumns":[{}]}}]}}}}"#,
        columns.join(",")
    );
    assert_eq!(post(&server, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", &crd).await.0, 201);
    let things = "/apis/example.com/v1/namespaces/default/things";
    for (bytes, code) in [(1_000, 200), (1_000_000, 413)] {
        let text = "x".repeat(bytes);
        let thing = format!(
            r#"{{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"t{bytes}"}},"spec":"{text}"}}"#
        );
        assert_eq!(post(&server, things, &thing).await.0, 201);
        let mut request = request("GET", things, JSON, "");
        let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        request.headers_mut().insert("accept", table.parse().expect("a value"));
        let Ok(answer) = server.clone().call(request).await;
        assert_eq!(answer.status(), code);
    }
}

/// A CRD whose check takes long must not keep others waiting.
#[tokio::test]
async fn crds_are_checked_while_others_have_their_turn() {
    const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let body = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}"#;
    let server = Server::new();
    let mut context = Context::from_waker(Waker::noop());
    let mut answer =
        Box::pin(server.clone().call(crate::common::request("POST", CRDS, crate::common::JSON, body)));
    // It has run once, has changed nothing, and has released the lock.
    assert!(answer.as_mut().poll(&mut context).is_pending());
    assert_eq!(get(&server, &format!("{CRDS}/things.example.com")).await.0, 404);
    let Ok(answer) = answer.await;
    assert_eq!(answer.status(), 201);
    assert_eq!(get(&server, "/apis/example.com/v1/things").await.0, 200);
    // The stored CRD has changed while the new one is checked.
    let path = format!("{CRDS}/things.example.com");
    let names = |short: &str| format!(r#"{{"spec":{{"names":{{"shortNames":["{short}"]}}}}}}"#);
    let merge_type = "application/merge-patch+json";
    let mut answer =
        Box::pin(server.clone().call(crate::common::request("PATCH", &path, merge_type, &names("a"))));
    assert!(answer.as_mut().poll(&mut context).is_pending());
    assert_eq!(merge(&server, &path, r#"{"metadata":{"labels":{"b":"c"}}}"#).await.0, 200);
    let Ok(answer) = answer.await;
    assert_eq!(answer.status(), 200);
    let (_, crd) = get(&server, &path).await;
    assert!(at(&crd, &["metadata", "labels", "b"]).is_some(), "{crd}");
    assert!(at(&crd, &["spec", "names", "shortNames"]).is_some(), "{crd}");
}

const BIG: &str = "/apis/example.com/v1/namespaces/default/bigs";

/// A server with a kind whose objects have a list of items with a schema.
async fn server_with_big(items: &str) -> Server {
    let server = Server::new();
    let crd = format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"bigs.example.com"}},"spec":{{"group":"example.com","scope":"Namespaced","names":{{"kind":"Big","plural":"bigs"}},"versions":[{{"name":"v1","served":true,"storage":true,"subresources":{{"status":{{}}}},"schema":{{"openAPIV3Schema":{{"type":"object","properties":{{"spec":{{"type":"array","maxItems":100000,"items":{items}}},"status":{{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}}}}}}]}}}}"#
    );
    let crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let (code, answer) = post(&server, crds, &crd).await;
    assert_eq!(code, 201, "{answer}");
    server
}

/// A big object with a name and labels.
fn big(metadata: &str, item: &str, count: usize) -> String {
    let items = vec![item; count].join(",");
    format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Big","metadata":{{"name":"a"{metadata}}},"spec":[{items}]}}"#
    )
}

/// Sends a request, and one of another client each time the first one has released the lock. Returns how often that was.
async fn turns(server: &Server, request: Request<Full<Bytes>>, wanted: u16) -> usize {
    let mut context = Context::from_waker(Waker::noop());
    let mut answer = Box::pin(server.clone().call(request));
    let before = revision(server).await;
    for turns in 0..10 {
        match answer.as_mut().poll(&mut context) {
            Poll::Ready(Ok(answer)) => {
                assert_eq!(answer.status(), wanted);
                return turns;
            }
            Poll::Pending => assert_eq!(revision(server).await, before, "nothing is stored yet"),
        }
    }
    panic!("the request does not end")
}

/// The schema, the rules and the defaults of a large object must not keep others waiting, whatever writes it.
#[tokio::test]
async fn large_objects_are_checked_while_others_have_their_turn() {
    let alternatives = format!(
        r#"{{"type":"string","anyOf":[{}]}}"#,
        (0..100).map(|i| format!(r#"{{"minLength":{i}}}"#)).collect::<Vec<_>>().join(",")
    );
    let pattern = r#"{"type":"string","pattern":"^(.{1,100}){1,9}$"}"#;
    let rule = r#"{"type":"string","maxLength":10,"x-kubernetes-validations":[{"rule":"self == self"}]}"#;
    let choices = r#"{"type":"string","enum":["abc","b"]}"#;
    for (items, count) in [(&*alternatives, 2_000), (pattern, 500), (rule, 1), (choices, 50_000)] {
        let server = server_with_big(items).await;
        let path = format!("{BIG}/a");
        let merge_type = "application/merge-patch+json";
        let apply_type = "application/apply-patch+yaml";
        let body = big("", r#""abc""#, count);
        let (status, label) = (r#"{"status":{"a":1}}"#, r#"{"metadata":{"labels":{"a":"b"}}}"#);
        for (method, path, ty, body, wanted) in [
            ("POST", format!("{BIG}?dryRun=All"), JSON, &*body, 201),
            ("POST", BIG.to_owned(), JSON, &*body, 201),
            ("PATCH", path.clone(), merge_type, label, 200),
            ("PATCH", format!("{path}?dryRun=All"), merge_type, label, 200),
            ("PATCH", format!("{path}/status"), merge_type, status, 200),
            ("PATCH", format!("{path}?fieldManager=m&force=true"), apply_type, &*body, 200),
        ] {
            let turns = turns(&server, request(method, &path, ty, body), wanted).await;
            assert_eq!(turns, 2, "{method} {path} with {items}");
        }
        // It takes one turn if admission is not reached, and the server says why.
        let wrong = big("", "1", count);
        assert!(turns(&server, request("POST", BIG, JSON, &wrong), 422).await >= 1);
        let small = big("", r#""abc""#, 1).replace(r#""a"}"#, r#""b"}"#);
        assert_eq!(
            turns(&server, request("POST", BIG, JSON, &small), 201).await,
            2 * usize::from(count == 1)
        );
    }
    let server = Server::new();
    let text = "x".repeat(100_000);
    let map = format!(r#"{{"metadata":{{"name":"big"}},"data":{{"a":"{text}"}}}}"#);
    assert_eq!(turns(&server, request("POST", MAPS, JSON, &map), 201).await, 3);
}

/// Writes of the same large object at once: none is lost, and none writes over what it has not seen.
#[tokio::test]
async fn writes_of_large_objects_at_once_are_not_lost() {
    let server = server_with_big(r#"{"type":"string","pattern":"^a"}"#).await;
    let path = format!("{BIG}/a");
    assert_eq!(post(&server, BIG, &big("", r#""abc""#, 1_000)).await.0, 201);
    let old = get(&server, &path).await.1;
    let version = at(&old, &["metadata", "resourceVersion"]).and_then(Value::as_str).expect("a version");
    let mut context = Context::from_waker(Waker::noop());
    let mut open: Vec<_> = (0..8)
        .map(|i| {
            let label = format!(r#"{{"metadata":{{"labels":{{"l{i}":"x"}}}}}}"#);
            Box::pin(server.clone().call(request("PATCH", &path, "application/merge-patch+json", &label)))
        })
        .collect();
    let put = big(&format!(r#","resourceVersion":"{version}""#), r#""abc""#, 1_000);
    let mut put = Box::pin(server.clone().call(request("PUT", &path, JSON, &put)));
    assert!(put.as_mut().poll(&mut context).is_pending());
    while !open.is_empty() {
        open.retain_mut(|answer| match answer.as_mut().poll(&mut context) {
            Poll::Pending => true,
            Poll::Ready(Ok(answer)) => {
                assert_eq!(answer.status(), 200);
                false
            }
        });
    }
    let Ok(answer) = put.await;
    assert_eq!(answer.status(), 409);
    let new = get(&server, &path).await.1;
    for i in 0..8 {
        assert!(at(&new, &["metadata", "labels", &format!("l{i}")]).is_some(), "{i}");
    }
    // The kind changes while an object is checked: it is checked with the new schema.
    let mut answer = Box::pin(server.clone().call(request(
        "POST",
        BIG,
        JSON,
        &big("", r#""abc""#, 1_000).replace("\"a\"", "\"b\""),
    )));
    assert!(answer.as_mut().poll(&mut context).is_pending());
    let crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/bigs.example.com";
    let stored = get(&server, crd).await.1;
    let text = crdgen_core::json::to_string(&stored).replace(r#""pattern":"^a""#, r#""pattern":"^b""#);
    assert_eq!(send(&server, "PUT", crd, JSON, &text).await.0, 200);
    let Ok(answer) = answer.await;
    assert_eq!(answer.status(), 422);
}

/// The size of what watches can still get is that in memory: the names of managed fields take many times their text.
#[tokio::test]
async fn objects_with_many_managers_are_forgotten_sooner() {
    let server = Server::new();
    let start = revision(&server).await;
    for i in 0..36 {
        let data: Vec<String> = (0..1000).map(|at| format!(r#""k{i}_{at}":"""#)).collect();
        let body = format!(
            r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"a"}},"data":{{{}}}}}"#,
            data.join(",")
        );
        let path = format!("{MAPS}/a?fieldManager=m{i}");
        assert!(send(&server, "PATCH", &path, "application/apply-patch+yaml", &body).await.0 < 300);
    }
    // All revisions together have about 20 MiB of JSON.
    let path = format!("{MAPS}?resourceVersionMatch=Exact&resourceVersion={start}");
    assert_eq!(get(&server, &path).await.0, 410);
}

/// Quotas with the same scopes select the same objects, which are measured and added once.
#[tokio::test]
async fn quotas_of_other_scopes_count_other_pods() {
    let server = Server::new();
    for (name, scopes) in [
        ("a", ""),
        ("b", ""),
        ("c", r#""scopes":["Terminating"],"#),
        ("d", r#""scopes":["NotTerminating"],"#),
    ] {
        let body = format!(
            r#"{{"apiVersion":"v1","kind":"ResourceQuota","metadata":{{"name":"{name}"}},"spec":{{{scopes}"hard":{{"pods":"9"}}}}}}"#
        );
        assert_eq!(post(&server, QUOTAS, &body).await.0, 201);
    }
    for (name, deadline) in [("x", r#""activeDeadlineSeconds":9,"#), ("y", ""), ("z", "")] {
        let body = format!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{name}"}},"spec":{{{deadline}"containers":[{{"name":"c","image":"i"}}]}}}}"#
        );
        assert_eq!(post(&server, "/api/v1/namespaces/default/pods", &body).await.0, 201);
    }
    for (name, used) in [("a", "3"), ("b", "3"), ("c", "1"), ("d", "2")] {
        let (_, quota) = get(&server, &format!("{QUOTAS}/{name}")).await;
        assert_eq!(at(&quota, &["status", "used", "pods"]).and_then(Value::as_str), Some(used), "{name}");
    }
}

const THINGS: &str = "/apis/example.com/v1/namespaces/default/things";

async fn server_with_things(spec: &str) -> Server {
    let server = Server::new();
    let crd = format!(
        r#"{{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"things.example.com"}},"spec":{{"group":"example.com","scope":"Namespaced","names":{{"plural":"things","kind":"Thing"}},"versions":[{{"name":"v1","served":true,"storage":true,"schema":{{"openAPIV3Schema":{{"type":"object","properties":{{"spec":{spec}}}}}}}}}]}}}}"#
    );
    assert_eq!(post(&server, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", &crd).await.0, 201);
    server
}

fn thing(spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Thing","metadata":{{"name":"a","namespace":"default"}},"spec":{spec}}}"#
    )
}

/// The most bytes that an answer about an object of less than a megabyte may have: the path of each error is in four texts.
const MOST_ANSWER: usize = 80 << 20;

/// Each of many conflicts and errors may be below the same long path.
#[tokio::test]
async fn answers_about_long_paths_have_a_largest_size() {
    let apply_type = "application/apply-patch+yaml";
    let of = |value: &str| {
        let leaves = (0..4_000).map(|i| format!(r#""f{i}":"{value}""#)).collect::<Vec<_>>().join(",");
        let key = "k".repeat(200);
        thing(&(0..300).fold(format!("{{{leaves}}}"), |at, _| format!(r#"{{"{key}":{at}}}"#)))
    };
    let server = server_with_things(r#"{"type":"object","x-kubernetes-preserve-unknown-fields":true}"#).await;
    for (manager, value, wanted) in [("a", "x", 201), ("b", "y", 409)] {
        let path = format!("{THINGS}/a?fieldManager={manager}");
        let (code, answer) = send(&server, "PATCH", &path, apply_type, &of(value)).await;
        assert_eq!(code, wanted);
        if wanted == 409 {
            let message = at(&answer, &["message"]).and_then(Value::as_str).expect("a message");
            assert!(
                message.starts_with("Apply failed with 4000 conflicts: conflicts with \"a\":\n- .spec.kkk")
            );
            assert!(answer.to_string().len() < MOST_ANSWER);
        }
    }
    let lists = r#"{"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}"#;
    let server = server_with_things(lists).await;
    let zeros = vec!["0"; 10_000].join(",");
    let wrong = thing(&format!(r#"{{"{}":[{zeros}]}}"#, "k".repeat(100_000)));
    let (code, answer) = post(&server, THINGS, &wrong).await;
    assert_eq!(code, 422);
    assert!(answer.to_string().len() < MOST_ANSWER);
}
