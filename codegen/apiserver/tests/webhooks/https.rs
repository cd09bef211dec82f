//! Webhooks over HTTPS.

use super::{at, find, get, map, post, reviewer};
use crdgen_apiserver::{Reviewer, Server};
use crdgen_core::go;
use crdgen_core::value::Value;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

const CRD: &str = include_str!("crd.yaml");
const V1: &str = "/apis/example.com/v1/namespaces/default/widgets";
const V2: &str = "/apis/example.com/v2/namespaces/default/widgets";

/// Serves a webhook with a certificate for a name. Returns its port and the certificate of its authority.
async fn serve(webhook: Reviewer, name: &str) -> (u16, String) {
    let (port, bundle, _) = serve_with(webhook, name).await;
    (port, bundle)
}

/// Serves a webhook, and returns its own certificate, too.
async fn serve_with(webhook: Reviewer, name: &str) -> (u16, String, String) {
    let authority_key = rcgen::KeyPair::generate().expect("a key");
    let mut authority = rcgen::CertificateParams::default();
    authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let bundle = authority.self_signed(&authority_key).expect("a certificate").pem();
    let issuer = rcgen::Issuer::new(authority, authority_key);
    let key = rcgen::KeyPair::generate().expect("a key");
    let params = rcgen::CertificateParams::new([name.to_owned()]).expect("a name");
    let certificate = params.signed_by(&key, &issuer).expect("a certificate");
    (listen(webhook, &certificate, &key).await, bundle, certificate.pem())
}

/// Serves a webhook with a certificate. Returns its port.
async fn listen(webhook: Reviewer, certificate: &rcgen::Certificate, key: &rcgen::KeyPair) -> u16 {
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("versions").with_no_client_auth();
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let config = builder.with_single_cert(vec![certificate.der().clone()], key).expect("a configuration");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, webhook) = (acceptor.clone(), webhook.clone());
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let service = TowerToHyperService::new(webhook);
                _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    port
}

/// A server with the CRD, whose webhook is at a URL.
fn server(url: &str, bundle: &str) -> Server {
    let service = "service: {name: hooks, namespace: system, path: /convert}";
    let at = format!("url: '{url}'\n        caBundle: {}", go::base64_encode(bundle.as_bytes()));
    let server = Server::new();
    server.add(&CRD.replace(service, &at)).unwrap_or_else(|why| panic!("{why}"));
    server
}

fn webhook() -> Reviewer {
    reviewer(|request| {
        let objects = find(request, "objects").and_then(Value::as_list).unwrap_or_default();
        let desired = at(request, "desiredAPIVersion");
        let convert = |object: &Value| {
            let mut object = object.clone();
            if let Value::Map(map) = &mut object {
                map.insert("apiVersion", desired.into());
            }
            object
        };
        let converted = objects.iter().map(convert).collect();
        map([("result", map([("status", "Success".into())])), ("convertedObjects", Value::List(converted))])
    })
}

const WIDGET: &str =
    r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":3}}"#;

#[tokio::test]
async fn a_webhook_is_called_over_https() {
    let (port, bundle) = serve(webhook(), "localhost").await;
    let server = server(&format!("https://localhost:{port}/convert"), &bundle);
    assert_eq!(post(&server, V1, WIDGET).await.0, 201);
    let (code, widget) = get(&server, &format!("{V2}/a")).await;
    assert_eq!((code, find(&widget, "spec.size")), (200, Some(&Value::Int(3))), "{widget}");
}

#[tokio::test]
async fn failures_of_connections_have_the_words_of_go() {
    let (port, bundle) = serve(webhook(), "localhost").await;
    let (_, other) = serve(webhook(), "localhost").await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let closed = listener.local_addr().expect("an address").port();
    drop(listener);
    let refused = format!("dial tcp 127.0.0.1:{closed}: connect: connection refused");
    for (url, bundle, expected) in [
        (
            format!("https://localhost:{port}/convert"),
            &other,
            "tls: failed to verify certificate: x509: certificate signed by unknown authority",
        ),
        (format!("https://127.0.0.1:{closed}/convert"), &bundle, &refused),
        ("https://hooks.invalid/convert".to_owned(), &bundle, "dial tcp: lookup hooks.invalid: no such host"),
    ] {
        let server = server(&url, bundle);
        assert_eq!(post(&server, V1, WIDGET).await.0, 201);
        let (code, status) = get(&server, &format!("{V2}/a")).await;
        let expected = format!(
            "conversion webhook for example.com/v1, Kind=Widget failed: Post \"{url}?timeout=30s\": {expected}"
        );
        assert_eq!(code, 500);
        assert!(at(&status, "message").ends_with(&expected), "{status}\n{expected}");
    }
}

#[tokio::test]
async fn bundles_may_have_the_certificate_of_the_webhook_itself() {
    for (name, expected) in [("localhost", 200), ("elsewhere", 500)] {
        let (port, _, own) = serve_with(webhook(), name).await;
        let server = server(&format!("https://localhost:{port}/convert"), &own);
        let object = r#"{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{}}"#;
        post(&server, V1, object).await;
        assert_eq!(get(&server, &format!("{V2}/a")).await.0, expected, "{name}");
    }
}

/// As `openssl req -x509` makes them: their own authority.
#[tokio::test]
async fn certificates_may_be_their_own_authority() {
    for (name, expected) in [("localhost", 200), ("elsewhere", 500)] {
        let key = rcgen::KeyPair::generate().expect("a key");
        let mut params = rcgen::CertificateParams::new([name.to_owned()]).expect("a name");
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).expect("a certificate");
        let port = listen(webhook(), &certificate, &key).await;
        let server = server(&format!("https://localhost:{port}/convert"), &certificate.pem());
        assert_eq!(post(&server, V1, WIDGET).await.0, 201);
        let (code, answer) = get(&server, &format!("{V2}/a")).await;
        assert_eq!(code, expected, "{name}: {answer}");
    }
}
