//! Who may use the server: TLS and tokens.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use crdgen::__cli::files;
use crdgen::Error;
use crdgen_apiserver::{Access, Certificates, Listening, Tls, User, random_token};

use super::Args;
use super::data;
use super::kubeconfig::Reach;

/// What protects the server.
#[derive(Default)]
pub(super) struct Door {
    certificates: Option<Certificates>,
    token: Option<String>,
}

impl Door {
    /// Makes what the arguments ask for. A server that other machines reach has TLS and a token, unless the user does not want
    /// them.
    pub(super) fn new(args: &Args) -> Result<Door, Error> {
        let is_reachable = !args.listen.ip().is_loopback() && !args.insecure;
        // kubectl sends no token over HTTP.
        let certificates = match args.tls || args.token.is_some() || is_reachable {
            true => Some(Certificates::new(hosts(args.listen.ip())).map_err(failed)?),
            false => None,
        };
        let token = match &args.token {
            Some(Some(file)) => Some(read(file)?),
            Some(None) => Some(made(args, "--token")?),
            None if is_reachable => Some(made(args, &format!("--listen {}", args.listen))?),
            None => None,
        };
        Ok(Door { certificates, token })
    }

    /// Sets what protects a server. A folder with its data keeps the secret of its tokens.
    pub(super) fn close(&self, mut listening: Listening, data: Option<&Path>) -> Result<Listening, Error> {
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

    pub(super) fn reach(&self, address: SocketAddr) -> Reach<'_> {
        let authority = self.certificates.as_ref().map(|certificates| certificates.authority.as_str());
        Reach { address, authority, token: self.token.as_deref() }
    }

    /// Whether everybody who reaches the server may use it.
    pub(super) fn is_open(&self) -> bool {
        self.token.is_none()
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

/// A new token. It has to get somewhere.
fn made(args: &Args, why: &str) -> Result<String, Error> {
    if args.kubeconfig.is_none() {
        return Err(Error::Argument(format!(
            "{why} asks clients for a token. Add `--kubeconfig FILE`, in which crdgen writes a new token, or read yours from a file: `--token=FILE`"
        )));
    }
    random_token().map_err(failed)
}

/// A token in a file.
fn read(file: &Path) -> Result<String, Error> {
    let bytes = files::read(file).map_err(Error::file(file))?;
    let token = bytes.trim_ascii();
    let is_token = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
    if token.is_empty() || !token.iter().all(is_token) {
        let why = "not a token: a token is one line of letters, digits and signs without spaces and quotes";
        return Err(Error::file(file)(std::io::Error::new(std::io::ErrorKind::InvalidData, why)));
    }
    Ok(String::from_utf8_lossy(token).into_owned())
}
