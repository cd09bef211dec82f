//! Objects as they are stored. Each remembers what it is when it is read, and its text, so that lists do not compute them again.

use crdgen_core::value::Value;
use crdgen_core::{json, yaml};
use crdgen_kubernetes::policies::{Policy, Purpose};
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// An object that does not change any more.
#[derive(Debug, Default)]
pub(crate) struct Object {
    value: Value,
    text: OnceLock<Box<str>>,
    /// The text without what the object is.
    untyped: OnceLock<Box<str>>,
    /// The object as an item of a list in protobuf.
    item: OnceLock<Box<[u8]>>,
    /// The object as an item of a list in YAML.
    yaml: OnceLock<Box<str>>,
    /// The object as an admission policy.
    policy: OnceLock<Box<Policy>>,
    /// What the object is when it is read, in the versions in which it was read so far.
    readings: Mutex<Vec<Reading>>,
}

/// What an object is when a kind reads it in a version.
#[derive(Debug)]
struct Reading {
    /// The number of the kind. A CRD that changes is another kind.
    kind: u64,
    version: String,
    /// `None` if the object is what is stored.
    object: Option<Arc<Object>>,
}

impl From<Value> for Object {
    fn from(value: Value) -> Object {
        Object { value, ..Object::default() }
    }
}

impl Deref for Object {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.value
    }
}

impl Object {
    /// The object as JSON.
    pub(crate) fn text(&self) -> &str {
        self.text.get_or_init(|| json::to_string(&self.value).into())
    }

    /// The object as an item of a list that says once what its items are, as JSON.
    pub(crate) fn untyped_text(&self) -> &str {
        self.untyped.get_or_init(|| json::to_string(&self.untyped()).into())
    }

    /// The object as an item of a list in another form.
    pub(crate) fn item(&self, write: impl FnOnce(&Value) -> Vec<u8>) -> &[u8] {
        self.item.get_or_init(|| write(&self.value).into())
    }

    /// The object as an item of a list in YAML. Lists of its kind either say what each item is, or do not.
    pub(crate) fn yaml_item(&self, item: impl FnOnce() -> Value) -> &str {
        self.yaml.get_or_init(|| yaml::write(&Value::List(vec![item()])).into())
    }

    /// The object as an admission policy, which is compiled once.
    pub(crate) fn policy(&self, purpose: Purpose) -> &Policy {
        self.policy.get_or_init(|| Box::new(Policy::read(&self.value, purpose)))
    }

    /// The object without what it is.
    pub(crate) fn untyped(&self) -> Value {
        let mut value = self.value.clone();
        if let Value::Map(map) = &mut value {
            map.remove("apiVersion");
            map.remove("kind");
        }
        value
    }

    /// What the object is when a kind reads it in a version. It is computed once. Failures are not remembered.
    pub(crate) fn read_as<E>(
        self: &Arc<Object>,
        kind: u64,
        version: &str,
        read: impl FnOnce() -> Result<Value, E>,
    ) -> Result<Arc<Object>, E> {
        let known = self.readings().iter().find(|it| it.kind == kind && it.version == version).map(|it| {
            // An object that would contain itself would never go.
            it.object.as_ref().unwrap_or(self).clone()
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let value = read()?;
        let object = (value != self.value).then(|| Arc::new(Object::from(value)));
        let mut readings = self.readings();
        readings.retain(|it| it.kind == kind && it.version != version);
        readings.push(Reading { kind, version: version.to_owned(), object: object.clone() });
        Ok(object.unwrap_or_else(|| Arc::clone(self)))
    }

    fn readings(&self) -> MutexGuard<'_, Vec<Reading>> {
        self.readings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn object(text: &str) -> Arc<Object> {
        Arc::new(Object::from(json::read(text.as_bytes()).expect("JSON")))
    }

    #[test]
    fn an_object_is_read_once_for_each_version_of_a_kind() {
        let stored = object(r#"{"a":1}"#);
        let mut number = 0;
        let mut read = |kind, version| {
            let found = stored.read_as(kind, version, || {
                number += 1;
                Ok::<_, Infallible>(Value::Int(number))
            });
            let Ok(found) = found;
            found.as_int()
        };
        for (kind, version, expected) in [
            (1, "v1", 1),
            (1, "v1", 1),
            (1, "v2", 2),
            (1, "v1", 1),
            (2, "v1", 3),
            (2, "v1", 3),
            // What an earlier kind has read is forgotten.
            (1, "v1", 4),
        ] {
            assert_eq!(read(kind, version), Some(expected), "{kind} {version}");
        }
    }

    #[test]
    fn an_object_that_is_read_as_it_is_stored_is_not_copied() {
        let stored = object(r#"{"a":1}"#);
        for _ in 0..2 {
            let Ok(found) = stored.read_as(1, "v1", || Ok::<_, Infallible>(stored.deref().deref().clone()));
            assert!(Arc::ptr_eq(&stored, &found));
        }
        assert_eq!(Arc::strong_count(&stored), 1);
        assert!(stored.read_as(2, "v1", || Err("broken")).is_err());
    }

    #[test]
    fn items_of_lists_do_not_say_what_they_are() {
        let object = object(r#"{"apiVersion":"v1","data":{},"kind":"ConfigMap"}"#);
        assert_eq!(object.untyped_text(), r#"{"data":{}}"#);
        assert_eq!(object.text(), r#"{"apiVersion":"v1","data":{},"kind":"ConfigMap"}"#);
    }
}
