//! The kubeconfig of a server.

use std::net::SocketAddr;

/// The text of a kubeconfig for the server at an address.
pub(super) fn text(address: SocketAddr) -> String {
    format!(
        "apiVersion: v1
kind: Config
current-context: crdgen
clusters:
- name: crdgen
  cluster:
    server: http://{address}
contexts:
- name: crdgen
  context:
    cluster: crdgen
    user: crdgen
    namespace: default
users:
- name: crdgen
  user: {{}}
"
    )
}
