//! What the field manager must know about custom resources, and what the server does with their metadata around it.

use super::models::Models;
use crate::GroupVersion;
use crate::object::write::Warning;
use crate::object::{Conversion, Served, conversion};
use crate::value::Value;
use crdgen_apply::Message;
use crdgen_apply::manager::Kind;
use crdgen_apply::typed::Type;

/// The objects of a CRD.
pub(super) struct CustomResources<'k> {
    pub(super) served: &'k Served,
    pub(super) models: &'k Models,
    pub(super) webhook: Option<&'k dyn Conversion>,
}

impl Kind for CustomResources<'_> {
    fn type_of(&self, api_version: &str, kind: &str) -> Option<Type<'_>> {
        self.models.type_of(api_version, kind)
    }

    /// The conversion strategy None changes nothing but the version. What a webhook returns is not pruned either.
    fn convert(&self, mut object: Value, api_version: &str) -> Result<Value, Message> {
        let from = object.text("apiVersion").to_owned();
        if GroupVersion::of(&from).group != GroupVersion::of(api_version).group {
            let slash = if from.contains('/') { "" } else { "/" };
            return Err(Message(format!(
                "{slash}{from}, Kind={} is unstructured and is not suitable for converting to {}",
                object.text("kind"),
                crate::go::quote(api_version)
            )));
        }
        for (version, preposition) in [(api_version, "to"), (&from, "from")] {
            if !self.served.versions().any(|known| self.served.api_version(&known.name) == version) {
                return Err(Message(format!(
                    "request to convert CR {preposition} an invalid group/version: {version}"
                )));
            }
        }
        if from != api_version
            && let Some(how) = self.served.crd.spec.conversion.as_ref().filter(|c| c.strategy != "None")
        {
            let Some(webhook) = self.webhook else {
                return Err(Message(format!("conversion strategy {} is not supported", how.strategy)));
            };
            if !conversion::is_empty(&object) {
                return webhook.convert(object, api_version).map_err(|why| Message(why.0));
            }
        }
        if let Value::Map(map) = &mut object {
            map.insert("apiVersion", Value::from(api_version));
        }
        Ok(object)
    }

    fn default(&self, object: &mut Value) {
        // The storage rejects what is too large.
        _ = self.served.set_defaults(object);
    }
}

/// A text in the metadata, or an empty text.
pub(super) fn metadata_text<'v>(object: &'v Value, name: &str) -> &'v str {
    object.get("metadata").map_or("", |metadata| metadata.text(name))
}

/// Removes what only the server sets.
pub(super) fn without_system_fields(object: &mut Value) {
    if let Some(Value::Map(metadata)) = object.as_map_mut().and_then(|map| map.get_mut("metadata")) {
        for name in
            ["creationTimestamp", "uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"]
        {
            metadata.remove(name);
        }
    }
}

/// Sets the version of the object that the client has read, if it sends none.
pub(super) fn as_just_read(live: &Value, object: &mut Value) {
    let version = metadata_text(live, "resourceVersion");
    if !metadata_text(object, "resourceVersion").is_empty() || version.is_empty() {
        return;
    }
    let version = Value::from(version);
    if let Value::Map(map) = object
        && let Value::Map(metadata) =
            map.entry_or_insert_with("metadata", || Value::Map(crate::value::Map::new()))
    {
        metadata.insert("resourceVersion", version);
    }
}

/// How the warning about duplicate owner references begins, before and after admission.
pub(super) const BEFORE_ADMISSION: &str = ".metadata.ownerReferences contains duplicate entries";
pub(super) const AFTER_ADMISSION: &str =
    ".metadata.ownerReferences contains duplicate entries after mutating admission happens";

/// Removes owner references that occur before, and warns about them.
pub(super) fn unique_owner_references(object: &mut Value, begin: &str, warnings: &mut Vec<Warning>) {
    let metadata = object.as_map_mut().and_then(|map| map.get_mut("metadata"));
    let Some(Value::List(references)) = metadata.and_then(|m| m.as_map_mut()?.get_mut("ownerReferences"))
    else {
        return;
    };
    let mut seen = std::collections::HashSet::new();
    let mut duplicates = Vec::new();
    references.retain(|reference| {
        let is_new = seen.insert(crate::json::to_string(reference));
        if !is_new {
            duplicates.push(reference.text("uid").to_owned());
        }
        is_new
    });
    if !duplicates.is_empty() {
        let end = "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please \
                   fix your requests; duplicate UID(s) observed:";
        warnings.push(Warning::from(format!("{begin}; {end} {}", duplicates.join(", "))));
    }
}
