//! Who may do what: the roles in the store, and the users and groups to which they are bound.

mod action;
mod bindings;
mod bootstrap;
mod escalation;
mod rule;

pub(crate) use action::{Action, Attributes, ResourceAction};
pub(crate) use bindings::{rules_for, rules_of};
pub(crate) use bootstrap::objects as bootstrap_objects;
pub(crate) use escalation::{full_authority, missing};
pub(crate) use rule::{Rule, rules};

use crate::store::{Resource, Store};

pub(crate) const GROUP: &str = "rbac.authorization.k8s.io";

/// The resource of cluster roles.
pub(crate) fn cluster_roles() -> Resource {
    Resource::new(GROUP, "clusterroles")
}

/// How the server decides who may do what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Authorization {
    /// Everybody may do everything.
    #[default]
    AlwaysAllow,
    /// As roles and their bindings say.
    Rbac,
}

/// Whether a user may do something, and why, in the server's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Allowed(String),
    /// No role allows it. The reason is not empty if a role is missing.
    NotAllowed(String),
}

impl Authorization {
    pub(crate) fn decide(self, store: &Store, attributes: Attributes<'_>) -> Decision {
        let Attributes { user, action } = attributes;
        if self == Authorization::AlwaysAllow || user.is_privileged() {
            return Decision::Allowed(String::new());
        }
        let namespace = match action {
            Action::Resource(action) => &action.namespace,
            Action::Path { .. } => "",
        };
        let found = rules_for(store, user, namespace);
        match found.granted.iter().find(|granted| granted.rule.allows(action)) {
            Some(granted) => Decision::Allowed(format!("RBAC: allowed by {}", granted.source)),
            None => Decision::NotAllowed(match found.problem() {
                None => String::new(),
                Some(problem) => format!("rbac: RBAC: {problem}"),
            }),
        }
    }

    /// Whether a user may do something.
    pub(crate) fn allows(self, store: &Store, attributes: Attributes<'_>) -> bool {
        matches!(self.decide(store, attributes), Decision::Allowed(_))
    }
}
