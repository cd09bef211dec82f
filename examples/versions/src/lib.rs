//! A kind with three versions, and the webhook that converts its objects.

pub mod history;
pub mod v1;
pub mod v1alpha1;
pub mod v1beta1;

use crdgen::convert::Versions;
use crdgen::ir::{ClientConfig, Conversion, Crd};
use crdgen::webhook::Webhook;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// The versions of a site.
pub fn versions() -> Versions {
    Versions::new().pair::<v1alpha1::Site, v1beta1::Site>().pair::<v1beta1::Site, v1::Site>()
}

/// The webhook of all kinds of this program.
pub fn webhook() -> Webhook {
    Webhook::new().versions(versions())
}

/// The CRD, with the webhook at a URL.
pub fn crd(url: &str, certificate: &str) -> Result<Crd, String> {
    let mut crd = versions().crd().map_err(|problems| problems.to_string())?;
    crd.spec.conversion = Some(Conversion {
        strategy: "Webhook".to_owned(),
        client_config: Some(ClientConfig {
            url: Some(url.to_owned()),
            ca_bundle: certificate.as_bytes().to_vec(),
            ..ClientConfig::default()
        }),
        review_versions: Some(vec!["v1".to_owned(), "v1beta1".to_owned()]),
    });
    Ok(crd)
}

/// A certificate for a host, signed by itself, and its text for `caBundle`.
pub fn certificate(host: &str) -> Result<(TlsAcceptor, String), Box<dyn std::error::Error + Send + Sync>> {
    let rcgen::CertifiedKey { cert, signing_key } = rcgen::generate_simple_self_signed([host.to_owned()])?;
    let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
    let config =
        ServerConfig::builder().with_no_client_auth().with_single_cert(vec![cert.der().clone()], key)?;
    Ok((TlsAcceptor::from(Arc::new(config)), cert.pem()))
}

/// Answers the API server until the program ends.
pub async fn serve(webhook: Webhook, listener: TcpListener, tls: TlsAcceptor) -> std::io::Result<()> {
    loop {
        let (stream, _) = listener.accept().await?;
        let (webhook, tls) = (webhook.clone(), tls.clone());
        tokio::spawn(async move {
            // A client that goes away in between is no reason to stop.
            let Ok(stream) = tls.accept(stream).await else { return };
            let service = TowerToHyperService::new(webhook);
            _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
