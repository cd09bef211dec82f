//! Reviews as an API server sends them, over HTTP.

use crdgen::webhook::Server;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Starts a server for one request. Returns the status and the answer.
fn ask(body: &str) -> (String, Value) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let (stop, stopped) = oneshot::channel::<()>();
    let server = Server::new(webhook::webhook().expect("the types are right"));
    let server = runtime.spawn(server.serve(listener, async { _ = stopped.await }));
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head = format!(
        "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close",
        body.len()
    );
    stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    stop.send(()).expect("it still runs");
    runtime.block_on(server).expect("it ends").expect("nothing failed");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
    (head.lines().next().unwrap_or_default().to_owned(), serde_json::from_str(body).unwrap_or_default())
}

fn review(operation: &str, replicas: i64, old_replicas: Option<i64>) -> Value {
    let object = |replicas: i64| {
        json!({
            "apiVersion": "stable.example.com/v1",
            "kind": "CronTab",
            "metadata": {"name": "x", "namespace": "default"},
            "spec": {"cronSpec": "* * * * */5", "image": "i", "replicas": replicas},
        })
    };
    json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "1",
            "kind": {"group": "stable.example.com", "version": "v1", "kind": "CronTab"},
            "operation": operation,
            "object": object(replicas),
            "oldObject": old_replicas.map(object),
        },
    })
}

#[test]
fn objects_are_judged() {
    let (status, answer) = ask(&review("CREATE", 2, None).to_string());
    assert_eq!(status, "HTTP/1.1 200 OK");
    assert_eq!(answer["response"], json!({"uid": "1", "allowed": true}));

    let (_, answer) = ask(&review("CREATE", 11, None).to_string());
    assert_eq!(answer["response"]["allowed"], false);
    let message = answer["response"]["status"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("spec.replicas in body should be less than or equal to 10"), "{message}");

    // An update may keep a value that was invalid before.
    let (_, answer) = ask(&review("UPDATE", 11, Some(11)).to_string());
    assert_eq!(answer["response"]["allowed"], true);
    let (_, answer) = ask(&review("DELETE", 11, None).to_string());
    assert_eq!(answer["response"]["allowed"], true);
}

#[test]
fn other_requests_are_bad_ones() {
    assert_eq!(ask("no json").0, "HTTP/1.1 400 Bad Request");
    assert_eq!(ask("").0, "HTTP/1.1 400 Bad Request");
}
