//! Who sends a request.

use crate::meta::map;
use crdgen_core::names;
use crdgen_core::value::{Map, Value};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use std::collections::BTreeMap;

/// Who sends a request, as the server has authenticated it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct User {
    /// The name, such as `system:serviceaccount:default:builder`.
    pub name: String,
    /// What distinguishes users of the same name, or empty.
    pub uid: String,
    /// The groups, such as `system:masters`.
    pub groups: Vec<String>,
    /// What else is known, such as the pod of a token.
    pub extra: BTreeMap<String, Vec<String>>,
}

/// The group of all users whom the server knows.
const AUTHENTICATED: &str = "system:authenticated";
/// The group of all others.
const UNAUTHENTICATED: &str = "system:unauthenticated";
/// The name of all others.
const ANONYMOUS: &str = "system:anonymous";
/// The group that may do everything.
pub(crate) const MASTERS: &str = "system:masters";

/// The token that a client sends.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&[u8]> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.as_bytes().split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii())
}

/// The namespace and the name of a service account, if the name of a user is that of one.
pub(crate) fn account(name: &str) -> Option<(&str, &str)> {
    let (namespace, name) = name.strip_prefix("system:serviceaccount:")?.split_once(':')?;
    let is_valid = names::dns1123_label(namespace).is_empty() && names::dns1123_subdomain(name).is_empty();
    is_valid.then_some((namespace, name))
}

fn account_groups(namespace: &str) -> Vec<String> {
    vec!["system:serviceaccounts".to_owned(), format!("system:serviceaccounts:{namespace}")]
}

impl User {
    /// A user with groups, and the group of all authenticated users.
    pub fn new(name: impl Into<String>, groups: impl IntoIterator<Item = impl Into<String>>) -> User {
        let groups = groups.into_iter().map(Into::into).collect();
        User { name: name.into(), groups, ..User::default() }.authenticated()
    }

    /// The user of a service account.
    pub fn service_account(namespace: &str, name: &str) -> User {
        User::new(format!("system:serviceaccount:{namespace}:{name}"), account_groups(namespace))
    }

    /// Somebody whom the server does not know.
    pub fn anonymous() -> User {
        User { name: ANONYMOUS.to_owned(), groups: vec![UNAUTHENTICATED.to_owned()], ..User::default() }
    }

    /// The user of servers that do not authenticate anybody.
    pub fn admin() -> User {
        User::new("kubernetes-admin", [MASTERS])
    }

    /// Whether the user may do everything, whatever roles say.
    pub(crate) fn is_privileged(&self) -> bool {
        self.is_in(MASTERS)
    }

    pub(crate) fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|it| it == group)
    }

    /// The user with the group that all have whose name the server knows.
    pub(crate) fn authenticated(mut self) -> User {
        let group = if self.name == ANONYMOUS { UNAUTHENTICATED } else { AUTHENTICATED };
        if !self.is_in(UNAUTHENTICATED) && !self.is_in(group) {
            self.groups.push(group.to_owned());
        }
        self
    }

    /// The user whom a client means that names this one: a service account is in its groups, unless the client names others.
    pub(crate) fn meant(mut self) -> User {
        if self.groups.is_empty()
            && let Some((namespace, _)) = account(&self.name)
        {
            self.groups = account_groups(namespace);
        }
        self.authenticated()
    }

    /// The user as `UserInfo`.
    pub(crate) fn to_value(&self) -> Value {
        let User { name, uid, groups, extra } = self;
        let mut info = map([("username", name.as_str().into()), ("groups", groups.clone().into())]);
        if let Value::Map(info) = &mut info {
            if !uid.is_empty() {
                info.insert("uid", uid.as_str().into());
            }
            if !extra.is_empty() {
                let extra: Map<Value> =
                    extra.iter().map(|(key, values)| (key.as_str(), values.clone().into())).collect();
                info.insert("extra", Value::Map(extra));
            }
        }
        info
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_names_a_user_means_its_groups_too() {
        let meant = |name: &str, groups: &[&str]| {
            let groups = groups.iter().map(|&group| group.to_owned()).collect();
            User { name: name.to_owned(), groups, ..User::default() }.meant().groups.join(" ")
        };
        for (name, groups, expected) in [
            ("jane", &[][..], "system:authenticated"),
            ("jane", &["dev"], "dev system:authenticated"),
            ("jane", &["system:unauthenticated"], "system:unauthenticated"),
            ("system:anonymous", &[], "system:unauthenticated"),
            (
                "system:serviceaccount:n:a",
                &[],
                "system:serviceaccounts system:serviceaccounts:n system:authenticated",
            ),
            ("system:serviceaccount:n:a", &["dev"], "dev system:authenticated"),
            ("system:serviceaccount:n:a:b", &[], "system:authenticated"),
            ("system:serviceaccount:N:a", &[], "system:authenticated"),
        ] {
            assert_eq!(meant(name, groups), expected, "{name} {groups:?}");
        }
    }
}
