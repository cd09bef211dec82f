//! How clients prove who they are.

use crate::tokens::Known;
use crate::user::{User, bearer};
use http::{HeaderMap, Method};

/// How clients prove who they are. A server that is created without it does not ask.
///
/// Everybody whom the server knows may do everything, unless the server has RBAC. Then others are anonymous users.
#[derive(Clone, Debug, Default)]
pub struct Access {
    pub(super) known: Known,
    pub(super) secret: Option<String>,
    pub(super) rejects_anonymous: bool,
}

impl Access {
    /// Asks each client for a token or, if the connection has TLS with an authority for clients, for a certificate.
    pub fn new() -> Access {
        Access::default()
    }

    /// Accepts a bearer token.
    #[must_use]
    pub fn token(mut self, token: &str, user: User) -> Access {
        self.known.add(token, user);
        self
    }

    /// Rejects clients that say nothing about themselves, also where the server answers everybody, such as `/readyz`.
    #[must_use]
    pub fn without_anonymous(mut self) -> Access {
        self.rejects_anonymous = true;
        self
    }

    /// Signs the tokens of service accounts with a secret, so that they are valid after a restart with the same secret. Without it,
    /// each start has another one.
    #[must_use]
    pub fn secret(mut self, secret: &str) -> Access {
        self.secret = Some(secret.to_owned());
        self
    }

    /// Returns who sends a request.
    pub(super) fn client(&self, headers: &HeaderMap, peer: &Peer) -> Client {
        let token = bearer(headers);
        let user = match peer {
            Peer::Known(user) => Some(user),
            Peer::Silent | Peer::Invalid => token.and_then(|token| self.known.user(token)),
        };
        match user {
            Some(user) => Client::Known(user.clone()),
            None if token.is_none() && matches!(peer, Peer::Silent) && !self.rejects_anonymous => {
                Client::Silent
            }
            None => Client::Unknown,
        }
    }
}

/// What the certificate of a connection says about its client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Peer {
    /// There is no certificate.
    Silent,
    Known(User),
    /// The certificate is not valid.
    Invalid,
}

/// Who sends a request, as far as certificates and tokens of clients say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Client {
    /// The client says nothing about itself.
    Silent,
    Known(User),
    /// What the client says is wrong, or the token of a service account.
    Unknown,
}

/// Whether the server answers everybody: whether it is ready, and which version it is.
pub(super) fn is_public(method: &Method, path: &str) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
        && matches!(path, "/healthz" | "/livez" | "/readyz" | "/version" | "/version/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderName, HeaderValue};

    fn headers(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        fields
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn only_the_right_token_is_accepted() {
        let access = Access::new().token("s3cret", User::admin()).token("other", User::new("b", ["x"]));
        let client =
            |access: &Access, value| access.client(&headers(&[("authorization", value)]), &Peer::Silent);
        let name = |value| match client(&access, value) {
            Client::Known(user) => Some(user.name),
            Client::Silent | Client::Unknown => None,
        };
        assert_eq!(name("Bearer s3cret").as_deref(), Some("kubernetes-admin"));
        assert_eq!(name("bearer other").as_deref(), Some("b"));
        for wrong in ["Bearer s3cre", "Bearer s3cret1", "Bearer ", "Bearer", "", "Basic s3cret", "s3cret"] {
            assert_eq!(name(wrong), None, "{wrong}");
        }
        assert_eq!(access.client(&HeaderMap::new(), &Peer::Silent), Client::Silent);
        assert_eq!(access.client(&HeaderMap::new(), &Peer::Invalid), Client::Unknown);
        assert_eq!(access.without_anonymous().client(&HeaderMap::new(), &Peer::Silent), Client::Unknown);
        // An access without tokens accepts none, also not the empty one.
        assert_eq!(client(&Access::new(), "Bearer "), Client::Unknown);
    }

    #[test]
    fn a_certificate_needs_no_token() {
        let peer = User::new("a", ["g"]);
        let found = Access::new().client(&HeaderMap::new(), &Peer::Known(peer.clone()));
        assert_eq!(found, Client::Known(peer));
        let asked = headers(&[("impersonate-user", "c"), ("impersonate-group", "d")]);
        let found = Access::new().client(&asked, &Peer::Silent);
        assert_eq!(found, Client::Silent, "an unknown client impersonates a user");
    }

    #[test]
    fn only_health_and_version_are_public() {
        for path in ["/healthz", "/readyz", "/livez", "/version", "/version/"] {
            assert!(is_public(&Method::GET, path), "{path}");
        }
        for path in [
            "/",
            "/healthz/",
            "/readyz/ping",
            "/livez/../api",
            "//healthz",
            "/api",
            "/api/v1/version",
            "/apis",
            "/openapi/v2",
            "/healthzz",
            "/versions",
        ] {
            assert!(!is_public(&Method::GET, path), "{path}");
        }
        assert!(!is_public(&Method::POST, "/version"));
    }
}
