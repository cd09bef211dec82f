//! A server for the webhook.

mod bundle;
mod tls;

use super::Webhook;
use super::service::{Body, Call, Refusal};
pub use bundle::ca_bundle_patch;
use http::{Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
pub use tls::Tls;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// The API server waits 30 seconds for a conversion. An error in time is more useful to it than no answer.
const DEADLINE: Duration = Duration::from_secs(25);
/// How long a client may take for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a connection may be idle.
const IDLE: Duration = Duration::from_secs(180);
/// How long to wait before the next connection, if there are too many.
const PAUSE: Duration = Duration::from_millis(100);

/// A server for a webhook, on tokio. It answers `GET /livez`, `/readyz` and `/healthz`, and reviews on every other path.
///
/// ```ignore
/// let listener = tokio::net::TcpListener::bind("0.0.0.0:8443").await?;
/// Server::new(webhook).tls(Tls::files("/tls/tls.crt", "/tls/tls.key")).serve(listener, terminated()).await?;
/// ```
pub struct Server {
    webhook: Webhook,
    tls: Option<Tls>,
    deadline: Duration,
    report: Report,
}

/// The function that is called for problems that do not end the server.
type Report = Arc<dyn Fn(&io::Error) + Send + Sync>;

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Server { webhook, tls, deadline, report: _ } = self;
        let mut out = f.debug_struct("Server");
        out.field("webhook", webhook).field("tls", tls).field("deadline", deadline).finish_non_exhaustive()
    }
}

impl Server {
    /// Creates a server without TLS, for use behind a proxy that terminates TLS: API servers only call webhooks over TLS.
    pub fn new(webhook: Webhook) -> Server {
        Server { webhook, tls: None, deadline: DEADLINE, report: Arc::new(|_| {}) }
    }

    /// Serves over TLS.
    #[must_use]
    pub fn tls(mut self, tls: Tls) -> Server {
        self.tls = Some(tls);
        self
    }

    /// Sets how long a review may take, from the head of the request to the answer. The default is 25 seconds. After that, the
    /// server answers with status 504. When the server stops, open requests have the same time to finish.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Server {
        self.deadline = deadline;
        self
    }

    /// Calls a function for each problem that does not end the server: a certificate that cannot be read again, a failed
    /// handshake, or a broken connection.
    #[must_use]
    pub fn report(mut self, report: impl Fn(&io::Error) + Send + Sync + 'static) -> Server {
        self.report = Arc::new(report);
        self
    }

    /// Answers requests until the future `stop` completes. Then the server accepts no more connections, and returns after it has
    /// answered all open requests.
    ///
    /// # Errors
    /// Returns an error if the certificate cannot be read.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) -> io::Result<()> {
        let Server { webhook, tls, deadline, report } = self;
        let (stopping, is_stopping) = watch::channel(false);
        let mut tasks = JoinSet::new();
        let config = match tls {
            Some(tls) => Some(tls.start(&mut tasks, Arc::clone(&report))?),
            None => None,
        };
        let at_once = std::thread::available_parallelism().map_or(2, usize::from) * 2;
        let permits = Arc::new(Semaphore::new(at_once));
        let shared = Arc::new(Shared { webhook, deadline, report, permits, is_stopping });
        let mut connections = JoinSet::new();
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                Some(_) = connections.join_next(), if !connections.is_empty() => {}
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let acceptor = config.as_ref().map(|config| config.borrow().clone());
                        connections.spawn(Arc::clone(&shared).connection(stream, acceptor));
                    }
                    // For example, there may be too many open files. Some of them will be closed.
                    Err(error) => {
                        (shared.report)(&error);
                        tokio::time::sleep(PAUSE).await;
                    }
                },
            }
        }
        drop(listener);
        let _ = stopping.send(true);
        // Requests that are not answered within this time never will be.
        let all = async { while connections.join_next().await.is_some() {} };
        let _ = timeout(deadline, all).await;
        Ok(())
    }
}

/// What all connections share.
struct Shared {
    webhook: Webhook,
    deadline: Duration,
    report: Report,
    /// Limits how many conversions run at once, because they need processor time and memory.
    permits: Arc<Semaphore>,
    is_stopping: watch::Receiver<bool>,
}

impl Shared {
    async fn connection(self: Arc<Shared>, stream: TcpStream, acceptor: Option<tokio_rustls::TlsAcceptor>) {
        let _ = stream.set_nodelay(true);
        let shared = Arc::clone(&self);
        let done = match acceptor {
            None => self.speak(stream).await,
            Some(acceptor) => match timeout(HANDSHAKE, acceptor.accept(stream)).await {
                Ok(Ok(stream)) => self.speak(stream).await,
                Ok(Err(error)) => Err(error),
                Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the handshake took too long")),
            },
        };
        if let Err(error) = done {
            (shared.report)(&error);
        }
    }

    async fn speak(self: Arc<Shared>, stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<()> {
        let mut is_stopping = self.is_stopping.clone();
        let service = service_fn(move |request| Arc::clone(&self).answer(request));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(IDLE);
        let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            done = connection.as_mut() => return done.map_err(io::Error::other),
            _ = is_stopping.wait_for(|is| *is) => connection.as_mut().graceful_shutdown(),
        }
        connection.await.map_err(io::Error::other)
    }

    async fn answer(self: Arc<Shared>, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        if [Method::GET, Method::HEAD].contains(request.method()) {
            match request.uri().path() {
                "/livez" | "/healthz" => return Ok(health(true)),
                "/readyz" => return Ok(health(!*self.is_stopping.borrow())),
                _ => {}
            }
        }
        let mut call = Call::begin();
        let answer = match timeout(self.deadline, self.review(&mut call, request)).await {
            Ok(answer) => answer,
            Err(_) => Err(Refusal::Late),
        };
        Ok(call.end(&self.webhook, answer))
    }

    /// Answers a review. Conversions run where they do not block connections.
    async fn review(&self, call: &mut Call, request: Request<Incoming>) -> Result<String, Refusal> {
        let body = call.read(&self.webhook, request).await?;
        let webhook = self.webhook.clone();
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let answer = webhook.respond(&body);
            drop(permit);
            answer
        });
        match done.await {
            Ok(answer) => call.take(answer),
            Err(_) => Err(Refusal::Panic),
        }
    }
}

fn health(is_good: bool) -> Response<Body> {
    let (status, text) =
        if is_good { (StatusCode::OK, "ok") } else { (StatusCode::SERVICE_UNAVAILABLE, "stopping") };
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
}

/// Completes when the process gets SIGTERM, which Kubernetes sends to stop it, or Ctrl-C.
pub async fn terminated() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
