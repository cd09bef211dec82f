//! TLS: the certificate of the server, and those of clients.

use super::access::Peer;
use super::subject;
use super::unversioned::Unversioned;
use crate::trust;
use crate::user::User;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::client::danger::HandshakeSignatureValid;
use tokio_rustls::rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls13_signature_with_raw_key,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, TrustAnchor, UnixTime};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::{DigitallySignedStruct, DistinguishedName, Error as TlsError, RootCertStore};
use tokio_rustls::rustls::{ServerConfig, SignatureScheme};
use tokio_rustls::server::TlsStream;

/// A certificate of a server with its key, as PEM.
#[derive(Clone)]
pub struct Certificates {
    /// The certificate, and those between it and the authority.
    pub chain: String,
    /// The key of the certificate.
    pub key: String,
    /// The certificate of the authority that clients shall trust.
    pub authority: String,
}

impl std::fmt::Debug for Certificates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Certificates").field("authority", &self.authority).finish_non_exhaustive()
    }
}

/// How long a certificate that the server makes is valid: longer than any test, and shorter than anybody would rely on.
const LIFETIME: Duration = Duration::from_secs(365 * 86400);
/// How much clocks may differ.
const SKEW: Duration = Duration::from_secs(3600);

impl Certificates {
    /// Makes an authority, and a certificate for names and addresses. The key of the authority is forgotten, so that it signs
    /// nothing else.
    ///
    /// # Errors
    /// Fails if a name cannot be in a certificate.
    pub fn new(hosts: impl IntoIterator<Item = impl Into<String>>) -> io::Result<Certificates> {
        let hosts: Vec<String> = hosts.into_iter().map(Into::into).collect();
        make(&hosts).map_err(|why| invalid("the certificate of the server", why))
    }
}

fn make(hosts: &[String]) -> Result<Certificates, rcgen::Error> {
    use rcgen::{BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer};
    use rcgen::{KeyPair, KeyUsagePurpose};
    let now = SystemTime::now();
    let valid = |params: &mut CertificateParams, name: &str| {
        params.not_before = (now - SKEW).into();
        params.not_after = (now + LIFETIME).into();
        params.distinguished_name.push(DnType::CommonName, name);
    };
    let mut authority = CertificateParams::default();
    valid(&mut authority, "crdgen");
    authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
    let issuer = Issuer::new(authority.clone(), KeyPair::generate()?);
    let trusted = authority.self_signed(issuer.key())?;
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(hosts)?;
    valid(&mut params, "kube-apiserver");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.use_authority_key_identifier_extension = true;
    let certificate = params.signed_by(&key, &issuer)?;
    Ok(Certificates { chain: certificate.pem(), key: key.serialize_pem(), authority: trusted.pem() })
}

fn invalid(what: &str, why: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{what}: {why}"))
}

/// Names the provider, because a program with two of them would otherwise panic.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// A random token of 256 bits.
///
/// # Errors
/// Fails if the system has no random numbers.
pub fn random_token() -> io::Result<String> {
    let mut bytes = [0; 32];
    let filled = provider().secure_random.fill(&mut bytes);
    filled.map_err(|_| io::Error::other("the system has no random numbers"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// TLS for the connections of a server.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    /// Who signs the certificates of clients.
    clients: Option<Arc<Clients>>,
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tls").finish_non_exhaustive()
    }
}

impl Tls {
    /// Prepares TLS with a certificate and its key, as PEM. Clients may have a certificate of one of the authorities in
    /// `clients`: the common name of its subject is the name of the user, and its organizations are the groups.
    ///
    /// # Errors
    /// Fails if one of the certificates or the key cannot be used.
    pub fn new(chain: &str, key: &str, clients: Option<&str>) -> io::Result<Tls> {
        let own = |why: &dyn std::fmt::Display| invalid("the certificate of the server", why);
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain.as_bytes()).collect();
        let chain = chain.map_err(|why| own(&why))?;
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes())
            .map_err(|why| invalid("the key of the server", why))?;
        let builder = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map_err(|why| own(&why))?;
        let clients = match clients {
            None => None,
            Some(clients) => {
                let wrong = |why: &dyn std::fmt::Display| invalid("the authority of clients", why);
                let (mut roots, mut authorities) = (RootCertStore::empty(), Vec::new());
                for root in CertificateDer::pem_slice_iter(clients.as_bytes()) {
                    let root = root.map_err(|why| wrong(&why))?;
                    authorities.push(root.clone());
                    roots.add(root).map_err(|why| wrong(&why))?;
                }
                let anchors = roots.roots.clone();
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider())
                    .allow_unauthenticated()
                    .build();
                let verifier = verifier.map_err(|why| wrong(&why))?;
                Some(Arc::new(Clients {
                    verifier,
                    authorities,
                    anchors,
                    algorithms: provider().signature_verification_algorithms,
                }))
            }
        };
        let builder = match &clients {
            None => builder.with_no_client_auth(),
            Some(clients) => {
                builder.with_client_cert_verifier(Arc::clone(clients) as Arc<dyn ClientCertVerifier>)
            }
        };
        let mut config = builder.with_single_cert(chain, key).map_err(|why| own(&why))?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Tls { acceptor: TlsAcceptor::from(Arc::new(config)), clients })
    }

    /// Encrypts a connection. Returns also what the client's certificate says about it.
    pub(super) async fn accept<S>(&self, stream: S) -> io::Result<(TlsStream<S>, Peer)>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let stream = self.acceptor.accept(stream).await?;
        let chain = stream.get_ref().1.peer_certificates();
        let peer = match self.clients.as_ref().zip(chain) {
            None => Peer::Silent,
            Some((clients, chain)) => clients.user(chain).map_or(Peer::Invalid, Peer::Known),
        };
        Ok((stream, peer))
    }
}

/// Accepts the certificates of all clients in the handshake, as the server does, so that a client with a wrong one gets an answer
/// with status 401. The client has proved that it has the key.
#[derive(Debug)]
struct Clients {
    verifier: Arc<dyn ClientCertVerifier>,
    authorities: Vec<CertificateDer<'static>>,
    anchors: Vec<TrustAnchor<'static>>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Clients {
    /// The user of a certificate that one of the authorities has signed.
    fn user(&self, chain: &[CertificateDer<'_>]) -> Option<User> {
        let (own, between) = chain.split_first()?;
        if let Some(certificate) = Unversioned::read(own) {
            let is_trusted = certificate.is_trusted(&self.anchors, &self.algorithms, UnixTime::now());
            return subject::user(certificate.subject).filter(|_| is_trusted);
        }
        match self.verifier.verify_client_cert(own, between, UnixTime::now()) {
            Ok(_) => {}
            Err(why) if trust::is_known(&why, own, &self.authorities) => {}
            Err(_) => return None,
        }
        let certificate = webpki::EndEntityCert::try_from(own).ok()?;
        subject::user(certificate.subject())
    }
}

impl ClientCertVerifier for Clients {
    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.verifier.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, TlsError> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        match Unversioned::read(certificate) {
            Some(certificate) => certificate
                .check_signature(message, signature, &self.algorithms)
                .map(|()| HandshakeSignatureValid::assertion()),
            None => self.verifier.verify_tls12_signature(message, certificate, signature),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        match Unversioned::read(certificate) {
            Some(certificate) => {
                verify_tls13_signature_with_raw_key(message, certificate.key(), signature, &self.algorithms)
            }
            None => self.verifier.verify_tls13_signature(message, certificate, signature),
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(pem: &str) -> Vec<CertificateDer<'static>> {
        CertificateDer::pem_slice_iter(pem.as_bytes()).map(|it| it.expect("a certificate")).collect()
    }

    /// `unversioned.pem` has, in this order: an authority; certificates of version 1 that it has signed, with a key for RSA and one of an
    /// elliptic curve; one that has expired; and one of another authority with the same name.
    #[test]
    fn certificates_of_version_1_are_accepted() {
        let all = chain(include_str!("../../tests/unversioned.pem"));
        let mut authorities = RootCertStore::empty();
        authorities.add(all[0].clone()).expect("an authority");
        let anchors = authorities.roots.clone();
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(authorities), provider()).build();
        let clients = Clients {
            verifier: verifier.expect("a verifier"),
            authorities: vec![all[0].clone()],
            anchors,
            algorithms: provider().signature_verification_algorithms,
        };
        let name = |at: usize| clients.user(&all[at..=at]).map(|user| user.name.clone());
        let found: Vec<Option<String>> = (1..all.len()).map(name).collect();
        assert_eq!(found, [Some("rsa".to_owned()), Some("ec".to_owned()), None, None]);
        // What is changed or cut off has no user, and nothing panics.
        let rsa = all[1].as_ref();
        for at in 0..rsa.len() {
            let mut changed = rsa.to_vec();
            changed[at] ^= 1;
            for broken in [changed, rsa[..at].to_vec()] {
                assert_eq!(clients.user(&[CertificateDer::from(broken)]), None, "{at}");
            }
        }
    }
}
