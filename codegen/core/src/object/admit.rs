//! Admission: everything that the server does for a write, from decoding to storage.

use super::Unknown;
use super::decode::Decoded;
use super::nulls;
use super::refusal::Refusal;
use super::served::{Served, ServedVersion};
use super::unchanged;
use super::write::{Handler, Written};
use crate::diag::{Diags, Level};
use crate::value::Value;

/// What a client does with an object. Old objects are given as they are stored, in any version.
#[derive(Clone, Debug)]
pub enum Action {
    /// Creates the object.
    Create,
    /// Replaces this old object.
    Update(Value),
    /// Replaces the status of this old object.
    UpdateStatus(Value),
}

/// The result of a write.
#[derive(Clone, Debug)]
pub enum Admission {
    /// The server cannot decode the object and answers with status 400.
    Undecodable(Refusal),
    /// The server decoded and checked the object.
    Checked(Box<Checked>),
}

/// The result of a write whose object was decoded.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The unknown fields, which the server dropped.
    pub unknown: Vec<Unknown>,
    /// The errors and warnings, and what the server would store.
    pub written: Written,
}

impl Served {
    /// Returns the server's answer to a write of an object in a version. `namespace` is the namespace of the request.
    /// If it is empty, that of the object is used.
    ///
    /// # Errors
    /// Fails if there is no answer: the old object cannot be read, or the version has no such subresource.
    pub fn admit(
        &self,
        version: &ServedVersion,
        object: Value,
        action: Action,
        namespace: &str,
    ) -> Result<Admission, Refusal> {
        self.admit_by(&self.handler(version), object, action, namespace)
    }

    /// Returns what [`Served::admit`] says about an object. Nothing is stored and read again.
    ///
    /// # Errors
    /// Fails as [`Served::admit`] does.
    pub fn ask(&self, version: &ServedVersion, object: Value, action: Action) -> Result<Admission, Refusal> {
        self.admit_by(&self.handler(version).dry(), object, action, "")
    }

    fn admit_by(
        &self,
        handler: &Handler<'_>,
        object: Value,
        action: Action,
        namespace: &str,
    ) -> Result<Admission, Refusal> {
        let version = handler.version;
        let Decoded { mut object, unknown, nulls } = match self.decode(object, &version.name) {
            Ok(decoded) => decoded,
            Err(why) => return Ok(Admission::Undecodable(why)),
        };
        if let Err(why) = self.put_into_namespace(&mut object, namespace) {
            return Ok(Admission::Undecodable(why));
        }
        let stored = |old| self.decode_stored(old, &version.name).map_err(|why| Refusal::Old(Box::new(why)));
        let mut written = match action {
            Action::Create => handler.create(object),
            Action::Update(old) => handler.update(object, stored(old)?),
            Action::UpdateStatus(old) => handler.update_status(object, stored(old)?)?,
        };
        written.errors.iter_mut().for_each(|(_, diag)| nulls::explain(diag, &nulls));
        Ok(Admission::Checked(Box::new(Checked { unknown, written })))
    }

    /// Returns the errors that the server reports if an object is created in a version, including unknown fields.
    /// These are the errors of [`Served::admit`], but nothing is stored and read again.
    ///
    /// # Errors
    /// Fails if the server cannot decode the object.
    pub fn check(&self, version: &ServedVersion, object: &Value) -> Result<Diags, Refusal> {
        let Decoded { object: mut decoded, unknown, nulls } = self.decode(object.clone(), &version.name)?;
        self.put_into_namespace(&mut decoded, "")?;
        let mut errors = self.handler(version).check(decoded);
        errors.iter_mut().for_each(|diag| nulls::explain(diag, &nulls));
        errors.extend(unknown.into_iter().map(|unknown| unknown.diag(Level::Error)));
        Ok(errors)
    }

    /// Returns whether the server accepts a new object with valid metadata in a version. `None` if that cannot be
    /// determined without a copy of the object, because pruning or defaulting might change it. This takes a third of
    /// the time of a full check.
    pub fn accepts(&self, version: &ServedVersion, object: &Value) -> Option<bool> {
        let schema = self.structural(version)?.schema;
        let is_unchanged = self.prunes() && unchanged::is_object(object, schema);
        let has_status = || self.has_status(version) && object.get("status").is_some();
        (is_unchanged && !has_status()).then(|| self.handler(version).accepts(object))
    }

    /// Returns whether a version has the status subresource, with which the status is written separately.
    pub fn has_status(&self, version: &ServedVersion) -> bool {
        self.subresources(version).is_some_and(|subresources| subresources.status)
    }
}
