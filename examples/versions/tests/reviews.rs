//! Reviews as an API server sends them, and requests that are not reviews.

use crdgen::webhook::Webhook;
use http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower_service::Service;

/// Returns a site of the first version.
fn site(name: &str, host: &str) -> Value {
    json!({
        "apiVersion": "example.com/v1alpha1",
        "kind": "Site",
        "metadata": {
            "name": name,
            "namespace": "default",
            "uid": "1",
            "resourceVersion": "7",
            "labels": {"a": "b"},
            "ownerReferences": [{"apiVersion": "v1", "kind": "X", "name": "y", "uid": "z", "more": 1}],
            "managedFields": [{"manager": "m", "fieldsV1": {"f:spec": {}}}],
        },
        "spec": {"host": host, "replicas": 1, "timeoutSeconds": 2, "backends": []},
    })
}

fn review(version: &str, objects: &[Value], to: &str) -> Value {
    json!({
        "apiVersion": format!("apiextensions.k8s.io/{version}"),
        "kind": "ConversionReview",
        "request": {"uid": "u-1", "desiredAPIVersion": to, "objects": objects},
    })
}

fn answer(review: &Value) -> Value {
    let text = versions::webhook().answer(review.to_string().as_bytes()).expect("it is a review");
    serde_json::from_str(&text).expect("the answer is JSON")
}

#[test]
fn converts_batches_in_both_versions_of_the_review() {
    for version in ["v1", "v1beta1"] {
        let answer = answer(&review(version, &[site("a", "x"), site("b", "y")], "example.com/v1"));
        assert_eq!(answer["apiVersion"], format!("apiextensions.k8s.io/{version}"));
        assert_eq!(answer["kind"], "ConversionReview");
        assert_eq!(answer["response"]["uid"], "u-1");
        assert_eq!(answer["response"]["result"], json!({"status": "Success"}));
        let objects = answer["response"]["convertedObjects"].as_array().expect("objects");
        assert_eq!(objects.len(), 2);
        assert_eq!(objects[0]["apiVersion"], "example.com/v1");
        assert_eq!(objects[0]["metadata"], site("a", "x")["metadata"]);
        assert_eq!(
            objects[1]["spec"],
            json!({"hosts": ["y"], "scaling": {"replicas": 1}, "timeoutMillis": 2000, "state": "Running", "backends": []})
        );
    }
}

#[test]
fn converts_nothing_to_nothing() {
    let answer = answer(&review("v1", &[], "example.com/v1"));
    assert_eq!(
        answer["response"],
        json!({"uid": "u-1", "convertedObjects": [], "result": {"status": "Success"}})
    );
}

#[test]
fn converts_the_items_of_lists() {
    let list = json!({
        "apiVersion": "example.com/v1alpha1",
        "kind": "SiteList",
        "metadata": {"resourceVersion": "1"},
        "items": [site("a", "x")],
    });
    let answer = answer(&review("v1", &[list], "example.com/v1"));
    let list = &answer["response"]["convertedObjects"][0];
    assert_eq!((&list["apiVersion"], &list["kind"]), (&json!("example.com/v1"), &json!("SiteList")));
    assert_eq!(list["metadata"], json!({"resourceVersion": "1"}));
    assert_eq!(list["items"][0]["spec"]["hosts"], json!(["x"]));
}

/// The server uses all objects or none, so the message lists all objects that cannot be converted.
#[test]
fn names_all_objects_that_do_not_convert() {
    let mut odd = site("odd", "x");
    odd["spec"]["replicas"] = "many".into();
    let mut other = site("other", "x");
    other["kind"] = "Other".into();
    let answer = answer(&review("v1", &[site("a", "x"), odd, other], "example.com/v1"));
    let response = &answer["response"];
    assert_eq!(response["convertedObjects"], json!([]));
    assert_eq!(response["result"]["status"], "Failure");
    assert_eq!(
        response["result"]["message"],
        "Site \"default/odd\" to example.com/v1: spec.replicas: invalid type: string \"many\", expected i32; \
         Other \"default/other\" to example.com/v1: this webhook does not convert `Other` of `example.com/v1alpha1`"
    );
    assert_eq!(response["result"]["details"]["name"], "default/odd");
    assert_eq!(response["result"]["details"]["causes"].as_array().map(Vec::len), Some(2));
}

#[test]
fn keeps_numbers_and_texts() {
    let mut object = site("a", "\u{0}\u{202e}\"\\ä🦀");
    object["spec"]["timeoutSeconds"] = json!(9_007_199_254_740_993_i64);
    object["metadata"]["annotations"] = json!({"big": "18446744073709551616"});
    let there = answer(&review("v1", std::slice::from_ref(&object), "example.com/v1"));
    let there = &there["response"]["convertedObjects"][0];
    assert_eq!(there["spec"]["timeoutMillis"], 9_007_199_254_740_993_000_i64);
    let back = answer(&review("v1", std::slice::from_ref(there), "example.com/v1alpha1"));
    assert_eq!(back["response"]["convertedObjects"][0], object);
}

#[tokio::test]
async fn rejects_requests_that_are_not_reviews() {
    async fn ask(
        webhook: &mut Webhook,
        method: &str,
        content_type: &str,
        body: &str,
    ) -> (StatusCode, String) {
        let request = Request::builder().method(method).uri("/x").header("content-type", content_type);
        let request = request.body(crdgen::webhook::Body::from(body.to_owned())).expect("a request");
        let response = webhook.call(request).await.expect("it always answers");
        let status = response.status();
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        (status, String::from_utf8_lossy(&body).into_owned())
    }
    let mut webhook = versions::webhook().limit(4096);
    let review = review("v1", &[site("a", "x")], "example.com/v1").to_string();
    let json = "application/json";
    assert_eq!(ask(&mut webhook, "POST", json, &review).await.0, StatusCode::OK);
    assert_eq!(ask(&mut webhook, "POST", "Application/JSON; charset=utf-8", &review).await.0, StatusCode::OK);
    for (method, content_type, body, status, text) in [
        ("GET", json, &*review, StatusCode::METHOD_NOT_ALLOWED, "send reviews with POST"),
        ("POST", "text/plain", &review, StatusCode::UNSUPPORTED_MEDIA_TYPE, "reviews are application/json"),
        ("POST", json, "", StatusCode::BAD_REQUEST, "the body is not JSON: "),
        ("POST", json, "[]", StatusCode::BAD_REQUEST, "the body is not a JSON object"),
        ("POST", json, "{}", StatusCode::BAD_REQUEST, "`` of `` has no request"),
        (
            "POST",
            json,
            r#"{"kind":"TokenReview","apiVersion":"v1","request":{}}"#,
            StatusCode::BAD_REQUEST,
            "this webhook does not answer `TokenReview` of `v1`",
        ),
        (
            "POST",
            json,
            &" ".repeat(5000),
            StatusCode::PAYLOAD_TOO_LARGE,
            "the review is longer than 4096 bytes",
        ),
        ("POST", json, &"[".repeat(4000), StatusCode::BAD_REQUEST, "the body is not JSON"),
    ] {
        let (found, answer) = ask(&mut webhook, method, content_type, body).await;
        assert_eq!(found, status, "{body}");
        assert!(answer.starts_with(text), "{answer}");
    }
}

/// One service converts objects and admits them.
#[test]
fn admits_objects() {
    let kind =
        crdgen::objects::CompiledKind::new(versions::crd("https://x", "").expect("the types are right"));
    let webhook = versions::webhook().kind(kind.expect("the CRD is right"));
    let review = |kind: &str, operation: &str, host: &str| {
        let mut object = site("a", host);
        object["metadata"] = json!({"name": "a", "namespace": "default"});
        let review = json!({
            "apiVersion": "admission.k8s.io/v1",
            "kind": "AdmissionReview",
            "request": {
                "uid": "1",
                "kind": {"group": "example.com", "version": "v1alpha1", "kind": kind},
                "operation": operation,
                "object": object,
            },
        });
        let answer = webhook.answer(review.to_string().as_bytes()).expect("it is a review");
        serde_json::from_str::<Value>(&answer).expect("the answer is JSON")
    };
    assert_eq!(review("Site", "CREATE", "x")["response"], json!({"uid": "1", "allowed": true}));
    assert_eq!(review("Site", "DELETE", "")["response"], json!({"uid": "1", "allowed": true}));
    let refused = review("Site", "CREATE", "");
    assert_eq!(refused["response"]["allowed"], false);
    let message = refused["response"]["status"]["message"].as_str().expect("a message");
    assert!(message.contains("spec.host in body should be at least 1 chars long"), "{message}");
    // An object that cannot be checked is not admitted.
    let status = json!({"code": 400, "message": "this webhook does not review Other of example.com"});
    for operation in ["CREATE", "DELETE"] {
        let unknown = review("Other", operation, "x");
        assert_eq!(unknown["response"], json!({"uid": "1", "allowed": false, "status": status}));
    }
}
