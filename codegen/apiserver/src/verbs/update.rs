//! Replaces objects, their status and their scale.

use super::options::read_version;
use super::own_metadata::needs_version;
use super::write::Made;
use super::{Call, size};
use crate::admission::Operation;
use crate::answer::Answer;
use crate::meta;
use crate::registry::{Role, Subresource};
use crate::status::{Failure, Mistake};
use crate::store::{Object, Resource};
use crdgen_core::apply::Verb;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use std::sync::Arc;

impl Call<'_> {
    pub(super) fn update(&mut self) -> Result<Answer, Failure> {
        let body = self.read_object()?;
        self.warn_repeated(&body.repeated);
        let (name, mut object) = (meta::text(&body.value, "name"), body.value.clone());
        let wrong = object.get("metadata").filter(|it| !matches!(it, Value::Map(_) | Value::Null));
        // Objects that cannot be decoded have no name either.
        if name.is_empty() && (self.kind.role == Role::Custom || wrong.is_none()) {
            return Err(self.without_name());
        }
        if wrong.is_none() {
            self.check_name(name)?;
        }
        let live = self.live()?;
        let namespace = meta::text(&object, "namespace");
        // The wrong namespace is reported first.
        if namespace.is_empty() || namespace == self.path.namespace {
            self.check_version(&mut object, &live)?;
        }
        self.check_uid(&object, &live)?;
        let made = self.write(Verb::Update, object, body.repeated, Some(&live))?;
        self.finish(made, &live)
    }

    /// Checks that an object has the name of the path.
    pub(super) fn check_name(&self, name: &str) -> Result<(), Failure> {
        if name.is_empty() {
            return Err(self.without_name());
        }
        if name == self.path.name {
            return Ok(());
        }
        Err(Failure::bad_request(format!(
            "the name of the object ({name}) does not match the name on the URL ({})",
            self.path.name
        )))
    }

    /// Checks the version that an update has. Afterwards an object that may be updated without one has that of the stored object.
    pub(super) fn check_version(&self, object: &mut Value, live: &Value) -> Result<(), Failure> {
        let found = object.get("metadata").and_then(|metadata| metadata.get("resourceVersion"));
        if found.is_some_and(|found| !matches!(found, Value::Str(_) | Value::Null)) {
            // Its decoder rejects it.
            return Ok(());
        }
        let version = meta::text(object, "resourceVersion");
        if !matches!(version, "" | "0") {
            return read_version(version).map(drop).map_err(|why| Failure::new(500, "", why));
        }
        let Resource { plural, group } = &self.kind.resource;
        if needs_version(group, &self.kind.names.kind, self.kind.role) && self.path.subresource.is_empty() {
            let why = "0: must be specified for an update";
            let mistake = Mistake::new("metadata.resourceVersion", Kind::Invalid, why);
            return Err(Failure::invalid_field(plural, group, &self.path.name, mistake));
        }
        meta::set(object, "resourceVersion", Some(meta::text(live, "resourceVersion").into()));
        Ok(())
    }

    /// The place of the object in the server's storage.
    pub(super) fn place(&self) -> String {
        let Resource { plural, group } = &self.kind.resource;
        let (namespace, name) = (&self.path.namespace, &self.path.name);
        let resource =
            if self.kind.role == Role::Custom { format!("{group}/{plural}") } else { plural.to_string() };
        if namespace.is_empty() {
            format!("{resource}/{name}")
        } else {
            format!("{resource}/{namespace}/{name}")
        }
    }

    /// A client that sends a uid means this object, and none of the same name.
    pub(super) fn check_uid(&self, object: &Value, live: &Value) -> Result<(), Failure> {
        let (wanted, found) = (meta::text(object, "uid"), meta::text(live, "uid"));
        if wanted.is_empty() || wanted == found {
            return Ok(());
        }
        let (plural, group) = (&self.kind.resource.plural, &self.kind.resource.group);
        let root = if self.kind.role == Role::Custom { "/registry/" } else { "/" };
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: {root}{}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: \
             UID in precondition: {wanted}, UID in object meta: {found}",
            self.place()
        );
        Err(Failure::conflict(plural, group, &self.path.name, &why))
    }

    /// Stores the new state of an object, and shows it.
    pub(super) fn finish(&mut self, made: Made, live: &Arc<Object>) -> Result<Answer, Failure> {
        let Made { mut object, stored } = made;
        if self.is_admitted_by_webhooks() {
            let (old, name) = (self.shown(live)?, self.path.name.clone());
            let (new, old) = (self.admitted_form(&object)?, self.admitted_form(&old)?);
            self.validate(Operation::Update, &name, Some(&new), Some(&old))?;
        }
        let stored = self.store_update(stored.unwrap_or_else(|| object.clone()), live)?;
        let version = meta::text(&stored, "resourceVersion");
        meta::set(&mut object, "resourceVersion", Some(version.into()));
        if !meta::has(&stored, "managedFields") {
            meta::set(&mut object, "managedFields", None);
        }
        if self.subresource == Some(Subresource::Scale) {
            return self.scale_answer(&object);
        }
        self.one(200, object)
    }

    /// Stores the new state of an object, unless it is the old one.
    fn store_update(&mut self, mut stored: Value, live: &Arc<Object>) -> Result<Arc<Object>, Failure> {
        let version = meta::text(live, "resourceVersion");
        meta::set(&mut stored, "resourceVersion", Some(version.into()));
        if stored == ***live {
            return Ok(Arc::clone(live));
        }
        if self.is_dry_run() {
            return Ok(Arc::new(stored.into()));
        }
        size::shrink(&self.resource(), &mut stored, Operation::Update)?;
        Ok(self.state.replace(&self.resource(), stored))
    }
}
