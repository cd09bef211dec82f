//! Converts typed objects between versions, by way of the hub.

use super::{Kind, kind_text};
use crate::message::Message;
use crate::typed::{Duplicates, Typed};
use crate::update::{Convert, Unconverted};
use crdgen_text::value::Value;

pub(super) struct Versions<'k, 'h, K> {
    pub(super) of: &'k K,
    pub(super) hub: &'h str,
}

impl<'k, K: Kind> Versions<'k, '_, K> {
    /// Gives an object its type.
    pub(super) fn typed(&self, object: Value, duplicates: Duplicates) -> Result<Typed<'k>, Unconverted> {
        let ty = self.of.type_of(object.text("apiVersion"), object.text("kind")).ok_or_else(|| {
            Unconverted::NoVersion(format!("no corresponding type for {}", kind_text(&object)))
        })?;
        Typed::new(object, ty, duplicates).map_err(|why| Unconverted::Failed(why.to_string()))
    }
}

impl<'k, K: Kind> Convert<'k> for Versions<'k, '_, K> {
    fn convert(&self, object: &Typed<'k>, version: &str) -> Result<Typed<'k>, Unconverted> {
        if version.matches('/').count() > 1 {
            return Err(Unconverted::Failed(format!("unexpected GroupVersion string: {version}")));
        }
        if object.value().text("apiVersion") == version {
            return Ok(object.clone());
        }
        if object.value().as_map().is_none() {
            let ty = object.value().go_type();
            return Err(Unconverted::Failed(format!(
                "failed to convert value to unstructured for type {ty}"
            )));
        }
        let kind = object.value().text("kind");
        if !self.of.has_version(version, kind) {
            return Err(Unconverted::NoVersion(format!("no kind {kind} in version {version}")));
        }
        let convert = |object, version| {
            self.of.convert(object, version).map_err(|Message(why)| Unconverted::Failed(why))
        };
        let converted = convert(convert(object.value().clone(), self.hub)?, version)?;
        self.typed(converted, Duplicates::Forbidden)
    }
}
