//! The webhook, with simulated faults.

use crdgen::webhook::{Server, Tls};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tower_service::Service;

/// A fault of the webhook: it changes its answer, or waits.
#[derive(Clone, Copy, Default)]
pub(crate) enum Fault {
    #[default]
    None,
    /// Answers late.
    Slow(Duration),
    Answer(fn(&mut Value)),
    Text(&'static str),
    Status(u16),
}

/// The webhook on its own port. When it is dropped, all its connections end.
pub(crate) struct Hook {
    _runtime: Runtime,
    pub(crate) address: SocketAddr,
    fault: Arc<Mutex<Fault>>,
    reviews: Arc<AtomicUsize>,
}

impl Hook {
    pub(crate) fn start(address: &str, tls: TlsAcceptor) -> Hook {
        let runtime = Runtime::new().expect("a runtime");
        let fault = Arc::new(Mutex::new(Fault::None));
        let start = Instant::now();
        let listener = loop {
            match runtime.block_on(tokio::net::TcpListener::bind(address)) {
                Ok(listener) => break listener,
                Err(e) => assert!(start.elapsed() < Duration::from_secs(10), "{address}: {e}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        let address = listener.local_addr().expect("an address");
        let reviews = Arc::new(AtomicUsize::new(0));
        runtime.spawn(serve(listener, tls, Arc::clone(&fault), Arc::clone(&reviews)));
        Hook { _runtime: runtime, address, fault, reviews }
    }

    /// Starts the webhook without faults, on crdgen's server. Also returns its text for `caBundle`.
    pub(crate) fn of_crdgen() -> (Hook, String) {
        let runtime = Runtime::new().expect("a runtime");
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address");
        let (sender, published) = std::sync::mpsc::channel();
        let tls = Tls::self_signed(["127.0.0.1"], move |text| _ = sender.send(text.to_owned()));
        runtime.spawn(Server::new(versions::webhook()).tls(tls).serve(listener, std::future::pending()));
        let trusted = published.recv().expect("a certificate");
        (Hook { _runtime: runtime, address, fault: Arc::default(), reviews: Arc::default() }, trusted)
    }

    /// Returns how many reviews it got.
    pub(crate) fn reviews(&self) -> usize {
        self.reviews.load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self, fault: Fault) {
        *self.fault.lock().expect("nobody panics") = fault;
    }
}

async fn serve(
    listener: tokio::net::TcpListener,
    tls: TlsAcceptor,
    fault: Arc<Mutex<Fault>>,
    reviews: Arc<AtomicUsize>,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let (tls, fault, reviews) = (tls.clone(), Arc::clone(&fault), Arc::clone(&reviews));
        tokio::spawn(async move {
            let Ok(stream) = tls.accept(stream).await else { return };
            let service = service_fn(move |request| {
                reviews.fetch_add(1, Ordering::Relaxed);
                answer(request, Arc::clone(&fault))
            });
            _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    fault: Arc<Mutex<Fault>>,
) -> Result<Response<crdgen::webhook::Body>, std::convert::Infallible> {
    use http_body_util::BodyExt;
    let mut response = versions::webhook().call(request).await?;
    let fault = *fault.lock().expect("nobody panics");
    match fault {
        Fault::None => {}
        Fault::Slow(time) => tokio::time::sleep(time).await,
        Fault::Answer(change) => {
            let body = response.into_body().collect().await?.to_bytes();
            let mut answer = serde_json::from_slice(&body).expect("the webhook answers with JSON");
            change(&mut answer);
            response = Response::new(answer.to_string().into());
            response.headers_mut().insert("content-type", http::HeaderValue::from_static("application/json"));
        }
        Fault::Text(text) => response = Response::new(text.to_owned().into()),
        Fault::Status(status) => {
            response = Response::new("no".to_owned().into());
            *response.status_mut() = http::StatusCode::from_u16(status).expect("a status");
        }
    }
    Ok(response)
}

/// Makes a self-signed certificate for a host. Also returns its text for `caBundle`.
pub(crate) fn certificate(host: &str) -> (TlsAcceptor, String) {
    let generated = rcgen::generate_simple_self_signed([host.to_owned()]).expect("a certificate");
    let rcgen::CertifiedKey { cert, signing_key } = generated;
    let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
    let config =
        ServerConfig::builder().with_no_client_auth().with_single_cert(vec![cert.der().clone()], key);
    (TlsAcceptor::from(Arc::new(config.expect("the key is that of the certificate"))), cert.pem())
}

/// Returns the CRD with the webhook and this storage version.
pub(crate) fn definition(hook: &Hook, certificate: &str, stored: &str) -> String {
    let mut crd = versions::crd(&format!("https://{}/convert", hook.address), certificate)
        .expect("the types are right");
    for version in &mut crd.spec.versions {
        version.storage = version.name == stored;
    }
    crdgen::to_yaml(&crd)
}
