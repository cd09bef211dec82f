//! Which form of its type a value has, and which element identifies an item of a list.

use super::{Mismatch, Type};
use crate::message::Message;
use crate::path::Step;
use crate::schema::{List, Map, Relation, Scalar};
use crdgen_text::json;
use crdgen_text::value::{Map as Members, Value};

/// The forms of a type that remain for a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forms<'s> {
    scalar: Option<Scalar>,
    list: Option<&'s List>,
    map: Option<&'s Map>,
}

/// Two values of one type have the same forms if the same ones remain for both.
impl PartialEq for Forms<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.scalar.is_some() == other.scalar.is_some()
            && self.list.is_some() == other.list.is_some()
            && self.map.is_some() == other.map.is_some()
    }
}

/// The form by which a value is processed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'s> {
    Map(&'s Map),
    Scalar(Scalar),
    List(&'s List),
}

impl<'s> Type<'s> {
    /// All forms of the type.
    pub(super) fn forms(self) -> Result<Forms<'s>, Mismatch> {
        let atom = self.schema.resolve(self.id).map_err(Mismatch::here)?;
        Ok(Forms { scalar: atom.scalar, list: atom.list.as_ref(), map: atom.map.as_ref() })
    }

    /// The form by which this value is processed.
    pub(super) fn form(self, value: &Value) -> Result<Form<'s>, Mismatch> {
        self.first(self.forms()?.of(Some(value)))
    }

    /// The first of the remaining forms.
    pub(super) fn first(self, forms: Forms<'s>) -> Result<Form<'s>, Mismatch> {
        match forms {
            Forms { map: Some(map), .. } => Ok(Form::Map(map)),
            Forms { scalar: Some(scalar), .. } => Ok(Form::Scalar(scalar)),
            Forms { list: Some(list), .. } => Ok(Form::List(list)),
            Forms { .. } => Err(Mismatch::here(self.schema.no_form(self.id))),
        }
    }
}

impl<'s> Forms<'s> {
    /// The only form that a value can have, or all forms if the value is missing, null or of another form.
    pub(super) fn of(self, value: Option<&Value>) -> Forms<'s> {
        let none = Forms { scalar: None, list: None, map: None };
        match value {
            Some(Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_))
                if self.scalar.is_some() =>
            {
                Forms { scalar: self.scalar, ..none }
            }
            Some(Value::List(_)) if self.list.is_some() => Forms { list: self.list, ..none },
            Some(Value::Map(_)) if self.map.is_some() => Forms { map: self.map, ..none },
            _ => self,
        }
    }
}

/// The items of a list. None for null.
pub(super) fn items(value: &Value) -> Result<Option<&[Value]>, Mismatch> {
    match value {
        Value::Null => Ok(None),
        Value::List(items) => Ok(Some(items)),
        other => Err(Mismatch::here(format!("expected list, got &{{{}}}", json::go_plain(other)))),
    }
}

/// The members of an object. None for null.
pub(super) fn members(value: &Value) -> Result<Option<&Members<Value>>, Mismatch> {
    match value {
        Value::Null => Ok(None),
        Value::Map(map) => Ok(Some(map)),
        other => Err(Mismatch::here(format!("expected map, got &{{{}}}", json::go_plain(other)))),
    }
}

/// Checks the type of a scalar.
pub(super) fn check_scalar(scalar: Scalar, value: &Value, prefix: &str) -> Result<(), Mismatch> {
    let is_right = match scalar {
        _ if value.is_null() => true,
        Scalar::Numeric => matches!(value, Value::Int(_) | Value::Float(_)),
        Scalar::String => matches!(value, Value::Str(_)),
        Scalar::Boolean => matches!(value, Value::Bool(_)),
        Scalar::Untyped => !matches!(value, Value::List(_) | Value::Map(_)),
        Scalar::Unknown => false,
    };
    if is_right {
        return Ok(());
    }
    // The server prints its own types here.
    let message = match scalar {
        Scalar::Numeric => format!("expected numeric (int or float), got {}", value.go_type()),
        Scalar::String => {
            format!("expected string, got &value.valueUnstructured{{Value:{}}}", json::go_source(value))
        }
        Scalar::Boolean => format!("expected boolean, got &{{{}}}", json::go_plain(value)),
        Scalar::Unknown => "unexpected scalar type in schema".to_owned(),
        Scalar::Untyped => format!("expected any scalar, got &{{{}}}", json::go_plain(value)),
    };
    Err(Mismatch::here(format!("{prefix}{message}")))
}

/// The element that identifies an item of an associative list.
pub(super) fn element<'v>(ty: Type<'v>, list: &'v List, item: &'v Value) -> Result<Step<'v>, Message> {
    if list.relation != Relation::Associative {
        return Err(Message("invalid indexing of non-associative list".to_owned()));
    }
    if list.keys.is_empty() { value_of(item) } else { keys_of(ty, list, item) }
}

fn keys_of<'v>(ty: Type<'v>, list: &'v List, item: &'v Value) -> Result<Step<'v>, Message> {
    let members = match item {
        Value::Null => {
            return Err(Message("associative list with keys may not have a null element".to_owned()));
        }
        Value::Map(members) => members,
        _ => return Err(Message("associative list with keys may not have non-map elements".to_owned())),
    };
    let mut keys = Vec::with_capacity(list.keys.len());
    for name in &list.keys {
        let value = match members.get(name) {
            Some(value) => Some(value),
            None => default_of(ty, list, name)
                .map_err(|why| format!("couldn't find default value for {name}: {why}"))?,
        };
        keys.extend(value.map(|value| (name.as_str(), value)));
    }
    if keys.is_empty() {
        let names: Vec<Value> = list.keys.iter().map(|key| key.as_str().into()).collect();
        let names: Vec<String> = names.iter().map(json::go_source).collect();
        return Err(Message(format!(
            "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values \
             for any key fields)",
            names.join(" ")
        )));
    }
    keys.sort_by_key(|(name, _)| *name);
    Ok(Step::Key(keys))
}

fn default_of<'s>(ty: Type<'s>, list: &List, name: &str) -> Result<Option<&'s Value>, &'static str> {
    let atom = ty.schema.resolve(list.items).map_err(|_| "invalid elementType for list")?;
    let map = atom.map.as_ref().ok_or("associative list may not have non-map types")?;
    Ok(map.fields.get(name).and_then(|field| field.default.as_ref()))
}

fn value_of(item: &Value) -> Result<Step<'_>, Message> {
    let why = match item {
        Value::Map(_) => "associative list without keys has an element that's a map type",
        Value::List(_) => "not supported: associative list with lists as elements",
        Value::Null => "associative list without keys has an element that's an explicit null",
        scalar => return Ok(Step::Value(scalar)),
    };
    Err(Message(why.to_owned()))
}
