//! Compares what a server publishes for installed CRDs with what crdgen publishes for them.

use std::time::{Duration, Instant};

use crdgen_core::decode;
use crdgen_core::ir::Crd;
use crdgen_core::json::{self, to_string};
use crdgen_core::value::Value;
use crdgen_publish::openapi::{Merged, Options, publish};
use crdgen_tests::corpus;
use crdgen_tests::json::parse;

use super::Server;

/// How many CRDs of the corpus are compared, apart from our own.
const REAL: usize = 30;

/// Compares both endpoints, for all CRDs that the server accepts.
#[test]
fn published() {
    let server = server!("openapi");
    let mut crds: Vec<Crd> = Vec::new();
    let mut seeds = corpus::own_crds();
    let real = corpus::shared_crds().unwrap_or_default();
    let step = (real.len() / REAL).max(1);
    let real = real.into_iter().filter(|s| s.text.len() < 100_000);
    seeds.extend(real.skip(crdgen_tests::turn() % step).step_by(step));
    for seed in seeds {
        if server.kubectl(&["create", "--validate=false", "-f", "-"], &seed.text).status.success() {
            crds.extend(decode::crd(seed.value).0);
        }
    }
    assert!(!crds.is_empty());
    for crd in &crds {
        for version in crd.spec.versions.iter().filter(|v| v.served) {
            until_equal(&server, crd, &version.name, &crds);
        }
    }
    let mine = merged(true, documents(&crds, true, |_, _| true));
    let theirs = get(&server, "/openapi/v2").unwrap_or_default();
    for part in ["paths", "definitions", "parameters"] {
        let entries = mine.get(part).and_then(Value::as_map).expect("a part of the document");
        for (name, entry) in entries.iter() {
            let found = theirs.get(part).and_then(|p| p.get(name));
            assert_eq!(found.map(|v| normalized(name, v)), Some(normalized(name, entry)), "{part} {name}");
        }
    }
    eprintln!("{} definitions published as by the server", crds.len());
}

/// Merges documents into one.
fn merged(v2: bool, documents: impl IntoIterator<Item = Value>) -> Value {
    let mut merged = Merged::new(v2);
    documents.into_iter().for_each(|document| merged.add(document));
    json::read(merged.text().as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

/// Returns a part as text. Kubernetes' own types differ in one thing: the server lists the groups in which it knows
/// them.
fn normalized(name: &str, part: &Value) -> String {
    let mut part = part.clone();
    if let (true, Value::Map(map)) = (name.starts_with("io.k8s."), &mut part) {
        map.remove("x-kubernetes-group-version-kind");
    }
    to_string(&part)
}

/// Waits until the document of a group and version contains all CRDs, and compares it.
#[track_caller]
fn until_equal(server: &Server, crd: &Crd, version: &str, crds: &[Crd]) {
    let group = crd.spec.group.as_str();
    let mine = to_string(&merged(false, documents(crds, false, |g, v| g == group && v == version)));
    let start = Instant::now();
    loop {
        let theirs = get(server, &format!("/openapi/v3/apis/{group}/{version}"));
        let theirs = theirs.as_ref().map(to_string).unwrap_or_default();
        if theirs == mine {
            return;
        }
        if start.elapsed() > Duration::from_secs(30) {
            let same = mine.bytes().zip(theirs.bytes()).take_while(|(a, b)| a == b).count();
            let from = same.saturating_sub(100);
            let part = |text: &str| text.chars().skip(from).take(300).collect::<String>();
            panic!("{group}/{version}\n  ours:   {}\n  theirs: {}", part(&mine), part(&theirs));
        }
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn documents(crds: &[Crd], v2: bool, wanted: impl Fn(&str, &str) -> bool) -> Vec<Value> {
    let options = Options { v2, ..Options::default() };
    let mut out = Vec::new();
    for crd in crds {
        for (i, version) in crd.spec.versions.iter().enumerate() {
            if version.served && wanted(&crd.spec.group, &version.name) {
                out.extend(publish(crd, i, &options).map(|p| p.document()));
            }
        }
    }
    out
}

fn get(server: &Server, path: &str) -> Option<Value> {
    let out = server.kubectl(&["get", "--raw", path], "");
    parse(std::str::from_utf8(&out.stdout).ok()?).ok()
}
