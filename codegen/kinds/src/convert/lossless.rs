//! Tests whether conversions lose anything: converts random objects of every version to another one and back, with
//! edits in between.

use super::Versions;
use super::stash::annotation;
use crate::Problems;
use crate::objects::random::Objects;
use crdgen_core::sample::random::Random;
use crdgen_core::sample::shrink;
use crdgen_runtime::json;
use crdgen_runtime::value::{Map, Value, whole};
use std::any::Any;
use std::fmt;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe, resume_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::{self, ThreadId};

/// The error of [`Versions::lossless`]: an object that a conversion changes or makes invalid.
#[derive(Clone, Debug)]
pub struct Lossy {
    /// What is wrong.
    what: String,
    /// The objects on the way, each with a description.
    steps: Vec<(String, Value)>,
}

impl fmt::Display for Lossy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        for (name, object) in &self.steps {
            write!(f, "\n  {name}: {}", json::to_string(object))?;
        }
        Ok(())
    }
}

impl std::error::Error for Lossy {}

impl Lossy {
    fn without_object(what: String) -> Lossy {
        Lossy { what, steps: Vec::new() }
    }
}

/// The variable with the number of objects of each version that the generated test converts.
const COUNT: &str = "CRDGEN_CONVERSIONS";
/// How many it converts otherwise, at least and at most, and how many bytes their CRDs, as JSON, may have together. A number of
/// seconds would let the same test pass on one machine and fail on another.
const LEAST: usize = 10;
const MOST: usize = 1000;
const BYTES: usize = 10_000_000;

/// A version, and what is needed to check its objects.
struct Judge {
    version: &'static str,
    api_version: String,
    /// The annotation that keeps what this version cannot express.
    annotation: String,
    objects: Objects,
    /// Whether a valid object was made.
    has_object: AtomicBool,
}

/// A conversion to another version and back.
#[derive(Clone, Copy)]
struct Trip<'a> {
    from: &'a Judge,
    to: &'a Judge,
    /// Whether the object was converted before, and then edited.
    is_edited: bool,
    /// Whether something was lost before whose loss the declaration accepts.
    lost: bool,
}

impl Versions {
    /// Converts random valid objects of each version to each other version and back, `count` objects for each pair. Every
    /// converted object must be valid, and every object must come back unchanged, even if the converted object is edited in
    /// between. Values that are `lossy` may be lost.
    ///
    /// # Errors
    /// Returns the first object that fails, made as small as possible, or an error if no valid object of a version could be made.
    pub fn lossless(&self, count: usize) -> Result<(), Lossy> {
        self.lossless_of(Some(count))
    }

    /// Runs the generated test of the pair that is declared `at` this place. The variable [`COUNT`] is the number of objects of each
    /// version. Without it, the number depends on the size of the CRDs.
    ///
    /// # Panics
    ///
    /// Panics if an object is lost.
    #[doc(hidden)]
    pub fn test(&self, at: &str) {
        let result = match std::env::var(COUNT) {
            Err(_) => self.lossless_of(None),
            Ok(count) => match count.parse() {
                Ok(count) => self.lossless(count),
                Err(_) => panic!("{COUNT} must be a whole number, but is {count:?}"),
            },
        };
        if let Err(lossy) = result {
            let at = if at.is_empty() { String::new() } else { format!("\n  --> {at}") };
            panic!("{lossy}{at}");
        }
    }

    fn lossless_of(&self, count: Option<usize>) -> Result<(), Lossy> {
        let judges = self.judges().map_err(|problems| Lossy::without_object(problems.to_string()))?;
        let size = judges.iter().map(|judge| judge.objects.size).sum::<usize>().max(1);
        let count = count.unwrap_or_else(|| (BYTES / size).clamp(LEAST, MOST));
        // Each thread takes every n-th seed. The failure with the smallest seed is reported.
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(count.max(1));
        let failed = AtomicUsize::new(usize::MAX);
        let found = thread::scope(|scope| {
            let all: Vec<_> = (0..threads)
                .map(|first| {
                    let (judges, failed) = (&judges, &failed);
                    scope.spawn(move || {
                        for seed in (first..count).step_by(threads) {
                            if failed.load(Ordering::Relaxed) < seed {
                                break;
                            }
                            if let Err(lossy) = self.of_seed(judges, seed as u64) {
                                failed.fetch_min(seed, Ordering::Relaxed);
                                return Some((seed, lossy));
                            }
                        }
                        None
                    })
                })
                .collect();
            let joined = all.into_iter().map(|thread| thread.join().unwrap_or_else(|why| resume_unwind(why)));
            joined.flatten().min_by_key(|(seed, _)| *seed)
        });
        if let Some((_, lossy)) = found {
            return Err(lossy);
        }
        let untested = judges.iter().find(|judge| count > 0 && !judge.has_object.load(Ordering::Relaxed));
        untested.map_or(Ok(()), |judge| {
            Err(Lossy::without_object(format!(
                "no conversion from {} was tested, because crdgen found no object that its schema and rules accept. Convert objects \
                 of your own in a test, with `Versions::convert`. #[schema(test = false)] turns this test off",
                judge.version
            )))
        })
    }

    /// Converts an object of each version to each other version.
    fn of_seed(&self, judges: &[Judge], seed: u64) -> Result<(), Lossy> {
        let mut random = Random::new(seed);
        let objects: Vec<Option<Rc<Value>>> =
            judges.iter().map(|judge| judge.objects.object(&mut random).map(Rc::new)).collect();
        for (a, object) in judges.iter().zip(&objects) {
            for (b, other) in judges.iter().zip(&objects).filter(|(b, _)| b.version != a.version) {
                if let Some(object) = object {
                    a.has_object.store(true, Ordering::Relaxed);
                    self.there_and_back(a, object, b, other.as_deref(), &mut random)?;
                }
            }
        }
        Ok(())
    }

    fn judges(&self) -> Result<Vec<Judge>, Problems> {
        let mut judges: Vec<Judge> = Vec::new();
        for (version, definition) in self.definitions() {
            if judges.iter().any(|judge| judge.version == version) {
                continue;
            }
            let group = self.group();
            judges.push(Judge {
                version,
                api_version: format!("{group}/{version}"),
                annotation: annotation(group),
                // The test itself runs the conversion.
                objects: Objects::new(definition()?)?,
                has_object: AtomicBool::new(false),
            });
        }
        Ok(judges)
    }

    /// Converts an object to another version and back. Then edits the converted object with a part of `other`, which is
    /// of the other version, and converts the result to the first version and back.
    fn there_and_back(
        &self,
        a: &Judge,
        object: &Rc<Value>,
        b: &Judge,
        other: Option<&Value>,
        random: &mut Random,
    ) -> Result<(), Lossy> {
        let trip = Trip { from: a, to: b, is_edited: false, lost: false };
        let (there, lost) = self.trip(trip, object).map_err(|lossy| self.with_less(trip, object, lossy))?;
        let edited = other.and_then(|other| edited(&there, other, random));
        let Some(edited) = edited.filter(|edited| b.objects.kind.is_valid(edited)).map(Rc::new) else {
            return Ok(());
        };
        let trip = Trip { from: b, to: a, is_edited: true, lost };
        self.trip(trip, &edited).map(|_| ()).map_err(|lossy| self.with_less(trip, &edited, lossy))
    }

    /// Converts an object there and back. Returns the object in the other version, and whether something was lost.
    fn trip(&self, trip: Trip<'_>, object: &Rc<Value>) -> Result<(Rc<Value>, bool), Lossy> {
        let Trip { from, to, is_edited, lost } = trip;
        let name = if is_edited { format!("{}, edited", from.version) } else { from.version.to_owned() };
        let mut way = Way { versions: self, lost, steps: vec![(name, object.clone())] };
        let run = AssertUnwindSafe(|| {
            let there = way.valid(object, to)?;
            if is_edited {
                way.back(object, &there, from, to, "the edited object does not come back unchanged")?;
            } else {
                way.back(object, &there, from, to, "the object does not come back unchanged")?;
                way.converges(&there, from, to)?;
            }
            Ok(there)
        });
        match panic::catch_unwind(run) {
            Ok(there) => there.map(|there| (there, way.lost)),
            Err(why) => {
                Err(way.wrong(format!("the conversion of the last object panics: {}", words_of(&*why))))
            }
        }
    }

    /// Makes the object of a failed conversion as small as possible.
    fn with_less(&self, trip: Trip<'_>, object: &Rc<Value>, found: Lossy) -> Lossy {
        let objects = &trip.from.objects;
        let mut least = found;
        let mut fails = |smaller: &Value| {
            let is_stored = objects.kind.default_value(smaller.clone()).is_some_and(|full| full == *smaller);
            if !is_stored || !objects.kind.is_valid(smaller) {
                return false;
            }
            let failed = without_panic_messages(|| self.trip(trip, &Rc::new(smaller.clone()))).err();
            let fails = failed.is_some();
            failed.into_iter().for_each(|lossy| least = lossy);
            fails
        };
        shrink((**object).clone(), [objects.kind.crd().spec.schema_of(0), None], &mut fails);
        least
    }
}

/// The message of a panic.
fn words_of(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

/// Runs a conversion that may panic as one before, whose message is already shown.
fn without_panic_messages<T>(run: impl FnOnce() -> T) -> T {
    static QUIET: Mutex<Vec<ThreadId>> = Mutex::new(Vec::new());
    static HOOK: Once = Once::new();
    let quiet = || QUIET.lock().unwrap_or_else(PoisonError::into_inner);
    let own = thread::current().id();
    HOOK.call_once(|| {
        let show = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !quiet().contains(&thread::current().id()) {
                show(panic);
            }
        }));
    });
    quiet().push(own);
    let result = run();
    quiet().retain(|id| *id != own);
    result
}

/// The conversions of an object, one after the other.
struct Way<'a> {
    versions: &'a Versions,
    /// Whether something was lost whose loss the declaration accepts.
    lost: bool,
    steps: Vec<(String, Rc<Value>)>,
}

impl Way<'_> {
    /// Converts an object, and checks that it is valid in the other version. What is kept for that version may not go together with
    /// an edit. A webhook then does not restore it.
    fn valid(&mut self, object: &Value, to: &Judge) -> Result<Rc<Value>, Lossy> {
        let steps = to.has_kept(object).then(|| self.steps.clone());
        let converted = self.converted(object, to)?;
        let Err(why) = self.check(&converted, to) else { return Ok(converted) };
        let Some(steps) = steps else { return Err(why) };
        self.steps = steps;
        let converted = self.converted(&to.without_annotation(object), to)?;
        self.check(&converted, to).map_err(|_| why)?;
        Ok(converted)
    }

    /// Converts an object to another version.
    fn converted(&mut self, object: &Value, to: &Judge) -> Result<Rc<Value>, Lossy> {
        let converted = self.versions.trace(object, &to.api_version);
        let (converted, lost) = converted
            .map_err(|e| self.wrong(format!("an object does not convert to {}: {e}", to.version)))?;
        self.lost |= lost;
        let converted = Rc::new(converted);
        self.steps.push((to.version.to_owned(), converted.clone()));
        #[cfg(feature = "webhook")]
        self.same_as_text(object, &converted, &to.api_version)?;
        Ok(converted)
    }

    fn check(&mut self, converted: &Value, to: &Judge) -> Result<(), Lossy> {
        if to.objects.kind.is_valid(converted) {
            return Ok(());
        }
        // What serde does not write, such as a null, stays where it was. If the other version has no such field, the
        // server drops it.
        let without_nulls = || {
            let mut object = converted.clone();
            drop_nulls(&mut object);
            object
        };
        let valid = to.objects.kind.validate_value(converted);
        let valid = valid.or_else(|_| to.objects.kind.validate_value(&without_nulls()));
        let valid = valid.or_else(|why| match to.objects.kind.prune_value(converted.clone()) {
            Some((pruned, _)) => to.objects.kind.validate_value(&pruned),
            None => Err(why),
        });
        valid.map_err(|why| self.wrong(format!("the object is not valid in {}: {why}", to.version)))
    }

    /// Converts text to text, as a webhook does. The result must be the same, unless the webhook would use values for
    /// this object.
    #[cfg(feature = "webhook")]
    fn same_as_text(&mut self, object: &Value, converted: &Value, to: &str) -> Result<(), Lossy> {
        let text = json::to_string(object);
        let versions = std::slice::from_ref(self.versions);
        let mut straight = String::new();
        if super::Versions::convert_text(versions, &text, to, &mut straight).is_none() {
            return Ok(());
        }
        if json::read(straight.as_bytes()).is_ok_and(|straight| alike(&straight, converted)) {
            return Ok(());
        }
        Err(self.wrong(format!("as text, the object converts to something else: {straight}")))
    }

    /// Converts an object back to its version. It must be the same as before.
    fn back(&mut self, object: &Value, there: &Value, a: &Judge, b: &Judge, what: &str) -> Result<(), Lossy> {
        let back = self.converted(there, a)?;
        // Nearly always the objects are equal to the last member. Then the object is still valid.
        if a.are_alike(object, &back) {
            return Ok(());
        }
        self.check(&back, a)?;
        let plain = |object: &Value| self.versions.as_written(a.plain(object), a.version);
        if plain(object) == plain(&back) {
            return Ok(());
        }
        // If something may be lost, a second round must lose nothing more.
        if self.lost {
            let there = self.valid(&back, b)?;
            let again = self.valid(&there, a)?;
            let plain = |object: &Value| self.versions.as_written(a.plain(object), a.version);
            if plain(&back) == plain(&again) {
                return Ok(());
            }
        }
        Err(self.wrong(what.to_owned()))
    }

    /// Converts an object there and back again and again, without the annotation that keeps values. Functions that are the inverse
    /// of each other lose at most what the other version cannot express, and only once.
    fn converges(&mut self, object: &Value, a: &Judge, b: &Judge) -> Result<(), Lossy> {
        if !b.has_kept(object) {
            // Nothing is kept, so the object has come back without it.
            return Ok(());
        }
        let round = |object: &Value| {
            let there = self.versions.trace(&b.without_annotation(object), &a.api_version).ok()?.0;
            let back = self.versions.trace(&a.without_annotation(&there), &b.api_version).ok()?.0;
            Some((there, back))
        };
        let plain = |object: &Value| self.versions.as_written(b.plain(object), b.version);
        // A conversion may fail for objects that have lost something.
        let Some((_, once)) = round(object) else { return Ok(()) };
        let Some((there, twice)) = round(&once) else { return Ok(()) };
        if plain(&once) == plain(&twice) {
            return Ok(());
        }
        let next = [(b.version, once), (a.version, there), (b.version, twice)];
        self.steps.extend(
            next.map(|(version, object)| (format!("{version}, without the annotation"), Rc::new(object))),
        );
        Err(self.wrong(
            "without the annotation, each conversion there and back changes the object: a function and the one for the way back \
             are not inverse to each other"
                .to_owned(),
        ))
    }

    fn wrong(&mut self, what: String) -> Lossy {
        let steps = std::mem::take(&mut self.steps).into_iter();
        Lossy { what, steps: steps.map(|(name, object)| (name, (*object).clone())).collect() }
    }
}

impl Judge {
    /// Whether two objects are equal apart from what is kept for other versions.
    fn are_alike(&self, a: &Value, b: &Value) -> bool {
        let (Value::Map(a), Value::Map(b)) = (a, b) else { return false };
        let is_other = |(name, _): &(&str, &Value)| *name != "metadata";
        members_are_alike(a.iter().filter(is_other), b.iter().filter(is_other))
            && match (a.get("metadata"), b.get("metadata")) {
                (Some(Value::Map(a)), Some(Value::Map(b))) => {
                    members_are_alike(self.without_kept(a), self.without_kept(b))
                }
                (a, b) => a == b,
            }
    }

    /// Returns the metadata without the annotation for other versions. Random objects have no other annotations.
    fn without_kept<'m>(&self, metadata: &'m Map<Value>) -> impl Iterator<Item = (&'m str, &'m Value)> {
        metadata.iter().filter(|(name, value)| {
            let only = || value.as_map().is_some_and(|map| map.keys().all(|key| key == self.annotation));
            *name != "annotations" || !only()
        })
    }

    /// Whether the object has values that are kept for other versions.
    fn has_kept(&self, object: &Value) -> bool {
        let annotations = object.get("metadata").and_then(|metadata| metadata.get("annotations"));
        annotations.is_some_and(|annotations| annotations.get(&self.annotation).is_some())
    }

    /// Returns the object without what is kept for other versions.
    fn without_annotation(&self, object: &Value) -> Value {
        let mut object = object.clone();
        let metadata = object.as_map_mut().and_then(|object| object.get_mut("metadata"));
        if let Some(Value::Map(metadata)) = metadata {
            if let Some(Value::Map(annotations)) = metadata.get_mut("annotations") {
                annotations.remove(&self.annotation);
            }
            metadata.retain(|name, value| {
                name != "annotations" || value.as_map().is_some_and(|map| !map.is_empty())
            });
        }
        object
    }

    /// Returns the object without what makes no difference: defaults that are not written, nulls, and what is kept for
    /// other versions.
    fn plain(&self, object: &Value) -> Value {
        let (object, _) = self.objects.kind.prune_value(object.clone()).unwrap_or((Value::Null, Vec::new()));
        let mut object = self.without_annotation(&object);
        drop_nulls(&mut object);
        write_numbers_alike(&mut object);
        self.objects.kind.default_value(object).unwrap_or(Value::Null)
    }
}

/// Whether two values have equal text. A float without a fraction has the text of an integer. If it is large, that
/// integer may not be equal to any float.
fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(_), Value::Float(_)) | (Value::Float(_), Value::Int(_)) => {
            json::to_string(a) == json::to_string(b)
        }
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Value::Map(a), Value::Map(b)) => members_are_alike(a.iter(), b.iter()),
        (a, b) => a == b,
    }
}

fn members_are_alike<'v>(
    mut a: impl Iterator<Item = (&'v str, &'v Value)>,
    mut b: impl Iterator<Item = (&'v str, &'v Value)>,
) -> bool {
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some((name, a)), Some((other, b))) if name == other && alike(a, b) => {}
            _ => return false,
        }
    }
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Map(members) => {
            members.retain(|_, value| !value.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Value::List(items) => items.iter_mut().for_each(drop_nulls),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// Makes equal numbers the same value: for JSON, 1 and 1.0 are the same.
fn write_numbers_alike(value: &mut Value) {
    match value {
        Value::Map(members) => members.values_mut().for_each(write_numbers_alike),
        Value::List(items) => items.iter_mut().for_each(write_numbers_alike),
        Value::Float(n) => *value = whole(*n).map_or(Value::Float(*n), Value::Int),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Str(_) => {}
    }
}

/// Returns the object with a part of another one. Goes some levels down.
fn edited(object: &Value, other: &Value, random: &mut Random) -> Option<Value> {
    let mut object = object.clone();
    let names: Vec<String> = ["spec", "status"]
        .iter()
        .filter(|name| other.get(name).is_some() && object.get(name).is_some())
        .map(|name| (*name).to_owned())
        .collect();
    let name = names.get(random.below(names.len()))?;
    replace(object.as_map_mut()?.get_mut(name)?, other.get(name)?, random);
    Some(object)
}

fn replace(value: &mut Value, other: &Value, random: &mut Random) {
    if let (Value::Map(members), Value::Map(others)) = (&mut *value, other) {
        let mut names: Vec<String> = members.keys().chain(others.keys()).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        let Some(name) = names.get(random.below(names.len())) else { return };
        match (members.get_mut(name), others.get(name)) {
            (Some(member), Some(other)) => replace(member, other, random),
            (None, Some(other)) => _ = members.insert(name.clone(), other.clone()),
            (Some(_), None) => _ = members.remove(name),
            (None, None) => {}
        }
        return;
    }
    match (&mut *value, other) {
        // Exchanges, removes and adds items, as users who edit a list do.
        (Value::List(items), Value::List(others)) if !items.is_empty() && random.below(3) > 0 => {
            let at = random.below(items.len());
            match (random.below(4), others.first()) {
                (0, _) => _ = items.remove(at),
                (1, _) => items.rotate_left(at),
                (2, Some(other)) => items.insert(at, other.clone()),
                (_, Some(other)) => replace(&mut items[at], other, random),
                (_, None) => {}
            }
        }
        (value, other) => *value = other.clone(),
    }
}
