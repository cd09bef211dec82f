//! The forms in which clients send and get objects.

use crate::common::{JSON, get, post, request, send};
use crdgen_apiserver::Server;
use crdgen_core::json;
use crdgen_core::value::Value;
use http_body_util::BodyExt;
use std::time::Duration;
use tower_service::Service;

const CRONTABS: &str = "/apis/stable.example.com/v1/namespaces/default/crontabs";

fn server() -> Server {
    let server = Server::new();
    server.add(include_str!("crd.yaml")).unwrap_or_else(|why| panic!("{why}"));
    server
}

/// The code, the type and the body of an answer.
async fn accepting(server: &Server, uri: &str, accept: &str) -> (u16, String, Vec<u8>) {
    let mut request = request("GET", uri, "", "");
    request.headers_mut().insert("accept", accept.parse().expect("a header"));
    let Ok(answer) = server.clone().call(request).await;
    let code = answer.status().as_u16();
    let content_type = answer.headers()["content-type"].to_str().expect("ASCII").to_owned();
    let mut body = answer.into_body();
    let mut out = Vec::new();
    while let Ok(Some(Ok(frame))) = tokio::time::timeout(Duration::from_millis(20), body.frame()).await {
        out.extend(frame.into_data().expect("data"));
    }
    (code, content_type, out)
}

fn message(body: &[u8]) -> String {
    let status = json::read(body).expect("JSON");
    status.get("message").and_then(Value::as_str).expect("a message").to_owned()
}

#[tokio::test]
async fn openapi_is_also_protobuf() {
    const PROTOBUF: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    let server = server();
    // The name with which client-go asks.
    for accept in [PROTOBUF, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"] {
        let (code, content_type, body) = accepting(&server, "/openapi/v2", accept).await;
        assert_eq!((code, content_type.as_str()), (200, PROTOBUF));
        assert!(body.starts_with(b"\x0a\x032.0"), "the version of OpenAPI");
        let name = b"com.example.stable.v1.CronTab";
        assert!(body.windows(name.len()).any(|bytes| bytes == name));
    }
    assert_eq!(accepting(&server, "/openapi/v2", "*/*").await.1, JSON);
    let (code, _, body) = accepting(&server, "/openapi/v2", "application/xml").await;
    assert_eq!((code, body.len()), (406, 0));
}

/// The texts are those of kube-apiserver.
#[tokio::test]
async fn other_forms_are_rejected() {
    const OFFERED: &str = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
    const STREAMS: &str = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
    let server = server();
    let own = format!("406: Not Acceptable\n\nAvailable representations: {OFFERED}");
    let custom = format!("only the following media types are accepted: {OFFERED}");
    for (uri, accept, expected) in [
        (CRONTABS, "application/cbor", custom.clone()),
        (CRONTABS, "text/html", custom.clone()),
        (
            "/apis/stable.example.com/v1/namespaces/default/crontabs?watch=1",
            "application/cbor-seq",
            custom.clone(),
        ),
        ("/apis", "text/plain", custom.clone()),
        ("/apis/stable.example.com/v1", "application/xml", custom),
        ("/api/v1/namespaces/default", "application/cbor", own.clone()),
        ("/api/v1/namespaces?watch=1", "application/xml", format!("{own}, {STREAMS}")),
        (
            "/version",
            "text/html",
            "406: Not Acceptable\n\nAvailable representations: application/json".to_owned(),
        ),
    ] {
        let (code, content_type, body) = accepting(&server, uri, accept).await;
        assert_eq!((code, content_type.as_str(), message(&body)), (406, JSON, expected), "{uri} {accept}");
    }
    let (code, content_type, body) =
        accepting(&server, &format!("{CRONTABS}?watch=1"), "application/yaml").await;
    assert_eq!((code, content_type.as_str()), (406, "application/yaml"));
    let text = String::from_utf8(body).expect("a text");
    assert!(text.contains(&format!("only the following media types are accepted: {STREAMS}")), "{text}");

    let unknown = "the body of the request was in an unknown format - accepted media types include:";
    let patches = "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";
    let one = format!("{CRONTABS}/a");
    assert_eq!(post(&server, CRONTABS, &crontab("a")).await.0, 201);
    for (method, uri, content_type, expected) in [
        ("POST", CRONTABS, "application/cbor", OFFERED),
        ("POST", "/api/v1/namespaces/default/configmaps", "text/xml", OFFERED),
        ("DELETE", &one, "application/cbor", OFFERED),
        ("PATCH", &one, "application/apply-patch+cbor", patches),
    ] {
        let (code, status) = send(&server, method, uri, content_type, "x").await;
        let message = status.get("message").and_then(Value::as_str);
        assert_eq!((code, message), (415, Some(&*format!("{unknown} {expected}"))), "{method} {uri}");
    }
}

fn crontab(name: &str) -> String {
    format!(
        r#"{{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{{"name":"{name}"}},"spec":{{"image":"a"}}}}"#
    )
}

async fn send_bytes(
    server: &Server,
    method: &str,
    uri: &str,
    content_type: &str,
    body: Vec<u8>,
) -> (u16, Value) {
    let request =
        request(method, uri, content_type, "").map(|_| http_body_util::Full::new(bytes::Bytes::from(body)));
    let Ok(answer) = server.clone().call(request).await;
    let code = answer.status().as_u16();
    let bytes = answer.into_body().collect().await.expect("a body").to_bytes();
    (code, json::read(&bytes).unwrap_or_default())
}

/// The texts are those of kube-apiserver.
#[tokio::test]
async fn broken_bodies_say_what_is_wrong() {
    const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";
    const MAPS: &str = "/api/v1/namespaces/default/configmaps";
    let server = server();
    let prefix = "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
    let of_maps = "the object provided is unrecognized (must be of type ConfigMap):";
    let of_tabs = "the object provided is unrecognized (must be of type CronTab):";
    let no_map = "ConfigMap in version \"v1\" cannot be handled as a ConfigMap:";
    let no_json = "couldn't get version/kind; json parse error:";
    let missing = "Object 'Kind' is missing in";
    // A ConfigMap in protobuf whose metadata ends too early.
    let cut = b"k8s\0\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12\x02\x0a\x7f".to_vec();
    let thing = b"k8s\0\x0a\x0b\x0a\x02v1\x12\x05Thing".to_vec();
    let one = format!("{MAPS}/a");
    for (method, uri, content_type, body, expected) in [
        ("POST", MAPS, PROTOBUF, b"{}".to_vec(), format!("{of_maps} {prefix} ({{}})")),
        ("POST", MAPS, PROTOBUF, Vec::new(), format!("{of_maps} empty data (<empty>)")),
        ("POST", MAPS, PROTOBUF, b"k8s\0".to_vec(), format!("{of_maps} empty body (6b387300)")),
        ("POST", MAPS, PROTOBUF, b"k8s\0\xff".to_vec(), format!("{of_maps} unexpected EOF (6b387300ff)")),
        ("POST", MAPS, PROTOBUF, cut.clone(), format!("{no_map} unexpected EOF")),
        (
            "POST",
            MAPS,
            PROTOBUF,
            thing,
            "Thing in version \"v1\" cannot be handled as a ConfigMap: no kind \"Thing\" is registered for version \"v1\" in scheme \"pkg/runtime/scheme.go:111\"".to_owned(),
        ),
        ("PUT", &one, PROTOBUF, cut.clone(), format!("{no_map} unexpected EOF")),
        ("DELETE", &one, PROTOBUF, b"xx".to_vec(), prefix.to_owned()),
        (
            "DELETE",
            &one,
            PROTOBUF,
            cut,
            "no kind \"ConfigMap\" is registered for version \"v1\" in scheme \"pkg/runtime/scheme.go:111\"".to_owned(),
        ),
        ("POST", MAPS, JSON, b" ".to_vec(), format!("{of_maps} {no_json} unexpected end of JSON input (20)")),
        ("POST", CRONTABS, JSON, Vec::new(), format!("{of_tabs} {no_json} unexpected end of JSON input (<empty>)")),
        ("POST", CRONTABS, JSON, b"{}".to_vec(), format!("{of_tabs} {missing} '{{}}' ({{}})")),
        (
            "POST",
            CRONTABS,
            JSON,
            br#"{"kind":1}"#.to_vec(),
            format!(
                r#"{of_tabs} {no_json} json: cannot unmarshal number into Go struct field .kind of type string ({{"kind":1}})"#
            ),
        ),
        (
            "POST",
            CRONTABS,
            JSON,
            br#"{"apiVersion":"v1","kind":"Pod"}"#.to_vec(),
            "the API version in the data (v1) does not match the expected API version (stable.example.com/v1)"
                .to_owned(),
        ),
        ("DELETE", &one, JSON, b" ".to_vec(), format!("{no_json} unexpected end of JSON input")),
        (
            "DELETE",
            &one,
            JSON,
            b"[]".to_vec(),
            format!(
                r#"{no_json} json: cannot unmarshal array into Go value of type struct {{ APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }}"#
            ),
        ),
    ] {
        let shown = format!("{method} {uri} {content_type} {body:x?}");
        let (code, status) = send_bytes(&server, method, uri, content_type, body).await;
        let message = status.get("message").and_then(Value::as_str);
        assert_eq!((code, message), (400, Some(&*expected)), "{shown}");
    }
    // kube-apiserver ends the connection: its custom resources have no protobuf.
    let (code, _) = send_bytes(&server, "POST", CRONTABS, PROTOBUF, b"k8s\0".to_vec()).await;
    assert_eq!(code, 415);
}

/// The bookmarks are those of kube-apiserver.
#[tokio::test]
async fn bookmarks_have_the_form_of_their_watch() {
    let server = server();
    let marks = r#""metadata":{"annotations":{"k8s.io/initial-events-end":"true"},"resourceVersion":"#;
    // Of secrets, no controller makes one.
    for uri in [CRONTABS, "/api/v1/secrets"] {
        let uri = format!(
            "{uri}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
        );
        let metadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
        let text = String::from_utf8(accepting(&server, &uri, metadata).await.2).expect("a text");
        let expected =
            format!(r#"{{"object":{{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata",{marks}"#);
        assert!(text.starts_with(&expected), "{text}");
        let table = "application/json;as=Table;g=meta.k8s.io;v=v1";
        let text = String::from_utf8(accepting(&server, &uri, table).await.2).expect("a text");
        assert!(text.contains(r#""kind":"Table""#) && text.contains(marks), "{text}");
    }
    let uri = "/api/v1/secrets?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    let text = String::from_utf8(accepting(&server, uri, JSON).await.2).expect("a text");
    assert!(
        text.starts_with(&format!(r#"{{"object":{{"apiVersion":"v1","kind":"Secret",{marks}"#)),
        "{text}"
    );
}

#[tokio::test]
async fn own_kinds_have_the_schemas_of_the_server() {
    let server = server();
    for (uri, place, wanted) in [
        (
            "/openapi/v2",
            "#/definitions/",
            r##"{"$ref":"#/definitions/io.k8s.api.core.v1.PodTemplateSpec","description":"Template describes the pods that will be created. The only allowed template.spec.restartPolicy value is \"Always\"."}"##,
        ),
        (
            "/openapi/v3/apis/apps/v1",
            "#/components/schemas/",
            r##"{"allOf":[{"$ref":"#/components/schemas/io.k8s.api.core.v1.PodTemplateSpec"}],"default":{},"description":"Template describes the pods that will be created. The only allowed template.spec.restartPolicy value is \"Always\"."}"##,
        ),
    ] {
        let (code, document) = get(&server, uri).await;
        assert_eq!(code, 200);
        let schemas = document.get("definitions").or_else(|| document.get("components")?.get("schemas"));
        let schemas = schemas.and_then(Value::as_map).expect("schemas");
        let spec = schemas.get("io.k8s.api.apps.v1.DeploymentSpec").expect("deployments");
        let template = spec.get("properties").and_then(|all| all.get("template")).expect("a template");
        assert_eq!(json::to_string(template), wanted);
        // All types to which a schema refers are there.
        let text = json::to_string(&document);
        for reference in text.split(place).skip(1) {
            let name = reference.split('"').next().unwrap_or_default();
            assert!(schemas.contains_key(name), "{name}");
        }
    }
}

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

/// The answers are those of kube-apiserver.
#[tokio::test]
async fn own_kinds_are_also_protobuf() {
    let server = server();
    assert_eq!(post(&server, CRONTABS, &crontab("a")).await.0, 201);
    let one = format!("{CRONTABS}/a");
    let (list, both) = (format!("{PROTOBUF},application/json"), format!("{PROTOBUF},application/yaml"));
    let form = |name: &str| format!("{PROTOBUF};as={name};g=meta.k8s.io;v=v1");
    let (metadata, table) = (form("PartialObjectMetadata"), form("Table"));
    let stream = format!("{PROTOBUF};stream=watch");
    let discovery = format!("{PROTOBUF};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
    for (uri, accept, code, content_type) in [
        ("/api/v1/namespaces/default", PROTOBUF, 200, PROTOBUF),
        ("/api/v1/namespaces", &list, 200, PROTOBUF),
        ("/api/v1/namespaces/nope", PROTOBUF, 404, PROTOBUF),
        ("/api/v1/namespaces/nope", &metadata, 404, JSON),
        ("/api/v1/namespaces/default", &metadata, 200, PROTOBUF),
        ("/api/v1/namespaces", &table, 406, JSON),
        ("/api/v1/namespaces", &format!("{table},application/json"), 200, JSON),
        ("/api/v1/namespaces?watch=1", PROTOBUF, 200, &stream),
        ("/api/v1/namespaces?watch=1", &table, 406, JSON),
        (&one, PROTOBUF, 406, PROTOBUF),
        (&one, &list, 200, JSON),
        (&one, &both, 200, "application/yaml"),
        (&one, &metadata, 200, PROTOBUF),
        (&format!("{CRONTABS}?watch=1"), PROTOBUF, 406, PROTOBUF),
        (&format!("{CRONTABS}?watch=1"), &metadata, 200, &stream),
        (&format!("{CRONTABS}/nope/scale"), PROTOBUF, 404, PROTOBUF),
        ("/api", PROTOBUF, 200, PROTOBUF),
        ("/apis", PROTOBUF, 200, PROTOBUF),
        ("/apis/apps/v1", PROTOBUF, 200, PROTOBUF),
        ("/apis/stable.example.com/v1", PROTOBUF, 200, PROTOBUF),
        ("/apis", &discovery, 200, &discovery),
        ("/version", PROTOBUF, 406, PROTOBUF),
    ] {
        let (found, media_type, body) = accepting(&server, uri, accept).await;
        assert_eq!((found, media_type.as_str()), (code, content_type), "{uri} {accept}");
        let begins: &[u8] = if content_type == stream { &[0, 0] } else { b"k8s\0" };
        assert_eq!(body.starts_with(begins), content_type.starts_with(PROTOBUF), "{uri} {accept}");
    }
    // A watch sends each event after its length.
    let (_, _, body) = accepting(&server, "/api/v1/namespaces?watch=1&resourceVersion=0", PROTOBUF).await;
    let (mut rest, mut events) = (&body[..], 0);
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (event, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        assert!(event.starts_with(b"\x0a\x05ADDED\x12"), "{event:x?}");
        (rest, events) = (after, events + 1);
    }
    assert_eq!((rest.len(), events), (0, 4));
}
