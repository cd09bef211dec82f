//! Creating and updating objects: what the server makes of a request, checks, and stores.

use super::served::{Served, ServedVersion};
use super::validate::Validator;
use super::{access, decode, embedded, lists, metadata, scale};
use crate::check::metadata as rules;
use crate::diag::codes::object as codes;
use crate::diag::{Diag, Diags, Kind, Level};
use crate::go;
use crate::ir::Schema;
use crate::json;
use crate::names;
use crate::path::Path;
use crate::value::{Map, Value};

/// What of the server's work found an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// apiVersion and kind.
    TypeMeta,
    /// The metadata.
    Metadata,
    /// The schema.
    Schema,
    /// Embedded resources.
    Embedded,
    /// Replicas of the scale subresource.
    Scale,
    /// Sets and list maps.
    Lists,
    /// Rules.
    Rules,
}

/// What came of a write.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// What is wrong, with the part that found it.
    pub errors: Vec<(Part, Diag)>,
    /// What the server warns about.
    pub warnings: Vec<String>,
    /// The object as it was checked.
    pub prepared: Value,
    /// What the client gets, if nothing is wrong.
    pub result: Option<Value>,
    /// What is stored, if that is another version.
    pub stored: Option<Value>,
    /// Why it cannot be stored.
    pub store_error: Option<String>,
}

/// Values that the server makes up on a write; any do.
const UID: &str = "00000000-0000-0000-0000-000000000000";
const RESOURCE_VERSION: &str = "1";
const NOW: &str = "2023-11-14T22:13:20Z";
/// What stands for the five random characters of a generated name.
const RANDOM: &str = "xxxxx";

impl Served {
    /// Puts an object of a request into its namespace. `requested` is the namespace of the request;
    /// without one, it is that of the object.
    pub fn put_into_namespace(&self, object: &mut Value, requested: &str) -> Result<(), String> {
        let own = access::meta_text(object, "namespace").to_owned();
        let wanted = match (self.namespaced(), requested, own.as_str()) {
            (false, ..) => "",
            (true, "", "") => "default",
            (true, "", own) => own,
            (true, requested, _) => requested,
        };
        if !own.is_empty() && !wanted.is_empty() && own != wanted {
            return Err(
                "the namespace of the provided object does not match the namespace sent on the request"
                    .to_owned(),
            );
        }
        access::set_meta(object, "namespace", access::text(wanted));
        Ok(())
    }

    /// Creates an object that was decoded.
    pub fn create(&self, mut object: Value, version: &ServedVersion) -> Written {
        for name in [
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "selfLink",
            "resourceVersion",
            "managedFields",
        ] {
            access::set_meta(&mut object, name, None);
        }
        access::set_meta(&mut object, "uid", Some(UID.into()));
        access::set_meta(&mut object, "creationTimestamp", Some(NOW.into()));
        let prefix = access::meta_text(&object, "generateName");
        if access::meta_text(&object, "name").is_empty() && !prefix.is_empty() {
            let name = format!("{prefix}{RANDOM}");
            access::set_meta(&mut object, "name", Some(name.into()));
        }
        if self.has_status(version)
            && let Value::Map(map) = &mut object
        {
            map.remove("status");
        }
        access::set_meta(&mut object, "generation", Some(Value::Int(1)));

        let mut found = Found::default();
        let mut type_meta = Diags::new();
        self.type_meta(&object, version, &mut type_meta);
        if type_meta.is_empty() {
            found.part(Part::Metadata, |out| self.new_metadata(&object, out));
            if let Some(schema) = self.schema(version) {
                let validator = self.validator(schema);
                found.all(Part::Schema, validator.validate(&object, &Path::ROOT));
            }
            if let Some(scale) = self.subresources(version).and_then(|s| s.scale.as_ref()) {
                found.part(Part::Scale, |out| {
                    scale::validate_spec(&object, scale, out);
                    scale::validate_status(&object, scale, out);
                });
            }
        } else {
            found.all(Part::TypeMeta, type_meta);
        }
        if let Some(schema) = &version.structural {
            found.part(Part::Embedded, |out| {
                embedded::validate(&object, Some(schema), false, &Path::ROOT, out)
            });
            found.part(Part::Lists, |out| lists::validate(&object, schema, &Path::ROOT, out));
        }
        found.rules(version);
        let finalizers = finalizer_warnings(&object, None);
        self.finish(object, version, found, finalizers)
    }

    /// Replaces a stored object by one that was decoded; both are of the version.
    pub fn update(&self, mut object: Value, mut old: Value, version: &ServedVersion) -> Written {
        let namespace = access::meta_text(&object, "namespace").to_owned();
        access::set_meta(&mut old, "namespace", access::text(&namespace));
        as_read(&mut object);
        self.replace(object, old, version)
    }

    /// Replaces the status of a stored object by that of one that was decoded.
    pub fn update_status(
        &self,
        mut object: Value,
        mut old: Value,
        version: &ServedVersion,
    ) -> Result<Written, String> {
        if !self.has_status(version) {
            return Err(format!("version {} has no status subresource", version.name));
        }
        let namespace = access::meta_text(&object, "namespace").to_owned();
        access::set_meta(&mut old, "namespace", access::text(&namespace));
        fill_system_metadata(&mut old);
        let status = object.as_map_mut().and_then(|map| map.remove("status"));
        let mut object = old.clone();
        if let Value::Map(map) = &mut object {
            match status {
                Some(status) => drop(map.insert("status", status)),
                None => drop(map.remove("status")),
            }
        }
        let mut found = Found::default();
        found.part(Part::Metadata, |out| self.common_metadata(&object, &old, out));
        let mut type_meta = Diags::new();
        self.type_meta(&object, version, &mut type_meta);
        if type_meta.is_empty() {
            found.part(Part::Metadata, |out| changed_metadata(&object, &old, out));
            let of_status = self.schema(version).and_then(|s| s.properties.get("status"));
            if let (Some(schema), Some(status)) = (of_status, object.get("status")) {
                let validator = self.validator(schema);
                let path = Path::ROOT.child("status");
                let diags = match old.get("status") {
                    Some(old) if version.structural.is_some() => {
                        validator.validate_update(status, old, &path)
                    }
                    Some(_) | None => validator.validate(status, &path),
                };
                found.all(Part::Schema, diags);
            }
            if let Some(scale) = self.subresources(version).and_then(|s| s.scale.as_ref()) {
                found.part(Part::Scale, |out| scale::validate_status(&object, scale, out));
            }
        } else {
            found.all(Part::TypeMeta, type_meta);
        }
        found.lists(&object, &old, version);
        found.rules(version);
        Ok(self.finish(object, version, found, Vec::new()))
    }

    /// An update by objects that have been made ready.
    pub(super) fn replace(&self, mut object: Value, mut old: Value, version: &ServedVersion) -> Written {
        fill_system_metadata(&mut old);
        self.prepare_update(&mut object, &old, version);
        let mut found = Found::default();
        found.part(Part::Metadata, |out| self.common_metadata(&object, &old, out));
        let mut type_meta = Diags::new();
        self.type_meta(&object, version, &mut type_meta);
        if type_meta.is_empty() {
            found.part(Part::Metadata, |out| changed_metadata(&object, &old, out));
            if let Some(schema) = self.schema(version) {
                let validator = self.validator(schema);
                found.all(Part::Schema, validator.validate_update(&object, &old, &Path::ROOT));
            }
            if let Some(scale) = self.subresources(version).and_then(|s| s.scale.as_ref()) {
                found.part(Part::Scale, |out| {
                    scale::validate_spec(&object, scale, out);
                    scale::validate_status(&object, scale, out);
                });
            }
        } else {
            found.all(Part::TypeMeta, type_meta);
        }
        if let Some(schema) = &version.structural {
            found.part(Part::Embedded, |out| {
                embedded::validate(&object, Some(schema), false, &Path::ROOT, out)
            });
        }
        found.lists(&object, &old, version);
        found.rules(version);
        let finalizers = finalizer_warnings(&object, Some(&old));
        self.finish(object, version, found, finalizers)
    }

    /// What a client cannot set is taken from the old object; other changes than those of metadata
    /// make a new generation.
    fn prepare_update(&self, object: &mut Value, old: &Value, version: &ServedVersion) {
        if self.has_status(version)
            && let Value::Map(map) = object
        {
            match old.get("status") {
                Some(status) => drop(map.insert("status", status.clone())),
                None => drop(map.remove("status")),
            }
        }
        let old_metadata = old.get("metadata");
        let generation =
            old_metadata.and_then(|m| m.get("generation")).and_then(Value::as_int).unwrap_or_default();
        let changed = without_metadata(object).ne(without_metadata(old));
        let generation = generation + i64::from(changed);
        access::set_meta(object, "generation", (generation != 0).then_some(Value::Int(generation)));
        for name in ["uid", "creationTimestamp"] {
            access::set_meta(object, name, old_metadata.and_then(|m| m.get(name)).cloned());
        }
        if let Some(time) = old_metadata.and_then(|m| m.get("deletionTimestamp")) {
            access::set_meta(object, "deletionTimestamp", Some(time.clone()));
        }
        let grace = "deletionGracePeriodSeconds";
        if let Some(seconds) = old_metadata.and_then(|m| m.get(grace))
            && object.get("metadata").is_none_or(|m| m.get(grace).is_none())
        {
            access::set_meta(object, grace, Some(seconds.clone()));
        }
    }

    fn has_status(&self, version: &ServedVersion) -> bool {
        self.subresources(version).is_some_and(|s| s.status)
    }

    fn validator<'s>(&'s self, schema: &'s Schema) -> Validator<'s> {
        Validator::sharing(schema, &self.patterns)
    }

    fn type_meta(&self, object: &Value, version: &ServedVersion, out: &mut Diags) {
        let kind = self.crd.spec.names.kind.clone();
        for (name, wanted) in [("kind", kind), ("apiVersion", self.api_version(&version.name))] {
            let found = decode::text(object, name);
            if found != wanted {
                let diag =
                    Diag::invalid(&codes::META, &Path::ROOT.child(name), found, format!("must be {wanted}"));
                out.push(diag.help(format!("write `{name}: {wanted}`")));
            }
        }
    }

    fn new_metadata(&self, object: &Value, out: &mut Diags) {
        rules::validate(&typed(object), self.namespaced(), &subdomain, &Path::ROOT.child("metadata"), out);
    }

    /// What the server checks for objects of all kinds on an update.
    fn common_metadata(&self, object: &Value, old: &Value, out: &mut Diags) {
        let path = Path::ROOT.child("metadata");
        rules::validate(&typed(object), self.namespaced(), &path_segment, &path, out);
        rules::validate_update(&typed(object), &typed(old), &path, out);
    }

    fn finish(
        &self,
        object: Value,
        version: &ServedVersion,
        found: Found,
        own_warnings: Vec<String>,
    ) -> Written {
        let mut written = Written { errors: found.0, prepared: object, ..Written::default() };
        written.warnings.extend(self.deprecation(version));
        if !written.errors.is_empty() {
            return written;
        }
        written.warnings.extend(own_warnings);
        match self.store(&written.prepared, version) {
            Ok((stored, result)) => {
                written.result = Some(result);
                written.stored = stored;
            }
            Err(error) => written.store_error = Some(error),
        }
        written
    }

    /// What is stored, if in another version, and what is read again.
    fn store(&self, object: &Value, version: &ServedVersion) -> Result<(Option<Value>, Value), String> {
        let storage = self.storage_version().ok_or("the CRD has no storage version")?;
        let stored = self.convert(object.clone(), storage)?;
        let mut written = stored.clone();
        json::read_back(&mut written);
        let result = self.decode_stored(written, &version.name)?;
        Ok(((storage != version.name).then_some(stored), result))
    }
}

/// Errors found so far.
#[derive(Default)]
struct Found(Vec<(Part, Diag)>);

impl Found {
    fn all(&mut self, part: Part, diags: Diags) {
        self.0.extend(diags.into_iter().map(|d| (part, d)));
    }

    fn part(&mut self, part: Part, check: impl FnOnce(&mut Diags)) {
        let mut out = Diags::new();
        check(&mut out);
        self.all(part, out);
    }

    /// Lists that were wrong before may stay wrong.
    fn lists(&mut self, object: &Value, old: &Value, version: &ServedVersion) {
        let Some(schema) = &version.structural else { return };
        let mut before = Diags::new();
        lists::validate(old, schema, &Path::ROOT, &mut before);
        if before.is_empty() {
            self.part(Part::Lists, |out| lists::validate(object, schema, &Path::ROOT, out));
        }
    }

    /// No rule is evaluated on an object whose shape is wrong.
    fn rules(&mut self, version: &ServedVersion) {
        let blocks = |d: &Diag| match d.kind {
            Some(Kind::NotSupported | Kind::Required | Kind::TooLong | Kind::TooMany | Kind::TypeInvalid) => {
                true
            }
            Some(
                Kind::NotFound
                | Kind::Duplicate
                | Kind::Invalid
                | Kind::Forbidden
                | Kind::TooShort
                | Kind::TooFew
                | Kind::Internal,
            )
            | None => false,
        };
        if version.has_rules && self.0.iter().any(|(_, d)| blocks(d)) {
            let detail = "some validation rules were not checked because the object was invalid; correct the existing \
                          errors to complete validation";
            let diag = Diag::field_error(
                &codes::RULES_SKIPPED,
                Kind::Invalid,
                &Path::ROOT,
                Some(Value::Null),
                detail,
            );
            self.0.push((Part::Rules, diag.help("mend the other errors first")));
        }
    }
}

/// The object as if the client had just read it.
fn as_read(object: &mut Value) {
    access::set_meta(object, "managedFields", None);
    access::set_meta(object, "resourceVersion", Some(RESOURCE_VERSION.into()));
}

pub(super) fn fill_system_metadata(object: &mut Value) {
    access::set_meta(object, "uid", Some(UID.into()));
    access::set_meta(object, "resourceVersion", Some(RESOURCE_VERSION.into()));
    access::set_meta(object, "creationTimestamp", Some(NOW.into()));
    access::set_meta(object, "managedFields", None);
}

/// The object without what only the server can know.
pub fn presentable(object: &Value) -> Value {
    let mut out = object.clone();
    for name in ["uid", "resourceVersion", "creationTimestamp", "managedFields"] {
        access::set_meta(&mut out, name, None);
    }
    out
}

fn typed(object: &Value) -> crate::ir::Metadata {
    let none = Map::new();
    metadata::typed(object.get("metadata").and_then(Value::as_map).unwrap_or(&none))
}

fn changed_metadata(object: &Value, old: &Value, out: &mut Diags) {
    rules::validate_update(&typed(object), &typed(old), &Path::ROOT.child("metadata"), out);
}

fn without_metadata(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_map().into_iter().flat_map(Map::iter).filter(|(name, _)| *name != "metadata")
}

fn subdomain(name: &str, is_prefix: bool) -> Vec<String> {
    if is_prefix {
        names::dns1123_subdomain(&names::mask_trailing_dash(name))
    } else {
        names::dns1123_subdomain(name)
    }
}

fn path_segment(name: &str, is_prefix: bool) -> Vec<String> {
    if is_prefix { names::path_segment_prefix(name) } else { names::path_segment(name) }
}

/// Warnings about finalizers that are new, sorted.
fn finalizer_warnings(object: &Value, old: Option<&Value>) -> Vec<String> {
    let of = |object: &Value| typed(object).finalizers;
    let known = old.map(of).unwrap_or_default();
    let mut new: Vec<String> = of(object).into_iter().filter(|f| !known.contains(f)).collect();
    new.sort();
    new.dedup();
    let mut out = Vec::new();
    for name in new {
        let at = format!("metadata.finalizers: {}", go::quote(&name));
        out.extend(names::qualified_name(&name).into_iter().map(|error| format!("{at}: {error}")));
        if name.contains('/') || matches!(name.as_str(), "orphan" | "foregroundDeletion" | "kubernetes") {
            continue;
        }
        let including = if name.contains('.') { " including a path (/)" } else { "" };
        out.push(format!(
            "{at}: prefer a domain-qualified finalizer name{including} to avoid accidental conflicts with other \
             finalizer writers"
        ));
    }
    out
}

/// A finding of strict decoding: a field that is unknown or stands twice.
pub fn strict(text: String, is_unknown: bool) -> Diag {
    let code = if is_unknown { &codes::UNKNOWN_FIELD } else { &codes::DUPLICATE_FIELD };
    Diag::own(code, Level::Error, &Path::ROOT, text)
}
