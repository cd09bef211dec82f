//! Validating admission policies of the cluster.

use super::{Admission, Attributes};
use crate::registry::{Kind, api_version, namespaces};
use crate::status::{Cause, Failure};
use crate::store::{Key, Object, Resource, Store};
use crdgen_core::GroupVersion;
use crdgen_core::metadata::Scope;
use crdgen_core::value::Value;
use crdgen_kubernetes::policies::{
    Binding, Cluster, Decided, Denied, KindFacts, ParamKind, Policy, Request, decide,
};
use std::borrow::Cow;
use std::sync::Arc;

fn policies() -> Resource {
    Resource::new("admissionregistration.k8s.io", "validatingadmissionpolicies")
}

fn bindings() -> Resource {
    Resource::new("admissionregistration.k8s.io", "validatingadmissionpolicybindings")
}

/// Whether there are any bindings of policies.
pub(super) fn has_policies(store: &Store) -> bool {
    store.objects(&bindings(), "").next().is_some()
}

impl Admission<'_> {
    /// Asks the policies about a write.
    pub(super) fn ask_policies(&self, object: Option<&Value>, old: Option<&Value>) -> Result<(), Failure> {
        let store = &self.state.store;
        if !has_policies(store) {
            return Ok(());
        }
        let policies = policies();
        let policies: Vec<&Policy> = store.objects(&policies, "").map(|(_, it)| it.policy()).collect();
        let resource = bindings();
        let bindings: Vec<Binding> =
            store.objects(&resource, "").map(|(_, object)| Binding::read(object)).collect();
        let seen = |version: &str| self.seen(object, old, version).map_err(|why| why.message);
        let request = Request { target: self.attributes.target(), object, old, seen: &seen };
        let Decided { denied, warnings, .. } = decide(&policies, &bindings, &request, self);
        self.warnings.borrow_mut().extend(warnings.into_iter().map(|said| said.text));
        denied.map_or(Ok(()), |denied| Err(self.denied(denied)))
    }

    fn denied(&self, Denied { reason, said }: Denied) -> Failure {
        let message = said.text;
        let Attributes { kind, name, .. } = &self.attributes;
        let (plural, group) = (&kind.resource.plural, &kind.resource.group);
        let code = match reason.as_str() {
            "Forbidden" => 403,
            "RequestEntityTooLarge" => 413,
            _ => 422,
        };
        let mut failure = Failure::forbidden(plural, group, name, &message);
        if let Some(details) = &mut failure.details {
            details.causes.push(Cause { reason: String::new(), message, field: String::new() });
        }
        Failure { code, reason: Cow::Owned(reason), ..failure }
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
