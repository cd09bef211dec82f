//! The field manager: what the server does with a write of an object before it checks and stores it.

mod last_applied;
mod scale;
mod versions;

pub use scale::ScaleEntries;

use crate::managed::{APPLY, Identity, Managed, UPDATE, entries, seconds, set_entries};
use crate::message::Message;
use crate::path::Path;
use crate::set::Set;
use crate::typed::{Duplicates, Type, Typed};
use crate::update::{Author, Conflicts, Failure, OnConflict, Owned, Updater};
use crdgen_text::value::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;
use versions::Versions;

/// What the field manager must know about a kind of objects.
pub trait Kind {
    /// Returns the type of the objects of a version. `None` if there is no such version or kind.
    fn type_of(&self, api_version: &str, kind: &str) -> Option<Type<'_>>;

    /// Returns whether owners in a version count. They are forgotten if the server knows that it has no such version.
    fn has_version(&self, _api_version: &str, _kind: &str) -> bool {
        true
    }

    /// Converts an object to a version.
    ///
    /// # Errors
    /// Fails with the server's message.
    fn convert(&self, object: Value, api_version: &str) -> Result<Value, Message>;

    /// Converts an object that an apply has made, or an empty one. Some kinds of the server cannot do that.
    ///
    /// # Errors
    /// Fails with the server's message.
    fn convert_made(&self, object: Value, api_version: &str) -> Result<Value, Message> {
        self.convert(object, api_version)
    }

    /// Sets the defaults of an object.
    fn default(&self, object: &mut Value);
}

/// The field manager of one version of a kind.
#[derive(Clone, Debug)]
pub struct FieldManager<'k, K> {
    /// The kind.
    pub of: &'k K,
    /// The `apiVersion` of the request.
    pub version: String,
    /// The `kind` of the request.
    pub kind: String,
    /// The `apiVersion` by way of which objects are converted.
    pub hub: String,
    /// The subresource, or empty.
    pub subresource: String,
    /// The fields that this request cannot change, by `apiVersion`.
    pub reset: BTreeMap<String, Set>,
    /// The time of the request, in RFC 3339.
    pub now: String,
}

/// Why the server does not apply a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The request is wrong: status 400.
    BadRequest(String),
    /// Other managers own what would change: status 409.
    Conflicts(Conflicts),
    /// The server fails: status 500.
    Internal(String),
}

impl Rejection {
    /// Returns the status code of the answer.
    pub fn code(&self) -> u16 {
        match self {
            Rejection::BadRequest(_) => 400,
            Rejection::Conflicts(_) => 409,
            Rejection::Internal(_) => 500,
        }
    }
}

/// The server's message.
impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::BadRequest(text) | Rejection::Internal(text) => f.write_str(text),
            Rejection::Conflicts(conflicts) => {
                let number = conflicts.number();
                let plural = if number == 1 { "" } else { "s" };
                let text = conflicts.text(|id| Identity::read(id).words());
                write!(f, "Apply failed with {number} conflict{plural}: {text}")
            }
        }
    }
}

impl std::error::Error for Rejection {}

impl From<Failure> for Rejection {
    fn from(failure: Failure) -> Rejection {
        match failure {
            Failure::Conflicts(conflicts) => Rejection::Conflicts(conflicts),
            Failure::Other(text) => Rejection::Internal(text),
        }
    }
}

/// The server keeps no more entries of updates than this.
const MOST_UPDATES: usize = 10;

/// The fields that have no owner.
static STRIPPED: LazyLock<Set> = LazyLock::new(|| {
    let of_metadata = [
        "name",
        "namespace",
        "creationTimestamp",
        "selfLink",
        "uid",
        "clusterName",
        "generation",
        "managedFields",
        "resourceVersion",
    ];
    let roots = ["apiVersion", "kind", "metadata"].into_iter().map(|name| Path::fields(&[name]));
    roots.chain(of_metadata.into_iter().map(|name| Path::fields(&["metadata", name]))).collect()
});

impl<'k, K: Kind> FieldManager<'k, K> {
    /// Returns `new`, which replaces `live`, with its managed fields. A create replaces an object that has only
    /// `apiVersion` and `kind`. If the server cannot determine owners, the managed fields stay as they are.
    pub fn update(&self, live: &Value, mut new: Value, manager: &str) -> Value {
        let managed = self.of_update(live, &new);
        set_entries(&mut new, None);
        match self.owners_after(live, &new, managed, manager) {
            Ok(managed) => set_entries(&mut new, managed.to_value()),
            Err(_) => set_entries(&mut new, entries(live).map(|entries| Value::List(entries.to_vec()))),
        }
        new
    }

    /// Returns `live` with the configuration `applied`, and its managed fields.
    ///
    /// # Errors
    /// Fails if other managers own what would change, unless they are forced, and if the configuration is wrong.
    pub fn apply(
        &self,
        live: &Value,
        applied: &Value,
        manager: &str,
        on_conflict: OnConflict,
    ) -> Result<Value, Rejection> {
        let managed = Managed::read(entries(live).unwrap_or_default())
            .map_err(|why| Rejection::Internal(format!("failed to decode managed fields: {why}")))?;
        if applied.text("apiVersion") != self.version || applied.text("kind") != self.kind {
            return Err(Rejection::BadRequest(format!("invalid object type: {}", kind_text(applied))));
        }
        let (mut object, managed) = match self.merged(live, applied, managed.clone(), manager, on_conflict) {
            Err(Rejection::Conflicts(conflicts)) if manager == last_applied::MANAGER => {
                match self.without_allowed(live, &conflicts) {
                    None => return Err(Rejection::Conflicts(conflicts)),
                    Some(others) if others.number() > 0 => return Err(Rejection::Conflicts(others)),
                    Some(_) => self.merged(live, applied, managed, manager, OnConflict::Force)?,
                }
            }
            other => other?,
        };
        if manager == last_applied::MANAGER {
            last_applied::update(&mut object, applied);
        }
        set_entries(&mut object, managed.to_value());
        Ok(object)
    }

    /// The owners before an update. A client may set them, but not by way of a subresource.
    fn of_update(&self, live: &Value, new: &Value) -> Managed {
        let of_live = || Managed::read(entries(live).unwrap_or_default()).unwrap_or_default();
        if !self.subresource.is_empty() {
            return of_live();
        }
        match entries(new) {
            Some([]) => Managed::default(),
            Some([Value::Map(only)]) if only.is_empty() => Managed::default(),
            entries => match Managed::read(entries.unwrap_or_default()) {
                Ok(managed) if !managed.managers.is_empty() => managed,
                // Clients that do not know managed fields should not delete them.
                _ => of_live(),
            },
        }
    }

    /// The owners after an update of an object.
    fn owners_after(
        &self,
        live: &Value,
        new: &Value,
        managed: Managed,
        manager: &str,
    ) -> Result<Managed, Message> {
        let exists = live.get("metadata").is_some_and(|metadata| !metadata.text("uid").is_empty());
        // The server does not start to record owners in an object that has none.
        if managed.managers.is_empty() && exists {
            return Ok(managed);
        }
        let live = self.of.convert(live.clone(), &self.version);
        self.update_managers(live, new, managed, manager)
    }

    /// The owners after a write that replaces the object `live`, in the version of the request.
    fn update_managers(
        &self,
        live: Result<Value, Message>,
        new: &Value,
        mut managed: Managed,
        manager: &str,
    ) -> Result<Managed, Message> {
        const SELF: &str = "current-operation";
        let identity = self.identity(manager, UPDATE);
        let new = self.of.convert(new.clone(), &self.version).map_err(|why| {
            format!(
                "failed to convert new object ({}) to proper version ({}): {why}",
                name_text(new),
                self.version
            )
        })?;
        let live = live?;
        let (name, live_name) = (name_text(&new), name_text(&live));
        let new = self
            .typed(new, Duplicates::Allowed)
            .map_err(|why| format!("failed to convert new object ({name}) to smd typed: {why}"))?;
        let live = self
            .typed(live, Duplicates::Allowed)
            .map_err(|why| format!("failed to convert live object ({live_name}) to smd typed: {why}"))?;
        managed.managers = self
            .updater()
            .update(&live, &new, managed.managers, Author { manager: SELF, version: &self.version })
            .map_err(|why| format!("failed to update ManagedFields ({name}): {why}"))?;
        strip(&mut managed, SELF);
        // Whoever owned nothing new did not change the object, and keeps the time.
        if let Some(mut own) = managed.managers.remove(SELF) {
            if let Some(previous) = managed.managers.get(&identity) {
                own.set = own.set.union(&previous.set);
            }
            managed.managers.insert(identity.clone(), own);
            managed.times.insert(identity, self.now.clone());
        }
        limit_updates(&mut managed);
        Ok(managed)
    }

    /// Merges a configuration into an object, whose managed fields stay as they are.
    fn merged(
        &self,
        live: &Value,
        applied: &Value,
        mut managed: Managed,
        manager: &str,
        on_conflict: OnConflict,
    ) -> Result<(Value, Managed), Rejection> {
        let internal = Rejection::Internal;
        if managed.managers.is_empty() {
            // This is the first apply: what the object has gets an owner that others conflict with.
            let mut empty = Map::new();
            empty.insert("apiVersion", Value::from(applied.text("apiVersion")));
            empty.insert("kind", Value::from(applied.text("kind")));
            let empty = Value::Map(empty);
            let name = name_text(&empty);
            let empty = self.of.convert_made(empty, &self.version).map_err(|why| {
                Message(format!("failed to convert live object ({name}) to proper version: {why}"))
            });
            managed = self
                .update_managers(empty, live, managed, "before-first-apply")
                .map_err(|why| internal(format!("failed to create manager for existing fields: {why}")))?;
        }
        if entries(applied).is_some() {
            return Err(Rejection::BadRequest("metadata.managedFields must be nil".to_owned()));
        }
        let identity = self.identity(manager, APPLY);
        let live_object = self.versioned(live).map_err(|why| {
            internal(format!("failed to convert live object ({}) to proper version: {why}", name_text(live)))
        })?;
        let config = self.typed(applied.clone(), Duplicates::Forbidden).map_err(|why| {
            internal(format!("failed to create typed patch object ({}): {why}", name_text(applied)))
        })?;
        let live_name = name_text(&live_object);
        let live_typed = self
            .typed(live_object, Duplicates::Allowed)
            .map_err(|why| internal(format!("failed to create typed live object ({live_name}): {why}")))?;
        let done = self.updater().apply(
            &live_typed,
            &config,
            std::mem::take(&mut managed.managers),
            Author { manager: &identity, version: &self.version },
            on_conflict,
        )?;
        managed.managers = done.managers;
        strip(&mut managed, &identity);
        let Some(object) = done.object else {
            let mut object = live.clone();
            set_entries(&mut object, None);
            return Ok((object, managed));
        };
        let name = name_text(applied);
        let mut object = self.of.convert_made(object.into_value(), &self.version).map_err(|why| {
            internal(format!("failed to convert new object ({name}) to proper version: {why}"))
        })?;
        self.of.default(&mut object);
        let object = self
            .of
            .convert(object, &self.hub)
            .map_err(|why| internal(format!("failed to convert to unversioned ({name}): {why}")))?;
        managed.times.insert(identity, self.now.clone());
        Ok((object, managed))
    }

    fn identity(&self, manager: &str, operation: &str) -> String {
        Identity {
            manager: if manager.is_empty() { "unknown" } else { manager }.to_owned(),
            operation: operation.to_owned(),
            version: if operation == APPLY { String::new() } else { self.version.clone() },
            subresource: self.subresource.clone(),
        }
        .text()
    }

    fn versioned(&self, object: &Value) -> Result<Value, Message> {
        self.of.convert(object.clone(), &self.version)
    }

    fn typed(&self, object: Value, duplicates: Duplicates) -> Result<Typed<'k>, Message> {
        let versions = Versions { of: self.of, hub: &self.hub };
        versions.typed(object, duplicates).map_err(|why| Message(why.to_string()))
    }

    fn updater(&self) -> Updater<Versions<'k, '_, K>> {
        Updater {
            convert: Versions { of: self.of, hub: &self.hub },
            ignored: self.reset.clone(),
            return_unchanged: false,
        }
    }

    /// The conflicts with fields that the last client-side apply did not set. None if there was none.
    fn without_allowed(&self, live: &Value, conflicts: &Conflicts) -> Option<Conflicts> {
        let annotation = last_applied::annotation(live)?;
        let live = self.typed(self.versioned(live).ok()?, Duplicates::Forbidden).ok()?;
        let applied = crdgen_text::json::read(annotation.as_bytes()).ok()?;
        if applied.text("apiVersion") != self.version || applied.text("kind").is_empty() {
            return None;
        }
        let applied = self.typed(applied, Duplicates::Forbidden).ok()?;
        let set = applied.field_set().ok()?;
        let changed = applied.compare(&live).ok()?;
        let allowed =
            set.difference(&changed.modified).difference(&changed.added).difference(&changed.removed);
        Some(conflicts.without(&allowed))
    }
}

/// The group, version and kind of an object, as the server prints them.
fn kind_text(object: &Value) -> String {
    let version = object.text("apiVersion");
    let slash = if version.contains('/') { "" } else { "/" };
    format!("{slash}{version}, Kind={}", object.text("kind"))
}

/// The name of an object, as the server prints it.
fn name_text(object: &Value) -> String {
    let of_metadata = |name| object.get("metadata").map_or("", |metadata| metadata.text(name));
    format!("{}/{}; {}", of_metadata("namespace"), of_metadata("name"), kind_text(object))
}

/// Removes what has no owner from the fields of a manager.
fn strip(managed: &mut Managed, identity: &str) {
    let Some(Owned { set, .. }) = managed.managers.get_mut(identity) else { return };
    *set = set.difference(&STRIPPED);
    if set.is_empty() {
        managed.managers.remove(identity);
    }
}

/// Merges the oldest entries of updates if there are too many: those of one version become one entry.
fn limit_updates(managed: &mut Managed) {
    let updates = managed.managers.iter().filter(|(_, owned)| !owned.applied);
    let mut updates: Vec<String> = updates.map(|(identity, _)| identity.clone()).collect();
    let mut number = updates.len();
    if number <= MOST_UPDATES {
        return;
    }
    let time = |identity: &String| managed.times.get(identity).map_or(0, |time| seconds(time));
    updates.sort_by_cached_key(|identity| (time(identity), identity.clone()));
    let mut first_of: BTreeMap<String, String> = BTreeMap::new();
    for identity in updates {
        if number <= MOST_UPDATES {
            return;
        }
        let Some(owned) = managed.managers.get(&identity).cloned() else { continue };
        let Some(first) = first_of.get(&owned.version) else {
            first_of.insert(owned.version, identity);
            continue;
        };
        let bucket = Identity {
            manager: "ancient-changes".to_owned(),
            operation: UPDATE.to_owned(),
            version: owned.version.clone(),
            subresource: String::new(),
        }
        .text();
        if !managed.managers.contains_key(&bucket)
            && let Some(first) = managed.managers.remove(first)
        {
            managed.managers.insert(bucket.clone(), first);
        }
        if let Some(all) = managed.managers.get_mut(&bucket) {
            *all = Owned { set: owned.set.union(&all.set), ..owned };
        }
        managed.managers.remove(&identity);
        number -= 1;
        match managed.times.get(&identity).cloned() {
            Some(time) => drop(managed.times.insert(bucket, time)),
            None => drop(managed.times.remove(&bucket)),
        }
    }
}

/// Returns `new` with the times of `old` if nothing else differs, so that a write without changes is none.
pub fn keep_times(old: &Value, new: &mut Value) {
    let (Some(of_old), Some(of_new)) = (entries(old), entries(new)) else { return };
    let without_time = |entry: &Value| {
        let mut entry = entry.clone();
        let time = entry.as_map_mut().and_then(|map| map.remove("time"));
        (entry, time)
    };
    let is_same = of_old.len() == of_new.len()
        && !of_new.is_empty()
        && of_old.iter().zip(of_new).all(|(a, b)| without_time(a).0 == without_time(b).0)
        && of_old != of_new;
    if !is_same {
        return;
    }
    let kept = Value::List(of_old.to_vec());
    let (mut a, mut b) = (old.clone(), new.clone());
    set_entries(&mut a, None);
    set_entries(&mut b, None);
    if a == b {
        set_entries(new, Some(kept));
    }
}
