//! Random objects of a kind, as a server stores them, and the test that the types read them.

use super::CompiledKind;
use crate::from_value::{Wrong, from_value};
use crate::to_value::to_value;
use crate::{CustomResource, Problems};
use crdgen_core::sample::random::{Keys, Random, value};
use crdgen_core::sample::{Extent, Samples};
use crdgen_runtime::diag::codes::rust::{FLATTENED_MAP, MAP_KEY};
use crdgen_runtime::diag::{Code, Diag, Level};
use crdgen_runtime::ir::Crd;
use crdgen_runtime::value::{Map, Value};
use crdgen_runtime::{encode, json};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;

/// Makes random objects of a CRD with one version.
pub(crate) struct Objects {
    pub(crate) kind: CompiledKind,
    api_version: String,
    /// An object from which values are copied that cannot be random.
    example: Option<Value>,
    /// The size of the CRD as JSON. Tests of large CRDs try fewer objects.
    pub(crate) size: usize,
}

impl Objects {
    /// Prepares a CRD.
    pub(crate) fn new(mut crd: Crd) -> Result<Objects, Problems> {
        let size = json::to_string(&encode::crd(&crd)).len();
        let extent = if size <= MOST_BYTES { Extent::Full } else { Extent::Minimal };
        if let [only] = crd.spec.versions.as_mut_slice() {
            // A CRD always has a stored version. Here it is the only one.
            only.storage = true;
            // With the status subresource, each check of an object would have to be two: a create, and an update of
            // the status.
            if let Some(subresources) = &mut only.body.subresources {
                subresources.status = false;
            }
        }
        crd.spec.conversion = None;
        let version = crd.spec.versions.first().map(|version| version.name.clone()).unwrap_or_default();
        let example = Samples::new(&crd).and_then(|samples| samples.object(&version, extent));
        let api_version = format!("{}/{version}", crd.spec.group);
        Ok(Objects { kind: CompiledKind::new(crd)?, api_version, example, size })
    }

    /// Returns the error that no change of an object repairs, if no example was found.
    fn obstacle(&self) -> Option<Diag> {
        let crd = self.kind.crd();
        let version = crd.spec.versions.first().filter(|_| self.example.is_none())?;
        Samples::new(crd)?.obstacle(&version.name)
    }

    /// Returns a random valid object, as a server stores it.
    pub(crate) fn object(&self, random: &mut Random) -> Option<Value> {
        const TRIES: usize = 8;
        let schema = self.kind.crd().spec.schema_of(0)?;
        let spec = &self.kind.crd().spec;
        let random_object = (0..TRIES).find_map(|_| {
            let Value::Map(mut object) = value(schema, self.example.as_ref(), random)? else { return None };
            object.insert("apiVersion", Value::from(&*self.api_version));
            object.insert("kind", Value::from(&*spec.names.kind));
            let metadata = Map::from_iter([("name", Value::from("x")), ("namespace", Value::from("y"))]);
            object.insert("metadata", Value::Map(metadata));
            let object = self.kind.default_value(Value::Map(object))?;
            self.kind.is_valid(&object).then_some(object)
        });
        random_object.or_else(|| self.kind.default_value(self.example.clone()?))
    }
}

/// The test that serde reads what a server stores, and that the server accepts what serde then writes. Only for types that serde
/// reads and writes; the others use [`Unread`].
#[derive(Debug)]
pub struct Reads<K>(PhantomData<K>);

/// The same for types that serde does not read or does not write: there is nothing to test.
pub trait Unread {
    /// Does nothing.
    fn test(_: &str) {}
}

impl<K> Unread for Reads<K> {}

/// How many objects the generated test tries at most, and how many bytes their CRDs, as JSON, may have together. A number of
/// seconds would let the same test pass on one machine and fail on another.
const COUNT: u64 = 300;
const BYTES: u64 = 10_000_000;
const HELP: &str = "let the schema accept what the type reads and writes, and nothing else: with bounds, a pattern, or \
                    #[schema(as = \"…\")]. #[schema(test = false)] on the kind turns its test off";
const NONE: &str = "the test tried nothing. Give the fields that the rule reads an example with which it is true: \
                    #[schema(example = …)]. Or turn the test off with #[schema(test = false)] on the kind, and test objects of your own \
                    with crdgen::assert_admitted!";
/// The largest CRD, as JSON, for which an example with all fields is made. For larger ones this takes seconds.
const MOST_BYTES: usize = 40_000;

impl<K: CustomResource + DeserializeOwned + Serialize> Reads<K> {
    /// Runs the test of the kind whose place is `at`.
    ///
    /// # Panics
    ///
    /// Panics with the first object that serde cannot read, or that the server does not accept again. Also panics if no object was
    /// tried.
    pub fn test(at: &str) {
        let (crd, diags) = K::declared().definition();
        let is_known = |code: &Code| {
            let mut allowed = crd.spec.versions.iter().flat_map(|version| &version.allowed);
            diags.iter().any(|diag| diag.code == code) || allowed.any(|allowed| allowed.code == code.id)
        };
        // The server keeps fields of a flattened map that serde does not read, and keys of maps in lists. Warnings say so.
        let keys = if is_known(&MAP_KEY) { Keys::Numbers } else { Keys::Any };
        if is_known(&FLATTENED_MAP) || diags.iter().any(|diag: &Diag| diag.level == Level::Error) {
            return;
        }
        // Mistakes in the CRD are what the test of the CRD reports.
        let Ok(objects) = Objects::new(crd) else { return };
        let count = (BYTES / objects.size as u64).clamp(1, COUNT);
        let at = if at.is_empty() { String::new() } else { format!("\n  --> {at}") };
        let mut tried = 0;
        for seed in 0..count {
            let Some(object) = objects.object(&mut Random::new(seed).with_keys(keys)) else { continue };
            tried += 1;
            if let Err(why) = comes_back::<K>(&objects.kind, &object) {
                let object = json::to_string(&object);
                panic!("{}: {why}\n  object: {object}{at}\n  help: {HELP}", K::KIND);
            }
        }
        if tried == 0
            && let Some(why) = objects.obstacle()
        {
            let why = why.text();
            panic!("{}: crdgen found no object that the server accepts: {why}{at}\n  help: {NONE}", K::KIND);
        }
    }
}

/// Why an object does not come back.
enum Lost {
    Unread(Wrong),
    Unwritten,
    Rejected { message: String, written: String },
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Unread(why) => write!(f, "the server accepts an object that serde cannot read: {why}"),
            Lost::Unwritten => f.write_str("serde reads an object that it cannot write"),
            Lost::Rejected { message, written } => {
                write!(f, "the server rejects what serde writes: {message}\n  written: {written}")
            }
        }
    }
}

/// Reads and writes an object. Returns what is wrong.
fn comes_back<K: DeserializeOwned + Serialize>(kind: &CompiledKind, object: &Value) -> Result<(), Lost> {
    let typed: K = from_value(object).map_err(Lost::Unread)?;
    let mut written = to_value(&typed).ok_or(Lost::Unwritten)?;
    // What every object has is a client's to write, as far as the type leaves it out.
    if let Some(written) = written.as_map_mut() {
        for name in ["apiVersion", "kind"] {
            if !written.contains_key(name) {
                written.insert(name, object.get(name).cloned().unwrap_or_default());
            }
        }
        written.insert("metadata", object.get("metadata").cloned().unwrap_or_default());
    }
    let verdict = kind.create(&written);
    if verdict.is_accepted() {
        return Ok(());
    }
    Err(Lost::Rejected { message: verdict.message().to_string(), written: json::to_string(&written) })
}
