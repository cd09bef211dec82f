//! Admission policies of the cluster.

use super::{Admission, Attributes};
use crate::rbac::{self, Action, Decision, ResourceAction};
use crate::registry::{Kind, ObjectType, api_version, namespaces};
use crate::status::{Cause, Failure};
use crate::store::{Key, Object, Resource, Store};
use crate::user::User;
use crdgen_core::GroupVersion;
use crdgen_core::apply::BuiltIn;
use crdgen_core::apply::library::Message;
use crdgen_core::metadata::Scope;
use crdgen_core::value::Value;
use crdgen_kubernetes::policies::{
    Access, Binding, Cluster, Decided, Denied, KindFacts, Objects, ParamKind, Permission, Policy, Purpose,
    Refused, Reinvocation, Request, Round, Said, decide, mutate,
};
use std::borrow::Cow;
use std::sync::Arc;

/// The policies and the bindings of a purpose.
fn resources(purpose: Purpose) -> [Resource; 2] {
    purpose.plurals().map(|plural| Resource::new("admissionregistration.k8s.io", plural))
}

/// Whether there are any bindings of policies.
pub(super) fn has_policies(store: &Store, purpose: Purpose) -> bool {
    let [_, bindings] = resources(purpose);
    store.objects(&bindings, "").next().is_some()
}

impl Admission<'_> {
    /// Asks the policies about a write.
    pub(super) fn ask_policies(&self, object: Option<&Value>, old: Option<&Value>) -> Result<(), Failure> {
        if !has_policies(&self.state.store, Purpose::Validating) {
            return Ok(());
        }
        let (policies, bindings) = self.policies(Purpose::Validating);
        let seen = |version: &str| self.seen(object, old, version).map_err(|why| why.message);
        let request = Request { target: self.attributes.target(), object, old, seen: &seen };
        let Decided { denied, warnings, .. } = decide(&policies, &bindings, &request, self);
        self.warn(warnings);
        denied.map_or(Ok(()), |denied| Err(self.denied(denied)))
    }

    /// The object after the mutations of policies. `None` if they change nothing.
    pub(super) fn apply_policies(
        &self,
        object: Option<&Value>,
        old: Option<&Value>,
        round: Round,
        reinvocation: &mut Reinvocation,
    ) -> Result<Option<Value>, Failure> {
        if !has_policies(&self.state.store, Purpose::Mutating) {
            return Ok(None);
        }
        let (policies, bindings) = self.policies(Purpose::Mutating);
        let seen = |version: &str| self.seen(object, old, version).map_err(|why| why.message);
        let request = Request { target: self.attributes.target(), object, old, seen: &seen };
        let mutated = mutate(&policies, &bindings, &request, (self, self), round, reinvocation);
        match mutated.refused {
            None => Ok(mutated.object),
            Some(Refused::Internal(why)) => Err(Failure::internal(why)),
            Some(Refused::Unavailable(why)) => Err(Failure::new(503, "ServiceUnavailable", why)),
            Some(Refused::NoNamespace(name)) => Err(Failure::not_found("namespaces", "", &name)),
            Some(Refused::Denied { reason, said }) => Err(self.refused(reason, said)),
        }
    }

    fn policies(&self, purpose: Purpose) -> (Vec<&Policy>, Vec<Binding>) {
        let store = &self.state.store;
        let [policies, bindings] = resources(purpose);
        let bindings = store.objects(&bindings, "").map(|(_, object)| Binding::read(object, purpose));
        let bindings = bindings.collect();
        (store.objects(&policies, "").map(|(_, object)| object.policy(purpose)).collect(), bindings)
    }

    fn warn(&self, said: Vec<Said>) {
        self.warnings.borrow_mut().extend(said.into_iter().map(|said| said.text));
    }

    /// Mutating policies that cannot be evaluated. The server does not say the name of the object.
    fn refused(&self, reason: &'static str, said: Vec<Said>) -> Failure {
        let message = said.first().map(|said| said.text.clone()).unwrap_or_default();
        Failure { reason: Cow::Borrowed(reason), message, ..self.forbidden(said) }
    }

    fn denied(&self, Denied { reason, said }: Denied) -> Failure {
        let code = match reason.as_str() {
            "Forbidden" => 403,
            "RequestEntityTooLarge" => 413,
            _ => 422,
        };
        Failure { code, reason: Cow::Owned(reason), ..self.forbidden(vec![said]) }
    }

    /// The failure with what policies say, of which the first is the message.
    fn forbidden(&self, said: Vec<Said>) -> Failure {
        let Attributes { kind, name, .. } = &self.attributes;
        let why = said.first().map_or("", |said| said.text.as_str());
        let mut failure = Failure::forbidden(&kind.resource.plural, &kind.resource.group, name, why);
        if let Some(details) = &mut failure.details {
            let cause =
                |said: Said| Cause { reason: String::new(), message: said.text, field: String::new() };
            details.causes.extend(said.into_iter().map(cause));
        }
        failure
    }

    fn kind_of(&self, kind: &ParamKind) -> Option<&Arc<Kind>> {
        let GroupVersion { group, version } = GroupVersion::of(&kind.api_version);
        let mut kinds = self.state.registry.kinds();
        kinds.find(|it| it.names.kind == kind.kind && it.serves(group, version))
    }
}

impl Cluster for Admission<'_> {
    fn namespace(&self, name: &str) -> Option<Value> {
        let found = self.state.store.get(&namespaces(), &Key::new("", name));
        found.map(|object| Value::clone(object))
    }

    fn permission(&self, access: &Access) -> Permission {
        let groups = access.user.get("groups").and_then(Value::as_list).unwrap_or_default();
        let groups = groups.iter().filter_map(|group| group.as_str().map(str::to_owned)).collect();
        let user = User { name: access.user.text("username").to_owned(), groups, ..User::default() };
        let Access { verb, path, group, resource, subresource, namespace, name, .. } = access.clone();
        let action = if path.is_empty() {
            Action::Resource(ResourceAction { verb, group, resource, subresource, namespace, name })
        } else {
            Action::Path { verb, path }
        };
        let attributes = rbac::Attributes { user: &user, action: &action };
        let (is_allowed, reason) = match self.state.authorization.decide(&self.state.store, attributes) {
            Decision::Allowed(reason) => (true, reason),
            Decision::NotAllowed(reason) => (false, reason),
        };
        Permission { is_allowed, reason, error: String::new() }
    }

    fn facts(&self, kind: &ParamKind) -> Option<KindFacts> {
        let kind = self.kind_of(kind)?;
        let scope = if kind.namespaced { Scope::Namespaced } else { Scope::Cluster };
        Some(KindFacts { scope, is_custom: !kind.has_code() })
    }

    fn objects(
        &self,
        kind: &ParamKind,
        namespace: Option<&str>,
        is_wanted: &dyn Fn(&Value) -> bool,
    ) -> Vec<Value> {
        let Some(found) = self.kind_of(kind) else { return Vec::new() };
        let GroupVersion { group, version } = GroupVersion::of(&kind.api_version);
        let stored = self.state.store.objects(&found.stored_in, namespace.unwrap_or_default());
        let read = |object: &Arc<Object>| {
            let mut object = found.read_stored(object, version);
            if let Value::Map(map) = &mut object {
                map.insert("apiVersion", api_version(group, version).into());
                map.insert("kind", kind.kind.as_str().into());
            }
            object
        };
        stored.filter(|(_, object)| is_wanted(object)).map(|(_, object)| read(object)).collect()
    }
}

impl Objects for Admission<'_> {
    fn convert(&self, object: Value, version: &str) -> Result<Value, Message> {
        let of = GroupVersion::of(object.text("apiVersion")).version.to_owned();
        Admission::convert(self, object, &of, version).map_err(|why| Message(why.message))
    }

    fn overlay(&self, object: Value, configuration: Value) -> Result<Value, Message> {
        if !self.attributes.kind.has_code() {
            let writer = self.attributes.kind.writer().map_err(|why| Message(why.message))?;
            return writer.overlay(object, configuration);
        }
        let ObjectType { api_version, kind } = ObjectType::of(&object);
        match BuiltIn::find(&api_version, &kind) {
            Some(of) => of.overlay(object, configuration),
            None => Err(Message(format!("no corresponding type for {api_version}, Kind={kind}"))),
        }
    }

    fn read(&self, mut patched: Value) -> Result<Value, Message> {
        let kind = self.attributes.kind;
        let ObjectType { api_version, kind: name } = ObjectType::of(&patched);
        match BuiltIn::find(&api_version, &name).filter(|_| kind.has_code()) {
            Some(of) => of.decode_strictly(patched),
            None => {
                self.set_defaults(&mut patched).map_err(|why| Message(why.message))?;
                Ok(patched)
            }
        }
    }
}
