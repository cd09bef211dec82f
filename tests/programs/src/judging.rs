//! Measures how fast objects are checked: real objects of one kind after the other, as JSON, compared with the server's
//! library, which does the same in one process (op `objectTime` of the oracle).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::time::Duration;

use crdgen::objects::Kind;
use crdgen_core::decode;
use crdgen_core::json::{read, to_string};
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

/// Checks about `count` objects of each kind.
pub fn run(count: usize) -> io::Result<Vec<Row>> {
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
    let mut rows = Vec::new();
    for (crd, objects) in kinds.into_iter().take(KINDS) {
        let Some(kind) = decode::crd(crd.value.clone()).0.and_then(|crd| Kind::new(crd).ok()) else {
            continue;
        };
        // The oracle only serves one version of a CRD.
        let version = version_of(objects.first().map_or("", String::as_str));
        let objects: Vec<String> =
            objects.into_iter().filter(|object| version_of(object) == version).collect();
        let repeat = count.div_ceil(objects.len());
        let judged = (repeat * objects.len()) as u32;
        let start = processor_time()?;
        for _ in 0..repeat {
            for object in &objects {
                std::hint::black_box(read(object.as_bytes()).ok().map(|object| kind.create(&object)));
            }
        }
        let ours = (processor_time()? - start) / judged;
        let theirs = library(&crd.text, &version, &objects, repeat)?.map(|all| all / judged);
        rows.push(Row { kind: kind.crd().spec.names.kind.clone(), objects: objects.len(), ours, theirs });
    }
    Ok(rows)
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

/// Returns the processor time of the library for all of them.
fn library(crd: &str, version: &str, objects: &[String], repeat: usize) -> io::Result<Option<Duration>> {
    let Ok(oracle) = oracle::oracle() else { return Ok(None) };
    let request: Map<Value> = Map::from_iter([
        ("op", Value::from("objectTime")),
        ("crd", crd.into()),
        ("version", version.into()),
        ("objects", Value::from(objects.to_vec())),
        ("repeat", Value::Int(repeat as i64)),
    ]);
    // The first request compiles the CRD.
    let first = Map::from_iter(
        request
            .iter()
            .map(|(name, value)| (name, if name == "repeat" { Value::Int(1) } else { value.clone() })),
    );
    let requests = [first, request].map(|request| to_string(&Value::Map(request)));
    let answers = oracle.ask(&requests, 1)?;
    let answer = answers.last().and_then(|answer| parse(answer).ok()).unwrap_or_default();
    Ok(answer.get("ns").and_then(Value::as_int).map(|ns| Duration::from_nanos(ns.unsigned_abs())))
}

/// Returns the processor time of this process so far. The resolution is a hundredth of a second.
fn processor_time() -> io::Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}
