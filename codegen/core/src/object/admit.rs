//! Admission: everything that the server does for a write, from decoding to storage.

use super::Unknown;
use super::decode::Decoded;
use super::nulls;
use super::refusal::Refusal;
use super::served::{Served, ServedVersion};
use super::unchanged;
use super::write::Written;
use crate::diag::{Diags, Level};
use crate::value::Value;

/// What a client does with an object. Old objects are as they are stored, in any version.
#[derive(Clone, Debug)]
pub enum Action {
    /// Create it.
    Create,
    /// Replace an old one.
    Update(Value),
    /// Replace the status of an old one.
    UpdateStatus(Value),
}

/// What came of a write.
#[derive(Clone, Debug)]
pub enum Admission {
    /// The server cannot decode the object, and answers with status 400.
    Undecodable(Refusal),
    /// It was decoded and checked.
    Checked(Box<Checked>),
}

/// What came of an object that was decoded.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The fields that are unknown and were pruned.
    pub unknown: Vec<Unknown>,
    /// What the server found, and what it would store.
    pub written: Written,
}

impl Served {
    /// What the server answers when an object of a version is written. `namespace` is that of the request; if it is
    /// empty, it is the object's. An error says why there is no answer: the old object cannot be read, or there is no
    /// such subresource.
    pub fn admit(
        &self,
        version: &ServedVersion,
        object: Value,
        action: Action,
        namespace: &str,
    ) -> Result<Admission, Refusal> {
        let Decoded { mut object, unknown, nulls } = match self.decode(object, &version.name) {
            Ok(decoded) => decoded,
            Err(why) => return Ok(Admission::Undecodable(why)),
        };
        if let Err(why) = self.put_into_namespace(&mut object, namespace) {
            return Ok(Admission::Undecodable(why));
        }
        let handler = self.handler(version);
        let stored = |old| self.decode_stored(old, &version.name).map_err(|why| Refusal::Old(Box::new(why)));
        let mut written = match action {
            Action::Create => handler.create(object),
            Action::Update(old) => handler.update(object, stored(old)?),
            Action::UpdateStatus(old) => handler.update_status(object, stored(old)?)?,
        };
        written.errors.iter_mut().for_each(|(_, diag)| nulls::explain(diag, &nulls));
        Ok(Admission::Checked(Box::new(Checked { unknown, written })))
    }

    /// What is wrong with an object of a version that is created, unknown fields included: the errors of [`Served::admit`],
    /// without what is stored and read again. An error says why the server cannot decode the object.
    pub fn check(&self, version: &ServedVersion, object: &Value) -> Result<Diags, Refusal> {
        let Decoded { object: mut decoded, unknown, nulls } = self.decode(object.clone(), &version.name)?;
        self.put_into_namespace(&mut decoded, "")?;
        let mut errors = self.handler(version).check(decoded);
        errors.iter_mut().for_each(|diag| nulls::explain(diag, &nulls));
        errors.extend(unknown.into_iter().map(|unknown| unknown.diag(Level::Error)));
        Ok(errors)
    }

    /// Whether the server accepts an object of a version that is created with valid metadata, if that can be determined
    /// without a copy of the object: pruning and defaulting change nothing in it. It takes a third of the time.
    pub fn accepts(&self, version: &ServedVersion, object: &Value) -> Option<bool> {
        let schema = self.structural(version)?.schema;
        let is_unchanged = self.prunes() && unchanged::is_object(object, schema);
        let has_status = || self.has_status(version) && object.get("status").is_some();
        (is_unchanged && !has_status()).then(|| self.handler(version).accepts(object))
    }

    /// Whether the status of an object of a version is written apart from the rest.
    pub fn has_status(&self, version: &ServedVersion) -> bool {
        self.subresources(version).is_some_and(|subresources| subresources.status)
    }
}
