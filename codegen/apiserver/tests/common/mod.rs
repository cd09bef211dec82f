//! Requests to a server in the process.

#![allow(dead_code, reason = "each test uses a part of it")]

use bytes::Bytes;
use crdgen_apiserver::Server;
use crdgen_core::json;
use crdgen_core::value::Value;
use http::Request;
use http_body_util::{BodyExt, Full};
use tower_service::Service;

pub(crate) const JSON: &str = "application/json";
pub(crate) const MERGE: &str = "application/merge-patch+json";

pub(crate) fn request(method: &str, uri: &str, content_type: &str, body: &str) -> Request<Full<Bytes>> {
    Request::builder()
        .method(method)
        .uri(uri)
        .header("content-type", content_type)
        .header("user-agent", "tests/1")
        .body(Full::new(Bytes::from(body.to_owned())))
        .expect("a request")
}

/// The code and the body of an answer.
pub(crate) async fn send(
    server: &Server,
    method: &str,
    uri: &str,
    content_type: &str,
    body: &str,
) -> (u16, Value) {
    let (code, value, _) = send_warned(server, method, uri, content_type, body).await;
    (code, value)
}

/// The code, the body and the warnings of an answer.
pub(crate) async fn send_warned(
    server: &Server,
    method: &str,
    uri: &str,
    content_type: &str,
    body: &str,
) -> (u16, Value, Vec<String>) {
    let Ok(answer) = server.clone().call(request(method, uri, content_type, body)).await;
    let code = answer.status().as_u16();
    let warnings = answer.headers().get_all("warning").iter();
    let warnings = warnings.map(|it| it.to_str().expect("a text").to_owned()).collect();
    let bytes = answer.into_body().collect().await.expect("a body").to_bytes();
    (code, json::read(&bytes).unwrap_or(Value::Null), warnings)
}

pub(crate) async fn post(server: &Server, uri: &str, body: &str) -> (u16, Value) {
    send(server, "POST", uri, JSON, body).await
}

pub(crate) async fn get(server: &Server, uri: &str) -> (u16, Value) {
    send(server, "GET", uri, JSON, "").await
}

pub(crate) async fn merge(server: &Server, uri: &str, body: &str) -> (u16, Value) {
    send(server, "PATCH", uri, "application/merge-patch+json", body).await
}
