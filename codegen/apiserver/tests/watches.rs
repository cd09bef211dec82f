//! Many watches, and watches without a reader.

mod common;

use common::{get, merge, post, request};
use crdgen_apiserver::{ResponseBody, Server};
use http_body_util::BodyExt;
use std::time::Duration;
use tokio::time::timeout;
use tower_service::Service;

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn config(name: &str, size: usize) -> String {
    let text = "x".repeat(size);
    format!(
        r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}},"data":{{"a":"{text}"}}}}"#
    )
}

async fn watch(server: &Server) -> ResponseBody {
    let Ok(answer) = server.clone().call(request("GET", &format!("{MAPS}?watch=1"), "", "")).await;
    answer.into_body()
}

/// The memory of this process, in MiB.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib / 1024)
}

/// The lines that are there.
async fn lines(watch: &mut ResponseBody) -> (usize, bool) {
    let mut found = 0;
    loop {
        match timeout(Duration::from_millis(20), watch.frame()).await {
            Ok(Some(_)) => found += 1,
            Ok(None) => return (found, true),
            Err(_) => return (found, false),
        }
    }
}

#[tokio::test]
async fn watches_that_nobody_reads_share_the_objects() {
    let server = Server::new().without_controller_manager();
    for number in 0..100 {
        assert_eq!(post(&server, MAPS, &config(&format!("a{number}"), 100_000)).await.0, 201);
    }
    let before = memory();
    let mut watches = Vec::new();
    for _ in 0..1000 {
        let mut watch = watch(&server).await;
        // A client has read the first line, and keeps the second one.
        let first = watch.frame().await;
        assert!(first.is_some());
        watches.push((watch, first));
    }
    // A change is written once for all of them.
    assert_eq!(merge(&server, &format!("{MAPS}/a0"), r#"{"data":{"b":"c"}}"#).await.0, 200);
    if let (Some(before), Some(after)) = (before, memory()) {
        // A copy of the objects for each would be 10,000 MiB.
        assert!(after < before + 100, "1,000 watches take {} MiB", after - before);
    }
    let (mut last, _) = watches.pop().expect("a watch");
    assert_eq!(lines(&mut last).await, (100, false), "the other objects, and the change");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_read_is_cut_off() {
    let server = Server::new().without_controller_manager();
    assert_eq!(post(&server, MAPS, &config("a", 1)).await.0, 201);
    let (mut fast, mut slow, mut late) = (watch(&server).await, watch(&server).await, watch(&server).await);
    assert_eq!(lines(&mut slow).await, (1, false));
    for round in 0..3 {
        for number in 0..150 {
            let patch = format!(r#"{{"data":{{"a":"{round} {number}"}}}}"#);
            assert_eq!(merge(&server, &format!("{MAPS}/a"), &patch).await.0, 200);
        }
        assert_eq!(lines(&mut fast).await, (if round == 0 { 151 } else { 150 }, false));
        tokio::time::advance(Duration::from_secs(2)).await;
    }
    // As with the server, the stream ends. The client begins again where it is.
    assert_eq!(lines(&mut slow).await, (0, true));
    assert_eq!(lines(&mut late).await, (0, true));
    assert_eq!(get(&server, MAPS).await.0, 200);
}

#[tokio::test(start_paused = true)]
async fn a_client_with_much_to_read_is_not_cut_off() {
    let server = Server::new().without_controller_manager();
    let (_, list) = get(&server, MAPS).await;
    let version = list.get("metadata").and_then(|it| it.get("resourceVersion")?.as_str()).unwrap_or("");
    assert_eq!(post(&server, MAPS, &config("a", 1)).await.0, 201);
    for number in 0..1000 {
        let patch = format!(r#"{{"data":{{"a":"{number}"}}}}"#);
        assert_eq!(merge(&server, &format!("{MAPS}/a"), &patch).await.0, 200);
    }
    let uri = format!("{MAPS}?watch=1&resourceVersion={version}");
    let Ok(answer) = server.clone().call(request("GET", &uri, "", "")).await;
    let mut watch = answer.into_body();
    tokio::time::advance(Duration::from_secs(60)).await;
    assert_eq!(merge(&server, &format!("{MAPS}/a"), r#"{"data":{"a":"z"}}"#).await.0, 200);
    assert_eq!(lines(&mut watch).await, (1002, false));
}

#[tokio::test]
async fn a_watch_from_the_future_gets_what_comes_then() {
    let server = Server::new().without_controller_manager();
    let (_, made) = post(&server, MAPS, &config("a", 1)).await;
    let revision = made.get("metadata").and_then(|it| it.get("resourceVersion")?.as_str()?.parse().ok());
    let later: u64 = revision.map(|revision: u64| revision + 2).expect("a revision");
    let uri = format!("{MAPS}?watch=1&resourceVersion={later}");
    let Ok(answer) = server.clone().call(request("GET", &uri, "", "")).await;
    assert_eq!(answer.status(), 200);
    let mut watch = answer.into_body();
    for name in ["b", "c"] {
        assert_eq!(post(&server, MAPS, &config(name, 1)).await.0, 201);
        assert_eq!(lines(&mut watch).await, (0, false), "{name}");
    }
    assert_eq!(post(&server, MAPS, &config("d", 1)).await.0, 201);
    assert_eq!(lines(&mut watch).await, (1, false));
}

#[tokio::test]
async fn a_watch_with_a_negative_time_ends_at_once() {
    let server = Server::new().without_controller_manager();
    let uri = format!("{MAPS}?watch=1&resourceVersion=1&timeoutSeconds=-5");
    let Ok(answer) = server.clone().call(request("GET", &uri, "", "")).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(lines(&mut answer.into_body()).await, (0, true));
}
