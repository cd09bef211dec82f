//! The server on a port.

use super::access::{Access, Client, Peer, is_public};
use super::origin::{self, Reach};
use super::service::response;
#[cfg(feature = "tls")]
use super::tls::{self, Tls};
use crate::server::Server;
use crate::state::Sent;
use crate::status::Failure;
use crate::user::User;
use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tower_service::Service;

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long the head of a request may take to arrive. hyper begins to count after the request before, so this is also how long
/// a connection may be idle: as long as with a real server, because clients rely on it.
///
/// A connection without any request has the same limit: before hyper knows the protocol, it has none of its own.
const HEAD: Duration = Duration::from_secs(90);
/// How long a request may take from its head to the head of its answer, as with a real server. Watches go on after that.
const REQUEST: Duration = Duration::from_secs(60);
/// The most connections at once. Those that are more wait until one ends.
const CONNECTIONS: usize = 4096;
/// The most header fields of a request, and their size.
const HEADERS: usize = 100;
const HEADER_BYTES: u32 = 64 << 10;
/// How often a connection with HTTP/2 is asked whether its client is still there.
const PING: Duration = Duration::from_secs(30);
/// How long to wait if a connection cannot be accepted. If too many files are open, others have to be closed first.
const PAUSE: Duration = Duration::from_millis(10);

/// A server that listens on a port.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    shared: Shared,
}

/// What all connections need.
#[derive(Clone, Debug)]
struct Shared {
    server: Server,
    access: Option<Arc<Access>>,
    /// Whether only this server can make tokens of service accounts, so that it can believe them.
    believes_tokens: bool,
    reach: Reach,
    /// See [`HEAD`].
    patience: Duration,
    #[cfg(feature = "tls")]
    tls: Option<Tls>,
}

/// Listens on a port. Without [`Listening::access`], the server does not authenticate clients, so use an address of the machine
/// itself.
///
/// # Errors
/// Fails if the address cannot be used.
pub async fn listen(server: Server, address: SocketAddr) -> io::Result<Listening> {
    server.listens();
    let shared = Shared {
        server,
        access: None,
        believes_tokens: true,
        reach: if address.ip().is_loopback() { Reach::Local } else { Reach::Network },
        patience: HEAD,
        #[cfg(feature = "tls")]
        tls: None,
    };
    Ok(Listening { listener: TcpListener::bind(address).await?, shared })
}

/// A secret for the tokens of service accounts. `None` without random numbers.
#[cfg(feature = "tls")]
fn random_secret() -> Option<String> {
    tls::random_token().ok()
}

#[cfg(not(feature = "tls"))]
fn random_secret() -> Option<String> {
    None
}

impl Listening {
    /// Asks clients who they are. Without it, everybody is an administrator.
    #[must_use]
    pub fn access(mut self, access: Access) -> Listening {
        let secret = access.secret.clone().or_else(random_secret);
        self.shared.believes_tokens = secret.is_some();
        self.shared.server.close(&secret.unwrap_or_default(), access.known.clone());
        self.shared.access = Some(Arc::new(access));
        self
    }

    /// How long a connection may be without a request, and the head of a request may take: 90 seconds, unless a test sets less.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Listening {
        self.shared.patience = patience;
        self
    }

    /// Encrypts the connections.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn tls(mut self, tls: Tls) -> Listening {
        self.shared.tls = Some(tls);
        self
    }

    /// The address, with the port that was chosen if the wanted one was 0.
    ///
    /// # Errors
    /// Fails if the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until the future is dropped.
    pub async fn serve(self) {
        let seats = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let Ok(seat) = Arc::clone(&seats).acquire_owned().await else { return };
            let Ok((stream, _)) = self.listener.accept().await else {
                // A client may go before it is accepted.
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            _ = stream.set_nodelay(true);
            let shared = self.shared.clone();
            tokio::spawn(async move {
                shared.connection(stream).await;
                drop(seat);
            });
        }
    }
}

impl Shared {
    #[cfg(feature = "tls")]
    async fn connection(self, stream: TcpStream) {
        let Some(tls) = &self.tls else { return self.requests(stream, Peer::Silent).await };
        let Ok(Ok((stream, peer))) = timeout(HANDSHAKE, tls.accept(stream)).await else { return };
        self.requests(stream, peer).await;
    }

    #[cfg(not(feature = "tls"))]
    async fn connection(self, stream: TcpStream) {
        self.requests(stream, Peer::Silent).await;
    }

    /// Answers the requests of a connection.
    async fn requests(self, stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, peer: Peer) {
        let patience = self.patience;
        let (shared, peer) = (Arc::new(self), Arc::new(peer));
        let has_asked = AtomicBool::default();
        let service = service_fn(|request: Request<Incoming>| {
            has_asked.store(true, Ordering::Relaxed);
            let (shared, peer) = (Arc::clone(&shared), Arc::clone(&peer));
            async move { Ok::<_, Infallible>(shared.answer(request, &peer).await) }
        });
        let mut builder = auto::Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(patience).max_headers(HEADERS);
        builder.http1().max_buf_size(HEADER_BYTES as usize);
        builder.http2().timer(TokioTimer::new()).max_header_list_size(HEADER_BYTES);
        builder.http2().keep_alive_interval(PING).keep_alive_timeout(HANDSHAKE);
        let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
        // A client may go at any time, and one that asks nothing must not keep a seat.
        if timeout(patience, connection.as_mut()).await.is_err() && has_asked.load(Ordering::Relaxed) {
            _ = connection.await;
        }
    }

    async fn answer(
        &self,
        mut request: Request<Incoming>,
        peer: &Peer,
    ) -> http::Response<super::ResponseBody> {
        let user = match &self.access {
            None if origin::is_foreign(&request, self.reach) => {
                return response(Failure::foreign().into(), "");
            }
            // The server itself knows whose token it is.
            None => return self.call(request).await,
            Some(access) => match access.client(request.headers(), peer) {
                Client::Known(user) => user,
                // What the server answers everybody, it answers those who say nothing about themselves.
                Client::Silent
                    if self.server.knows_anonymous() || is_public(request.method(), request.uri().path()) =>
                {
                    User::anonymous()
                }
                Client::Silent | Client::Unknown => match self.server.sender(request.headers()) {
                    Sent::Account(user) if self.believes_tokens => user,
                    Sent::Account(_) | Sent::Invalid | Sent::Other => {
                        return response(Failure::unauthorized().into(), "");
                    }
                },
            },
        };
        request.extensions_mut().insert(user);
        self.call(request).await
    }

    async fn call(&self, request: Request<Incoming>) -> http::Response<super::ResponseBody> {
        match timeout(REQUEST, self.server.clone().call(request)).await {
            Ok(answer) => answer.unwrap_or_else(|never| match never {}),
            Err(_) => response(Failure::timeout().into(), ""),
        }
    }
}
