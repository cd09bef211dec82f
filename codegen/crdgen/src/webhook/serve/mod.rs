//! A server for the webhook.

mod bundle;
mod connections;
mod memory;
mod patient;
mod tls;

use super::Webhook;
use super::service::{Body, Call, Refusal};
use super::until::Until;
pub use bundle::ca_bundle_patch;
use bytes::Bytes;
use connections::{Busy, Connections, Open, Phase};
use http::{Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use memory::Memory;
use patient::Patient;
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
pub use tls::Tls;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

/// The API server waits 30 seconds for a conversion. An error in time is more useful to it than no answer.
const DEADLINE: Duration = Duration::from_secs(25);
/// How long a client may keep the server waiting.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a connection may be idle. API servers close idle connections earlier, so they never send a request to a connection
/// that is being closed.
const IDLE: Duration = Duration::from_secs(180);
/// How long the head of a request may take to arrive after the server begins to stop.
const GRACE: Duration = Duration::from_secs(1);
/// How long to wait before the next connection, if it cannot be accepted.
const PAUSE: Duration = Duration::from_millis(100);
/// The same, if connections were closed to make room for it.
const SHORT_PAUSE: Duration = Duration::from_millis(10);
/// The maximum number of connections. A process usually may have 1024 open files.
const CONNECTIONS: usize = 512;
/// The memory for reviews, in bytes. The longest review needs three quarters of it.
const MEMORY: usize = 256 << 20;

/// A server for a webhook, on tokio. It answers `GET /livez`, `/readyz` and `/healthz`, and reviews on every other path.
///
/// Clients cannot exhaust it:
///
/// | What | Limit | Method |
/// | --- | --- | --- |
/// | a review | 64 MiB | [`Webhook::limit`] |
/// | all reviews in memory, with their answers | 256 MiB | [`Server::memory`] |
/// | connections | 512 | [`Server::connections`] |
/// | the answer to a review | 25 s | [`Server::deadline`] |
/// | a handshake, the head of a request, the time between two parts of a body, and between two parts of an answer | 10 s | [`Server::patience`] |
/// | an idle connection | 180 s | |
///
/// If there are too many connections or open files, the connection that has waited longest for a request is closed. Sixteen
/// connections do not accept reviews while all others are busy with one, so that health checks are always answered.
///
/// ```ignore
/// let listener = tokio::net::TcpListener::bind("0.0.0.0:8443").await?;
/// Server::new(webhook).tls(Tls::files("/tls/tls.crt", "/tls/tls.key")).serve(listener, terminated()).await?;
/// ```
pub struct Server {
    webhook: Webhook,
    tls: Option<Tls>,
    deadline: Duration,
    patience: Duration,
    connections: usize,
    memory: usize,
    report: Report,
}

/// The function that is called for problems that do not end the server.
type Report = Arc<dyn Fn(&io::Error) + Send + Sync>;

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Server { webhook, tls, deadline, patience, connections, memory, report: _ } = self;
        let mut out = f.debug_struct("Server");
        out.field("webhook", webhook).field("tls", tls).field("deadline", deadline);
        out.field("patience", patience)
            .field("connections", connections)
            .field("memory", memory)
            .finish_non_exhaustive()
    }
}

impl Server {
    /// Creates a server without TLS, for use behind a proxy that terminates TLS: API servers only call webhooks over TLS.
    pub fn new(webhook: Webhook) -> Server {
        let report = Arc::new(|_: &io::Error| {});
        let (deadline, patience, connections, memory) = (DEADLINE, PATIENCE, CONNECTIONS, MEMORY);
        Server { webhook, tls: None, deadline, patience, connections, memory, report }
    }

    /// Serves over TLS.
    #[must_use]
    pub fn tls(mut self, tls: Tls) -> Server {
        self.tls = Some(tls);
        self
    }

    /// Sets how long a review may take, from the head of the request to the answer. The default is 25 seconds. After that, the
    /// server answers with status 504. When the server stops, open requests have the same time to finish, if their body arrives in
    /// the time of [`Server::patience`].
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Server {
        self.deadline = deadline;
        self
    }

    /// Sets how long a client may keep the server waiting for the rest of a handshake, for the head of a request, for more of a
    /// body, and for room to write more of an answer. The default is 10 seconds.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Server {
        self.patience = patience;
        self
    }

    /// Sets how many connections may be open. The default is 512. The process must be allowed to open more files than that.
    #[must_use]
    pub fn connections(mut self, most: usize) -> Server {
        self.connections = most;
        self
    }

    /// Sets how much memory reviews and their answers may need, in bytes. The default is 256 MiB. A review of more than 32 KiB
    /// counts three times its length, and waits until there is room for it.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Server {
        self.memory = bytes;
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
        let Server { webhook, tls, deadline, patience, connections: most, memory, report } = self;
        let (stopping, is_stopping) = watch::channel(false);
        let mut tasks = JoinSet::new();
        let config = match tls {
            Some(tls) => Some(tls.start(&mut tasks, Arc::clone(&report))?),
            None => None,
        };
        let at_once = std::thread::available_parallelism().map_or(2, usize::from) * 2;
        let permits = Arc::new(Semaphore::new(at_once));
        let (all, memory) = (Arc::new(Connections::new(most)), Memory::new(memory));
        let shared = Arc::new(Shared { webhook, deadline, patience, report, permits, memory, is_stopping });
        let mut connections = JoinSet::new();
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                Some(_) = connections.join_next(), if !connections.is_empty() => {}
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        let acceptor = config.as_ref().map(|config| config.borrow().clone());
                        if let Some(open) = all.open() {
                            connections.spawn(Arc::clone(&shared).connection(stream, acceptor, open));
                        }
                    }
                    // For example, there may be too many open files.
                    Err(error) => {
                        (shared.report)(&error);
                        let pause = if all.close_some() > 0 { SHORT_PAUSE } else { PAUSE };
                        tokio::time::sleep(pause).await;
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
    patience: Duration,
    report: Report,
    /// Limits how many conversions run at once, because they need processor time and memory.
    permits: Arc<Semaphore>,
    memory: Memory,
    is_stopping: watch::Receiver<bool>,
}

impl Shared {
    async fn connection(self: Arc<Shared>, stream: TcpStream, acceptor: Option<TlsAcceptor>, open: Open) {
        _ = stream.set_nodelay(true);
        let (shared, open) = (Arc::clone(&self), Arc::new(open));
        let done = tokio::select! {
            done = self.serve(stream, acceptor, Arc::clone(&open)) => done,
            () = open.seat.closed() => Ok(()),
            () = shared.waits_in_vain(&open) => Ok(()),
        };
        if let Err(error) = done {
            (shared.report)(&error);
        }
    }

    /// Completes when the server stops and no request has arrived in full on the connection.
    async fn waits_in_vain(&self, open: &Open) {
        _ = self.is_stopping.clone().wait_for(|is| *is).await;
        let start = Instant::now();
        loop {
            tokio::time::sleep(GRACE).await;
            match open.seat.phase() {
                Phase::Idle | Phase::Head => return,
                Phase::Body if start.elapsed() >= self.patience => return,
                Phase::Body | Phase::Busy => {}
            }
        }
    }

    async fn serve(
        self: Arc<Shared>,
        stream: TcpStream,
        acceptor: Option<TlsAcceptor>,
        open: Arc<Open>,
    ) -> io::Result<()> {
        let Some(acceptor) = acceptor else { return self.speak(stream, open).await };
        match timeout(self.patience, acceptor.accept(stream)).await {
            Ok(Ok(stream)) => self.speak(stream, open).await,
            Ok(Err(error)) => Err(error),
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "the handshake took too long")),
        }
    }

    async fn speak(
        self: Arc<Shared>,
        stream: impl AsyncRead + AsyncWrite + Unpin,
        open: Arc<Open>,
    ) -> io::Result<()> {
        let mut is_stopping = self.is_stopping.clone();
        let stream = Patient::new(stream, Arc::clone(&open.seat), self.patience);
        let service = service_fn(move |request| Arc::clone(&self).answer(request, open.busy()));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(IDLE);
        let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
        tokio::select! {
            done = connection.as_mut() => return done.map_err(io::Error::other),
            _ = is_stopping.wait_for(|is| *is) => connection.as_mut().graceful_shutdown(),
        }
        connection.await.map_err(io::Error::other)
    }

    async fn answer(
        self: Arc<Shared>,
        request: Request<Incoming>,
        busy: Busy,
    ) -> Result<Response<Body>, Infallible> {
        let mut answer = Answer { text: Bytes::new(), busy, review: None, memory: Vec::new() };
        if let Some(health) = self.health(&request) {
            return Ok(health.map(|text| answer.with(text)));
        }
        let mut call = Call::begin();
        let result = match timeout(self.deadline, self.review(&mut call, request, &mut answer)).await {
            Ok(result) => result,
            Err(_) => Err(Refusal::Late),
        };
        Ok(call.end(&self.webhook, result).map(|text| answer.with(text)))
    }

    /// Answers a health check.
    fn health(&self, request: &Request<Incoming>) -> Option<Response<Bytes>> {
        if ![Method::GET, Method::HEAD].contains(request.method()) {
            return None;
        }
        match request.uri().path() {
            "/livez" | "/healthz" => Some(health(Health::Good)),
            "/readyz" => {
                Some(health(if *self.is_stopping.borrow() { Health::Stopping } else { Health::Good }))
            }
            _ => None,
        }
    }

    /// Answers a review. Conversions run where they do not block connections.
    async fn review(
        &self,
        call: &mut Call,
        request: Request<Incoming>,
        answer: &mut Answer,
    ) -> Result<String, Refusal> {
        let until = Until::at(Instant::now().checked_add(self.deadline));
        answer.review = Some(answer.busy.review().ok_or(Refusal::Busy)?);
        let mut share = self.memory.share(self.patience);
        let body = call.read(&self.webhook, request, &mut share).await?;
        answer.busy.has_arrived();
        let held = share.keep();
        let webhook = self.webhook.clone();
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        // If the answer is late, the memory is needed until the conversion has ended.
        let done = tokio::task::spawn_blocking(move || {
            let answer = webhook.respond(&body, until);
            drop((body, permit));
            (answer, held)
        });
        let (result, held) = done.await.map_err(|_| Refusal::Panic)?;
        answer.memory = held;
        call.take(result)
    }
}

/// The text of an answer. All that it keeps is free again after the text is written.
struct Answer {
    text: Bytes,
    busy: Busy,
    review: Option<OwnedSemaphorePermit>,
    memory: Vec<OwnedSemaphorePermit>,
}

impl Answer {
    fn with(self, text: Bytes) -> Body {
        Body::new(Bytes::from_owner(Answer { text, ..self }))
    }
}

impl AsRef<[u8]> for Answer {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}

#[derive(Clone, Copy)]
enum Health {
    Good,
    Stopping,
}

fn health(health: Health) -> Response<Bytes> {
    let (status, text) = match health {
        Health::Good => (StatusCode::OK, "ok"),
        Health::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
    };
    let mut response = Response::new(Bytes::from_static(text.as_bytes()));
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
