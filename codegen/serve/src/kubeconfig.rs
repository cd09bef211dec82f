//! The kubeconfig of a server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crdgen_core::go::base64_encode;
use crdgen_files::generated;

/// How clients reach a server.
pub struct Reach<'r> {
    /// The address that it listens on.
    pub address: SocketAddr,
    /// The certificate of the authority, if the server has TLS.
    pub authority: Option<&'r str>,
    /// The token, if the server asks for one.
    pub token: Option<&'r str>,
}

impl Reach<'_> {
    /// The URL of the server. An address that means all addresses is none that clients can use everywhere.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            ip if !ip.is_unspecified() => ip,
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        };
        let scheme = if self.authority.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", SocketAddr::new(ip, self.address.port()))
    }

    /// The text of a kubeconfig.
    pub fn kubeconfig(&self) -> String {
        let url = self.url();
        let authority = self.authority.map_or_else(String::new, |text| {
            format!("\n    certificate-authority-data: {}", base64_encode(text.as_bytes()))
        });
        // Over TLS, kubectl asks people for a name and a password if there is no token. The server ignores this one.
        let token = self.token.or(self.authority.map(|_| "unused"));
        let user = token.map_or_else(|| "{}".to_owned(), |token| format!("\n    token: \"{token}\""));
        format!(
            "{}apiVersion: v1
kind: Config
current-context: crdgen
clusters:
- name: crdgen
  cluster:
    server: {url}{authority}
contexts:
- name: crdgen
  context:
    cluster: crdgen
    user: crdgen
    namespace: default
users:
- name: crdgen
  user: {user}
",
            generated::mark()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Reach;
    use crdgen_core::yaml;

    #[test]
    fn kubeconfigs_are_yaml_with_what_clients_need() {
        let address = "0.0.0.0:6443".parse().expect("an address");
        let plain = Reach { address, authority: None, token: None };
        let whole = Reach { address, authority: Some("---\n"), token: Some("abc") };
        for (reach, expected) in [
            (&plain, ["server: http://127.0.0.1:6443\n", "user: {}\n"].as_slice()),
            (
                &whole,
                &[
                    "server: https://127.0.0.1:6443\n",
                    "certificate-authority-data: LS0tCg==\n",
                    "token: \"abc\"\n",
                ],
            ),
        ] {
            let text = reach.kubeconfig();
            let (_, problems) = yaml::read(text.as_bytes());
            assert!(problems.is_empty(), "{text}");
            for part in expected {
                assert!(text.contains(part), "{part} in {text}");
            }
        }
        let address = "[::]:1".parse().expect("an address");
        assert_eq!(Reach { address, ..plain }.url(), "http://[::1]:1");
    }
}
