//! The server on a port.

use crate::server::Server;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use tokio::net::TcpListener;

/// A server that listens on a port.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    server: Server,
}

/// Listens on a port. The server does not authenticate clients, so use an address of the machine itself.
///
/// # Errors
/// Fails if the address cannot be used.
pub async fn listen(server: Server, address: SocketAddr) -> io::Result<Listening> {
    Ok(Listening { listener: TcpListener::bind(address).await?, server })
}

impl Listening {
    /// The address, with the port that was chosen if the wanted one was 0.
    ///
    /// # Errors
    /// Fails if the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until the future is dropped.
    pub async fn serve(self) {
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                // A client may go before it is accepted. If too many files are open, it helps to wait.
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
                continue;
            };
            _ = stream.set_nodelay(true);
            let service = TowerToHyperService::new(self.server.clone());
            tokio::spawn(async move {
                let builder = auto::Builder::new(TokioExecutor::new());
                // A client may go at any time.
                _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    }
}
