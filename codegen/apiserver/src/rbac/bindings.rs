//! Which rules apply to a user.

use super::rule::{Rule, rules};
use super::{GROUP, cluster_roles};
use crate::meta;
use crate::status::Failure;
use crate::store::{Key, Object, Resource, Store};
use crate::user::User;
use crdgen_core::go;
use crdgen_core::value::Value;
use std::fmt;

/// A rule that applies to a user, and the binding that says so.
#[derive(Clone, Debug)]
pub(crate) struct Granted<'s> {
    pub(crate) rule: Rule<'s>,
    pub(crate) source: Source<'s>,
}

/// The rules that apply to a user.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found<'s> {
    pub(crate) granted: Vec<Granted<'s>>,
    /// Roles to which the user is bound, and that are not there.
    missing: Vec<Failure>,
}

impl Found<'_> {
    /// Which roles are missing.
    pub(crate) fn problem(&self) -> Option<String> {
        let mut messages: Vec<&str> = Vec::new();
        for Failure { message, .. } in &self.missing {
            if !messages.contains(&message.as_str()) {
                messages.push(message);
            }
        }
        match messages[..] {
            [] => None,
            [one] => Some(one.to_owned()),
            _ => Some(format!("[{}]", messages.join(", "))),
        }
    }
}

/// A binding, and which of its subjects is the user.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'s> {
    binding: &'s Value,
    subject: &'s Value,
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Source { binding, subject } = self;
        let (name, namespace) = (meta::text(binding, "name"), meta::text(binding, "namespace"));
        match namespace {
            "" => write!(f, "ClusterRoleBinding {}", go::quote(name))?,
            namespace => write!(f, "RoleBinding {}", go::quote(&format!("{name}/{namespace}")))?,
        }
        let (kind, role) = reference(binding);
        write!(f, " of {kind} {} to {} ", go::quote(role), subject.text("kind"))?;
        let name = subject.text("name");
        let subject = match subject.text("kind") {
            "ServiceAccount" => format!("{name}/{}", account_namespace(subject, namespace)),
            _ => name.to_owned(),
        };
        f.write_str(&go::quote(&subject))
    }
}

/// The namespace of a service account in a binding. Without its own, it is that of the binding.
fn account_namespace<'s>(subject: &'s Value, namespace: &'s str) -> &'s str {
    Some(subject.text("namespace")).filter(|own| !own.is_empty()).unwrap_or(namespace)
}

/// The kind and the name of the role of a binding.
fn reference(binding: &Value) -> (&str, &str) {
    let role = binding.get("roleRef").unwrap_or(&Value::Null);
    (role.text("kind"), role.text("name"))
}

/// The rules that apply to a user in a namespace or, if it is empty, everywhere.
pub(crate) fn rules_for<'s>(store: &'s Store, user: &User, namespace: &'s str) -> Found<'s> {
    let mut found = Found::default();
    let all = Resource::new(GROUP, "clusterrolebindings");
    let bindings = store.objects(&all, "").map(|(_, binding)| (binding, ""));
    let local = Resource::new(GROUP, "rolebindings");
    let local = store.objects(&local, namespace).map(|(_, binding)| (binding, namespace));
    for (binding, namespace) in bindings.chain(local.filter(|_| !namespace.is_empty())) {
        let subjects = binding.get("subjects").and_then(Value::as_list).unwrap_or_default();
        let Some(subject) = subjects.iter().find(|subject| is_user(subject, user, namespace)) else {
            continue;
        };
        match rules_of(store, binding, namespace) {
            Ok(rules) => found
                .granted
                .extend(rules.into_iter().map(|rule| Granted { rule, source: Source { binding, subject } })),
            Err(why) => found.missing.push(why),
        }
    }
    found
}

/// Whether a subject of a binding is a user.
fn is_user(subject: &Value, user: &User, namespace: &str) -> bool {
    let name = subject.text("name");
    match subject.text("kind") {
        "User" => user.name == name,
        "Group" => user.is_in(name),
        "ServiceAccount" => {
            let namespace = account_namespace(subject, namespace);
            !namespace.is_empty() && user.name == format!("system:serviceaccount:{namespace}:{name}")
        }
        _ => false,
    }
}

/// The rules of the role to which a binding refers.
pub(crate) fn rules_of<'s>(
    store: &'s Store,
    binding: &Value,
    namespace: &str,
) -> Result<Vec<Rule<'s>>, Failure> {
    let (kind, name) = reference(binding);
    let (resource, namespace) = match kind {
        "Role" => (Resource::new(GROUP, "roles"), namespace),
        _ => (cluster_roles(), ""),
    };
    let role = store.get(&resource, &Key::new(namespace, name)).map(|role: &std::sync::Arc<Object>| &***role);
    let kind = kind.to_ascii_lowercase();
    role.map(rules).ok_or_else(|| Failure::not_found(&kind, GROUP, name))
}
