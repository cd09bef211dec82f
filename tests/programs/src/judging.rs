//! Measures how fast objects are checked and applied: real objects of one kind after the other, as JSON, compared with the
//! server's library, which does the same in one process (ops `objectTime` and `applyTime` of the oracle).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::time::Duration;

use crdgen::objects::CompiledKind;
use crdgen_core::apply::{Verb, Write, Writer};
use crdgen_core::decode;
use crdgen_core::ir::Crd;
use crdgen_core::json::{read, to_string};
use crdgen_core::object::Served;
use crdgen_core::object::write::NOW;
use crdgen_core::value::{Map, Value};

use crdgen_tests::json::parse;
use crdgen_tests::{corpus, oracle};

/// The times for one object of a kind.
pub struct Row {
    /// The kind.
    pub kind: String,
    /// How many different objects there are.
    pub objects: usize,
    /// The time in crdgen.
    pub ours: Duration,
    /// The time in the server's library, if there is an oracle.
    pub theirs: Option<Duration>,
}

/// How many kinds are measured. Those with the most objects are chosen.
const KINDS: usize = 12;

/// Real objects of one version of a kind.
struct Sample {
    crd: Crd,
    /// The text of the CRD.
    text: String,
    version: String,
    objects: Vec<String>,
}

/// Checks about `count` objects of each kind.
pub fn check(count: usize) -> io::Result<Vec<Row>> {
    let rows = samples()?.into_iter().filter_map(|sample| {
        let kind = CompiledKind::new(sample.crd.clone()).ok()?;
        let check = |object: Value| usize::from(kind.create(&object).result.is_some());
        Some(sample.measure("objectTime", count, 1, &check))
    });
    rows.collect()
}

/// Creates about `count` objects of each kind by server-side apply, and applies them a second time.
pub fn apply(count: usize) -> io::Result<Vec<Row>> {
    let rows = samples()?.into_iter().filter_map(|sample| {
        let served = Served::new(sample.crd.clone()).ok()?;
        let writer = Writer::new(&served).ok()?;
        let version = served.version(&sample.version).ok()?;
        let write = |body, live| {
            let (verb, manager) = (Verb::Apply { force: false }, "bench");
            let write = Write { verb, manager, body, live, subresource: "", namespace: "default", now: NOW };
            writer.write(version, write).ok()?.object
        };
        let apply_twice = |object: Value| {
            let Some(first) = write(object.clone(), None) else { return 0 };
            1 + usize::from(write(object, Some(first)).is_some())
        };
        Some(sample.measure("applyTime", count, 2, &apply_twice))
    });
    rows.collect()
}

/// The kinds with the most objects.
fn samples() -> io::Result<Vec<Sample>> {
    let none = || io::Error::other("no shared corpus; set $CRDGEN_CORPUS");
    let (crds, objects) =
        (corpus::shared_crds().ok_or_else(none)?, corpus::shared_objects().ok_or_else(none)?);
    let mut by_kind: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for object in &objects {
        by_kind.entry(kind_of(&object.value)).or_default().push(to_string(&object.value));
    }
    let mut kinds: Vec<_> = crds
        .iter()
        .filter_map(|crd| {
            let text = |path: &[&str]| {
                let found = path.iter().try_fold(&crd.value, |value, name| value.get(name));
                found.and_then(Value::as_str).unwrap_or_default().to_owned()
            };
            let key = (text(&["spec", "group"]), text(&["spec", "names", "kind"]));
            Some((crd, by_kind.remove(&key)?))
        })
        .collect();
    kinds.sort_by_key(|(_, objects)| std::cmp::Reverse(objects.len()));
    let samples = kinds.into_iter().take(KINDS).filter_map(|(seed, mut objects)| {
        // The oracle only serves one version of a CRD.
        let version = version_of(objects.first()?);
        objects.retain(|object| version_of(object) == version);
        let crd = decode::crd(seed.value.clone()).0?;
        Some(Sample { crd, text: seed.text.clone(), version, objects })
    });
    Ok(samples.collect())
}

impl Sample {
    /// Does `work` with the objects about `count` times, and lets the library do the same. `work` has so many `parts`, and
    /// returns how many of them succeeded.
    fn measure(&self, op: &str, count: usize, parts: u32, work: &dyn Fn(Value) -> usize) -> io::Result<Row> {
        let repeat = count.div_ceil(self.objects.len());
        let done = (repeat * self.objects.len()) as u32 * parts;
        let start = processor_time()?;
        let mut succeeded = 0;
        for _ in 0..repeat {
            let objects = self.objects.iter().filter_map(|object| read(object.as_bytes()).ok());
            succeeded += objects.map(work).sum::<usize>();
        }
        let ours = (processor_time()? - start) / done;
        let theirs = match self.library(op, repeat)? {
            Some((_, of_library)) if of_library != succeeded => {
                let kind = &self.crd.spec.names.kind;
                let text = format!("{kind}: {succeeded} succeed, and {of_library} in the library");
                return Err(io::Error::other(text));
            }
            library => library.map(|(all, _)| all / done),
        };
        Ok(Row { kind: self.crd.spec.names.kind.clone(), objects: self.objects.len(), ours, theirs })
    }

    /// Returns the processor time of the library for all of them, and how much succeeded.
    fn library(&self, op: &str, repeat: usize) -> io::Result<Option<(Duration, usize)>> {
        let Ok(oracle) = oracle::oracle() else { return Ok(None) };
        // The first request compiles the CRD.
        let requests = [1, repeat].map(|repeat| {
            let request: Map<Value> = Map::from_iter([
                ("op", Value::from(op)),
                ("crd", self.text.as_str().into()),
                ("version", self.version.as_str().into()),
                ("objects", Value::from(self.objects.clone())),
                ("repeat", Value::Int(repeat as i64)),
            ]);
            to_string(&Value::Map(request))
        });
        let answers = oracle.ask(&requests, 1)?;
        let answer = answers.last().and_then(|answer| parse(answer).ok()).unwrap_or_default();
        let number = |name| answer.get(name).and_then(Value::as_int).map(i64::unsigned_abs);
        Ok(number("ns")
            .zip(number("succeeded"))
            .map(|(ns, count)| (Duration::from_nanos(ns), count as usize)))
    }
}

fn kind_of(object: &Value) -> (String, String) {
    let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let group = text("apiVersion").split_once('/').map_or("", |(group, _)| group);
    (group.to_owned(), text("kind").to_owned())
}

fn version_of(object: &str) -> String {
    let object = read(object.as_bytes()).unwrap_or_default();
    let api_version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    api_version.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Returns the processor time of this process so far. The resolution is a hundredth of a second.
fn processor_time() -> io::Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}
