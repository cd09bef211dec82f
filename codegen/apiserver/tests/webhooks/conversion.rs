//! Conversion of custom resources. `v1` has a host and a port, and `v2` has both in one field.

use super::{at, find, get, map, merge, post, read, reviewer, send};
use crate::common::JSON;
use bytes::Bytes;
use crdgen_apiserver::Server;
use crdgen_core::value::Value;
use http::Request;
use http_body_util::{BodyExt, Full};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tower_service::Service;

const CRD: &str = include_str!("crd.yaml");
const V1: &str = "/apis/example.com/v1/namespaces/default/widgets";
const V2: &str = "/apis/example.com/v2/namespaces/default/widgets";

/// Converts a widget.
fn convert(mut object: Value, desired: &str) -> Value {
    let text = |path: &str| at(&object, path).to_owned();
    let spec = match desired {
        "example.com/v2" => [("hostPort", format!("{}:{}", text("spec.host"), text("spec.port")))].to_vec(),
        _ => {
            let both = text("spec.hostPort");
            let (host, port) = both.split_once(':').unwrap_or((&both, ""));
            [("host", host.to_owned()), ("port", port.to_owned())].to_vec()
        }
    };
    let size = find(&object, "spec.size").cloned();
    let mut spec: crdgen_core::value::Map<Value> =
        spec.into_iter().map(|(name, text)| (name, Value::from(text))).collect();
    if let Some(size) = size {
        spec.insert("size", size);
    }
    if let Value::Map(map) = &mut object {
        map.insert("apiVersion", Value::from(desired));
        map.insert("spec", Value::Map(spec));
    }
    object
}

/// A server with the CRD, and the number of objects in each review.
fn server() -> (Server, Arc<Mutex<Vec<usize>>>) {
    let server = Server::new();
    server.add(CRD).unwrap_or_else(|why| panic!("{why}"));
    let reviews = Arc::new(Mutex::new(Vec::new()));
    let counted = Arc::clone(&reviews);
    let webhook = reviewer(move |request| {
        let objects = find(request, "objects").and_then(Value::as_list).unwrap_or_default();
        counted.lock().expect("no panic").push(objects.len());
        let desired = at(request, "desiredAPIVersion");
        let converted = objects.iter().map(|object| convert(object.clone(), desired)).collect();
        map([("result", map([("status", "Success".into())])), ("convertedObjects", Value::List(converted))])
    });
    server.webhook("hooks.system.svc", webhook);
    (server, reviews)
}

fn widget(name: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/v2","kind":"Widget","metadata":{{"name":"{name}"}},"spec":{{"hostPort":"{name}:80"}}}}"#
    )
}

#[tokio::test]
async fn objects_are_stored_in_one_version_and_read_in_all() {
    let (server, _) = server();
    let (code, created) = post(&server, V2, &widget("a")).await;
    assert_eq!((code, at(&created, "spec.hostPort")), (201, "a:80"), "{created}");
    let (code, old) = get(&server, &format!("{V1}/a")).await;
    assert_eq!((code, at(&old, "spec.host"), at(&old, "spec.port")), (200, "a", "80"), "{old}");
    assert_eq!(at(&old, "metadata.uid"), at(&created, "metadata.uid"));
    assert_eq!(at(&old, "metadata.resourceVersion"), at(&created, "metadata.resourceVersion"));
    let (code, changed) = merge(&server, &format!("{V1}/a"), r#"{"spec":{"port":"81"}}"#).await;
    assert_eq!((code, at(&changed, "spec.port")), (200, "81"), "{changed}");
    let (_, new) = get(&server, &format!("{V2}/a")).await;
    assert_eq!(at(&new, "spec.hostPort"), "a:81");
    assert_eq!(at(&new, "metadata.resourceVersion"), at(&changed, "metadata.resourceVersion"));
    let (code, _) = send(&server, "DELETE", &format!("{V2}/a"), "application/json", "").await;
    assert_eq!(code, 200);
    assert_eq!(get(&server, &format!("{V1}/a")).await.0, 404);
}

#[tokio::test]
async fn a_write_that_changes_nothing_writes_nothing() {
    let (server, _) = server();
    let (_, created) = post(&server, V2, &widget("a")).await;
    let (code, same) = merge(&server, &format!("{V2}/a"), r#"{"spec":{"hostPort":"a:80"}}"#).await;
    assert_eq!(code, 200, "{same}");
    assert_eq!(at(&same, "metadata.resourceVersion"), at(&created, "metadata.resourceVersion"));
}

#[tokio::test]
async fn one_review_converts_a_list() {
    let (server, reviews) = server();
    for name in ["a", "b", "c"] {
        assert_eq!(post(&server, V2, &widget(name)).await.0, 201);
    }
    reviews.lock().expect("no panic").clear();
    let (code, list) = get(&server, V2).await;
    assert_eq!((code, at(&list, "items.2.spec.hostPort")), (200, "c:80"), "{list}");
    assert_eq!(*reviews.lock().expect("no panic"), [3]);
    reviews.lock().expect("no panic").clear();
    let (_, part) = get(&server, &format!("{V2}?limit=2")).await;
    assert_eq!(find(&part, "items").and_then(Value::as_list).map(<[Value]>::len), Some(2));
    assert_eq!(*reviews.lock().expect("no panic"), [2]);
    reviews.lock().expect("no panic").clear();
    assert_eq!(get(&server, V1).await.0, 200);
    assert!(reviews.lock().expect("no panic").is_empty(), "they are stored in this version");
}

#[tokio::test]
async fn managers_own_fields_by_version() {
    let (server, _) = server();
    let apply = async |uri: &str, manager: &str, body: &str| {
        let uri = format!("{uri}/a?fieldManager={manager}");
        send(&server, "PATCH", &uri, "application/apply-patch+yaml", body).await
    };
    let (code, created) = apply(V2, "new", &widget("a")).await;
    assert_eq!(code, 201, "{created}");
    let old = r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":3}}"#;
    let (code, both) = apply(V1, "old", old).await;
    assert_eq!((code, at(&both, "spec.host")), (200, "a"), "{both}");
    let (_, new) = get(&server, &format!("{V2}/a")).await;
    assert_eq!((at(&new, "spec.hostPort"), find(&new, "spec.size")), ("a:80", Some(&Value::Int(3))));
    let managers = find(&new, "metadata.managedFields").and_then(Value::as_list).unwrap_or_default();
    let managers: Vec<_> = managers.iter().map(|it| (at(it, "manager"), at(it, "apiVersion"))).collect();
    assert_eq!(managers, [("new", "example.com/v2"), ("old", "example.com/v1")]);
    // The manager of the other version owns the size.
    let larger = widget("a").replace(r#""spec":{"#, r#""spec":{"size":4,"#);
    let (code, conflict) = apply(V2, "new", &larger).await;
    assert_eq!((code, at(&conflict, "reason")), (409, "Conflict"), "{conflict}");
    let expected = "Apply failed with 1 conflict: conflict with \"old\": .spec.size";
    assert_eq!(at(&conflict, "message"), expected);
}

#[tokio::test]
async fn watches_send_objects_in_their_version() {
    let (server, _) = server();
    assert_eq!(post(&server, V2, &widget("a")).await.0, 201);
    let request = Request::get(format!("{V2}?watch=true")).body(Full::<Bytes>::default()).expect("a request");
    let Ok(answer) = server.clone().call(request).await;
    let mut body = answer.into_body();
    let mut next = async || {
        let frame = body.frame().await.expect("a frame").expect("no failure");
        read(&String::from_utf8_lossy(&frame.into_data().expect("data")))
    };
    let first = next().await;
    assert_eq!((at(&first, "type"), at(&first, "object.spec.hostPort")), ("ADDED", "a:80"));
    assert_eq!(post(&server, V2, &widget("b")).await.0, 201);
    let second = next().await;
    assert_eq!((at(&second, "type"), at(&second, "object.spec.hostPort")), ("ADDED", "b:80"));
    assert_eq!(merge(&server, &format!("{V1}/a"), r#"{"spec":{"port":"81"}}"#).await.0, 200);
    let third = next().await;
    assert_eq!((at(&third, "type"), at(&third, "object.spec.hostPort")), ("MODIFIED", "a:81"));
}

#[tokio::test]
async fn scale_and_status_are_converted() {
    let (server, _) = server();
    assert_eq!(post(&server, V2, &widget("a")).await.0, 201);
    let (code, scale) = merge(&server, &format!("{V2}/a/scale"), r#"{"spec":{"replicas":5}}"#).await;
    assert_eq!((code, find(&scale, "spec.replicas")), (200, Some(&Value::Int(5))), "{scale}");
    let (code, status) = merge(&server, &format!("{V2}/a/status"), r#"{"status":{"size":5}}"#).await;
    assert_eq!((code, find(&status, "status.size")), (200, Some(&Value::Int(5))), "{status}");
    let (_, old) = get(&server, &format!("{V1}/a")).await;
    assert_eq!((find(&old, "spec.size"), at(&old, "spec.host")), (Some(&Value::Int(5)), "a"));
}

#[tokio::test]
async fn the_version_that_is_stored_may_change() {
    let (server, _) = server();
    assert_eq!(
        post(&server, V1, &widget("a").replace("/v2", "/v1").replace("hostPort", "host")).await.0,
        201
    );
    let versions = r#"[{"op":"replace","path":"/spec/versions/0/storage","value":false},{"op":"replace","path":"/spec/versions/1/storage","value":true}]"#;
    let crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com";
    let (code, crd) = send(&server, "PATCH", crd, "application/json-patch+json", versions).await;
    assert_eq!(code, 200, "{crd}");
    let (_, before) = get(&server, &format!("{V2}/a")).await;
    assert_eq!(at(&before, "spec.hostPort"), "a:80:");
    // The object is rewritten although nothing in it changes.
    let (code, after) = merge(&server, &format!("{V2}/a"), "{}").await;
    assert_eq!(code, 200, "{after}");
    assert_ne!(at(&after, "metadata.resourceVersion"), at(&before, "metadata.resourceVersion"));
}

#[tokio::test]
async fn failures_have_the_servers_words() {
    let (server, _) = server();
    assert_eq!(
        post(&server, V1, &widget("a").replace("/v2", "/v1").replace("hostPort", "host")).await.0,
        201
    );
    let failed = "conversion webhook for example.com/v1, Kind=Widget failed: ";
    server.webhook("hooks.system.svc", reviewer(|_| map([("result", map([("status", "Failure".into())]))])));
    let why = format!("{failed}response.result.status was 'Failure', not 'Success'");
    let (_, live) = get(&server, &format!("{V1}/a")).await;
    let error = |key: &str| {
        let version = at(&live, "metadata.resourceVersion");
        format!(
            "StorageError: corrupt object, Code: 7, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: object not \
             decodable revision={version}: {why}"
        )
    };
    let expected = format!("Internal error occurred: {}", error("/example.com/widgets/default/a"));
    let (code, status) = get(&server, &format!("{V2}/a")).await;
    assert_eq!((code, at(&status, "message")), (500, expected.as_str()));
    let one = format!("{V2}/a");
    for options in ["", r#"{"propagationPolicy":"Foreground"}"#, r#"{"dryRun":["All"]}"#] {
        let (code, status) = send(&server, "DELETE", &one, JSON, options).await;
        assert_eq!((code, at(&status, "message")), (500, expected.as_str()), "{options}");
    }
    let undecodable =
        format!("object not decodable revision={}: {why}", at(&live, "metadata.resourceVersion"));
    let patch = r#"[{"op":"add","path":"/spec/x","value":1}]"#;
    for (method, ty, body) in [
        ("PATCH", "application/merge-patch+json", "{}"),
        ("PATCH", "application/json-patch+json", patch),
        ("PUT", JSON, widget("a").replace(r#""name""#, r#""resourceVersion":"1","name""#).as_str()),
    ] {
        let (code, status) = send(&server, method, &one, ty, body).await;
        assert_eq!((code, at(&status, "message")), (500, undecodable.as_str()), "{method} {ty}");
        assert_eq!(at(&status, "reason"), "", "{method} {ty}");
    }
    let error_of_list = error("/registry/example.com/widgets/default/a");
    let read = format!("failed to read one or more widgets.example.com from the storage: {error_of_list}");
    for (method, uri) in [("DELETE", V2.to_owned()), ("GET", format!("{V2}?limit=1"))] {
        let (code, status) = send(&server, method, &uri, JSON, "").await;
        assert_eq!((code, at(&status, "message")), (500, read.as_str()), "{method} {uri}");
        assert_eq!(at(&status, "reason"), "StorageReadError");
        assert_eq!((at(&status, "details.name"), at(&status, "details.kind")), ("list", "widgets"));
        let cause = find(&status, "details.causes").and_then(Value::as_list).and_then(<[Value]>::first);
        let cause = cause.expect("a cause");
        assert_eq!(at(cause, "field"), "/registry/example.com/widgets/default/a");
        assert_eq!(
            (at(cause, "message"), at(cause, "reason")),
            (error_of_list.as_str(), "UnexpectedServerResponse")
        );
    }
    assert_eq!(get(&server, &format!("{V1}/a")).await.0, 200, "nothing was deleted");
    let expected = format!(
        "storage is (re)initializing: failed to list <unspecified>: failed to read one or more widgets.example.com from \
         the storage: {}",
        error("/registry/example.com/widgets/default/a")
    );
    for uri in [V2.to_owned(), format!("{V2}?watch=true")] {
        let (code, status) = get(&server, &uri).await;
        assert_eq!((code, at(&status, "message")), (429, expected.as_str()), "{uri}");
    }
    let expected = why;
    let (code, status) = post(&server, V2, &widget("b")).await;
    let expected = expected.replace("/v1", "/v2");
    assert_eq!((code, at(&status, "message")), (500, expected.as_str()));
    assert_eq!(get(&server, &format!("{V1}/b")).await.0, 404, "nothing was stored");
}

/// The server sends one object in each review, so its words are about one.
#[tokio::test]
async fn the_failure_of_a_list_is_about_one_object() {
    let (server, reviews) = server();
    for name in ["a", "b", "c"] {
        let object = widget(name).replace("/v2", "/v1").replace("hostPort", "host");
        assert_eq!(post(&server, V1, &object).await.0, 201);
    }
    reviews.lock().expect("no panic").clear();
    let failing = Arc::clone(&reviews);
    let nothing = reviewer(move |request| {
        let objects = find(request, "objects").and_then(Value::as_list).unwrap_or_default();
        failing.lock().expect("no panic").push(objects.len());
        map([("result", map([("status", "Success".into())])), ("convertedObjects", Value::List(Vec::new()))])
    });
    server.webhook("hooks.system.svc", nothing);
    let (code, status) = get(&server, V2).await;
    let expected =
        "conversion webhook for example.com/v1, Kind=Widget returned 0 objects, expected 1 (and 2 more)";
    assert_eq!(code, 429, "{status}");
    assert!(at(&status, "message").ends_with(expected), "{status}");
    let mut reviews = reviews.lock().expect("no panic").clone();
    reviews.sort_unstable();
    assert_eq!(reviews, [1, 1, 1, 3]);
}

/// A server with objects that have to be converted.
async fn with_objects(number: usize) -> Server {
    let (server, _) = server();
    for index in 0..number {
        let object = widget(&format!("w{index}")).replace("/v2", "/v1").replace("hostPort", "host");
        assert_eq!(post(&server, V1, &object).await.0, 201);
    }
    server
}

#[tokio::test]
async fn a_webhook_that_refuses_a_list_gets_a_few_reviews_at_a_time() {
    let server = with_objects(50).await;
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let calls = Arc::new(AtomicUsize::new(0));
    let (of_now, of_most, of_calls) = (Arc::clone(&now), Arc::clone(&most), Arc::clone(&calls));
    let webhook = tower_service_fn(move |request: Request<Full<Bytes>>| {
        let (now, most, calls) = (Arc::clone(&of_now), Arc::clone(&of_most), Arc::clone(&of_calls));
        async move {
            calls.fetch_add(1, Ordering::SeqCst);
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            let mut refuses = reviewer(|_| map([("result", map([("status", "Failure".into())]))]));
            refuses.call(request).await
        }
    });
    server.webhook("hooks.system.svc", webhook);
    let (code, status) = get(&server, V2).await;
    assert_eq!(code, 429, "{status}");
    assert!(at(&status, "message").ends_with("not 'Success' (and 49 more)"), "{status}");
    assert_eq!(calls.load(Ordering::SeqCst), 51);
    let most = most.load(Ordering::SeqCst);
    assert!((2..=16).contains(&most), "{most} at once");
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_webhook_that_does_not_answer_about_each_object() {
    let server = with_objects(50).await;
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let webhook = tower_service_fn(move |_: Request<Full<Bytes>>| {
        counted.fetch_add(1, Ordering::SeqCst);
        async {
            std::future::pending::<()>().await;
            Ok::<_, std::convert::Infallible>(http::Response::new(Full::<Bytes>::default()))
        }
    });
    server.webhook("hooks.system.svc", webhook);
    let (code, status) = get(&server, V2).await;
    assert_eq!(code, 429, "{status}");
    assert!(at(&status, "message").ends_with("context deadline exceeded (and 49 more)"), "{status}");
    assert_eq!(calls.load(Ordering::SeqCst), 17);
}

#[tokio::test]
async fn an_object_that_changes_during_a_call_is_converted_again() {
    let (server, _) = server();
    assert_eq!(post(&server, V2, &widget("a")).await.0, 201);
    let (calls, other) = (Arc::new(AtomicUsize::new(0)), server.clone());
    let counted = Arc::clone(&calls);
    let webhook = tower_service_fn(move |request: Request<Full<Bytes>>| {
        let (calls, other) = (Arc::clone(&counted), other.clone());
        async move {
            if calls.fetch_add(1, Ordering::SeqCst) == 0 {
                // Somebody else changes the object while the webhook works.
                let (code, _) = merge(&other, &format!("{V1}/a"), r#"{"spec":{"port":"99"}}"#).await;
                assert_eq!(code, 200);
            }
            let mut inner = reviewer(|request| {
                let objects = find(request, "objects").and_then(Value::as_list).unwrap_or_default();
                let desired = at(request, "desiredAPIVersion");
                let converted = objects.iter().map(|object| convert(object.clone(), desired)).collect();
                map([
                    ("result", map([("status", "Success".into())])),
                    ("convertedObjects", Value::List(converted)),
                ])
            });
            inner.call(request).await
        }
    });
    server.webhook("hooks.system.svc", webhook);
    let (code, read) = get(&server, &format!("{V2}/a")).await;
    assert_eq!((code, at(&read, "spec.hostPort")), (200, "a:99"));
    // The merge of the other client needed calls too.
    assert!(calls.load(Ordering::SeqCst) >= 2);
}

#[tokio::test(start_paused = true)]
async fn a_webhook_that_is_too_slow_fails() {
    let (server, _) = server();
    assert_eq!(post(&server, V2, &widget("a")).await.0, 201);
    let webhook = tower_service_fn(|_: Request<Full<Bytes>>| async {
        std::future::pending::<()>().await;
        Ok::<_, std::convert::Infallible>(http::Response::new(Full::<Bytes>::default()))
    });
    server.webhook("hooks.system.svc", webhook);
    let expected = "conversion webhook for example.com/v1, Kind=Widget failed: Post \
                    \"https://hooks.system.svc:443/convert?timeout=30s\": context deadline exceeded";
    let (code, status) = get(&server, &format!("{V2}/a")).await;
    assert_eq!(code, 500);
    assert!(at(&status, "message").ends_with(expected), "{status}");
    // A client that gets bytes again and again does not wait longer.
    let webhook = tower_service_fn(|_: Request<Full<Bytes>>| async {
        Ok::<_, std::convert::Infallible>(http::Response::new(Trickle(Box::pin(tokio::time::sleep(SECOND)))))
    });
    server.webhook("hooks.system.svc", webhook);
    let (code, status) = get(&server, &format!("{V2}/a")).await;
    assert_eq!(code, 500);
    assert!(at(&status, "message").ends_with(expected), "{status}");
}

const SECOND: std::time::Duration = std::time::Duration::from_secs(1);

/// A body that gets a byte each second, and never ends.
struct Trickle(std::pin::Pin<Box<tokio::time::Sleep>>);

impl http_body::Body for Trickle {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<http_body::Frame<Bytes>, Self::Error>>> {
        std::task::ready!(self.0.as_mut().poll(context));
        self.0 = Box::pin(tokio::time::sleep(SECOND));
        std::task::Poll::Ready(Some(Ok(http_body::Frame::data(Bytes::from_static(b" ")))))
    }
}

/// A service of an asynchronous function.
pub(super) fn tower_service_fn<F, T>(function: F) -> ServiceFn<F>
where
    F: Fn(Request<Full<Bytes>>) -> T,
{
    ServiceFn(Arc::new(function))
}

pub(super) struct ServiceFn<F>(Arc<F>);

impl<F> Clone for ServiceFn<F> {
    fn clone(&self) -> Self {
        ServiceFn(Arc::clone(&self.0))
    }
}

impl<F, T, R, E> Service<Request<Full<Bytes>>> for ServiceFn<F>
where
    F: Fn(Request<Full<Bytes>>) -> T,
    T: Future<Output = Result<R, E>>,
{
    type Response = R;
    type Error = E;
    type Future = T;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), E>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Full<Bytes>>) -> T {
        (self.0)(request)
    }
}
