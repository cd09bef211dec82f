//! How clients prove who they are.

use crate::status::Failure;
use crate::tokens::Known;
use crate::user::{User, bearer};
use http::{HeaderMap, Method};

/// How clients prove who they are. A server that is created without it does not ask.
///
/// Everybody whom the server knows may do everything: it authenticates, and does not authorize.
#[derive(Clone, Debug, Default)]
pub struct Access {
    pub(super) known: Known,
    pub(super) secret: Option<String>,
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

    /// Signs the tokens of service accounts with a secret, so that they are valid after a restart with the same secret. Without it,
    /// each start has another one.
    #[must_use]
    pub fn secret(mut self, secret: &str) -> Access {
        self.secret = Some(secret.to_owned());
        self
    }

    /// Returns who sends a request. `peer` is the user of the certificate of the connection.
    pub(super) fn user(&self, headers: &HeaderMap, peer: Option<&User>) -> Result<User, Failure> {
        let known = || self.known.user(bearer(headers)?);
        peer.or_else(known).cloned().ok_or_else(Failure::unauthorized)
    }
}

/// Whether the server answers everybody: whether it is ready, and which version it is.
pub(super) fn is_public(method: &Method, path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    matches!(*method, Method::GET | Method::HEAD)
        && matches!(first, "healthz" | "livez" | "readyz" | "version")
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
        let name =
            |value| access.user(&headers(&[("authorization", value)]), None).map(|user| user.name).ok();
        assert_eq!(name("Bearer s3cret").as_deref(), Some("kubernetes-admin"));
        assert_eq!(name("bearer other").as_deref(), Some("b"));
        for wrong in ["Bearer s3cre", "Bearer s3cret1", "Bearer ", "Bearer", "", "Basic s3cret", "s3cret"] {
            assert_eq!(name(wrong), None, "{wrong}");
        }
        assert!(access.user(&HeaderMap::new(), None).is_err());
        // An access without tokens accepts none, also not the empty one.
        assert!(Access::new().user(&headers(&[("authorization", "Bearer ")]), None).is_err());
    }

    #[test]
    fn a_certificate_needs_no_token() {
        let peer = User::new("a", ["g"]);
        let found = Access::new().user(&HeaderMap::new(), Some(&peer)).expect("a user");
        assert_eq!(found, peer);
        let asked = headers(&[("impersonate-user", "c"), ("impersonate-group", "d")]);
        assert!(Access::new().user(&asked, None).is_err(), "an unknown client impersonates a user");
    }

    #[test]
    fn only_health_and_version_are_public() {
        for path in ["/healthz", "/readyz/ping", "/livez", "/version"] {
            assert!(is_public(&Method::GET, path), "{path}");
        }
        for path in ["/", "/api", "/api/v1/version", "/apis", "/openapi/v2", "/healthzz", "/versions"] {
            assert!(!is_public(&Method::GET, path), "{path}");
        }
        assert!(!is_public(&Method::POST, "/version"));
    }
}
