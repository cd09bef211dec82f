//! A field of an object that is checked, with what the server says about it.

use super::internal;
use crate::field::Field;
use crate::mistake::Mistake;
use crdgen_core::diag::Kind;
use crdgen_core::go::quantity::Quantity;
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};
use crdgen_core::{go, json};
use std::collections::{BTreeMap, BTreeSet};

/// What is found.
pub(crate) type Mistakes = Vec<Mistake>;

/// A pod or a template, with what its parts must know about each other.
pub(crate) struct Pod<'v> {
    pub(super) spec: &'v Value,
    /// The field of the spec.
    pub(super) field: Field,
    /// The name of the pod. Templates have none.
    pub(super) name: Option<&'v str>,
    /// The volumes that are right.
    pub(super) volumes: BTreeMap<&'v str, &'v Value>,
    /// The names of the claims for devices.
    pub(super) claims: BTreeSet<&'v str>,
}

/// A field.
#[derive(Clone)]
pub(crate) struct At<'v> {
    pub(crate) field: Field,
    /// Its value, which is never null.
    pub(crate) value: Option<&'v Value>,
    /// What the object that is replaced has here, unless the field is in a list.
    pub(crate) old: Option<&'v Value>,
    /// The object of the field, and the one that it replaces.
    pub(crate) object: &'v Value,
    pub(crate) live: Option<&'v Value>,
    /// The pod or the template that it is in.
    pub(super) pod: Option<&'v Pod<'v>>,
    /// Whether it is in a list that an update leaves as it was.
    pub(super) is_kept: bool,
    /// The server that checks it.
    pub(super) server: Server,
}

fn known(value: &Value) -> Option<&Value> {
    Some(value).filter(|value| !value.is_null())
}

/// The texts of a list.
fn texts_of(value: Option<&Value>) -> Vec<&str> {
    value.and_then(Value::as_list).unwrap_or_default().iter().filter_map(Value::as_str).collect()
}

impl<'v> At<'v> {
    pub(crate) fn new(object: &'v Value, live: Option<&'v Value>) -> At<'v> {
        At {
            field: Field::default(),
            value: Some(object),
            old: live,
            object,
            live,
            pod: None,
            is_kept: false,
            server: Server::NEWEST,
        }
    }

    /// A field below this one. The path has dots.
    pub(crate) fn get(&self, path: &'static str) -> At<'v> {
        let steps = || path.split('.').filter(|name| !name.is_empty());
        let find = |at: Option<&'v Value>| steps().try_fold(at?, |at, name| at.get(name)).and_then(known);
        At { field: self.field.child(path), value: find(self.value), old: find(self.old), ..self.clone() }
    }

    /// The same value, which messages say is in another field.
    pub(crate) fn shown_as(&self, field: Field) -> At<'v> {
        At { field, ..self.clone() }
    }

    /// A field from the root of the object.
    pub(crate) fn root(&self, path: &'static str) -> At<'v> {
        At { pod: self.pod, server: self.server, ..At::new(self.object, self.live) }.get(path)
    }

    pub(crate) fn item(&self, index: usize, value: &'v Value) -> At<'v> {
        At { field: self.field.index(index), value: Some(value), old: None, ..self.clone() }
    }

    /// The items of the list.
    pub(crate) fn each(&self) -> impl Iterator<Item = At<'v>> + use<'_, 'v> {
        self.items().iter().enumerate().map(|(i, item)| self.item(i, item))
    }

    /// The members of the map.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&'v str, At<'v>)> + use<'_, 'v> {
        self.map().map(|(key, value)| {
            let field = self.field.key(key);
            (key, At { field, value: Some(value), old: None, ..self.clone() })
        })
    }

    /// A member of the map. `None` if the map does not have it.
    pub(crate) fn member(&self, key: &str) -> Option<At<'v>> {
        let value = self.value?.get(key)?;
        Some(At { field: self.field.key(key), value: Some(value), old: None, ..self.clone() })
    }

    pub(crate) fn map(&self) -> impl Iterator<Item = (&'v str, &'v Value)> + use<'v> {
        self.value.and_then(Value::as_map).into_iter().flat_map(Map::iter)
    }

    pub(crate) fn items(&self) -> &'v [Value] {
        self.value.and_then(Value::as_list).unwrap_or_default()
    }

    /// The texts of the list.
    pub(crate) fn texts(&self) -> Vec<&'v str> {
        texts_of(self.value)
    }

    pub(crate) fn old_texts(&self) -> Vec<&'v str> {
        texts_of(self.old)
    }

    pub(crate) fn is_set(&self) -> bool {
        self.value.is_some()
    }

    /// Whether it is missing, an empty text, an empty list or an empty map.
    pub(crate) fn is_empty(&self) -> bool {
        self.value.is_none_or(|value| match value {
            Value::Str(text) => text.is_empty(),
            Value::List(items) => items.is_empty(),
            Value::Map(map) => map.is_empty(),
            _ => false,
        })
    }

    /// The text, which is empty if it is missing.
    pub(crate) fn text(&self) -> &'v str {
        self.value.and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn old_text(&self) -> &'v str {
        self.old.and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn int(&self) -> Option<i64> {
        self.value.and_then(Value::as_int)
    }

    pub(crate) fn number(&self) -> i64 {
        self.int().unwrap_or_default()
    }

    pub(crate) fn is_true(&self) -> bool {
        self.value.and_then(Value::as_bool) == Some(true)
    }

    pub(crate) fn is_false(&self) -> bool {
        self.value.and_then(Value::as_bool) == Some(false)
    }

    pub(crate) fn quantity(&self) -> Option<Quantity> {
        Quantity::parse(self.value?.as_str()?).ok()
    }

    /// Whether it is an amount below zero.
    pub(crate) fn is_negative(&self) -> bool {
        self.quantity().is_some_and(|amount| amount.sign() < 0)
    }

    /// Whether an update changes it.
    pub(crate) fn is_changed(&self) -> bool {
        self.live.is_some() && self.value != self.old.and_then(known)
    }

    pub(crate) fn is_new(&self) -> bool {
        self.live.is_none()
    }

    /// A mistake here, with the value if messages of the kind have it.
    pub(crate) fn mistake(&self, what: Kind, why: impl Into<String>) -> Mistake {
        Mistake::new(self.field.clone(), what, why)
    }

    pub(crate) fn required(&self, why: &str) -> Mistake {
        self.mistake(Kind::Required, why)
    }

    pub(crate) fn forbidden(&self, why: &str) -> Mistake {
        self.mistake(Kind::Forbidden, why)
    }

    /// The value is wrong.
    pub(crate) fn invalid(&self, why: &str) -> Mistake {
        self.invalid_as(&self.shown(), why)
    }

    /// The same, and messages show this in place of the value.
    pub(crate) fn invalid_as(&self, shown: &str, why: &str) -> Mistake {
        self.mistake(Kind::Invalid, format!("{shown}: {why}"))
    }

    pub(crate) fn invalid_text(&self, text: &str, why: &str) -> Mistake {
        self.invalid_as(&go::quote(text), why)
    }

    /// The same, and messages show the value as the server's own type has it.
    pub(super) fn invalid_of(&self, ty: &str, why: &str) -> Mistake {
        self.invalid_as(&internal::shown(self.value, ty), why)
    }

    pub(crate) fn immutable(&self) -> Mistake {
        self.invalid("field is immutable")
    }

    pub(crate) fn unsupported(&self, supported: &[&str]) -> Mistake {
        self.unsupported_text(self.text(), supported)
    }

    pub(crate) fn unsupported_text(&self, text: &str, supported: &[&str]) -> Mistake {
        let supported: Vec<String> = supported.iter().map(|text| go::quote(text)).collect();
        let why = format!("{}: supported values: {}", go::quote(text), supported.join(", "));
        self.mistake(Kind::NotSupported, why)
    }

    pub(crate) fn duplicate(&self) -> Mistake {
        self.mistake(Kind::Duplicate, self.shown())
    }

    pub(crate) fn duplicate_text(&self, text: &str) -> Mistake {
        self.mistake(Kind::Duplicate, go::quote(text))
    }

    /// Something that is not there.
    pub(crate) fn not_found(&self) -> Mistake {
        self.mistake(Kind::NotFound, go::quote(self.text()))
    }

    pub(crate) fn too_long(&self, most: usize) -> Mistake {
        self.mistake(Kind::TooLong, format!("may not be more than {most} bytes"))
    }

    pub(crate) fn too_many(&self, most: usize) -> Mistake {
        self.mistake(Kind::TooMany, format!("{}: must have at most {most} items", self.items().len()))
    }

    /// A warning about it.
    pub(crate) fn warning(&self, why: impl Into<String>) -> Mistake {
        Mistake::warning(self.field.clone(), why)
    }

    /// What is wrong with the text. A missing one is empty.
    pub(crate) fn wrong_text(&self, reasons: Vec<String>) -> Mistakes {
        reasons.iter().map(|why| self.invalid_text(self.text(), why)).collect()
    }

    /// The spec of the pod or the template that it is in.
    pub(super) fn spec(&self) -> At<'v> {
        let (field, value) = self.pod.map(|pod| (pod.field.clone(), pod.spec)).unzip();
        At { field: field.unwrap_or_default(), value, old: None, ..self.clone() }
    }

    /// The value in a message. A missing one is the empty text, as most fields are texts.
    fn shown(&self) -> String {
        match self.value {
            None => "null".to_owned(),
            Some(Value::Str(text)) => go::quote(text),
            Some(other) => json::to_string(other),
        }
    }
}
