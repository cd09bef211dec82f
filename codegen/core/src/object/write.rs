//! Creates and updates objects: what the server makes of a request, checks, and stores.

use super::conversion::Conversion;
use super::refusal::Refusal;
use super::served::{Served, ServedVersion, Structural};
use super::validate::Validator;
use super::{access, embedded, lists, metadata, replicas};
use crate::GroupVersion;
use crate::diag::codes::object as codes;
use crate::diag::{Diag, Diags};
use crate::go;
use crate::ir::{SchemaOf, Subresources};
use crate::json;
use crate::metadata::{self as meta_rules, MetadataRules, Scope};
use crate::path::Path;
use crate::rules::run as rules;
use crate::server::Server;
use crate::value::{Map, Value};
use std::collections::HashSet;

/// The check that found an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The check of apiVersion and kind.
    TypeMeta,
    /// The check of the metadata.
    Metadata,
    /// The validation against the schema.
    Schema,
    /// The check of embedded resources.
    Embedded,
    /// The check of the replicas of the scale subresource.
    Scale,
    /// The check of sets and list maps.
    Lists,
    /// The evaluation of rules.
    Rules,
}

/// The result of creating or updating an object.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The errors, each with the check that found it.
    pub errors: Vec<(Part, Diag)>,
    /// The server's warnings.
    pub warnings: Vec<Warning>,
    /// The object as the server checked it.
    pub prepared: Value,
    /// The object that the server returns to the client. `None` if there are errors.
    pub result: Option<Value>,
    /// The object that is stored, if that is in another version.
    pub stored: Option<Value>,
    /// Why the object cannot be stored.
    pub store_error: Option<Refusal>,
    /// The cost of the rules, as the server counts it.
    pub cost: i64,
}

/// A warning of the server.
#[derive(Clone, Debug)]
pub struct Warning {
    /// The text.
    pub text: String,
    /// The error that the server does not report, because the old object has it too.
    pub ratcheted: Option<Box<Diag>>,
}

impl From<String> for Warning {
    fn from(text: String) -> Warning {
        Warning { text, ratcheted: None }
    }
}

/// A placeholder for the value that the server would generate.
pub const UID: &str = "00000000-0000-0000-0000-000000000000";
pub(crate) const RESOURCE_VERSION: &str = "1";
/// A placeholder for the time at which the server would store an object.
pub const NOW: &str = "2023-11-14T22:13:20Z";
/// The placeholder for the five random characters of a generated name.
const RANDOM: &str = "xxxxx";

/// Creates and updates objects of one version. It borrows the version, which keeps everything that was compiled.
#[derive(Debug)]
pub struct Handler<'s> {
    pub(super) served: &'s Served,
    pub(super) version: &'s ServedVersion,
    schema: Option<Validator<'s>>,
    /// The validator of `status` alone.
    status: Option<Validator<'s>>,
    /// Set if objects keep their managed fields and what else a server sets. It restores the times of a write that changes
    /// nothing, and gets the old object.
    owners: Option<KeepTimes>,
    /// The webhook that converts objects, if the CRD has one and the caller calls it.
    webhook: Option<&'s dyn Conversion>,
    /// Whether nothing is stored: only the errors, what was prepared and the cost are of interest.
    is_dry: bool,
}

/// Restores times in a new object that does not differ from an old one otherwise.
pub(crate) type KeepTimes = fn(&Value, &mut Value);

impl Served {
    /// Returns the handler for objects of a version.
    pub fn handler<'s>(&'s self, version: &'s ServedVersion) -> Handler<'s> {
        let schema = self.schema(version);
        let status = schema.and_then(|s| s.properties.get("status"));
        let validator = |schema| Validator::sharing(schema, self.server, &version.patterns);
        Handler {
            served: self,
            version,
            schema: schema.map(validator),
            status: status.map(validator),
            owners: None,
            webhook: None,
            is_dry: false,
        }
    }

    /// Sets the namespace of an object in a request. `requested` is the namespace of the request. If it is empty, the
    /// object keeps its own, or gets `default`. Objects of cluster-scoped kinds get none.
    ///
    /// # Errors
    /// Fails if the object has another namespace than the request.
    pub fn put_into_namespace(&self, object: &mut Value, requested: &str) -> Result<(), Refusal> {
        put_into_namespace(self.namespaced(), object, requested)
    }

    /// Converts the object to the version that is stored, and back to the version of the request.
    fn store(
        &self,
        object: &Value,
        version: &ServedVersion,
        is_new: bool,
        webhook: Option<&dyn Conversion>,
    ) -> Result<(Option<Value>, Value), Refusal> {
        let storage = self.storage_version().ok_or(Refusal::NoStorageVersion)?;
        // The object was decoded just now, and decoding it again would take a tenth of the time of a write.
        if is_new && storage == version.name && self.reads_what_it_wrote(storage) {
            let mut result = object.clone();
            json::read_back(&mut result);
            return Ok((None, result));
        }
        let mut written = self.convert(object.clone(), storage, webhook)?;
        let stored = (storage != version.name).then(|| written.clone());
        json::read_back(&mut written);
        Ok((stored, self.decode_stored_with(written, &version.name, webhook)?))
    }
}

/// As [`Served::put_into_namespace`], for any kind.
pub(crate) fn put_into_namespace(
    namespaced: bool,
    object: &mut Value,
    requested: &str,
) -> Result<(), Refusal> {
    let own = access::meta_text(object, "namespace").to_owned();
    let wanted = match (namespaced, requested, own.as_str()) {
        (false, ..) => "",
        (true, "", "") => "default",
        (true, "", own) => own,
        (true, requested, _) => requested,
    };
    if !own.is_empty() && !wanted.is_empty() && own != wanted {
        return Err(Refusal::OtherNamespace);
    }
    access::set_meta(object, "namespace", access::text(wanted));
    Ok(())
}

impl<'s> Handler<'s> {
    /// The same, but nothing is stored and read again, which takes as long as most checks. The errors are the same.
    pub(crate) fn dry(self) -> Self {
        Handler { is_dry: true, ..self }
    }

    /// The same for objects with managed fields, which a webhook may convert.
    #[cfg(feature = "apply")]
    pub(crate) fn with_owners(self, keep_times: KeepTimes, webhook: Option<&'s dyn Conversion>) -> Self {
        Handler { owners: Some(keep_times), webhook, ..self }
    }
}

impl Handler<'_> {
    /// Creates an object that was decoded before.
    pub fn create(&self, mut object: Value) -> Written {
        let (found, of_rules) = self.check_new(&mut object);
        let of_finalizers = finalizer_warnings(&object, None, self.served.server);
        // An applied object was merged, not decoded.
        let is_new = self.owners.is_none();
        self.finish(Made { object, is_new }, found, of_rules, of_finalizers)
    }

    /// The errors in a decoded object if it is created. Nothing is stored.
    pub(super) fn check(&self, mut object: Value) -> Diags {
        let (found, _) = self.check_new(&mut object);
        self.printed(found).into_iter().map(|(_, diag)| diag).collect()
    }

    /// Prepares a new object and checks it. Also returns what its rules say.
    fn check_new(&self, object: &mut Value) -> (FoundErrors, OfRules) {
        if let Some(metadata) = access::metadata_mut(object) {
            for name in ["deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion"] {
                metadata.remove(name);
            }
            if self.owners.is_none() {
                metadata.remove("managedFields");
            }
            metadata.insert("uid", UID.into());
            metadata.insert("creationTimestamp", NOW.into());
            metadata.insert("generation", Value::Int(1));
        }
        let prefix = access::meta_text(object, "generateName");
        if access::meta_text(object, "name").is_empty() && !prefix.is_empty() {
            let name = format!("{prefix}{RANDOM}");
            access::set_meta(object, "name", Some(name.into()));
        }
        if self.has_status()
            && let Value::Map(map) = &mut *object
        {
            map.remove("status");
        }

        let mut found = FoundErrors::default();
        if self.is_of_type(object, &mut found) {
            let scope = Scope::namespaced_if(self.served.namespaced());
            let at = Path::ROOT.child("metadata");
            let server = self.served.server;
            let rules = MetadataRules { scope, name: &meta_rules::subdomain };
            found.metadata(server, |out| meta_rules::validate(&typed(object), rules, &at, server, out));
            self.check_schema(object, &mut found);
        }
        self.check_inside(object, &mut found);
        let of_rules = self.check_rules(object, None, 0, &mut found);
        (found, of_rules)
    }

    /// Whether the server accepts a new object. Its metadata must be valid, and pruning and defaulting must not change
    /// it.
    pub(super) fn accepts(&self, object: &Value) -> bool {
        let mut found = FoundErrors::default();
        self.check_schema(object, &mut found);
        if found.0.is_empty() {
            self.check_inside(object, &mut found);
        }
        if found.0.is_empty() {
            self.check_rules(object, None, 0, &mut found);
        }
        found.0.is_empty()
    }

    fn check_schema(&self, object: &Value, found: &mut FoundErrors) {
        if let Some(schema) = &self.schema {
            found.all(Part::Schema, schema.validate(object, &Path::ROOT));
        }
        self.check_scale(object, found);
    }

    /// Checks embedded resources and lists.
    fn check_inside(&self, object: &Value, found: &mut FoundErrors) {
        self.check_embedded(object, found);
        if let Some(schema) = self.structural().and_then(Structural::with_unique_items) {
            found.part(Part::Lists, |out| lists::validate(object, schema, &Path::ROOT, out));
        }
    }

    /// Replaces the stored object `old` with a decoded object. Both are in the version of the handler.
    pub fn update(&self, mut object: Value, mut old: Value) -> Written {
        put_into_same_namespace(&object, &mut old);
        // The object is the same as after a client has read it.
        access::set_meta(&mut object, "managedFields", None);
        access::set_meta(&mut object, "resourceVersion", Some(RESOURCE_VERSION.into()));
        self.replace(object, old)
    }

    /// Updates a stored object. Both objects have been prepared.
    pub(crate) fn replace(&self, mut object: Value, mut old: Value) -> Written {
        if self.owners.is_none() {
            fill_system_metadata(&mut old);
        }
        self.prepare_update(&mut object, &old);
        let mut found = FoundErrors::default();
        self.check_common_metadata(&object, &old, &mut found);
        // The errors so far do not prevent the rules from being evaluated.
        let common = found.0.len();
        if self.is_of_type(&object, &mut found) {
            check_changed_metadata(&object, &old, self.served.server, &mut found);
            if let Some(schema) = &self.schema {
                found.all(Part::Schema, schema.validate_update(&object, &old, &Path::ROOT));
            }
            self.check_scale(&object, &mut found);
        }
        self.check_embedded(&object, &mut found);
        self.check_changed_lists(&object, &old, &mut found);
        let of_rules = self.check_rules(&object, Some(&old), common, &mut found);
        let of_finalizers = finalizer_warnings(&object, Some(&old), self.served.server);
        self.keep_times(&old, &mut object);
        self.finish(Made { object, is_new: false }, found, of_rules, of_finalizers)
    }

    /// Replaces the status of the stored object `old` with that of a decoded object.
    pub fn update_status(&self, mut object: Value, mut old: Value) -> Result<Written, Refusal> {
        if !self.has_status() {
            return Err(self.version.without("status"));
        }
        put_into_same_namespace(&object, &mut old);
        if self.owners.is_none() {
            fill_system_metadata(&mut old);
        }
        let status = object.as_map_mut().and_then(|map| map.remove("status"));
        let managed = object.get("metadata").and_then(|m| m.get("managedFields")).cloned();
        let mut object = old.clone();
        if self.owners.is_some() {
            access::set_meta(&mut object, "managedFields", managed);
        }
        set_status(&mut object, status);
        let mut found = FoundErrors::default();
        self.check_common_metadata(&object, &old, &mut found);
        // The errors so far do not prevent the rules from being evaluated.
        let common = found.0.len();
        if self.is_of_type(&object, &mut found) {
            check_changed_metadata(&object, &old, self.served.server, &mut found);
            if let (Some(schema), Some(status)) = (&self.status, object.get("status")) {
                let path = Path::ROOT.child("status");
                // An absent status counts as null, so a null that was not pruned is not a change.
                let diags = match self.structural() {
                    Some(_) => {
                        schema.validate_update(status, old.get("status").unwrap_or(&Value::Null), &path)
                    }
                    None => schema.validate(status, &path),
                };
                found.all(Part::Schema, diags);
            }
            if let Some(scale) = self.subresources().and_then(|s| s.scale.as_ref()) {
                found.part(Part::Scale, |out| replicas::validate_status(&object, scale, out));
            }
        }
        self.check_changed_lists(&object, &old, &mut found);
        let of_rules = self.check_rules(&object, Some(&old), common, &mut found);
        self.keep_times(&old, &mut object);
        Ok(self.finish(Made { object, is_new: false }, found, of_rules, Vec::new()))
    }

    /// Copies what clients cannot set from the old object. Changes outside of the metadata increase the generation.
    fn prepare_update(&self, object: &mut Value, old: &Value) {
        if self.has_status() {
            set_status(object, old.get("status").cloned());
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

    fn keep_times(&self, old: &Value, object: &mut Value) {
        if let Some(keep) = self.owners {
            keep(old, object);
        }
    }

    fn subresources(&self) -> Option<&Subresources> {
        self.served.subresources(self.version)
    }

    fn structural(&self) -> Option<Structural<'_>> {
        self.served.structural(self.version)
    }

    fn has_status(&self) -> bool {
        self.subresources().is_some_and(|s| s.status)
    }

    /// Checks apiVersion and kind. If they are wrong, most other checks are skipped.
    fn is_of_type(&self, object: &Value, found: &mut FoundErrors) -> bool {
        let before = found.0.len();
        let spec = &self.served.crd.spec;
        let kind = (object.text("kind").to_owned(), spec.names.kind.clone());
        // The server expects a slash also if there is no group, although it has removed that by then.
        let api_version = (
            GroupVersion::of(object.text("apiVersion")).to_string(),
            format!("{}/{}", spec.group, self.version.name),
        );
        for (name, (given, wanted)) in [("kind", kind), ("apiVersion", api_version)] {
            if given != wanted {
                let diag =
                    Diag::invalid(&codes::META, &Path::ROOT.child(name), given, format!("must be {wanted}"));
                found.0.push((Part::TypeMeta, diag.help(format!("write `{name}: {wanted}`"))));
            }
        }
        found.0.len() == before
    }

    /// The checks for objects of all kinds on an update.
    fn check_common_metadata(&self, object: &Value, old: &Value, found: &mut FoundErrors) {
        let scope = Scope::namespaced_if(self.served.namespaced());
        let at = Path::ROOT.child("metadata");
        found.part(Part::Metadata, |out| {
            meta_rules::validate(
                &typed(object),
                MetadataRules { scope, name: &meta_rules::path_segment },
                &at,
                self.served.server,
                out,
            );
        });
        found.part(Part::Metadata, |out| changed_metadata(object, old, self.served.server, out));
    }

    fn check_scale(&self, object: &Value, found: &mut FoundErrors) {
        if let Some(scale) = self.subresources().and_then(|s| s.scale.as_ref()) {
            found.part(Part::Scale, |out| {
                replicas::validate_spec(object, scale, out);
                replicas::validate_status(object, scale, out);
            });
        }
    }

    fn check_embedded(&self, object: &Value, found: &mut FoundErrors) {
        if let Some(schema) = self.structural().and_then(Structural::with_resources) {
            found.part(Part::Embedded, |out| {
                let mut validation = embedded::Validation { server: self.served.server, out };
                validation.check(object, schema, SchemaOf::Value, &Path::ROOT);
            });
        }
    }

    /// Checks lists. If the old object has errors in lists, those of the new object are not reported.
    fn check_changed_lists(&self, object: &Value, old: &Value, found: &mut FoundErrors) {
        let Some(schema) = self.structural().and_then(Structural::with_unique_items) else { return };
        let mut before = Diags::new();
        lists::validate(old, schema, &Path::ROOT, &mut before);
        if before.is_empty() {
            found.part(Part::Lists, |out| lists::validate(object, schema, &Path::ROOT, out));
        }
    }

    /// Evaluates the rules, unless one of the errors from `start` on shows that the object does not match its schema.
    /// Adds their errors.
    fn check_rules(
        &self,
        object: &Value,
        old: Option<&Value>,
        start: usize,
        found: &mut FoundErrors,
    ) -> OfRules {
        let Some((rules, schema)) = self.served.rules(self.version) else { return OfRules::default() };
        if let Some(diag) = rules::not_checked(found.0[start..].iter().map(|(_, diag)| diag)) {
            found.0.push((Part::Rules, diag));
            return OfRules::default();
        }
        let rules::Findings { errors, warnings, cost } = rules.validate(schema, object, old, &Path::ROOT);
        found.all(Part::Rules, errors);
        let printed = self.served.server.printed(warnings).into_iter();
        let warnings = printed.map(|diag| Warning { text: diag.text(), ratcheted: Some(Box::new(diag)) });
        OfRules { warnings: warnings.collect(), cost }
    }

    /// The errors, as the server prints them.
    fn printed(&self, found: FoundErrors) -> Vec<(Part, Diag)> {
        let mut errors = found.0;
        errors.iter_mut().for_each(|(_, error)| self.served.server.print(error));
        errors
    }

    fn finish(
        &self,
        made: Made,
        found: FoundErrors,
        OfRules { warnings: of_rules, cost }: OfRules,
        of_finalizers: Vec<String>,
    ) -> Written {
        let mut written =
            Written { errors: self.printed(found), prepared: made.object, cost, ..Written::default() };
        if self.is_dry {
            return written;
        }
        written.warnings.extend(self.served.deprecation(self.version).map(Warning::from));
        written.warnings.extend(of_rules);
        if !written.errors.is_empty() {
            return written;
        }
        written.warnings.extend(of_finalizers.into_iter().map(Warning::from));
        match self.served.store(&written.prepared, self.version, made.is_new, self.webhook) {
            Ok((stored, result)) => {
                written.result = Some(result);
                written.stored = stored;
            }
            Err(error) => written.store_error = Some(error),
        }
        written
    }
}

/// An object after the checks.
struct Made {
    object: Value,
    /// Whether the object comes from the request alone. Other objects contain parts of an old object.
    is_new: bool,
}

/// What rules say in addition to errors.
#[derive(Default)]
struct OfRules {
    /// The warnings about errors that the old object has too.
    warnings: Vec<Warning>,
    cost: i64,
}

/// Errors found so far.
#[derive(Default)]
struct FoundErrors(Vec<(Part, Diag)>);

impl FoundErrors {
    fn all(&mut self, part: Part, diags: Diags) {
        self.0.extend(diags.into_iter().map(|d| (part, d)));
    }

    /// Runs the check of the metadata of custom resources.
    fn metadata(&mut self, server: Server, check: impl FnOnce(&mut Diags)) {
        self.part(Part::Metadata, |out| meta_rules::distinct(server, out, check));
    }

    fn part(&mut self, part: Part, check: impl FnOnce(&mut Diags)) {
        let mut out = Diags::new();
        check(&mut out);
        self.all(part, out);
    }
}

pub(crate) fn fill_system_metadata(object: &mut Value) {
    access::set_meta(object, "uid", Some(UID.into()));
    access::set_meta(object, "resourceVersion", Some(RESOURCE_VERSION.into()));
    access::set_meta(object, "creationTimestamp", Some(NOW.into()));
    access::set_meta(object, "managedFields", None);
}

/// Returns the object without the values that only a server can determine.
pub fn presentable(mut object: Value) -> Value {
    for name in ["uid", "resourceVersion", "creationTimestamp", "managedFields"] {
        access::set_meta(&mut object, name, None);
    }
    object
}

fn typed(object: &Value) -> crate::ir::Metadata {
    let none = Map::new();
    metadata::typed(object.get("metadata").and_then(Value::as_map).unwrap_or(&none))
}

/// The checks of custom resources on an update.
fn check_changed_metadata(object: &Value, old: &Value, server: Server, found: &mut FoundErrors) {
    let at = Path::ROOT.child("metadata");
    found.part(Part::Metadata, |out| {
        meta_rules::distinct_update(&typed(object), &typed(old), &at, server, out);
    });
}

fn changed_metadata(object: &Value, old: &Value, server: Server, out: &mut Diags) {
    let at = Path::ROOT.child("metadata");
    meta_rules::validate_update(&typed(object), &typed(old), &at, server, out);
}

fn put_into_same_namespace(object: &Value, old: &mut Value) {
    let namespace = access::meta_text(object, "namespace");
    access::set_meta(old, "namespace", access::text(namespace));
}

fn set_status(object: &mut Value, status: Option<Value>) {
    let Value::Map(map) = object else { return };
    match status {
        Some(status) => drop(map.insert("status", status)),
        None => drop(map.remove("status")),
    }
}

fn without_metadata(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_map().into_iter().flat_map(Map::iter).filter(|(name, _)| *name != "metadata")
}

/// The finalizers of a decoded object.
fn finalizers(object: &Value) -> Vec<&str> {
    let found = object.get("metadata").and_then(|m| m.get("finalizers")).and_then(Value::as_list);
    found.unwrap_or_default().iter().map(|name| name.as_str().unwrap_or_default()).collect()
}

/// Warnings about new finalizers, sorted.
fn finalizer_warnings(object: &Value, old: Option<&Value>, server: Server) -> Vec<String> {
    let known: HashSet<&str> = old.map(finalizers).unwrap_or_default().into_iter().collect();
    let mut new = finalizers(object);
    new.retain(|name| !known.contains(name));
    new.sort_unstable();
    new.dedup();
    let mut out = Vec::new();
    for name in new {
        let at = format!("metadata.finalizers: {}", go::quote(name));
        out.extend(
            meta_rules::qualified_name(name, server).into_iter().map(|error| format!("{at}: {error}")),
        );
        if name.contains('/') || matches!(name, "orphan" | "foregroundDeletion" | "kubernetes") {
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
