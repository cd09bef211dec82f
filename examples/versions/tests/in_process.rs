//! The webhook converts the objects of an API server in this process, without a socket and without certificates.

use crdgen::testing::Server;
use http::Request;
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use tower_service::Service;

/// The code and the body of an answer.
async fn send(server: &Server, method: &str, uri: &str, body: &Value) -> (u16, Value) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = Request::builder().method(method).uri(uri).header("content-type", "application/json");
    let request = request.body(Full::<bytes::Bytes>::from(body)).expect("a request");
    let Ok(answer) = server.clone().call(request).await;
    let code = answer.status().as_u16();
    let body = answer.into_body().collect().await.expect("a body").to_bytes();
    (code, serde_json::from_slice(&body).expect("JSON"))
}

#[tokio::test]
async fn objects_are_read_in_each_version() {
    let server = Server::new();
    let crd = versions::crd("https://sites.example.com/convert", "").expect("a CRD");
    server.add(&crdgen::to_yaml(&crd)).expect("an accepted CRD");
    server.webhook("sites.example.com", versions::webhook());

    let site = json!({
        "apiVersion": "example.com/v1alpha1", "kind": "Site", "metadata": {"name": "a"},
        "spec": {"host": "x", "replicas": 1, "timeoutSeconds": 2, "backends": []}
    });
    let of = |version: &str| format!("/apis/example.com/{version}/namespaces/default/sites");
    let (code, created) = send(&server, "POST", &of("v1alpha1"), &site).await;
    assert_eq!(code, 201, "{created}");
    let (code, newest) = send(&server, "GET", &(of("v1") + "/a"), &Value::Null).await;
    assert_eq!((code, &newest["spec"]["hosts"]), (200, &json!(["x"])), "{newest}");
    let (code, list) = send(&server, "GET", &of("v1alpha1"), &Value::Null).await;
    assert_eq!((code, &list["items"][0]["spec"]), (200, &created["spec"]), "{list}");
}
