//! Who sends a request.

use crate::meta::map;
use crdgen_core::value::Value;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};

/// Who sends a request, as the server has authenticated it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The name, such as `system:serviceaccount:default:builder`.
    pub name: String,
    /// The groups, such as `system:masters`.
    pub groups: Vec<String>,
}

/// The group of all users whom the server knows.
const AUTHENTICATED: &str = "system:authenticated";

/// The token that a client sends.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

impl User {
    /// A user with groups, and the group of all authenticated users.
    pub fn new(name: impl Into<String>, groups: impl IntoIterator<Item = impl Into<String>>) -> User {
        let mut groups: Vec<String> = groups.into_iter().map(Into::into).collect();
        if !groups.iter().any(|group| group == AUTHENTICATED) {
            groups.push(AUTHENTICATED.to_owned());
        }
        User { name: name.into(), groups }
    }

    /// The user of a service account.
    pub(crate) fn service_account(namespace: &str, name: &str) -> User {
        let groups = ["system:serviceaccounts".to_owned(), format!("system:serviceaccounts:{namespace}")];
        User::new(format!("system:serviceaccount:{namespace}:{name}"), groups)
    }

    /// Somebody whom the server does not know.
    pub fn anonymous() -> User {
        User { name: "system:anonymous".to_owned(), groups: vec!["system:unauthenticated".to_owned()] }
    }

    /// The user of servers that do not authenticate anybody.
    pub fn admin() -> User {
        User::new("kubernetes-admin", ["system:masters"])
    }

    /// The user in whose name this one sends a request: itself, if no header names another one.
    pub(crate) fn impersonating(self, headers: &HeaderMap) -> User {
        const USER: HeaderName = HeaderName::from_static("impersonate-user");
        const GROUP: HeaderName = HeaderName::from_static("impersonate-group");
        let text = |value: &HeaderValue| value.to_str().ok().map(str::to_owned);
        match headers.get(USER).and_then(text) {
            Some(name) => User::new(name, headers.get_all(GROUP).iter().filter_map(text)),
            None => self,
        }
    }

    /// The user as `UserInfo`.
    pub(crate) fn to_value(&self) -> Value {
        map([("username", self.name.as_str().into()), ("groups", self.groups.clone().into())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_another_user() {
        let name = HeaderName::from_static;
        let headers: HeaderMap =
            [("impersonate-user", "c"), ("impersonate-group", "d"), ("impersonate-group", "e")]
                .map(|(field, value)| (name(field), HeaderValue::from_static(value)))
                .into_iter()
                .collect();
        let peer = User::new("a", ["g"]);
        assert_eq!(peer.clone().impersonating(&headers).name, "c");
        assert_eq!(peer.clone().impersonating(&HeaderMap::new()), peer);
    }
}
