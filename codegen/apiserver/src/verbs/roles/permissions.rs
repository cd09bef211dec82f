//! With roles and bindings, users give others only what they may do themselves.

use crate::meta;
use crate::rbac::{self, Action, Attributes, Authorization, GROUP, ResourceAction, Rule};
use crate::status::Failure;
use crate::verbs::Call;
use crdgen_core::value::Value;

/// Checks that the user may do everything that a new or changed role allows.
pub(super) fn role(call: &Call<'_>, object: &Value, live: Option<&Value>) -> Result<(), Failure> {
    let resource = call.kind.resource.plural.to_string();
    if is_free(call, object, live) || call.may("escalate", &resource, call.path.name.clone()) {
        return Ok(());
    }
    call.confirm(object, &rbac::rules(object))?;
    let collects = |role: &Value| {
        let selectors =
            role.get("aggregationRule").and_then(|rule| rule.get("clusterRoleSelectors")?.as_list());
        selectors.is_some_and(|selectors| !selectors.is_empty())
    };
    if !collects(object) && !live.is_some_and(collects)
        || call.confirm(object, &rbac::full_authority()).is_ok()
    {
        return Ok(());
    }
    Err(call.not_granted(object, "must have cluster-admin privileges to use the aggregationRule"))
}

/// Checks that the user may do everything that the role of a new or changed binding allows.
pub(super) fn binding(call: &Call<'_>, object: &Value, live: Option<&Value>) -> Result<(), Failure> {
    if is_free(call, object, live) {
        return Ok(());
    }
    let reference = object.get("roleRef").unwrap_or(&Value::Null);
    let resource = match reference.text("kind") {
        "ClusterRole" => Some("clusterroles"),
        "Role" => Some("roles"),
        _ => None,
    };
    let name = || reference.text("name").to_owned();
    if resource.is_some_and(|resource| call.may("bind", resource, name())) {
        return Ok(());
    }
    // The server names the resource of the request.
    let missing = |_| Failure::not_found(&call.kind.resource.plural, GROUP, &name());
    let rules = rbac::rules_of(&call.state.store, object, &call.path.namespace).map_err(missing)?;
    call.confirm(object, &rules)
}

/// Whether the user may do everything, or the change gives others nothing.
fn is_free(call: &Call<'_>, object: &Value, live: Option<&Value>) -> bool {
    let is_unchecked =
        call.state.authorization == Authorization::AlwaysAllow || call.request.user.is_privileged();
    // Garbage collection may change what it needs.
    is_unchecked || live.is_some_and(|live| without_owners(live) == without_owners(object))
}

fn without_owners(object: &Value) -> Value {
    let mut object = object.clone();
    for name in ["ownerReferences", "finalizers", "managedFields", "resourceVersion"] {
        meta::set(&mut object, name, None);
    }
    object
}

impl Call<'_> {
    /// Whether the user may do something with a role.
    fn may(&self, verb: &str, resource: &str, name: String) -> bool {
        let action = Action::Resource(ResourceAction {
            verb: verb.to_owned(),
            group: GROUP.to_owned(),
            resource: resource.to_owned(),
            subresource: String::new(),
            namespace: self.path.namespace.clone(),
            name,
        });
        let attributes = Attributes { user: &self.request.user, action: &action };
        self.state.authorization.allows(&self.state.store, attributes)
    }

    /// Checks that the user may give others these rules.
    fn confirm(&self, object: &Value, rules: &[Rule<'_>]) -> Result<(), Failure> {
        let (user, namespace) = (&self.request.user, &self.path.namespace);
        match rbac::missing(&self.state.store, user, namespace, rules) {
            None => Ok(()),
            Some(why) => Err(self.not_granted(object, &why)),
        }
    }

    fn not_granted(&self, object: &Value, why: &str) -> Failure {
        Failure::forbidden(&self.kind.resource.plural, GROUP, meta::text(object, "name"), why)
    }
}
