//! Decodes objects of requests, and objects in storage.

use super::refusal::Refusal;
use super::served::{Served, ServedVersion, Structural};
use super::{Unknown, access, defaults, embedded, metadata, prune};
use crate::json::to_string;
use crate::path::{Path, Step};
use crate::value::Value;
use std::collections::BTreeSet;

/// An object of a request after decoding, pruning and defaulting.
#[derive(Clone, Debug)]
pub struct Decoded {
    /// The object.
    pub object: Value,
    /// The unknown fields that were dropped.
    pub unknown: Vec<Unknown>,
    /// The steps to the required fields that were null and therefore dropped.
    pub nulls: BTreeSet<Vec<Step>>,
}

/// What was dropped from an object while it was decoded.
struct Dropped {
    unknown: Vec<Unknown>,
    nulls: BTreeSet<Vec<Step>>,
}

/// Where an object comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Request,
    Storage,
    Conversion,
}

impl Served {
    /// Decodes an object that a client sends for a version.
    ///
    /// # Errors
    /// Fails if the server would answer with status 400.
    pub fn decode(&self, object: Value, version: &str) -> Result<Decoded, Refusal> {
        let mut object = read(object)?;
        let Dropped { unknown, nulls } = self.coerce(&mut object, Source::Request)?;
        self.set_defaults(&mut object);
        let (found, wanted) = (text(&object, "apiVersion"), self.api_version(version));
        if found != wanted {
            return Err(Refusal::OtherVersion { found: found.to_owned(), wanted });
        }
        Ok(Decoded { object, unknown, nulls })
    }

    /// Drops the fields that the schema of a version does not list. Returns them, sorted.
    pub fn prune(&self, object: &mut Value, version: &ServedVersion) -> Vec<Unknown> {
        let schema = self.structural_of(&version.name).map(|structural| structural.schema);
        if self.prunes() { prune::prune(object, schema, true) } else { Vec::new() }
    }

    /// Sets the defaults of a version where values are missing.
    pub fn default(&self, object: &mut Value, version: &ServedVersion) {
        defaults::set_defaults(object, self.structural_of(&version.name).and_then(Structural::with_defaults));
    }

    /// Decodes a stored object of any version and converts it to a version.
    pub fn decode_stored(&self, object: Value, version: &str) -> Result<Value, Refusal> {
        let mut object = read(object)?;
        self.coerce(&mut object, Source::Storage)?;
        self.set_defaults(&mut object);
        self.convert(object, version)
    }

    /// Changes the version in `apiVersion`, as the conversion strategy None does.
    pub(super) fn convert(&self, mut object: Value, version: &str) -> Result<Value, Refusal> {
        let found = text(&object, "apiVersion");
        if version_of(found) == version {
            return Ok(object);
        }
        if let Some(conversion) = self.crd.spec.conversion.as_ref().filter(|c| c.strategy != "None") {
            return Err(Refusal::Conversion(conversion.strategy.clone()));
        }
        if let Value::Map(map) = &mut object {
            map.insert("apiVersion", Value::Str(self.api_version(version)));
            map.insert("kind", Value::from(self.crd.spec.names.kind.as_str()));
        }
        self.coerce(&mut object, Source::Conversion)?;
        Ok(object)
    }

    /// Prunes the object, and decodes its metadata and that of embedded resources. Returns what was dropped.
    fn coerce(&self, object: &mut Value, source: Source) -> Result<Dropped, Refusal> {
        let kind = access::nested_str(object, &["kind"])?.unwrap_or_default().to_owned();
        let api_version = access::nested_str(object, &["apiVersion"])?.unwrap_or_default().to_owned();
        let drop_malformed = source == Source::Storage;
        let mut own_metadata = match object.get("metadata") {
            Some(found) => Some(metadata::decode(found, drop_malformed, &Path::ROOT.child("metadata"))?),
            None => None,
        };
        let unknown = own_metadata.as_mut().map(|m| std::mem::take(&mut m.unknown)).unwrap_or_default();
        let mut dropped = Dropped { unknown, nulls: BTreeSet::new() };
        if self.is_ours(&api_version, &kind) {
            let version = version_of(&api_version);
            let structural = self.structural_of(version);
            if self.prunes() {
                let schema = structural.map(|structural| structural.schema);
                dropped.unknown.append(&mut prune::prune(object, schema, true));
                defaults::prune_nulls(object, schema, &Path::ROOT, &mut dropped.nulls);
            }
            let schema = structural.and_then(Structural::with_resources);
            let of_embedded = embedded::coerce(object, schema, false, drop_malformed, &Path::ROOT);
            dropped.unknown.append(&mut of_embedded.map_err(Refusal::Embedded)?);
        }
        if let (Value::Map(map), Some(decoded)) = (&mut *object, own_metadata) {
            map.insert("metadata", Value::Map(decoded.fields));
        }
        let missing_generation = || object.get("metadata").is_some_and(|m| m.get("generation").is_none());
        if source == Source::Storage && self.is_ours(&api_version, &kind) && missing_generation() {
            access::set_meta(object, "generation", Some(Value::Int(1)));
        }
        Ok(dropped)
    }

    fn structural_of(&self, version: &str) -> Option<Structural<'_>> {
        self.structural(self.named(version)?)
    }

    pub(crate) fn set_defaults(&self, object: &mut Value) {
        let (api_version, kind) = (text(object, "apiVersion"), text(object, "kind"));
        if self.is_ours(api_version, kind) {
            let version = version_of(api_version);
            defaults::set_defaults(object, self.structural_of(version).and_then(Structural::with_defaults));
        }
    }
}

/// Reads an object, which must have a kind.
fn read(object: Value) -> Result<Value, Refusal> {
    let Value::Map(map) = &object else {
        return Err(match &object {
            Value::Null => Refusal::NoKind(to_string(&object)),
            other => Refusal::NoObject(other.json_type()),
        });
    };
    for (key, value) in map.iter() {
        // The server's reader ignores the case of these names.
        let Some(name) = ["apiVersion", "kind"].into_iter().find(|name| key.eq_ignore_ascii_case(name))
        else {
            continue;
        };
        if !matches!(value, Value::Null | Value::Str(_)) {
            return Err(Refusal::TypeMeta { field: name, found: value.json_type() });
        }
    }
    let api_version = text(&object, "apiVersion");
    if api_version.matches('/').count() > 1 {
        return Err(Refusal::ApiVersion(api_version.to_owned()));
    }
    if text(&object, "kind").is_empty() {
        return Err(Refusal::NoKind(to_string(&object)));
    }
    Ok(object)
}

/// The version in an `apiVersion`. Without a group there is no slash.
fn version_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or(api_version, |(_, version)| version)
}

pub(super) fn text<'v>(object: &'v Value, name: &str) -> &'v str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}
