//! crdgen's server for the webhook: TLS, limits, health checks, and shutdown.

use crdgen::webhook::{Answered, Server, Tls, Webhook};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// A server that runs until it is stopped.
struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    done: tokio::task::JoinHandle<std::io::Result<()>>,
}

async fn start(server: Server) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel();
    let done = tokio::spawn(server.serve(listener, async { _ = stopped.await }));
    Running { address, stop, done }
}

fn review() -> String {
    let site = json!({"apiVersion": "example.com/v1alpha1", "kind": "Site", "metadata": {"name": "a"},
        "spec": {"host": "h", "replicas": 1, "timeoutSeconds": 2, "backends": []}});
    let request = json!({"uid": "u", "desiredAPIVersion": "example.com/v1", "objects": [site]});
    json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request})
        .to_string()
}

fn post(body: &str) -> String {
    let length = body.len();
    format!(
        "POST /convert HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

/// Sends a text and reads an answer. Returns its status and its body.
async fn ask(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), text: &str) -> (u16, String) {
    stream.write_all(text.as_bytes()).await.expect("the server reads");
    answer(stream).await
}

async fn answer(stream: &mut (impl AsyncRead + Unpin)) -> (u16, String) {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
                return (status.expect("a status"), body.to_owned());
            }
        }
        if stream.read_buf(&mut bytes).await.expect("the server answers") == 0 {
            return (0, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}

/// Connects with trust in these certificates only.
async fn connect(address: SocketAddr, trusted: &str) -> std::io::Result<impl AsyncRead + AsyncWrite + Unpin> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(trusted.as_bytes()) {
        roots.add(certificate.expect("PEM")).expect("a certificate");
    }
    let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, TcpStream::connect(address).await?).await
}

async fn until(what: &str, is: impl AsyncFn() -> bool) {
    for _ in 0..200 {
        if is().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{what} does not happen");
}

/// Writes a new certificate and its key. Returns the text of the certificate.
fn write_pair(folder: &Path) -> String {
    let rcgen::CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
    std::fs::write(folder.join("tls.key"), signing_key.serialize_pem()).expect("it can be written");
    std::fs::write(folder.join("tls.crt"), cert.pem()).expect("it can be written");
    cert.pem()
}

#[tokio::test]
async fn answers_over_tls_and_informs_its_observer() {
    let seen: Arc<Mutex<Vec<Answered>>> = Arc::default();
    let published: Arc<Mutex<String>> = Arc::default();
    let (sender, text) = (Arc::clone(&seen), Arc::clone(&published));
    let webhook =
        versions::webhook().limit(2000).observe(move |it| sender.lock().expect("alive").push(it.clone()));
    let tls = Tls::self_signed(["127.0.0.1"], move |certificates| {
        certificates.clone_into(&mut text.lock().expect("alive"));
    });
    let running = start(Server::new(webhook).tls(tls)).await;
    until("a certificate", async || !published.lock().expect("alive").is_empty()).await;
    let trusted = published.lock().expect("alive").clone();
    let mut stream = connect(running.address, &trusted).await.expect("the certificate is good");

    // One connection can be used for many requests.
    for _ in 0..3 {
        let (status, body) = ask(&mut stream, &post(&review())).await;
        let body: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!((status, &body["response"]["convertedObjects"][0]["spec"]["hosts"]), (200, &json!(["h"])));
    }
    for path in ["/livez", "/healthz", "/readyz"] {
        let health = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(ask(&mut stream, &health).await, (200, "ok".to_owned()));
    }
    assert_eq!(ask(&mut stream, "GET /convert HTTP/1.1\r\nHost: x\r\n\r\n").await.0, 405);
    assert_eq!(ask(&mut stream, &post("no JSON")).await.0, 400);
    let long = format!("{}{}", review(), " ".repeat(2000));
    assert_eq!(
        ask(&mut stream, &post(&long)).await,
        (413, "the review is longer than 2000 bytes".to_owned())
    );

    // A client without TLS, or one that trusts another certificate, gets no answer, and does not disturb other clients.
    let mut plain = TcpStream::connect(running.address).await.expect("a connection");
    assert!(ask(&mut plain, &post(&review())).await.0 == 0);
    let other = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
    assert!(connect(running.address, &other.cert.pem()).await.is_err());
    assert!(connect(running.address, &trusted).await.is_ok());

    let seen = seen.lock().expect("alive").clone();
    let found: Vec<(&str, u16, usize, bool)> =
        seen.iter().map(|it| (it.review.as_str(), it.status, it.request_bytes, it.error.is_some())).collect();
    let good = ("ConversionReview", 200, review().len(), false);
    assert_eq!(found, [good, good, good, ("", 405, 0, true), ("", 400, 7, true), ("", 413, 0, true)]);
    assert!(seen[0].response_bytes > 100 && seen[0].elapsed > Duration::ZERO);
}

#[tokio::test]
async fn new_connections_get_a_renewed_certificate() {
    let folder = std::env::temp_dir().join(format!("crdgen-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let first = write_pair(&folder);
    let problems: Arc<Mutex<Vec<String>>> = Arc::default();
    let sender = Arc::clone(&problems);
    let tls = Tls::files(folder.join("tls.crt"), folder.join("tls.key")).every(Duration::from_millis(20));
    let server = Server::new(versions::webhook()).tls(tls);
    let running = start(server.report(move |it| sender.lock().expect("alive").push(it.to_string()))).await;
    let mut old = connect(running.address, &first).await.expect("the certificate is good");

    // If only half of a new pair is there, the old pair stays in use.
    std::fs::write(folder.join("tls.key"), "no key").expect("it can be written");
    until("a report", async || {
        problems.lock().expect("alive").iter().any(|it| it.contains("key of the server"))
    })
    .await;
    assert!(connect(running.address, &first).await.is_ok());

    let second = write_pair(&folder);
    until("the new certificate", async || connect(running.address, &second).await.is_ok()).await;
    assert!(connect(running.address, &first).await.is_err());
    // Open connections continue to work.
    assert_eq!(ask(&mut old, &post(&review())).await.0, 200);
    _ = std::fs::remove_dir_all(folder);
}

#[tokio::test]
async fn a_certificate_that_cannot_be_read_is_an_error_at_the_start() {
    let server = Server::new(Webhook::new()).tls(Tls::files("/nothing/tls.crt", "/nothing/tls.key"));
    let error = start(server).await.done.await.expect("no panic").expect_err("there is no certificate");
    assert!(error.to_string().starts_with("/nothing/tls.crt: "), "{error}");
}

#[tokio::test]
async fn a_body_that_takes_too_long_is_answered_in_time() {
    let server = Server::new(versions::webhook()).deadline(Duration::from_millis(100));
    let running = start(server).await;
    let mut stream = TcpStream::connect(running.address).await.expect("a connection");
    let text = post(&review());
    let (status, body) = ask(&mut stream, &text[..text.len() - 10]).await;
    assert_eq!((status, body.as_str()), (504, "the review takes too long"));
}

#[tokio::test]
async fn open_requests_are_answered_when_it_stops() {
    let running = start(Server::new(versions::webhook())).await;
    let text = post(&review());
    let (half, rest) = text.split_at(text.len() - 10);
    let mut open = TcpStream::connect(running.address).await.expect("a connection");
    let mut idle = TcpStream::connect(running.address).await.expect("a connection");
    open.write_all(half.as_bytes()).await.expect("the server reads");
    assert_eq!(ask(&mut idle, "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n").await.0, 200);
    running.stop.send(()).expect("it runs");
    // Idle connections are closed at once, and no new ones are accepted.
    assert_eq!(answer(&mut idle).await, (0, String::new()));
    until("the port is closed", async || TcpStream::connect(running.address).await.is_err()).await;
    assert!(!running.done.is_finished());
    assert_eq!(ask(&mut open, rest).await.0, 200);
    running.done.await.expect("no panic").expect("it ends well");
}
