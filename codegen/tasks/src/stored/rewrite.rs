//! Writes all objects of a kind again, unchanged, so that the server stores them in the current storage version.
//!
//! crdgen sends an empty patch for each object that it read, with its UID and resource version. The server reads the
//! object, converts it and stores it, or returns why it cannot. The objects themselves do not pass through crdgen, so
//! it cannot change them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use crdgen_core::inert::InertLine;
use crdgen_core::ir::Crd;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};

use super::Watch;
use super::api::{self, Api, JSON, MERGE_PATCH, Request};
use super::pages::{METADATA, ObjectsPlace, send_patiently};
use super::resume::{File, Position, Subject};
use crdgen_files::Error;
use crdgen_kinds::objects::CompiledKind;

/// How many objects are written at once.
const AT_ONCE: usize = 4;
/// How often to try again when another client writes the object meanwhile.
const CONFLICTS: u32 = 10;
/// After this many failures in a row, the cause is something other than the objects.
const IN_A_ROW: u32 = 20;
/// How many failures are listed. Others are only counted.
const NAMED: usize = 20;

/// How to go over the objects.
pub struct Rewrite<'a> {
    /// The cluster.
    pub api: &'a Api,
    /// The CRD of the objects.
    pub crd: &'a Crd,
    /// How many objects are read at once.
    pub limit: u64,
    /// Let the server do everything but store the objects.
    pub dry_run: bool,
    /// Where to keep the position.
    pub file: File,
    /// Who watches.
    pub watch: &'a dyn Watch,
}

/// The result for all objects.
pub struct Rewritten {
    /// The position at the end.
    pub position: Position,
    /// How many could not be written.
    pub failed: usize,
    /// How often another client wrote an object meanwhile.
    pub conflicts: usize,
    /// Whether so many in a row failed that the rest was not tried.
    pub stopped: bool,
}

/// The result for one object.
enum Written {
    Yes,
    /// Another client has deleted it.
    Gone,
    Failed(String),
}

/// What threads share while they write a page.
struct Shared<'a> {
    place: &'a ObjectsPlace,
    /// How to find what the new schema would drop, if the server converts by changing only the name of the version.
    fields: Option<&'a Fields>,
    in_a_row: AtomicU32,
    failed: AtomicUsize,
    written: AtomicUsize,
    gone: AtomicUsize,
    conflicts: AtomicUsize,
    stopped: AtomicBool,
    error: Mutex<Option<Error>>,
}

/// Finds the fields that an object would lose. An object that is read in the storage version has already lost them, so
/// objects are read in the other versions in which they may be stored.
struct Fields {
    /// Processes objects with the schema of the storage version, as the server does.
    kind: CompiledKind,
    versions: Vec<String>,
}

/// Whether an object keeps its fields.
enum Kept {
    /// All fields are kept. Contains the resource version for which this is known.
    All(String),
    Gone,
    /// Some fields are not kept, for this reason.
    No(String),
}

impl Rewrite<'_> {
    /// Writes the objects.
    pub fn run(&self) -> Result<Rewritten, Error> {
        let nothing = || Error::Nothing(format!("{} serves no version", self.crd.metadata.name));
        let place = ObjectsPlace::of(self.crd).ok_or_else(nothing)?;
        let subject = Subject::of(self.crd);
        let earlier = if self.dry_run { None } else { self.file.read(&subject)? };
        if let Some(Position { written, .. }) = &earlier {
            self.watch.note(format_args!("continuing after {written} objects that an earlier run wrote"));
        }
        let mut position = earlier.unwrap_or_default();
        let fields = if may_drop_fields(self.crd) { Some(self.fields()?) } else { None };
        let mut page = place.get_page(self.api, self.limit, &position.next)?;
        let total = page.items.len() as u64 + page.remaining;
        self.watch.total(total.try_into().unwrap_or(usize::MAX));
        let shared = Shared {
            place: &place,
            fields: fields.as_ref(),
            in_a_row: AtomicU32::new(0),
            failed: AtomicUsize::new(0),
            written: AtomicUsize::new(0),
            gone: AtomicUsize::new(0),
            conflicts: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            error: Mutex::new(None),
        };
        loop {
            self.write_page(&page.items, &shared)?;
            position.next = page.next;
            let count = |counter: &AtomicUsize| counter.swap(0, Ordering::Relaxed) as u64;
            position.written += count(&shared.written);
            position.gone += count(&shared.gone);
            let (failed, stopped) =
                (shared.failed.load(Ordering::Relaxed), shared.stopped.load(Ordering::Relaxed));
            // If an object failed, a later run has to try it again, so it cannot start after this page.
            if failed == 0 && !self.dry_run {
                self.file.write(&subject, &position)?;
            }
            if position.next.is_empty() || stopped {
                let conflicts = shared.conflicts.load(Ordering::Relaxed);
                return Ok(Rewritten { position, failed, conflicts, stopped });
            }
            page = place.get_page(self.api, self.limit, &position.next)?;
        }
    }

    fn fields(&self) -> Result<Fields, Error> {
        let name = &self.crd.metadata.name;
        let minor = crdgen_core::server::Server::NEWEST.minor();
        let kind = CompiledKind::established(self.crd.clone(), minor)
            .map_err(|problems| Error::Argument(format!("{name}: {problems}")))?;
        let versions = differing(self.crd);
        let is_served =
            |version: &&String| self.crd.spec.versions.iter().any(|it| it.name == **version && it.served);
        match versions.iter().find(|version| !is_served(version)) {
            Some(version) => Err(Error::Argument(format!(
                "{name}: objects may be stored in {version}, which is not served, so that crdgen cannot read which of their \
                 fields the server would drop. Set `served: true` for {version} until all objects are migrated"
            ))),
            None => Ok(Fields { kind, versions }),
        }
    }

    /// Reads an object, and checks whether the server keeps all of its fields when it is written.
    fn check_fields_survive(
        &self,
        fields: &Fields,
        place: &ObjectsPlace,
        namespace: &str,
        name: &str,
    ) -> Result<Kept, Error> {
        let mut resource_version = String::new();
        for version in &fields.versions {
            let path = place.object_in(version, namespace, name);
            let request = Request { method: "GET", path: &path, accept: JSON, body: None };
            let answer = send_patiently(self.api, &request)?;
            let object = match answer.status {
                200 => answer.value().unwrap_or_default(),
                404 => return Ok(Kept::Gone),
                401 | 403 => return Err(api::failed(&request, answer.message())),
                _ => return Ok(Kept::No(answer.message())),
            };
            let why = "the server would drop fields that the schema does not have";
            match fields.kind.prune(&self.as_stored(&object)) {
                Some((_, dropped)) if dropped.is_empty() => {}
                Some((_, dropped)) => return Ok(Kept::No(format!("{why}: {}", dropped.join(", ")))),
                None => return Ok(Kept::No("it is not an object of this kind".to_owned())),
            }
            resource_version = Object::of(&object).version;
        }
        Ok(Kept::All(resource_version))
    }

    /// Writes the objects of a page, some at once.
    fn write_page(&self, objects: &[Value], shared: &Shared<'_>) -> Result<(), Error> {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(object) = objects.get(next.fetch_add(1, Ordering::Relaxed)) {
                if shared.stopped.load(Ordering::Relaxed) {
                    return;
                }
                if let Err(error) = self.write_one(object, shared) {
                    shared.stopped.store(true, Ordering::Relaxed);
                    if let Ok(mut first) = shared.error.lock() {
                        first.get_or_insert(error);
                    }
                }
                self.watch.step();
            }
        };
        std::thread::scope(|scope| (0..AT_ONCE).for_each(|_| _ = scope.spawn(work)));
        match shared.error.lock().ok().and_then(|mut error| error.take()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// The object in the version that is stored: without a webhook, only the name of the version changes.
    fn as_stored(&self, object: &Value) -> Value {
        let mut object = object.clone();
        let version = self.crd.spec.storage_version().map_or("", |version| version.name.as_str());
        if let Value::Map(members) = &mut object {
            members.insert("apiVersion", Value::from(format!("{}/{version}", self.crd.spec.group)));
        }
        object
    }

    fn write_one(&self, object: &Value, shared: &Shared<'_>) -> Result<(), Error> {
        let Object { namespace, name, .. } = Object::of(object);
        match self.patch_one(object, shared)? {
            Written::Yes => _ = shared.written.fetch_add(1, Ordering::Relaxed),
            Written::Gone => _ = shared.gone.fetch_add(1, Ordering::Relaxed),
            Written::Failed(why) => {
                let number = shared.failed.fetch_add(1, Ordering::Relaxed);
                if number < NAMED {
                    let slash = if namespace.is_empty() { "" } else { "/" };
                    let name = format!("{} {namespace}{slash}{name}", self.crd.spec.names.kind);
                    self.watch.note(format_args!("{}: {}", InertLine(name), InertLine(why)));
                }
                if shared.in_a_row.fetch_add(1, Ordering::Relaxed) + 1 >= IN_A_ROW {
                    shared.stopped.store(true, Ordering::Relaxed);
                }
                return Ok(());
            }
        }
        shared.in_a_row.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Writes an object, unless fields would be dropped.
    fn patch_one(&self, object: &Value, shared: &Shared<'_>) -> Result<Written, Error> {
        let Object { namespace, name, uid, mut version } = Object::of(object);
        let at = shared.place.object(&namespace, &name);
        let dry_run = if self.dry_run { "&dryRun=All" } else { "" };
        let path = format!("{at}?fieldManager=crdgen{dry_run}");
        for _ in 0..CONFLICTS {
            // If another client changes the object after this, the write is a conflict.
            if let Some(fields) = shared.fields {
                match self.check_fields_survive(fields, shared.place, &namespace, &name)? {
                    Kept::All(of) => version = of,
                    Kept::Gone => return Ok(Written::Gone),
                    Kept::No(why) => return Ok(Written::Failed(why)),
                }
            }
            let body = precondition(&uid, &version);
            let body = Some((MERGE_PATCH, body.as_str()));
            let request = Request { method: "PATCH", path: &path, accept: METADATA, body };
            let answer = send_patiently(self.api, &request)?;
            match answer.status {
                200 => return Ok(Written::Yes),
                404 => return Ok(Written::Gone),
                409 => {}
                401 | 403 => return Err(api::failed(&request, answer.message())),
                _ => return Ok(Written::Failed(answer.message())),
            }
            let request = Request { method: "GET", path: &at, accept: METADATA, body: None };
            let answer = send_patiently(self.api, &request)?;
            let now = match answer.status {
                200 => answer.value().unwrap_or_default(),
                404 => return Ok(Written::Gone),
                _ => return Ok(Written::Failed(answer.message())),
            };
            let now = Object::of(&now);
            if now.uid != uid {
                // This is another object with the same name, which was stored in the new version.
                return Ok(Written::Gone);
            }
            shared.conflicts.fetch_add(1, Ordering::Relaxed);
            version = now.version;
        }
        Ok(Written::Failed(format!(
            "it was changed by others {CONFLICTS} times while crdgen tried to write it"
        )))
    }
}

/// What identifies an object.
struct Object {
    namespace: String,
    name: String,
    uid: String,
    /// Its resource version.
    version: String,
}

impl Object {
    fn of(object: &Value) -> Object {
        let metadata = object.get("metadata");
        let text = |name: &str| {
            let value = metadata.and_then(|metadata| metadata.get(name));
            value.and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        Object {
            namespace: text("namespace"),
            name: text("name"),
            uid: text("uid"),
            version: text("resourceVersion"),
        }
    }
}

/// A patch that changes nothing of this object, and fails for any other one.
fn precondition(uid: &str, version: &str) -> String {
    let metadata = [("uid", Value::from(uid)), ("resourceVersion", Value::from(version))];
    let metadata = Value::Map(Map::from_iter(metadata));
    json::to_string(&Value::Map(Map::from_iter([("metadata", metadata)])))
}

/// Whether a write may drop fields: the server changes the name of the version alone, and the schemas differ.
pub fn may_drop_fields(crd: &Crd) -> bool {
    let by_webhook = crd.spec.conversion.as_ref().is_some_and(|conversion| conversion.strategy == "Webhook");
    !by_webhook && !differing(crd).is_empty()
}

/// The versions in which objects may be stored, and whose schemas are not that of the version that is stored now.
fn differing(crd: &Crd) -> Vec<String> {
    let spec = &crd.spec;
    let storage = spec.versions.iter().position(|version| version.storage);
    let stored = crd.status.stored_versions.iter().flatten();
    let differs = |name: &String| {
        let index = spec.versions.iter().position(|version| version.name == *name);
        match (index, storage) {
            (Some(index), Some(storage)) => spec.schema_of(index) != spec.schema_of(storage),
            (None, _) | (_, None) => true,
        }
    };
    stored.into_iter().filter(|name| differs(name)).cloned().collect()
}
