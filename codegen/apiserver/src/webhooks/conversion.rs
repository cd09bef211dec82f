//! The conversion of a CRD's objects by its webhook.

use super::Hooks;
use super::answers::Converted;
use crate::meta;
use crate::registry::Kind;
use crate::status::Unreadable;
use crate::store::{Object, Resource};
use crdgen_core::ir;
use crdgen_core::object::Conversion;
use crdgen_core::value::Value;
use std::sync::Arc;

/// Converts the objects of a resource by its webhook.
#[derive(Debug)]
pub(crate) struct Converter<'h> {
    pub(crate) resource: &'h Resource,
    pub(crate) conversion: &'h ir::Conversion,
    pub(crate) hooks: &'h Hooks,
}

impl Hooks {
    /// The webhook that converts the objects of a kind, if there is one.
    pub(crate) fn converter<'h>(&'h self, kind: &'h Kind) -> Option<Converter<'h>> {
        kind.conversion().map(|conversion| Converter { resource: &kind.resource, conversion, hooks: self })
    }

    /// A stored object in a version. What no webhook converts is computed once for each version of a kind.
    pub(crate) fn read(
        &self,
        kind: &Kind,
        stored: &Arc<Object>,
        version: &str,
    ) -> Result<Arc<Object>, Unreadable> {
        let is_converted =
            kind.conversion().is_some() && Value::text(stored, "apiVersion") != kind.api_version(version);
        if is_converted {
            return self.read_value(kind, stored, version).map(|object| Arc::new(object.into()));
        }
        stored.read_as(kind.id, version, || self.read_value(kind, stored, version))
    }

    /// An object as it would be stored, in a version.
    pub(crate) fn read_value(&self, kind: &Kind, stored: &Value, version: &str) -> Result<Value, Unreadable> {
        if kind.has_code() {
            return Ok(kind.read_stored(stored, version));
        }
        let unreadable = |why: String| unreadable(kind, stored, why);
        let converter = self.converter(kind);
        let webhook = converter.as_ref().map(|it| it as &dyn Conversion);
        let served = kind.served().map_err(|why| unreadable(why.message))?;
        let read = served.decode_stored_with(stored.clone(), version, webhook);
        read.map_err(|why| unreadable(why.to_string()))
    }
}

/// Why a stored object cannot be read.
pub(crate) fn unreadable(kind: &Kind, stored: &Value, why: String) -> Unreadable {
    let Resource { group, plural } = &kind.resource;
    let namespace = match meta::text(stored, "namespace") {
        "" => String::new(),
        namespace => format!("/{namespace}"),
    };
    Unreadable {
        key: format!("/{group}/{plural}{namespace}/{}", meta::text(stored, "name")),
        version: meta::text(stored, "resourceVersion").to_owned(),
        why,
    }
}

impl Conversion for Converter<'_> {
    fn convert(&self, object: Value, api_version: &str) -> Converted {
        let mut answers = self.hooks.answers.borrow_mut();
        let converted = answers.converted(self.resource, self.conversion, &object, api_version);
        converted.unwrap_or_else(|| Err("the webhook has not answered yet".into()))
    }
}
