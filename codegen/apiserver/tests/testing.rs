//! What a test can do with the server: faults of watches and lists, waiting without sleeping, and workloads that become ready.

use crate::common::{JSON, get, post, send};
use bytes::Bytes;
use crdgen_apiserver::{Fault, Rule, Server, Simulation};
use crdgen_core::json;
use crdgen_core::value::Value;
use http::Request;
use http_body_util::{BodyExt, Full};
use std::time::Duration;
use tokio::time::Instant;
use tower_service::Service;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

async fn create(server: &Server, name: &str) {
    let object = format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#);
    assert_eq!(post(server, MAPS, &object).await.0, 201);
}

fn number(value: &Value, path: &str) -> Option<i64> {
    path.split('.').try_fold(value, |value, name| value.get(name))?.as_int()
}

fn text<'v>(value: &'v Value, path: &str) -> &'v str {
    let found = path.split('.').try_fold(value, |value, name| match value {
        Value::List(items) => items.get(name.parse::<usize>().ok()?),
        _ => value.get(name),
    });
    found.and_then(Value::as_str).unwrap_or_default()
}

#[tokio::test(start_paused = true)]
async fn a_watch_ends_after_some_events() {
    let server = Server::new().without_controller_manager();
    for name in ["a", "b", "c"] {
        create(&server, name).await;
    }
    server.inject(Rule::new(Fault::EndWatch(2)).resource("configmaps"));
    let watch = async || {
        let uri = format!("{MAPS}?watch=true&timeoutSeconds=1");
        let Ok(answer) =
            server.clone().call(Request::get(uri).body(Full::<Bytes>::default()).expect("a request")).await;
        let lines = answer.into_body().collect().await.expect("a body").to_bytes();
        lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count()
    };
    let start = Instant::now();
    assert_eq!(watch().await, 2);
    assert_eq!(start.elapsed(), Duration::ZERO, "it does not wait for its timeout");
    assert_eq!(watch().await, 3, "the next watch is as always");
}

#[tokio::test(start_paused = true)]
async fn events_of_a_watch_are_late() {
    let server = Server::new();
    create(&server, "a").await;
    server.inject(Rule::new(Fault::DelayWatch(Duration::from_secs(5))).resource("configmaps"));
    let uri = format!("{MAPS}?watch=true");
    let Ok(answer) =
        server.clone().call(Request::get(uri).body(Full::<Bytes>::default()).expect("a request")).await;
    let mut body = answer.into_body();
    let start = Instant::now();
    let line = body.frame().await.expect("a frame").expect("no failure").into_data().expect("data");
    assert!(start.elapsed() >= Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(text(&json::read(&line).expect("JSON"), "object.metadata.name"), "a");
}

#[tokio::test]
async fn a_list_is_stale() {
    let server = Server::new().without_controller_manager();
    create(&server, "a").await;
    create(&server, "b").await;
    server.inject(Rule::new(Fault::Stale(1)).resource("configmaps"));
    let (_, stale) = get(&server, MAPS).await;
    assert_eq!((text(&stale, "items.0.metadata.name"), text(&stale, "items.1.metadata.name")), ("a", ""));
    let (_, now) = get(&server, MAPS).await;
    assert_eq!(text(&now, "items.1.metadata.name"), "b");
    // A watch from the stale list gets what was missing.
    let uri = format!(
        "{MAPS}?watch=true&timeoutSeconds=1&resourceVersion={}",
        text(&stale, "metadata.resourceVersion")
    );
    let Ok(answer) =
        server.clone().call(Request::get(uri).body(Full::<Bytes>::default()).expect("a request")).await;
    let line =
        answer.into_body().frame().await.expect("a frame").expect("no failure").into_data().expect("data");
    assert_eq!(text(&json::read(&line).expect("JSON"), "object.metadata.name"), "b");
}

#[tokio::test(start_paused = true)]
async fn eventually_wakes_on_changes_and_says_what_was_seen_last() {
    let server = Server::new().without_controller_manager();
    let other = server.clone();
    tokio::spawn(async move {
        for name in ["a", "b", "c"] {
            tokio::task::yield_now().await;
            create(&other, name).await;
        }
    });
    let start = Instant::now();
    let count = async || {
        let (_, list) = get(&server, MAPS).await;
        let number = list.get("items").and_then(Value::as_list).map_or(0, <[Value]>::len);
        if number == 3 { Ok(number) } else { Err(format!("{number} of 3 maps")) }
    };
    assert_eq!(server.eventually(count).await.map_err(|why| why.to_string()), Ok(3));
    assert_eq!(start.elapsed(), Duration::ZERO, "no time passes");
    let never = server.eventually(async || Err::<(), _>("no map is called d")).await;
    assert_eq!(
        never.map_err(|why| why.to_string()),
        Err("still not after 10 seconds: no map is called d".to_owned())
    );
}

#[tokio::test]
async fn workloads_become_ready_if_the_test_wants() {
    let server = Server::new();
    let template = r#""template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}],"restartPolicy":"RESTART"}}"#;
    let object = |api: &str, kind: &str, spec: &str| {
        let restart = if kind == "Job" { "Never" } else { "Always" };
        let template = template.replace("RESTART", restart);
        format!(
            r#"{{"apiVersion":"{api}","kind":"{kind}","metadata":{{"name":"a"}},"spec":{{{spec}{template}}}}}"#
        )
    };
    let deployments = "/apis/apps/v1/namespaces/default/deployments";
    let selector = r#""selector":{"matchLabels":{"a":"b"}},"replicas":3,"#;
    server.simulate(Simulation::DeploymentsBecomeReady);
    server.simulate(Simulation::JobsFail);
    let (code, answer) = post(&server, deployments, &object("apps/v1", "Deployment", selector)).await;
    assert_eq!(code, 201, "{answer}");
    let (_, ready) = get(&server, &format!("{deployments}/a")).await;
    assert_eq!(
        (number(&ready, "status.readyReplicas"), number(&ready, "status.observedGeneration")),
        (Some(3), Some(1))
    );
    assert_eq!(text(&ready, "status.conditions.0.type"), "Available");
    let scale = format!("{deployments}/a/scale");
    let replicas = r#"{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a","namespace":"default"},"spec":{"replicas":5}}"#;
    assert_eq!(send(&server, "PUT", &scale, JSON, replicas).await.0, 200);
    let (_, ready) = get(&server, &format!("{deployments}/a")).await;
    assert_eq!(
        (number(&ready, "status.readyReplicas"), number(&ready, "status.observedGeneration")),
        (Some(5), Some(2))
    );
    let jobs = "/apis/batch/v1/namespaces/default/jobs";
    let (code, answer) = post(&server, jobs, &object("batch/v1", "Job", "")).await;
    assert_eq!(code, 201, "{answer}");
    let (_, failed) = get(&server, &format!("{jobs}/a")).await;
    assert_eq!(text(&failed, "status.conditions.1.type"), "Failed");
    assert_eq!(text(&failed, "status.conditions.1.reason"), "BackoffLimitExceeded");
}

/// The names of objects of two resources, in the order in which one task sees the events of two watches.
async fn order(server: &Server) -> Vec<String> {
    // Only the test creates ConfigMaps.
    let server = &server.clone().without_controller_manager();
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut tasks = Vec::new();
    for plural in ["configmaps", "secrets"] {
        let uri = format!("/api/v1/namespaces/default/{plural}?watch=true");
        let request = Request::get(uri).body(Full::<Bytes>::default()).expect("a request");
        let Ok(answer) = server.clone().call(request).await;
        let (seen, mut body) = (std::sync::Arc::clone(&seen), answer.into_body());
        tasks.push(tokio::spawn(async move {
            for _ in 0..3 {
                let line =
                    body.frame().await.expect("a frame").expect("no failure").into_data().expect("data");
                let event = json::read(&line).expect("JSON");
                let name =
                    format!("{} {}", text(&event, "object.kind"), text(&event, "object.metadata.name"));
                seen.lock().expect("no panic").push(name);
            }
        }));
    }
    for name in ["a", "b", "c"] {
        create(server, name).await;
        let secret = format!(r#"{{"apiVersion":"v1","kind":"Secret","metadata":{{"name":"{name}"}}}}"#);
        assert_eq!(post(server, "/api/v1/namespaces/default/secrets", &secret).await.0, 201);
    }
    for task in tasks {
        task.await.expect("no panic");
    }
    seen.lock().expect("no panic").clone()
}

#[test]
fn a_seed_shuffles_the_events_of_different_resources() {
    let orders = || {
        let all = std::sync::Mutex::new(Vec::new());
        crdgen_apiserver::run(0..10, async |server| {
            let order = order(&server).await;
            for kind in ["ConfigMap", "Secret"] {
                let of_kind: Vec<_> = order.iter().filter(|name| name.starts_with(kind)).collect();
                assert!(of_kind.is_sorted(), "events of one watch keep their order: {order:?}");
            }
            all.lock().expect("no panic").push(order);
        });
        all.into_inner().expect("no panic")
    };
    let first = orders();
    let different: std::collections::BTreeSet<_> = first.iter().collect();
    assert!(different.len() > 3, "{different:?}");
    assert_eq!(first, orders(), "the same seeds give the same orders");
}

#[tokio::test]
async fn an_apply_that_changes_nothing_is_a_write_and_no_change() {
    let server = Server::new();
    let apply = async |value: &str| {
        let body = format!(
            r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"a"}},"data":{{"key":"{value}"}}}}"#
        );
        let request = Request::patch(format!("{MAPS}/a?fieldManager=test"));
        let request = request.header("content-type", "application/apply-patch+yaml");
        let request = request.body(Full::new(Bytes::from(body))).expect("a request");
        let Ok(answer) = server.clone().call(request).await;
        assert!(answer.status().is_success());
        let all = server.requests();
        (all.writes().len(), all.changes().len())
    };
    assert_eq!(apply("1").await, (1, 1));
    assert_eq!(apply("1").await, (2, 1));
    assert_eq!(apply("2").await, (3, 2));
}

#[tokio::test]
async fn a_record_keeps_no_long_texts() {
    let server = Server::new();
    get(&server, &format!("{MAPS}/{}?fieldManager={}", "a".repeat(9000), "b".repeat(9000))).await;
    let requests = server.requests();
    let request = requests.iter().next().expect("a request");
    assert!(request.name.len() <= 253 && request.manager.len() <= 253, "{request:?}");
}

#[test]
#[should_panic(expected = "the rule is about no request: there is no verb \"ptach\"")]
fn rules_about_no_request_are_mistakes() {
    Server::new().inject(Rule::new(Fault::Conflict).verb("ptach"));
}

#[test]
#[should_panic(expected = "the server has no resource \"configmap\"")]
fn rules_about_no_resource_are_mistakes() {
    Server::new().inject(Rule::new(Fault::Conflict).resource("configmap"));
}
