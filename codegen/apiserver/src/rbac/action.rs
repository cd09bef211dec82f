//! What somebody wants to do.

use crate::status::{Details, Failure};
use crate::user::User;
use crdgen_core::go;

/// Something that somebody wants to do, as roles name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Resource(ResourceAction),
    /// A request for a path that is not about objects.
    Path {
        verb: String,
        path: String,
    },
}

/// Something that is done with objects. Texts are empty if the request does not name what they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResourceAction {
    pub(crate) verb: String,
    pub(crate) group: String,
    pub(crate) resource: String,
    pub(crate) subresource: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

/// What a user wants to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'a> {
    pub(crate) user: &'a User,
    pub(crate) action: &'a Action,
}

impl ResourceAction {
    /// The resource with its subresource, as roles name them.
    pub(crate) fn combined(&self) -> String {
        match self.subresource.as_str() {
            "" => self.resource.clone(),
            subresource => format!("{}/{subresource}", self.resource),
        }
    }
}

impl Action {
    pub(crate) fn verb(&self) -> &str {
        match self {
            Action::Resource(action) => &action.verb,
            Action::Path { verb, .. } => verb,
        }
    }

    /// The same with another verb.
    pub(crate) fn with_verb(&self, verb: String) -> Action {
        match self.clone() {
            Action::Resource(action) => Action::Resource(ResourceAction { verb, ..action }),
            Action::Path { path, .. } => Action::Path { verb, path },
        }
    }
}

impl Attributes<'_> {
    /// The failure of a request that is not allowed, in the server's words. `reason` is the one of the decision.
    pub(crate) fn forbidden(self, reason: &str) -> Failure {
        // The server writes nothing that looks like a page of the web.
        let why = self.words().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let why = if reason.is_empty() { why } else { format!("{why}: {reason}") };
        match self.action {
            Action::Path { .. } => {
                Failure::new(403, "Forbidden", format!("forbidden: {why}")).with(Details::default())
            }
            Action::Resource(action) if action.resource.is_empty() => {
                let details = Details { name: action.name.clone(), ..Details::default() };
                Failure::new(403, "Forbidden", format!("forbidden: {why}")).with(details)
            }
            Action::Resource(ResourceAction { group, resource, name, .. }) => {
                Failure::forbidden(resource, group, name, &why)
            }
        }
    }

    fn words(self) -> String {
        let user = go::quote(&self.user.name);
        let action = match self.action {
            Action::Path { verb, path } => {
                return format!("User {user} cannot {verb} path {}", go::quote(path));
            }
            Action::Resource(action) => action,
        };
        let ResourceAction { verb, group, namespace, .. } = action;
        let place = match namespace.as_str() {
            "" => "at the cluster scope".to_owned(),
            namespace => format!("in the namespace {}", go::quote(namespace)),
        };
        let (resource, group) = (go::quote(&action.combined()), go::quote(group));
        format!("User {user} cannot {verb} resource {resource} in API group {group} {place}")
    }
}
