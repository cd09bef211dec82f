//! Replaces objects, their status and their scale.

use super::Call;
use super::write::Made;
use crate::admission::Operation;
use crate::answer::Answer;
use crate::meta;
use crate::registry::{Role, Subresource};
use crate::size;
use crate::status::Failure;
use crate::store::Object;
use crdgen_core::apply::Verb;
use crdgen_core::value::Value;
use std::sync::Arc;

impl Call<'_> {
    pub(super) fn update(&mut self) -> Result<Answer, Failure> {
        let body = self.read_object()?;
        self.warn_repeated(&body.repeated);
        let name = meta::text(&body.value, "name");
        let wrong = body.value.get("metadata").filter(|it| !matches!(it, Value::Map(_) | Value::Null));
        let is_custom = self.kind.role == Role::Custom;
        // Objects that cannot be decoded have no name either. Custom resources without a kind are not decoded.
        let has_kind =
            !is_custom || self.subresource == Some(Subresource::Scale) || !body.value.text("kind").is_empty();
        if name.is_empty() && has_kind && (is_custom || wrong.is_none()) {
            return Err(self.without_name());
        }
        if wrong.is_none() && has_kind {
            self.check_name(name)?;
        }
        let live = self.live();
        if live.is_err() && self.creates() {
            let object = self.create_as(Verb::Update, body.value, body.repeated)?;
            return self.one(201, object);
        }
        let stored = live.as_deref().ok().map(|live| &**live);
        let made = self.write(Verb::Update, body.value, body.repeated, stored)?;
        self.finish(made, &live?)
    }

    /// Whether the request creates the object if there is none.
    pub(super) fn creates(&self) -> bool {
        self.subresource.is_none() && self.kind.row().is_some_and(|row| row.is_created_by_updates)
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

    /// Stores the new state of an object, and shows it.
    pub(super) fn finish(&mut self, made: Made, live: &Arc<Object>) -> Result<Answer, Failure> {
        let Made { mut object, stored } = made;
        let name = self.path.name.clone();
        let charged = if self.is_asked_about() {
            let old = self.shown(live)?;
            let (new, old) = (self.admitted_form(&object)?, self.admitted_form(&old)?);
            self.validate(Operation::Update, &name, Some(&new), Some(&old))?
        } else {
            self.validate(Operation::Update, &name, Some(&object), Some(&***live))?
        };
        self.charge(charged);
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
