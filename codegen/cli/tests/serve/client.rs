//! A client: HTTP/1.1, one request for each connection.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

/// A certificate of a client with its key, as PEM.
pub(crate) struct Identity {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

/// How a client connects.
#[derive(Default)]
pub(crate) struct Client {
    /// `127.0.0.1:PORT`
    pub(crate) address: String,
    tls: Option<Arc<ClientConfig>>,
    headers: Vec<String>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) body: String,
}

impl Client {
    /// A client of a URL. For HTTPS, it trusts one authority.
    pub(crate) fn new(url: &str, authority: Option<&str>, identity: Option<&Identity>) -> Client {
        let (scheme, address) = url.split_once("://").expect("a URL");
        assert_eq!(scheme == "https", authority.is_some(), "{url}");
        let tls = authority.map(|authority| {
            let mut roots = RootCertStore::empty();
            for root in CertificateDer::pem_slice_iter(authority.as_bytes()) {
                roots.add(root.expect("a certificate")).expect("an authority");
            }
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
            let builder = builder.expect("versions of TLS").with_root_certificates(roots);
            Arc::new(match identity {
                None => builder.with_no_client_auth(),
                Some(Identity { certificate, key }) => {
                    let chain = CertificateDer::pem_slice_iter(certificate.as_bytes());
                    let chain = chain.map(|certificate| certificate.expect("a certificate")).collect();
                    let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).expect("a key");
                    builder.with_client_auth_cert(chain, key).expect("a certificate of a client")
                }
            })
        });
        Client { address: address.to_owned(), tls, headers: Vec::new() }
    }

    /// Sends a header with each request.
    pub(crate) fn header(mut self, header: impl Into<String>) -> Client {
        self.headers.push(header.into());
        self
    }

    fn stream(&self) -> io::Result<Box<dyn Stream>> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(600)))?;
        let Some(tls) = &self.tls else { return Ok(Box::new(stream)) };
        let name = ServerName::try_from("localhost").expect("a name");
        let connection = ClientConnection::new(Arc::clone(tls), name).map_err(io::Error::other)?;
        Ok(Box::new(StreamOwned::new(connection, stream)))
    }

    /// Sends a request.
    pub(crate) fn try_send(&self, method: &str, path: &str, body: &str) -> io::Result<Answer> {
        let mut stream = self.stream()?;
        let mut text = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
        for header in &self.headers {
            text.push_str(header);
            text.push_str("\r\n");
        }
        let length = body.len();
        text.push_str(&format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"));
        match stream.write_all(text.as_bytes()) {
            // A server that rejects a request does not read its body. The answer may be there.
            Err(why) if !matches!(why.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset) => {
                return Err(why);
            }
            _ => {}
        }
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            // Some servers end a connection without ending TLS.
            Err(why) if why.kind() != io::ErrorKind::UnexpectedEof => return Err(why),
            _ => {}
        }
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let code = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
        let code = code.ok_or_else(|| io::Error::other(format!("no answer: {answer:?}")))?;
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
        Ok(Answer { code, body })
    }

    /// Sends a request that the server answers.
    pub(crate) fn send(&self, method: &str, path: &str, body: &str) -> Answer {
        self.try_send(method, path, body).unwrap_or_else(|why| panic!("{method} {path}: {why}"))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "")
    }
}

trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}
