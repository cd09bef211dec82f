//! Calls over HTTPS.

use super::body::{Answered, read};
use super::failure::{NoConnection, NoResponse};
use crate::trust;
use bytes::Bytes;
use http::{Request, Version};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::client::{WebPkiServerVerifier, verify_server_name};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::server::ParsedCertificate;
use tokio_rustls::rustls::{ClientConfig, DigitallySignedStruct, Error as TlsError};
use tokio_rustls::rustls::{RootCertStore, SignatureScheme, crypto::ring};

/// Sends a request to a webhook, whose certificate must be signed by one in the bundle.
pub(super) async fn send(mut request: Request<Full<Bytes>>, ca_bundle: &[u8]) -> Answered {
    let uri = request.uri().clone();
    if uri.scheme_str() != Some("https") {
        let scheme = uri.scheme_str().unwrap_or_default();
        return Err(NoConnection::Scheme(scheme.to_owned()).into());
    }
    let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
    let port = uri.port_u16().unwrap_or(443);
    let stream = connect(&host, port).await?;
    let name = ServerName::try_from(host.clone()).map_err(NoResponse::of)?;
    let connector = TlsConnector::from(Arc::new(config(ca_bundle)?));
    let stream = connector.connect(name, stream).await.map_err(NoConnection::Tls)?;
    let handshake = http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = handshake.map_err(NoResponse::of)?;
    *request.uri_mut() = clean(&uri).parse().map_err(|_| NoConnection::Path)?;
    *request.version_mut() = Version::HTTP_11;
    let connection = tokio::spawn(connection);
    let response = match sender.send_request(request).await {
        Ok(response) => read(response).await,
        Err(why) => Err(NoResponse::of(why)),
    };
    connection.abort();
    response
}

/// The path and the query. As with Go's client, slashes are not repeated: envtest writes `https://HOST//PATH`.
fn clean(uri: &http::Uri) -> String {
    let mut path = String::from("/");
    for c in uri.path().chars().filter(|c| !c.is_control()) {
        if c != '/' || !path.ends_with('/') {
            path.push(c);
        }
    }
    match uri.query() {
        None => path,
        Some(query) => format!("{path}?{query}"),
    }
}

async fn connect(host: &str, port: u16) -> Result<TcpStream, NoConnection> {
    let unknown = || NoConnection::Host(host.to_owned());
    let addresses: Vec<_> = tokio::net::lookup_host((host, port)).await.map_err(|_| unknown())?.collect();
    let mut failure = unknown();
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(stream) => return Ok(stream),
            Err(why) => failure = NoConnection::Dial { address, why },
        }
    }
    Err(failure)
}

/// The certificates in the bundle are the only ones that count: a test should not depend on those of the machine.
fn config(ca_bundle: &[u8]) -> Result<ClientConfig, NoConnection> {
    let (mut roots, mut certificates) = (RootCertStore::empty(), Vec::new());
    for certificate in CertificateDer::pem_slice_iter(ca_bundle) {
        let certificate = certificate.map_err(|_| NoConnection::Roots(None))?;
        certificates.push(certificate.clone());
        roots.add(certificate).map_err(|why| NoConnection::Roots(Some(why.to_string())))?;
    }
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().map_err(NoConnection::Config)?;
    if certificates.is_empty() {
        return Ok(builder.with_root_certificates(roots).with_no_client_auth());
    }
    let signed = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
    let signed = signed.map_err(|why| NoConnection::Roots(Some(why.to_string())))?;
    let verifier = Arc::new(Bundle { signed, certificates });
    Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

/// Trusts certificates that one in the bundle has signed and, as Go does, those in the bundle themselves: envtest puts the
/// certificate of the webhook there.
#[derive(Debug)]
struct Bundle {
    signed: Arc<WebPkiServerVerifier>,
    certificates: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Bundle {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        match self.signed.verify_server_cert(certificate, between, name, ocsp, now) {
            // Its name is not checked before its issuer is looked for.
            Err(why) if trust::is_known(&why, certificate, &self.certificates) => {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            result => result,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.signed.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.signed.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.signed.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn slashes_are_not_repeated() {
        for (url, expected) in [
            ("https://a:1//failing", "/failing"),
            ("https://a:1/b//c/?d=//e", "/b/c/?d=//e"),
            ("https://a:1", "/"),
        ] {
            assert_eq!(clean(&url.parse().expect("a URL")), expected);
        }
    }
}
