//! Decodes objects of requests, and objects in storage.

use super::conversion::{self, Conversion};
use super::defaults::{self, TooLarge};
use super::metadata::WrongTypes;
use super::refusal::Refusal;
use super::served::{Served, ServedVersion, Structural};
use super::{Unknown, access, embedded, metadata, prune};
use crate::GroupVersion;
use crate::diag::Diag;
use crate::ir::SchemaOf;
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
        let decoded = self.decode_any(object)?;
        self.check_version(&decoded.object, version)?;
        Ok(decoded)
    }

    /// Decodes an object that may have another version than that of the request.
    pub(crate) fn decode_any(&self, object: Value) -> Result<Decoded, Refusal> {
        let mut object = read(object)?;
        let Dropped { unknown, nulls } = self.coerce(&mut object, Source::Request)?;
        self.set_defaults(&mut object).map_err(|TooLarge| Refusal::LargeDefaults)?;
        Ok(Decoded { object, unknown, nulls })
    }

    /// Checks that a decoded object has the version of the request.
    pub(crate) fn check_version(&self, object: &Value, version: &str) -> Result<(), Refusal> {
        let found = GroupVersion::of(object.text("apiVersion"));
        if (found.group, found.version) == (self.crd.spec.group.as_str(), version) {
            return Ok(());
        }
        Err(Refusal::OtherVersion { found: found.to_string(), wanted: self.api_version(version) })
    }

    /// Drops the fields that the schema of a version does not list. Returns them, sorted.
    pub fn prune(&self, object: &mut Value, version: &ServedVersion) -> Vec<Unknown> {
        let schema = self.structural_of(&version.name).map(|structural| structural.schema);
        if self.prunes() { prune::prune(object, schema, SchemaOf::Resource) } else { Vec::new() }
    }

    /// Sets the defaults of a version where values are missing.
    ///
    /// # Errors
    /// Fails if they make the object too large for a server.
    pub fn default(&self, object: &mut Value, version: &ServedVersion) -> Result<(), TooLarge> {
        defaults::set_defaults(object, self.structural_of(&version.name).and_then(Structural::with_defaults))
    }

    /// Decodes a stored object of any version and converts it to a version.
    pub fn decode_stored(&self, object: Value, version: &str) -> Result<Value, Refusal> {
        self.decode_stored_with(object, version, None)
    }

    /// Does the same, and converts objects by a webhook if the CRD says so.
    pub fn decode_stored_with(
        &self,
        object: Value,
        version: &str,
        webhook: Option<&dyn Conversion>,
    ) -> Result<Value, Refusal> {
        let mut object = read(object)?;
        self.coerce(&mut object, Source::Storage)?;
        self.set_defaults(&mut object).map_err(|TooLarge| Refusal::LargeDefaults)?;
        self.convert(object, version, webhook)
    }

    /// Converts an object to a version. The conversion strategy None changes only the version in `apiVersion`.
    pub fn convert(
        &self,
        object: Value,
        version: &str,
        webhook: Option<&dyn Conversion>,
    ) -> Result<Value, Refusal> {
        let found = object.text("apiVersion");
        if GroupVersion::of(found).version == version {
            return Ok(object);
        }
        if let Some(how) = self.crd.spec.conversion.as_ref().filter(|c| c.strategy != "None") {
            let Some(webhook) = webhook else {
                return Err(Refusal::Conversion(how.strategy.clone()));
            };
            if conversion::is_empty(&object) {
                return Ok(self.with_version(object, version));
            }
            let mut object = webhook.convert(object, &self.api_version(version)).map_err(Refusal::Webhook)?;
            self.coerce(&mut object, Source::Conversion)?;
            return Ok(object);
        }
        let mut object = self.with_version(object, version);
        self.coerce(&mut object, Source::Conversion)?;
        Ok(object)
    }

    fn with_version(&self, mut object: Value, version: &str) -> Value {
        if let Value::Map(map) = &mut object {
            map.insert("apiVersion", Value::Str(self.api_version(version)));
            map.insert("kind", Value::from(self.crd.spec.names.kind.as_str()));
        }
        object
    }

    /// Prunes the object, and decodes its metadata and that of embedded resources. Returns what was dropped.
    fn coerce(&self, object: &mut Value, source: Source) -> Result<Dropped, Refusal> {
        let kind = access::nested_str(object, &["kind"])?.unwrap_or_default().to_owned();
        let api_version = access::nested_str(object, &["apiVersion"])?.unwrap_or_default().to_owned();
        let wrong_types = if source == Source::Storage { WrongTypes::Dropped } else { WrongTypes::Rejected };
        let mut own_metadata = match object.get("metadata") {
            Some(found) => Some(metadata::decode(found, wrong_types, &Path::ROOT.child("metadata"))?),
            None => None,
        };
        let unknown = own_metadata.as_mut().map(|m| std::mem::take(&mut m.unknown)).unwrap_or_default();
        let mut dropped = Dropped { unknown, nulls: BTreeSet::new() };
        if self.is_ours(&api_version, &kind) {
            let version = GroupVersion::of(&api_version).version;
            let structural = self.structural_of(version);
            if self.prunes() {
                let schema = structural.map(|structural| structural.schema);
                dropped.unknown.append(&mut prune::prune(object, schema, SchemaOf::Resource));
                defaults::prune_nulls(object, schema, &Path::ROOT, &mut dropped.nulls);
            }
            let schema = structural.and_then(Structural::with_resources);
            let of_embedded = embedded::coerce(object, schema, SchemaOf::Value, wrong_types, &Path::ROOT);
            let refused = |mut why: Box<Diag>| {
                self.server.print(&mut why);
                Refusal::Embedded(why)
            };
            dropped.unknown.append(&mut of_embedded.map_err(refused)?);
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

    pub(crate) fn set_defaults(&self, object: &mut Value) -> Result<(), TooLarge> {
        let (api_version, kind) = (object.text("apiVersion"), object.text("kind"));
        if self.is_ours(api_version, kind) {
            let version = GroupVersion::of(api_version).version;
            return defaults::set_defaults(
                object,
                self.structural_of(version).and_then(Structural::with_defaults),
            );
        }
        Ok(())
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
    let mut first_read = "";
    for (key, value) in map.iter() {
        // The server reads these fields twice. The first time, it ignores the case of their names, and the last one wins.
        let Some(name) = ["apiVersion", "kind"].into_iter().find(|name| key.eq_ignore_ascii_case(name))
        else {
            continue;
        };
        match value {
            Value::Null => {}
            Value::Str(text) if name == "apiVersion" => first_read = text,
            Value::Str(_) => {}
            other => return Err(Refusal::TypeMeta { field: name, found: other.json_type() }),
        }
    }
    if GroupVersion::read(first_read).is_none() {
        return Err(Refusal::ApiVersion(first_read.to_owned()));
    }
    // The second time, a version that it cannot read counts as if the kind were missing.
    if object.text("kind").is_empty() || GroupVersion::read(object.text("apiVersion")).is_none() {
        return Err(Refusal::NoKind(to_string(&object)));
    }
    Ok(object)
}
