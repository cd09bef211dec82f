//! The server on a port.
#![cfg(feature = "http")]

use bytes::Bytes;
use crdgen_apiserver::{Access, Server, User, listen};
use http_body_util::{BodyExt, Empty};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tower_service::Service;

const PATIENCE: Duration = Duration::from_millis(300);

/// How long the server keeps a connection whose client has sent this and says nothing more.
async fn kept(sent: &[u8]) -> Duration {
    let address = "127.0.0.1:0".parse().expect("an address");
    let listening = listen(Server::new(), address).await.expect("a port").patience(PATIENCE);
    let address = listening.address().expect("an address");
    let serving = tokio::spawn(listening.serve());
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(sent).await.expect("sent");
    let start = Instant::now();
    let mut answer = Vec::new();
    let read = tokio::time::timeout(PATIENCE * 20, stream.read_to_end(&mut answer)).await;
    assert!(read.is_ok(), "the connection stays open: {}", String::from_utf8_lossy(sent));
    serving.abort();
    start.elapsed()
}

#[tokio::test]
async fn connections_without_a_request_end() {
    for sent in [
        "",
        // Before the server knows the protocol, in the head of a request, and after a request.
        "PRI * HTT",
        "GET /readyz HTTP/1.1\r\nHost: localhost\r\n",
        "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ] {
        let time = kept(sent.as_bytes()).await;
        assert!(time >= PATIENCE / 2, "{sent:?}: ended after {time:?}");
    }
}

/// Reads an answer until a text is in it.
async fn read_until(stream: &mut TcpStream, text: &str) -> String {
    let (mut all, mut part) = (Vec::new(), [0; 1024]);
    while !String::from_utf8_lossy(&all).contains(text) {
        let read = tokio::time::timeout(PATIENCE * 20, stream.read(&mut part)).await;
        let length = read.expect("the text comes").expect("the connection is open");
        assert!(length > 0, "the connection ends: {}", String::from_utf8_lossy(&all));
        all.extend_from_slice(&part[..length]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

#[tokio::test]
async fn a_watch_lasts_longer_than_a_connection_without_a_request() {
    let server = Server::new();
    let address = "127.0.0.1:0".parse().expect("an address");
    let listening = listen(server.clone(), address).await.expect("a port").patience(PATIENCE);
    let address = listening.address().expect("an address");
    let serving = tokio::spawn(listening.serve());
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let watch = "GET /api/v1/namespaces/default/configmaps?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(watch.as_bytes()).await.expect("sent");
    read_until(&mut stream, "200 OK").await;
    for name in ["first", "second"] {
        tokio::time::sleep(PATIENCE * 3).await;
        let object = format!(
            r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}","namespace":"default"}}}}"#
        );
        server.add(&object).unwrap_or_else(|why| panic!("{why}"));
        read_until(&mut stream, name).await;
    }
    serving.abort();
}

#[tokio::test]
async fn everybody_learns_the_version_but_for_wrong_tokens() {
    let address = "127.0.0.1:0".parse().expect("an address");
    let access = Access::new().token("right", User::admin());
    let listening = listen(Server::new().with_rbac(), address).await.expect("a port").access(access);
    let address = listening.address().expect("an address");
    let serving = tokio::spawn(listening.serve());
    for (headers, expected) in [
        ("", "200 OK"),
        ("Authorization: Bearer right\r\n", "200 OK"),
        ("Authorization: Bearer right\r\nImpersonate-User: ann\r\n", "200 OK"),
        ("Authorization: Bearer wrong\r\n", "401 Unauthorized"),
        ("Impersonate-User: ann\r\n", "403 Forbidden"),
    ] {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let head = format!("GET /version HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        stream.write_all(head.as_bytes()).await.expect("sent");
        let answer = read_until(&mut stream, "\r\n\r\n").await;
        assert!(answer.contains(expected), "{headers}: {answer}");
    }
    serving.abort();
}

/// Answers to HEAD have no body. A client of HTTP/2 breaks the connection if there is one.
#[tokio::test]
async fn head_has_no_body() {
    let server = Server::new();
    for (path, code) in [("/api/v1/nodes", 405), ("/api", 405), ("/healthz", 200), ("/nothing", 404)] {
        let request = http::Request::builder().method("HEAD").uri(path).body(Empty::<Bytes>::new());
        let Ok(answer) = server.clone().call(request.expect("a request")).await;
        assert_eq!(answer.status(), code, "{path}");
        let body = answer.into_body().collect().await.expect("a body").to_bytes();
        assert!(body.is_empty(), "{path}: {body:?}");
    }
}
