//! The webhook of sites: `versions 127.0.0.1:8443`. It prints the CRD, with the certificate that it has just made.

use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8443".to_owned());
    let listener = TcpListener::bind(&address).await?;
    let address = listener.local_addr()?;
    let (tls, certificate) = versions::certificate(&address.ip().to_string())?;
    let crd = versions::crd(&format!("https://{address}/convert"), &certificate)?;
    println!("{}", crdgen::to_yaml(&crd));
    versions::serve(versions::webhook(), listener, tls).await?;
    Ok(())
}
