//! The table of messages. The example `messages` writes it.

use super::wire::wire_type;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Bytes,
    Int,
    Bool,
    /// A number with a fraction.
    Double,
    Time,
    MicroTime,
    Quantity,
    IntOrString,
    /// JSON in bytes: `RawExtension` and `FieldsV1`.
    Json,
    Message(&'static str),
}

impl Type {
    /// The wire type of a field.
    pub(super) fn wire(self) -> u8 {
        match self {
            Type::Int | Type::Bool => wire_type::NUMBER,
            Type::Double => wire_type::EIGHT,
            Type::Text
            | Type::Bytes
            | Type::Time
            | Type::MicroTime
            | Type::Quantity
            | Type::IntOrString
            | Type::Json
            | Type::Message(_) => wire_type::BYTES,
        }
    }

    fn read(text: &'static str) -> Type {
        match text {
            "s" => Type::Text,
            "b" => Type::Bytes,
            "i" => Type::Int,
            "o" => Type::Bool,
            "d" => Type::Double,
            "T" => Type::Time,
            "M" => Type::MicroTime,
            "Q" => Type::Quantity,
            "I" => Type::IntOrString,
            "J" => Type::Json,
            name => Type::Message(name),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    One,
    List,
    Map,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) number: u64,
    /// The name in JSON. Empty if the fields of the value belong to the message itself, and `=` if the value is the message.
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) ty: Type,
    /// Whether Go has a pointer, so that the field is left out if it is not there.
    is_pointer: bool,
}

impl Field {
    /// Whether the field is not written if it is not there.
    pub(super) fn is_left_out(&self) -> bool {
        // Go has no pointers to bytes.
        self.is_pointer || self.name == "=" && self.ty != Type::Bool || self.ty == Type::Bytes
    }
}

pub(super) type Message = Vec<Field>;

static MESSAGES: LazyLock<HashMap<&str, Message>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let mut words = line.split(' ');
        Some((words.next()?, words.map(field).collect::<Option<_>>()?))
    };
    include_str!("messages.txt").lines().filter_map(line).collect()
});

fn field(text: &'static str) -> Option<Field> {
    let (number, rest) = text.split_once(':')?;
    let (name, ty) = rest.split_once(':')?;
    let pointed = ty.strip_prefix('*');
    let (is_pointer, ty) = (pointed.is_some(), pointed.unwrap_or(ty));
    let (shape, ty) = match (ty.strip_prefix("[]"), ty.strip_prefix("{}")) {
        (Some(ty), _) => (Shape::List, ty),
        (_, Some(ty)) => (Shape::Map, ty),
        _ => (Shape::One, ty),
    };
    Some(Field { number: number.parse().ok()?, name, shape, ty: Type::read(ty), is_pointer })
}

/// The message with a name.
pub(super) fn message(name: &str) -> Option<&'static Message> {
    MESSAGES.get(name)
}

/// The message of a kind. Its package is the first word of the group.
pub(super) fn of_kind(api_version: &str, kind: &str) -> Option<&'static Message> {
    // What is about objects of all kinds is in two groups.
    let is_about_all = matches!(api_version, "" | "v1" | "meta.k8s.io/v1" | "meta.k8s.io/v1beta1");
    if let Some(found) = message(&format!("apis.meta.v1.{kind}"))
        && (is_about_all || kind == "DeleteOptions")
    {
        return Some(found);
    }
    let (group, version) = api_version.split_once('/').unwrap_or(("core", api_version));
    // Definitions of others can be in a group such as `apps.example.com`.
    let package = match group.split_once('.') {
        None => group,
        Some((_, rest)) if !rest.ends_with("k8s.io") => return None,
        Some(("rbac", "authorization.k8s.io")) => "rbac",
        Some((first, _)) => first,
    };
    message(&format!("{package}.{version}.{kind}"))
}

#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static Message)> {
    MESSAGES.iter().map(|(name, fields)| (*name, fields))
}
