//! The webhook of sites: `versions 127.0.0.1:8443`. It prints the CRD with the certificate that it has just made.

use crdgen::webhook::{Server, Tls, terminated};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8443".to_owned());
    let listener = TcpListener::bind(&address).await?;
    let address = listener.local_addr()?;
    let url = format!("https://{address}/convert");
    let tls = Tls::self_signed([address.ip().to_string()], move |certificates| {
        match versions::crd(&url, certificates) {
            Ok(crd) => println!("{}", crdgen::to_yaml(&crd)),
            Err(problems) => eprintln!("{problems}"),
        }
    });
    let server = Server::new(versions::webhook()).tls(tls).report(|problem| eprintln!("{problem}"));
    server.serve(listener, terminated()).await
}
