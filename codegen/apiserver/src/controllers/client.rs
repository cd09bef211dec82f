//! The controllers of kube-controller-manager are clients: webhooks are asked before they change an object.

use crate::admission::{self, Admission, Attributes, Operation};
use crate::meta::{self, map};
use crate::registry::{Kind, Subresource};
use crate::state::State;
use crate::store::{Object, Resource};
use crate::user::User;
use crate::webhooks::Hooks;
use crdgen_core::apply::{self, Verb, Write};
use crdgen_core::object::Conversion;
use crdgen_core::value::Value;
use std::sync::Arc;

/// Why a controller has not done something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Not {
    /// A webhook has not answered yet.
    Yet,
    /// A webhook does not allow it, or has failed. The controller tries again after the next change, or after some time.
    Allowed,
}

/// Whether two things are done. What only waits for webhooks goes on, whatever they have not allowed besides.
pub(super) fn both(first: Result<(), Not>, second: Result<(), Not>) -> Result<(), Not> {
    if second == Err(Not::Yet) { second } else { first.and(second) }
}

/// A controller that changes objects.
#[derive(Clone, Copy, Debug)]
pub(super) enum Controller {
    GarbageCollector,
    Namespaces,
    RoleAggregation,
    ServiceAccounts,
    Certificates,
}

impl Controller {
    /// The service account of the controller.
    fn user(self) -> User {
        let name = match self {
            Controller::GarbageCollector => "generic-garbage-collector",
            Controller::Namespaces => "namespace-controller",
            Controller::RoleAggregation => "clusterrole-aggregation-controller",
            Controller::ServiceAccounts => "service-account-controller",
            Controller::Certificates => "root-ca-cert-publisher",
        };
        User::service_account("kube-system", name)
    }
}

/// How a controller deletes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deletion {
    /// This object, in the state that the controller has seen.
    OfOne,
    /// With all objects of its kind.
    OfAll,
}

/// A controller as a client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client<'h> {
    pub(super) hooks: &'h Hooks,
    pub(super) controller: Controller,
}

impl Client<'_> {
    /// Asks whether an object may be deleted.
    pub(super) fn ask_to_delete(
        self,
        state: &State,
        resource: &Resource,
        live: &Arc<Object>,
        deletion: Deletion,
    ) -> Result<(), Not> {
        let Some(asked) = self.asked(state, resource)? else { return Ok(()) };
        let old = self.read(&asked, live)?;
        let text = |name: &str| Value::from(meta::text(&old, name));
        let mut options = options("DeleteOptions");
        if let Value::Map(options) = &mut options {
            options.insert("propagationPolicy", "Background".into());
            if deletion == Deletion::OfOne {
                let names = ["resourceVersion", "uid"].map(|name| (name, text(name)));
                options.insert("preconditions", map(names));
            }
        }
        let user = self.controller.user();
        let attributes = Attributes {
            operation: Operation::Delete,
            user: &user,
            kind: &asked.kind,
            version: &asked.version,
            subresource: None,
            namespace: meta::text(&old, "namespace"),
            name: if deletion == Deletion::OfOne { meta::text(&old, "name") } else { "" },
            dry_run: false,
            options,
        };
        let admission = Admission::new(state, self.hooks, attributes);
        admission.mutate(None, Some(&old));
        self.allowed(&admission)?;
        admission.validate(None, Some(&old)).map_err(|_| self.not())
    }

    /// Asks whether an object may be created or changed. Returns what is to be stored.
    pub(super) fn ask_to_write(
        self,
        state: &State,
        resource: &Resource,
        live: Option<&Arc<Object>>,
        new: Value,
        subresource: Option<Subresource>,
    ) -> Result<Value, Not> {
        let Some(asked) = self.asked(state, resource)? else { return Ok(new) };
        let old = live.map(|live| self.read(&asked, live)).transpose()?;
        let old = old.as_ref().map(|old| &***old);
        let (operation, kind) = match old {
            None => (Operation::Create, "CreateOptions"),
            Some(_) => (Operation::Update, "UpdateOptions"),
        };
        let shown = self.read(&asked, &Arc::new(Object::from(new.clone())))?;
        let user = self.controller.user();
        let attributes = Attributes {
            operation,
            user: &user,
            kind: &asked.kind,
            version: &asked.version,
            subresource,
            namespace: meta::text(&shown, "namespace"),
            name: meta::text(&shown, "name"),
            dry_run: false,
            options: options(kind),
        };
        let admission = Admission::new(state, self.hooks, attributes);
        let admitted = admission.mutate(Some(Value::clone(&shown)), old);
        self.allowed(&admission)?;
        let admitted = admitted.ok_or(Not::Allowed)?;
        admission.validate(Some(&admitted), old).map_err(|_| self.not())?;
        if admitted == **shown { Ok(new) } else { self.stored(state, &asked, live, admitted, subresource) }
    }

    /// The kind to ask about, in the version that clients prefer. `None` if there are no policies and webhooks.
    fn asked(self, state: &State, resource: &Resource) -> Result<Option<Asked>, Not> {
        if !admission::is_asked(&state.store) {
            return Ok(None);
        }
        let Some(kind) = state.registry.get(resource).cloned() else { return Ok(None) };
        let versions = state.registry.versions(&resource.group);
        let version = versions.into_iter().find(|version| kind.serves(&resource.group, version));
        Ok(version.map(|version| Asked { kind, version }))
    }

    fn read(self, asked: &Asked, stored: &Arc<Object>) -> Result<Arc<Object>, Not> {
        self.hooks.read(&asked.kind, stored, &asked.version).map_err(|_| self.not())
    }

    /// What is stored of an object that webhooks have changed: it is checked and pruned, as other writes are.
    fn stored(
        self,
        state: &State,
        asked: &Asked,
        live: Option<&Arc<Object>>,
        object: Value,
        subresource: Option<Subresource>,
    ) -> Result<Value, Not> {
        let kind = &asked.kind;
        let (now, namespace) = (state.clock.now(), meta::text(&object, "namespace").to_owned());
        let live = live.map(|live| Value::clone(live));
        let write = Write {
            verb: Verb::Update,
            manager: "kube-controller-manager",
            body: object,
            live,
            // The writer does not know this one.
            subresource: subresource.filter(|it| *it != Subresource::Finalize).map_or("", Subresource::name),
            namespace: &namespace,
            now: &now,
        };
        let converter = self.hooks.converter(kind);
        let conversion = converter.as_ref().map(|it| it as &dyn Conversion);
        let hooks = apply::Hooks { conversion, ..apply::Hooks::default() };
        let writer = kind.writer().map_err(|_| Not::Allowed)?;
        let answer = match kind.built_in(&asked.version) {
            Some(of) => of.write_with(write, &hooks),
            None => {
                let version = kind.version(writer.served(), &asked.version).map_err(|_| Not::Allowed)?;
                writer.write_with(version, write, &hooks)
            }
        };
        let answer = answer.map_err(|_| self.not())?;
        let object = answer.object.filter(|_| answer.rejected.is_none()).ok_or(Not::Allowed)?;
        Ok(answer.stored.or_else(|| kind.to_stored(&object)).unwrap_or(object))
    }

    fn allowed(self, admission: &Admission<'_>) -> Result<(), Not> {
        match admission.take_failure() {
            None => Ok(()),
            Some(_) => Err(self.not()),
        }
    }

    /// Why something that has failed is not done.
    fn not(self) -> Not {
        if self.hooks.is_waiting() { Not::Yet } else { Not::Allowed }
    }
}

/// What webhooks are asked about.
struct Asked {
    kind: Arc<Kind>,
    version: String,
}

fn options(kind: &str) -> Value {
    map([("apiVersion", "meta.k8s.io/v1".into()), ("kind", kind.into())])
}
