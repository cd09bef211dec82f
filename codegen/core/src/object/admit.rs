//! Admission: all that the server does with a write, from decoding to storage.

use super::Unknown;
use super::decode::Decoded;
use super::refusal::Refusal;
use super::served::{Served, ServedVersion};
use super::write::Written;
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
        let Decoded { mut object, unknown } = match self.decode(object, &version.name) {
            Ok(decoded) => decoded,
            Err(why) => return Ok(Admission::Undecodable(why)),
        };
        if let Err(why) = self.put_into_namespace(&mut object, namespace) {
            return Ok(Admission::Undecodable(why));
        }
        let handler = self.handler(version);
        let stored = |old| self.decode_stored(old, &version.name).map_err(|why| Refusal::Old(Box::new(why)));
        let written = match action {
            Action::Create => handler.create(object),
            Action::Update(old) => handler.update(object, stored(old)?),
            Action::UpdateStatus(old) => handler.update_status(object, stored(old)?)?,
        };
        Ok(Admission::Checked(Box::new(Checked { unknown, written })))
    }
}
