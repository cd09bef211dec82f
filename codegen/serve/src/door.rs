//! Who may use the server: TLS and tokens.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use crdgen_apiserver::{Access, Certificates, Server, Tls, User, listen, random_token};
use crdgen_files::Error;
use crdgen_files::input;

use super::data;
use super::kubeconfig::Reach;

/// What should protect a server.
#[derive(Clone, Copy, Debug)]
pub struct Protection<'p> {
    /// The address to listen on. Port 0 means any free port.
    pub listen: SocketAddr,
    /// Whether connections are encrypted. They also are with a token, and if other machines reach the server.
    pub tls: bool,
    /// Which token clients need. They also need a new one if other machines reach the server.
    pub token: Token<'p>,
    /// Whether everybody who reaches the server may use it, without TLS and a token.
    pub is_insecure: bool,
    /// Whether a new token gets to clients in a kubeconfig. Otherwise it is an error that a new one is needed.
    pub writes_kubeconfig: bool,
}

impl Protection<'_> {
    /// The usual protection of a server on an address: none if only this machine reaches it.
    pub fn of(listen: SocketAddr) -> Protection<'static> {
        let token = Token::IfReachable;
        Protection { listen, tls: false, token, is_insecure: false, writes_kubeconfig: false }
    }
}

/// Which token clients of a server need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'p> {
    /// A new one if other machines reach the server, and otherwise none.
    IfReachable,
    /// A new one.
    New,
    /// The one in a file.
    In(&'p Path),
}

/// What protects a server.
pub struct Door {
    listen: SocketAddr,
    certificates: Option<Certificates>,
    token: Option<String>,
}

impl Door {
    /// Makes the certificates and the token. A server that other machines reach has both, unless the user does not want them.
    pub fn new(wanted: &Protection<'_>) -> Result<Door, Error> {
        let Protection { listen, tls, token, is_insecure, writes_kubeconfig } = *wanted;
        let is_reachable = !listen.ip().is_loopback() && !is_insecure;
        // kubectl sends no token over HTTP.
        let certificates = match tls || token != Token::IfReachable || is_reachable {
            true => Some(Certificates::new(hosts(listen.ip())).map_err(failed)?),
            false => None,
        };
        let made =
            |why: &str| if writes_kubeconfig { random_token().map_err(failed) } else { Err(lost(why)) };
        let token = match token {
            Token::In(file) => Some(read(file)?),
            Token::New => Some(made("--token")?),
            Token::IfReachable if is_reachable => Some(made(&format!("--listen {listen}"))?),
            Token::IfReachable => None,
        };
        Ok(Door { listen, certificates, token })
    }

    /// Starts to listen. A folder with the data of the server keeps the secret of its tokens.
    pub async fn listen(&self, server: Server, data: Option<&Path>) -> Result<Listening<'_>, Error> {
        let cannot_listen = |why| Error::Argument(format!("cannot listen on {}: {why}", self.listen));
        let listening = listen(server, self.listen).await.map_err(cannot_listen)?;
        let listening = self.close(listening, data)?;
        let address = listening.address().map_err(cannot_listen)?;
        let authority = self.certificates.as_ref().map(|certificates| certificates.authority.as_str());
        Ok(Listening { listening, reach: Reach { address, authority, token: self.token.as_deref() } })
    }

    /// Sets what protects a server.
    fn close(
        &self,
        mut listening: crdgen_apiserver::Listening,
        data: Option<&Path>,
    ) -> Result<crdgen_apiserver::Listening, Error> {
        if let Some(Certificates { chain, key, .. }) = &self.certificates {
            listening = listening.tls(Tls::new(chain, key, None).map_err(failed)?);
        }
        if let Some(token) = &self.token {
            let mut access = Access::new().token(token, User::admin());
            if let Some(folder) = data {
                access = access.secret(&data::secret(folder)?);
            }
            listening = listening.access(access);
        }
        Ok(listening)
    }

    /// Whether everybody who reaches the server may use it.
    pub fn is_open(&self) -> bool {
        self.token.is_none()
    }
}

/// A server that listens, and accepts requests once it is served.
pub struct Listening<'d> {
    listening: crdgen_apiserver::Listening,
    /// How clients reach it.
    pub reach: Reach<'d>,
}

impl Listening<'_> {
    /// Answers requests until the process ends.
    pub async fn serve(self) {
        self.listening.serve().await;
    }
}

fn failed(why: std::io::Error) -> Error {
    Error::Argument(why.to_string())
}

/// The names and addresses by which clients reach the server.
fn hosts(ip: IpAddr) -> Vec<String> {
    let mut hosts = vec![ip.to_string()];
    hosts.extend(
        ["localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default", "kubernetes.default.svc"]
            .map(str::to_owned),
    );
    hosts
}

/// The error if a new token is needed that would not get to any client.
fn lost(why: &str) -> Error {
    Error::Argument(format!(
        "{why} asks clients for a token. Add `--kubeconfig FILE`, in which crdgen writes a new token, or read yours from a file: `--token=FILE`"
    ))
}

/// A token in a file.
fn read(file: &Path) -> Result<String, Error> {
    let bytes = input::read(file).map_err(Error::file(file))?;
    let token = bytes.trim_ascii();
    let is_token = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
    if token.is_empty() || !token.iter().all(is_token) {
        let why = "not a token: a token is one line of letters, digits and signs without spaces and quotes";
        return Err(Error::file(file)(std::io::Error::new(std::io::ErrorKind::InvalidData, why)));
    }
    Ok(String::from_utf8_lossy(token).into_owned())
}
