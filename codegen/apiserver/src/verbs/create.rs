//! Creates objects.

use super::Call;
use super::options::read_version;
use super::write::Made;
use crate::admission::Operation;
use crate::answer::Answer;
use crate::meta;
use crate::rbac::{Action, Attributes, Decision, ResourceAction};
use crate::registry::{Role, definitions, namespaces};
use crate::request::Repeated;
use crate::size;
use crate::status::{Cause, Failure};
use crate::store::{Key, Resource};
use crdgen_core::apply::Verb;
use crdgen_core::value::Value;
use crdgen_kubernetes::finish::stamped;
use http::Method;

impl Call<'_> {
    pub(super) fn create(&mut self) -> Result<Answer, Failure> {
        let body = self.read_object()?;
        if self.kind.role == Role::Binding {
            let name = meta::text(&body.value, "name").to_owned();
            return self.bind(&name, &body.value);
        }
        if self.kind.role == Role::Review {
            return self.review(body.value);
        }
        self.warn_repeated(&body.repeated);
        let mut object = body.value;
        if !self.kind.has_code() {
            self.name(&mut object);
        }
        let object = self.create_as(Verb::Update, object, body.repeated)?;
        self.one(201, object)
    }

    /// Gives an object with `generateName` a name. Kubernetes' own kinds get it after admission.
    pub(super) fn name(&mut self, object: &mut Value) {
        let prefix = meta::text(object, "generateName");
        if meta::text(object, "name").is_empty() && !prefix.is_empty() {
            // The server cuts the prefix, so that the name has 63 characters at most.
            let prefix: String = prefix.chars().take(58).collect();
            let name = format!("{prefix}{}", self.state.random.suffix());
            meta::set(object, "name", Some(name.into()));
        }
    }

    /// Creates an object, also as the first apply of a configuration.
    pub(super) fn create_as(
        &mut self,
        verb: Verb,
        body: Value,
        repeated: Repeated,
    ) -> Result<Value, Failure> {
        self.check_namespace(&body)?;
        self.check_definition(meta::text(&body, "name"))?;
        let version = meta::text(&body, "resourceVersion");
        let has_version =
            self.request.method == Method::POST && read_version(version).is_ok_and(|version| version != 0);
        let Made { mut object, mut stored } = self.write(verb, body, repeated, None)?;
        let key = Key::new(meta::text(&object, "namespace"), meta::text(&object, "name"));
        let resource = self.resource();
        let of = self.kind.resource.clone();
        self.state.stamp(&mut object);
        if self.kind.has_code() {
            stamped(&mut object);
        }
        if self.request.method != Method::POST {
            self.check_creation()?;
        }
        let charged = self.validate(Operation::Create, &key.name, Some(&object), None)?;
        if !self.is_dry_run() {
            size::shrink(&resource, stored.as_mut().unwrap_or(&mut object), Operation::Create)?;
            if stored.as_ref().is_some_and(|stored| !meta::has(stored, "managedFields")) {
                meta::set(&mut object, "managedFields", None);
            }
        }
        // The storage says so, which a dry run does not reach.
        if has_version && !self.is_dry_run() {
            return Err(Failure::new(500, "", "resourceVersion should not be set on objects to be created"));
        }
        if let Some(found) = self.state.store.get(&resource, &key) {
            let failure = Failure::already_exists(&of.plural, &of.group, &key.name);
            return Err(if meta::is_deleting(found) {
                failure.after("object is being deleted: ")
            } else {
                failure
            });
        }
        if self.is_dry_run() {
            return Ok(object);
        }
        let stored = match stored {
            Some(mut stored) => {
                for name in ["uid", "creationTimestamp"] {
                    meta::set(&mut stored, name, Some(meta::text(&object, name).into()));
                }
                stored
            }
            None => object.clone(),
        };
        self.charge(charged);
        let stored = self.state.put(&resource, stored);
        meta::set(&mut object, "resourceVersion", Some(meta::text(&stored, "resourceVersion").into()));
        Ok(object)
    }

    /// Who creates an object by applying a configuration or by an update needs the verb `create` too.
    fn check_creation(&self) -> Result<(), Failure> {
        let action = Action::Resource(ResourceAction {
            verb: "create".to_owned(),
            group: self.path.group.clone(),
            resource: self.path.plural.clone(),
            subresource: self.path.subresource.clone(),
            namespace: self.path.namespace.clone(),
            name: self.path.name.clone(),
        });
        let attributes = Attributes { user: &self.request.user, action: &action };
        match self.state.authorization.decide(&self.state.store, attributes) {
            Decision::Allowed(_) => Ok(()),
            Decision::NotAllowed(reason) => Err(attributes.forbidden(&reason)),
        }
    }

    /// No objects are created while their CRD is being deleted.
    fn check_definition(&self, name: &str) -> Result<(), Failure> {
        let Resource { plural, group } = &self.kind.resource;
        let key = Key::new("", &self.kind.resource.to_string());
        let is_going = self.kind.role == Role::Custom
            && self.state.store.get(&definitions(), &key).is_some_and(|crd| meta::is_deleting(crd));
        let why = "create not allowed while custom resource definition is terminating";
        if is_going { Err(Failure::forbidden(plural, group, name, why)) } else { Ok(()) }
    }

    /// Objects can only be created in namespaces that exist and stay.
    fn check_namespace(&self, body: &Value) -> Result<(), Failure> {
        if !self.kind.namespaced {
            return Ok(());
        }
        let namespace = &self.path.namespace;
        if !self.state.checks_namespaces {
            return Ok(());
        }
        let Some(found) = self.state.store.get(&namespaces(), &Key::new("", namespace)) else {
            return Err(Failure::not_found("namespaces", "", namespace));
        };
        if !meta::is_deleting(found) {
            return Ok(());
        }
        let (plural, group) = (&self.kind.resource.plural, &self.kind.resource.group);
        let why =
            format!("unable to create new content in namespace {namespace} because it is being terminated");
        let mut failure = Failure::forbidden(plural, group, meta::text(body, "name"), &why);
        if let Some(details) = &mut failure.details {
            details.causes.push(Cause {
                reason: "NamespaceTerminating".to_owned(),
                message: format!("namespace {namespace} is being terminated"),
                field: "metadata.namespace".to_owned(),
            });
        }
        Err(failure)
    }
}
