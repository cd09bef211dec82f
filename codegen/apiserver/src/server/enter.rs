//! Whether a client may send a request, and in whose name.

use super::Server;
use crate::rbac::{Action, Attributes, Authorization, Decision, ResourceAction};
use crate::request::{action, impersonated};
use crate::status::Failure;
use crate::store::Store;
use crate::user::{MASTERS, User, account};
use crdgen_core::go::url::Url;
use crdgen_core::names;
use http::{HeaderMap, Method};

impl Server {
    /// The user in whose name a client sends a request: the one that its headers name, or its own.
    pub(super) fn enter(
        &self,
        user: &User,
        method: &Method,
        uri: &str,
        headers: &HeaderMap,
    ) -> Result<User, Failure> {
        let meant = impersonated(headers)?;
        // Administrators need no lock.
        if meant.is_none() && user.is_privileged() {
            return Ok(user.clone());
        }
        let url = Url::parse_request_uri(uri).map_err(|why| Failure::bad_request(why.to_string()))?;
        let action = action(method, &url.path, &url.parameters());
        let state = self.state();
        let gate = Gate { authorization: state.authorization, store: &state.store };
        let user = match meant {
            Some(meant) => gate.impersonate(user, meant, &action)?,
            None => user.clone(),
        };
        gate.check(&user, &action)?;
        Ok(user)
    }
}

/// Decides who may do what.
#[derive(Clone, Copy)]
struct Gate<'s> {
    authorization: Authorization,
    store: &'s Store,
}

/// A way of impersonating, of which each needs permissions of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    ArbitraryNode,
    ServiceAccount,
    UserInfo,
    /// The oldest one, for all users.
    Legacy,
}

impl Mode {
    const ALL: [Mode; 4] = [Mode::ArbitraryNode, Mode::ServiceAccount, Mode::UserInfo, Mode::Legacy];

    /// The name in verbs. The oldest mode has none.
    fn name(self) -> Option<&'static str> {
        match self {
            Mode::ArbitraryNode => Some("arbitrary-node"),
            Mode::ServiceAccount => Some("serviceaccount"),
            Mode::UserInfo => Some("user-info"),
            Mode::Legacy => None,
        }
    }

    /// Whether the mode is for a user.
    fn is_for(self, meant: &User) -> bool {
        let User { name, uid, groups, extra } = meant;
        let is_name_only = uid.is_empty() && groups.is_empty() && extra.is_empty();
        let (is_node, is_account) = (node(name).is_some(), account(name).is_some());
        match self {
            Mode::ArbitraryNode => is_name_only && is_node,
            Mode::ServiceAccount => is_name_only && is_account,
            Mode::UserInfo => !is_node && !is_account,
            Mode::Legacy => true,
        }
    }
}

/// The name of a node, if a user is one.
fn node(user: &str) -> Option<&str> {
    user.strip_prefix("system:node:").filter(|name| names::dns1123_subdomain(name).is_empty())
}

impl Gate<'_> {
    /// Checks that a user may do something.
    fn check(self, user: &User, action: &Action) -> Result<(), Failure> {
        let attributes = Attributes { user, action };
        match self.authorization.decide(self.store, attributes) {
            Decision::Allowed(_) => Ok(()),
            Decision::NotAllowed(reason) => Err(attributes.forbidden(&reason)),
        }
    }

    /// The user that another one may be for a request. Fails in the words of the first mode that is for such users.
    fn impersonate(self, user: &User, meant: User, action: &Action) -> Result<User, Failure> {
        let mut first = None;
        for mode in Mode::ALL.into_iter().filter(|mode| mode.is_for(&meant)) {
            match self.may_impersonate(user, &meant, action, mode) {
                Ok(()) => {
                    let is_node = mode == Mode::ArbitraryNode;
                    let groups = if is_node { vec!["system:nodes".to_owned()] } else { meant.groups.clone() };
                    return Ok(User { groups, ..meant }.meant());
                }
                Err(why) => first = first.or(Some(why)),
            }
        }
        Err(first.unwrap_or_else(|| Failure::internal("all impersonation modes failed")))
    }

    fn may_impersonate(self, user: &User, meant: &User, action: &Action, mode: Mode) -> Result<(), Failure> {
        const AUTHENTICATION: &str = "authentication.k8s.io";
        let (verb, group) = match mode.name() {
            None => ("impersonate".to_owned(), ""),
            Some(name) => {
                let on = action.with_verb(format!("impersonate-on:{name}:{}", action.verb()));
                self.check(user, &on)?;
                (format!("impersonate:{name}"), AUTHENTICATION)
            }
        };
        let ask = |group: &str, resource: &str, name: &str| ResourceAction {
            verb: verb.clone(),
            group: group.to_owned(),
            resource: resource.to_owned(),
            name: name.to_owned(),
            ..ResourceAction::default()
        };
        let check = |asked: ResourceAction| self.check(user, &Action::Resource(asked));
        check(match (account(&meant.name), node(&meant.name).filter(|_| mode != Mode::Legacy)) {
            (Some((namespace, name)), _) => {
                ResourceAction { namespace: namespace.to_owned(), ..ask(group, "serviceaccounts", name) }
            }
            (None, Some(name)) => ask(group, "nodes", name),
            (None, None) => ask(group, "users", &meant.name),
        })?;
        if !meant.uid.is_empty() {
            check(ask(AUTHENTICATION, "uids", &meant.uid))?;
        }
        for name in &meant.groups {
            if mode != Mode::Legacy && name == MASTERS {
                let action = Action::Resource(ask(group, "groups", name));
                let why = "impersonating the system:masters group is not allowed";
                return Err(Attributes { user, action: &action }.forbidden(why));
            }
            check(ask(group, "groups", name))?;
        }
        for (key, values) in &meant.extra {
            for value in values {
                let asked = ask(AUTHENTICATION, "userextras", value);
                check(ResourceAction { subresource: key.clone(), ..asked })?;
            }
        }
        Ok(())
    }
}
