//! The messages that do not become values of CEL's own types.

use std::collections::BTreeMap;

use super::equal::Otherwise as _;
use super::work::Work;
use super::{Error, Val};

/// A message of protobuf, or an object of a type that the environment declares.
#[derive(Clone, Debug)]
pub enum Message {
    /// `google.protobuf.Empty`
    Empty,
    /// `google.protobuf.Struct.FieldsEntry`
    FieldsEntry {
        /// The field `key`. An empty key counts as not set.
        key: Box<str>,
        /// The field `value`.
        value: Option<Val<'static>>,
    },
    /// An object of a declared type, such as `Object.spec{replicas: 3}`.
    Object {
        /// The name of the type. Empty for a map of an object.
        name: Box<str>,
        /// Returns the fields that are set.
        fields: BTreeMap<Box<str>, Val<'static>>,
    },
}

impl Message {
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Message::Empty => "google.protobuf.Empty",
            Message::FieldsEntry { .. } => "google.protobuf.Struct.FieldsEntry",
            Message::Object { .. } => "object",
        }
    }

    /// Returns the fields that are set.
    pub fn set(&self) -> Vec<(&str, Val<'static>)> {
        match self {
            Message::Empty => Vec::new(),
            Message::FieldsEntry { key, value } => {
                let key = (!key.is_empty()).then(|| ("key", Val::text(key.to_string())));
                key.into_iter().chain(value.clone().map(|value| ("value", value))).collect()
            }
            Message::Object { name: _, fields } => {
                fields.iter().map(|(name, value)| (&**name, value.clone())).collect()
            }
        }
    }

    /// The value of a field that is not set. None if there is no such field.
    pub(crate) fn unset(&self, field: &str) -> Option<Val<'static>> {
        match (self, field) {
            (Message::FieldsEntry { .. }, "key") => Some(Val::text("")),
            (Message::FieldsEntry { .. }, "value") => Some(Val::Null),
            (Message::Empty | Message::FieldsEntry { .. } | Message::Object { .. }, _) => None,
        }
    }

    /// How deeply lists, maps and optionals are nested in the message.
    pub(super) fn depth(&self) -> u16 {
        match self {
            Message::Empty | Message::FieldsEntry { value: None, .. } => 1,
            Message::FieldsEntry { value: Some(value), .. } => value.depth().saturating_add(1),
            Message::Object { name: _, fields } => {
                fields.values().map(Val::depth).max().unwrap_or_default().saturating_add(1)
            }
        }
    }

    pub(super) fn equals(&self, other: &Message, work: &Work) -> Result<bool, Error> {
        let (ours, theirs) = (self.set(), other.set());
        let is_same_type = match (self, other) {
            (Message::Object { name: a, .. }, Message::Object { name: b, .. }) => a == b,
            _ => self.type_name() == other.type_name(),
        };
        if !is_same_type || ours.len() != theirs.len() {
            return Ok(false);
        }
        for ((a, x), (b, y)) in ours.iter().zip(&theirs) {
            if a != b || !x.equals(y, work).otherwise(false)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
