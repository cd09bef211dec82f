//! Replaces objects, their status and their scale.

use super::own_metadata::needs_version;
use super::write::Made;
use super::{Call, size};
use crate::admission::Operation;
use crate::answer::Answer;
use crate::meta;
use crate::registry::{Role, Subresource};
use crate::status::{Failure, Mistake};
use crate::store::Object;
use crdgen_core::apply::Verb;
use crdgen_core::diag::Kind;
use crdgen_core::value::Value;
use std::sync::Arc;

impl Call<'_> {
    pub(super) fn update(&mut self) -> Result<Answer, Failure> {
        let body = self.read_object()?;
        let (name, object) = (meta::text(&body.value, "name"), body.value.clone());
        let wrong = object.get("metadata").filter(|it| !matches!(it, Value::Map(_) | Value::Null));
        // Objects that cannot be decoded have no name either.
        if name.is_empty() && (self.kind.role == Role::Custom || wrong.is_none()) {
            return Err(self.without_name());
        }
        if wrong.is_none() {
            self.check_name(name)?;
        }
        let live = self.live()?;
        let (kind, group) = (&self.kind.names.kind, &self.kind.resource.group);
        if needs_version(group, kind, self.kind.role)
            && self.path.subresource.is_empty()
            && matches!(meta::text(&object, "resourceVersion"), "" | "0")
        {
            let why = "0: must be specified for an update";
            let mistake = Mistake::new("metadata.resourceVersion", Kind::Invalid, why);
            return Err(Failure::invalid_field(kind, group, name, mistake));
        }
        self.check_uid(&object, &live)?;
        let made = self.write(Verb::Update, object, body.strict, Some(&live))?;
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

    /// A client that sends a uid means this object, and none of the same name.
    pub(super) fn check_uid(&self, object: &Value, live: &Value) -> Result<(), Failure> {
        let (wanted, found) = (meta::text(object, "uid"), meta::text(live, "uid"));
        if wanted.is_empty() || wanted == found {
            return Ok(());
        }
        let (plural, group) = (&self.kind.resource.plural, &self.kind.resource.group);
        let place = match (&self.kind.role, self.path.namespace.as_str()) {
            (Role::Custom, "") => format!("registry/{group}/{plural}"),
            (Role::Custom, namespace) => format!("registry/{group}/{plural}/{namespace}"),
            (_, "") => plural.to_string(),
            (_, namespace) => format!("{plural}/{namespace}"),
        };
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: /{place}/{}, ResourceVersion: 0, AdditionalErrorMsg: \
             Precondition failed: UID in precondition: {wanted}, UID in object meta: {found}",
            self.path.name
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
