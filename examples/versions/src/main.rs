//! The webhook of sites: `versions 127.0.0.1:8443`. It prints the CRD, with the certificate that it has just made.

use crdgen::ir::{ClientConfig, Conversion};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8443".to_owned());
    let listener = TcpListener::bind(&address).await?;
    let address = listener.local_addr()?;
    let (tls, certificate) = versions::certificate(&address.ip().to_string())?;
    let mut crd = versions::versions().crd().map_err(|problems| problems.to_string())?;
    crd.spec.conversion = Some(Conversion {
        strategy: "Webhook".to_owned(),
        client_config: Some(ClientConfig {
            url: Some(format!("https://{address}/convert")),
            ca_bundle: certificate.into_bytes(),
            ..ClientConfig::default()
        }),
        review_versions: Some(vec!["v1".to_owned()]),
    });
    println!("{}", crdgen::to_yaml(&crd));
    versions::serve(versions::webhook(), listener, tls).await?;
    Ok(())
}
