//! The protobuf messages that do not become values of CEL's own types.

use super::Val;

/// A protobuf message.
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
}

impl Message {
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Message::Empty => "google.protobuf.Empty",
            Message::FieldsEntry { .. } => "google.protobuf.Struct.FieldsEntry",
        }
    }

    /// The fields that are set.
    pub(crate) fn set(&self) -> Vec<(&'static str, Val<'static>)> {
        match self {
            Message::Empty => Vec::new(),
            Message::FieldsEntry { key, value } => {
                let key = (!key.is_empty()).then(|| ("key", Val::text(key.to_string())));
                key.into_iter().chain(value.clone().map(|value| ("value", value))).collect()
            }
        }
    }

    /// The value of a field that is not set. None if there is no such field.
    pub(crate) fn unset(&self, field: &str) -> Option<Val<'static>> {
        match (self, field) {
            (Message::FieldsEntry { .. }, "key") => Some(Val::text("")),
            (Message::FieldsEntry { .. }, "value") => Some(Val::Null),
            (Message::Empty | Message::FieldsEntry { .. }, _) => None,
        }
    }

    pub(super) fn equals(&self, other: &Message) -> bool {
        let (ours, theirs) = (self.set(), other.set());
        self.type_name() == other.type_name()
            && ours.len() == theirs.len()
            && ours.iter().zip(&theirs).all(|((a, x), (b, y))| a == b && x.equals(y).unwrap_or(false))
    }
}
