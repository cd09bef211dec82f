//! Certificates: from files that other programs renew, or made by the server itself.

use super::Report;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// How often to read files again. This is roughly how often the kubelet updates mounted secrets.
const EVERY: Duration = Duration::from_secs(30);

/// Where the certificate of a server comes from.
#[derive(Debug)]
pub struct Tls {
    source: Source,
    every: Duration,
}

#[derive(Debug)]
enum Source {
    Files {
        chain: PathBuf,
        key: PathBuf,
    },
    #[cfg(feature = "self-signed")]
    Own(own::Own),
}

/// The certificate for new connections.
pub(super) type Current = watch::Receiver<TlsAcceptor>;

impl Tls {
    /// Uses a certificate and its key from PEM files, such as those of cert-manager or `kubectl create secret tls`. When the
    /// files change, new connections use the new certificate.
    pub fn files(chain: impl Into<PathBuf>, key: impl Into<PathBuf>) -> Tls {
        Tls { source: Source::Files { chain: chain.into(), key: key.into() }, every: EVERY }
    }

    /// Uses a certificate for these host names and addresses that the server makes and signs itself. The server calls
    /// `publish` with the text for `caBundle` before it uses a certificate: at the start, and each time before the old one
    /// expires. [`ca_bundle_patch`](super::ca_bundle_patch) turns the text into a patch.
    #[cfg(feature = "self-signed")]
    pub fn self_signed(
        hosts: impl IntoIterator<Item = impl Into<String>>,
        publish: impl Fn(&str) + Send + Sync + 'static,
    ) -> Tls {
        let own = own::Own::new(hosts.into_iter().map(Into::into).collect(), Box::new(publish));
        Tls { source: Source::Own(own), every: EVERY }
    }

    /// Sets how often to look for a new certificate. The default is every 30 seconds.
    #[must_use]
    pub fn every(mut self, time: Duration) -> Tls {
        self.every = time;
        self
    }

    /// Reads the certificate, and looks for new ones from now on.
    pub(super) fn start(mut self, tasks: &mut JoinSet<()>, report: Report) -> io::Result<Current> {
        let mut last = self.source.read()?;
        let (sender, current) = watch::channel(last.acceptor()?);
        tasks.spawn(async move {
            loop {
                tokio::time::sleep(self.every).await;
                // An incomplete new pair, or a file that is being written, must not replace the old pair.
                let renewed = self.source.read().and_then(|now| {
                    if now == last {
                        return Ok(());
                    }
                    sender.send_replace(now.acceptor()?);
                    last = now;
                    Ok(())
                });
                if let Err(error) = renewed {
                    report(&error);
                }
            }
        });
        Ok(current)
    }
}

/// A certificate and its key, as PEM.
#[derive(Clone, PartialEq)]
struct Pair {
    chain: Vec<u8>,
    key: Vec<u8>,
}

impl Source {
    fn read(&mut self) -> io::Result<Pair> {
        match self {
            Source::Files { chain, key } => {
                let read = |path: &PathBuf| {
                    std::fs::read(path)
                        .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))
                };
                Ok(Pair { chain: read(chain)?, key: read(key)? })
            }
            #[cfg(feature = "self-signed")]
            Source::Own(own) => own.read(),
        }
    }
}

impl Pair {
    fn acceptor(&self) -> io::Result<TlsAcceptor> {
        let wrong = |what: &str, why: String| {
            io::Error::new(io::ErrorKind::InvalidData, format!("the {what} of the server: {why}"))
        };
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.chain).collect();
        let chain = chain.map_err(|e| wrong("certificate", e.to_string()))?;
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|e| wrong("key", e.to_string()))?;
        // Names the provider, because a program with two of them would otherwise panic.
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|e| wrong("certificate", e.to_string()))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

#[cfg(feature = "self-signed")]
mod own {
    use super::{Duration, Pair, io};
    use std::fmt;
    use std::time::SystemTime;

    /// How long a certificate is valid, and after what time it is replaced.
    const LIFETIME: Duration = Duration::from_secs(90 * 86400);
    const RENEWED_AFTER: Duration = Duration::from_secs(60 * 86400);
    /// How much clocks may differ.
    const SKEW: Duration = Duration::from_secs(3600);

    pub(super) struct Own {
        hosts: Vec<String>,
        publish: Box<dyn Fn(&str) + Send + Sync>,
        current: Option<(Pair, SystemTime)>,
    }

    impl fmt::Debug for Own {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("Own").field("hosts", &self.hosts).finish_non_exhaustive()
        }
    }

    impl Own {
        pub(super) fn new(hosts: Vec<String>, publish: Box<dyn Fn(&str) + Send + Sync>) -> Own {
            Own { hosts, publish, current: None }
        }

        /// Returns the certificate, and makes a new one when it is time.
        pub(super) fn read(&mut self) -> io::Result<Pair> {
            let now = SystemTime::now();
            let is_fresh = |made: &SystemTime| now.duration_since(*made).is_ok_and(|age| age < RENEWED_AFTER);
            let old = match &self.current {
                Some((pair, made)) if is_fresh(made) => return Ok(pair.clone()),
                old => old.as_ref().map(|(pair, _)| pair.chain.clone()),
            };
            let (chain, key) = generate(&self.hosts, now).map_err(io::Error::other)?;
            // Other servers may still use the old certificate for a while.
            let trusted = chain.clone() + &String::from_utf8_lossy(&old.unwrap_or_default());
            (self.publish)(&trusted);
            let pair = Pair { chain: chain.into_bytes(), key: key.into_bytes() };
            self.current = Some((pair.clone(), now));
            Ok(pair)
        }
    }

    fn generate(hosts: &[String], now: SystemTime) -> Result<(String, String), rcgen::Error> {
        let key = rcgen::KeyPair::generate()?;
        let mut params = rcgen::CertificateParams::new(hosts)?;
        params.not_before = (now - SKEW).into();
        params.not_after = (now + LIFETIME).into();
        let certificate = params.self_signed(&key)?;
        Ok((certificate.pem(), key.serialize_pem()))
    }

    #[cfg(test)]
    mod tests {
        use super::{Own, RENEWED_AFTER};
        use std::sync::{Arc, Mutex};

        #[test]
        fn a_certificate_is_renewed_before_it_expires() -> Result<(), Box<dyn std::error::Error>> {
            let published: Arc<Mutex<Vec<String>>> = Arc::default();
            let all = Arc::clone(&published);
            let publish =
                move |text: &str| all.lock().unwrap_or_else(|e| e.into_inner()).push(text.to_owned());
            let mut own = Own::new(vec!["a.b.svc".to_owned()], Box::new(publish));
            let first = own.read()?;
            first.acceptor()?;
            assert!(own.read()? == first);
            if let Some((_, made)) = &mut own.current {
                *made -= RENEWED_AFTER;
            }
            let second = own.read()?;
            second.acceptor()?;
            assert!(second != first && own.read()? == second);
            let text = |chain: &[u8]| String::from_utf8_lossy(chain).into_owned();
            let (first, second) = (text(&first.chain), text(&second.chain));
            let both = second + &first;
            assert_eq!(*published.lock().unwrap_or_else(|e| e.into_inner()), [first, both]);
            Ok(())
        }
    }
}
