//! Builds objects as Go's encoder does with `omitempty`.

use crate::value::{Map, Value, whole};

/// An object under construction. If fields are set in the order of their names, they need no sorting.
pub(super) struct Object(Vec<(String, Value)>);

impl Object {
    pub(super) fn new() -> Object {
        Object(Vec::new())
    }

    /// Adds a field that is always written.
    pub(super) fn set(mut self, key: &str, value: impl Into<Value>) -> Object {
        self.0.push((key.to_owned(), value.into()));
        self
    }

    /// Adds a field if it has a value.
    pub(super) fn some(self, key: &str, value: Option<impl Into<Value>>) -> Object {
        match value {
            Some(value) => self.set(key, value),
            None => self,
        }
    }

    /// Adds a text if it is not empty.
    pub(super) fn text(self, key: &str, text: &str) -> Object {
        if text.is_empty() { self } else { self.set(key, text) }
    }

    /// Adds a flag if it is true.
    pub(super) fn flag(self, key: &str, flag: bool) -> Object {
        if flag { self.set(key, true) } else { self }
    }

    /// Adds a number if it is not zero.
    pub(super) fn number(self, key: &str, number: i64) -> Object {
        if number == 0 { self } else { self.set(key, number) }
    }

    /// Adds a list if it is not empty.
    pub(super) fn list<T>(self, key: &str, items: &[T], write: impl Fn(&T) -> Value) -> Object {
        if items.is_empty() { self } else { self.set(key, all(items, write)) }
    }

    /// Adds a list of texts if it is not empty.
    pub(super) fn texts(self, key: &str, items: &[String]) -> Object {
        self.list(key, items, |text| Value::from(text.as_str()))
    }

    pub(super) fn build(self) -> Value {
        Value::Map(Map::sorted(self.0))
    }
}

/// A list of all items.
pub(super) fn all<T>(items: &[T], write: impl Fn(&T) -> Value) -> Value {
    let mut out = Vec::with_capacity(items.len());
    for item in items {
        out.push(write(item));
    }
    Value::List(out)
}

/// A float as Go writes it: without a fraction if it is an integer.
pub(super) fn float(f: f64) -> Value {
    match whole(f) {
        Some(0) if f.is_sign_negative() => Value::Float(f),
        Some(integer) => Value::Int(integer),
        None => Value::Float(f),
    }
}
