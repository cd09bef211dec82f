//! The webhook of CronTabs: `webhook 0.0.0.0:8443 tls.crt tls.key`, or without TLS `webhook 127.0.0.1:8080`.

use crdgen::webhook::{Server, Tls, terminated};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    let mut server = Server::new(webhook::webhook()?).report(|error| eprintln!("{error}"));
    if let (Some(certificate), Some(key)) = (arguments.next(), arguments.next()) {
        server = server.tls(Tls::files(certificate, key));
    }
    server.serve(TcpListener::bind(address).await?, terminated()).await?;
    Ok(())
}
