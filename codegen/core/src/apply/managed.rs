//! The part of a write in which the field manager decides who owns what, for custom resources and Kubernetes' own kinds.

use super::{Rejected, Verb, Write, kinds, not_found};
use crate::object::write::Warning;
use crate::value::Value;
use crdgen_apply::manager::{FieldManager, Kind};
use crdgen_apply::update::OnConflict;

/// A write on its way through the field manager.
pub(super) struct Managed<'m, 'k, 'w, K> {
    pub(super) manager: FieldManager<'k, K>,
    pub(super) write: &'m Write<'w>,
    pub(super) live: Option<&'m Value>,
    /// What is there before an object is created.
    pub(super) nothing: Value,
    /// `plural.group`
    pub(super) resource: String,
}

impl<K: Kind> Managed<'_, '_, '_, K> {
    /// The new object with its owners. `decode` reads an object that a client sends, or that a patch makes.
    pub(super) fn object(
        &self,
        warnings: &mut Vec<Warning>,
        decode: &mut dyn FnMut(Value) -> Result<Value, Rejected>,
    ) -> Result<Value, Rejected> {
        let (live, by) = (self.live.unwrap_or(&self.nothing), self.write.manager);
        match self.write.verb {
            Verb::Apply { force } => {
                Ok(self.manager.apply(live, &self.write.body, by, OnConflict::of_force(force))?)
            }
            Verb::Update => {
                let mut object = decode(self.write.body.clone())?;
                match self.live {
                    None => kinds::without_system_fields(&mut object),
                    Some(live) => kinds::as_just_read(live, &mut object),
                }
                kinds::unique_owner_references(&mut object, kinds::BEFORE_ADMISSION, warnings);
                Ok(self.manager.update(live, object, by))
            }
            Verb::MergePatch | Verb::Patched if self.live.is_none() => {
                Err(not_found(&self.resource, &self.write.body))
            }
            Verb::MergePatch | Verb::Patched => {
                let object = decode(self.write.patched(live))?;
                Ok(self.manager.update(live, object, by))
            }
        }
    }
}
