//! Why webhooks do not respond.

use crdgen_core::go;
use std::error::Error;
use std::fmt;
#[cfg(feature = "http")]
use std::io;
#[cfg(feature = "http")]
use std::net::SocketAddr;
#[cfg(feature = "http")]
use tokio_rustls::rustls::{CertificateError, Error as TlsError};

/// Why a webhook does not respond.
#[derive(Debug)]
pub(super) enum NoResponse {
    Url {
        url: String,
        why: http::uri::InvalidUri,
    },
    /// A service of a cluster that is not there. `host` is its name for a test that wants to answer.
    NoService {
        name: String,
        host: Option<String>,
    },
    /// Without TLS, all webhooks are in the process.
    #[cfg(not(feature = "http"))]
    NotHere(String),
    #[cfg(feature = "http")]
    Https(NoConnection),
    /// What the service in this process, or the connection, says.
    Failed(Box<dyn Error + Send + Sync>),
    Late,
}

impl fmt::Display for NoResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoResponse::Url { url, why } => write!(f, "parse {}: {why}", go::quote(url)),
            NoResponse::NoService { name, host: None } => {
                write!(f, "service {} not found", go::quote(name))
            }
            NoResponse::NoService { name, host: Some(host) } => write!(
                f,
                "service {} not found: answer its calls in this process with `Server::webhook({}, …)`",
                go::quote(name),
                go::quote(host)
            ),
            #[cfg(not(feature = "http"))]
            NoResponse::NotHere(host) => {
                let host = go::quote(host);
                write!(f, "no webhook {host} in this process: add it with `Server::webhook`")
            }
            #[cfg(feature = "http")]
            NoResponse::Https(why) => why.fmt(f),
            NoResponse::Failed(why) => why.fmt(f),
            NoResponse::Late => f.write_str("context deadline exceeded"),
        }
    }
}

impl NoResponse {
    pub(super) fn of(why: impl Into<Box<dyn Error + Send + Sync>>) -> NoResponse {
        NoResponse::Failed(why.into())
    }
}

/// Why there is no connection to a webhook.
#[cfg(feature = "http")]
#[derive(Debug)]
pub(super) enum NoConnection {
    Scheme(String),
    /// The URL has a path that no request can have.
    Path,
    /// The name has no address.
    Host(String),
    Dial {
        address: SocketAddr,
        why: io::Error,
    },
    /// The bundle has no certificates that can be read.
    Roots(Option<String>),
    Config(TlsError),
    Tls(io::Error),
}

#[cfg(feature = "http")]
impl fmt::Display for NoConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoConnection::Scheme(scheme) => {
                let scheme = go::quote(scheme);
                write!(f, "unsupported protocol scheme {scheme}: webhooks are called over https")
            }
            NoConnection::Path => f.write_str("the path of the URL is invalid"),
            NoConnection::Host(host) => write!(f, "dial tcp: lookup {host}: no such host"),
            NoConnection::Dial { address, why } if why.kind() == io::ErrorKind::ConnectionRefused => {
                write!(f, "dial tcp {address}: connect: connection refused")
            }
            NoConnection::Dial { address, why } => write!(f, "dial tcp {address}: connect: {why}"),
            NoConnection::Roots(None) => f.write_str("unable to load root certificates"),
            NoConnection::Roots(Some(why)) => write!(f, "unable to load root certificates: {why}"),
            NoConnection::Config(why) => why.fmt(f),
            NoConnection::Tls(why) => f.write_str(&of_tls(why)),
        }
    }
}

#[cfg(feature = "http")]
impl From<NoConnection> for NoResponse {
    fn from(why: NoConnection) -> NoResponse {
        NoResponse::Https(why)
    }
}

/// The words of Go for why there is no connection with TLS.
#[cfg(feature = "http")]
fn of_tls(why: &io::Error) -> String {
    let inner = why.get_ref().and_then(|inner| inner.downcast_ref::<TlsError>());
    let x509 = match inner {
        Some(TlsError::InvalidCertificate(
            CertificateError::UnknownIssuer | CertificateError::BadSignature,
        )) => "certificate signed by unknown authority".to_owned(),
        Some(TlsError::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        )) => "certificate has expired or is not yet valid".to_owned(),
        Some(TlsError::InvalidCertificate(other)) => other.to_string(),
        _ => return why.to_string(),
    };
    format!("tls: failed to verify certificate: x509: {x509}")
}
