//! Calls over HTTPS.

use super::body::read;
use bytes::Bytes;
use crdgen_core::go;
use http::{Request, Response, Version};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::io;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{CertificateError, ClientConfig, Error as TlsError, RootCertStore, crypto::ring};

/// Sends a request to a webhook, whose certificate must be signed by one in the bundle.
pub(super) async fn send(
    mut request: Request<Full<Bytes>>,
    ca_bundle: &[u8],
) -> Result<Response<Bytes>, String> {
    let uri = request.uri().clone();
    if uri.scheme_str() != Some("https") {
        let scheme = go::quote(uri.scheme_str().unwrap_or_default());
        return Err(format!("unsupported protocol scheme {scheme}: webhooks are called over https"));
    }
    let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
    let port = uri.port_u16().unwrap_or(443);
    let stream = connect(&host, port).await?;
    let name = ServerName::try_from(host.clone()).map_err(|why| why.to_string())?;
    let connector = TlsConnector::from(Arc::new(config(ca_bundle)?));
    let stream = connector.connect(name, stream).await.map_err(|why| of_tls(&why))?;
    let handshake = http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(|why| why.to_string())?;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    *request.uri_mut() = path.parse().map_err(|_| "the path of the URL is invalid".to_owned())?;
    *request.version_mut() = Version::HTTP_11;
    let connection = tokio::spawn(connection);
    let response = match sender.send_request(request).await {
        Ok(response) => read(response).await,
        Err(why) => Err(why.to_string()),
    };
    connection.abort();
    response
}

async fn connect(host: &str, port: u16) -> Result<TcpStream, String> {
    let addresses = tokio::net::lookup_host((host, port)).await;
    let addresses: Vec<_> =
        addresses.map_err(|_| format!("dial tcp: lookup {host}: no such host"))?.collect();
    let mut failure = format!("dial tcp: lookup {host}: no such host");
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(why) if why.kind() == io::ErrorKind::ConnectionRefused => {
                failure = format!("dial tcp {address}: connect: connection refused");
            }
            Err(why) => failure = format!("dial tcp {address}: connect: {why}"),
        }
    }
    Err(failure)
}

/// The certificates in the bundle are the only ones that count: a test should not depend on those of the machine.
fn config(ca_bundle: &[u8]) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(ca_bundle) {
        let certificate = certificate.map_err(|_| "unable to load root certificates".to_owned())?;
        roots.add(certificate).map_err(|why| format!("unable to load root certificates: {why}"))?;
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().map_err(|why| why.to_string())?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

/// The words of Go for why there is no connection with TLS.
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
