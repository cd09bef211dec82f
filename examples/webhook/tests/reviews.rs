//! Reviews as an API server sends them, over HTTP.

use crdgen::objects::Kind;
use crontab::CronTab;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

fn ask(body: &str) -> (String, Value) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let server = std::thread::spawn(move || {
        let kind = Kind::of::<CronTab>().expect("the types are right");
        let (mut stream, _) = listener.accept().expect("somebody asks");
        webhook::answer(&kind, &mut stream).expect("it can be answered");
    });
    let mut stream = TcpStream::connect(address).expect("it listens");
    let length = body.len();
    stream
        .write_all(
            format!("POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n{body}")
                .as_bytes(),
        )
        .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    server.join().expect("it ends");
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
    assert_eq!(answer["response"], json!({"uid": "1", "allowed": true, "warnings": []}));

    let (_, answer) = ask(&review("CREATE", 11, None).to_string());
    assert_eq!(answer["response"]["allowed"], false);
    let message = answer["response"]["status"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("spec.replicas in body should be less than or equal to 10"), "{message}");

    // What was wrong before may stay.
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
