//! Compares the conversions with cluster-api's own. This runs if `$CRDGEN_CLUSTER_API` is set. Go builds
//! `tests/cluster-api`, which calls `ConvertTo` and `ConvertFrom`.
//!
//! Both sides convert random objects of both versions. Go's types cannot leave out a struct without a pointer, and
//! write `metadata: {}`. So both results are compared as Go's types read them, which is also what every client in Go
//! gets. If Go's result is valid, ours must be valid too.

use crdgen::convert::Versions;
use crdgen::objects::CompiledKind;
use crdgen_core::ir::Crd;
use crdgen_core::sample::random::{Random, value};
use crdgen_core::sample::{Extent, Samples};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const GROUP: &str = "cluster.x-k8s.io";

/// The annotations that keep what a version cannot express: ours, and Go's.
const ANNOTATIONS: [&str; 2] = ["cluster.x-k8s.io/conversion", "cluster.x-k8s.io/conversion-data"];

/// Known differences: the place, then ` -- ` and the reason.
const SKIP: &str = include_str!("go.skip");

#[test]
fn clusters_convert_as_go_converts_them() {
    compare(&cluster_api::clusters());
}

#[test]
fn machine_deployments_convert_as_go_converts_them() {
    compare(&cluster_api::machine_deployments());
}

/// The program that converts as cluster-api does.
struct Go {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Go {
    /// Builds and starts the program.
    fn start() -> Result<Go, String> {
        if std::env::var_os("CRDGEN_CLUSTER_API").is_none() {
            return Err("$CRDGEN_CLUSTER_API is not set".to_owned());
        }
        if Command::new("go").arg("version").output().is_err() {
            return Err("there is no Go".to_owned());
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cluster-api");
        let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cluster-api");
        let built = Command::new("go").arg("build").arg("-o").arg(&program).current_dir(folder).status();
        assert!(built.expect("Go runs").success(), "tests/cluster-api does not build");
        let piped = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = piped.expect("it starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Ok(Go { child, input, output })
    }

    /// Returns the object in another version. Without a version, returns the object as Go reads it. The error is Go's
    /// own.
    fn ask(&mut self, object: &Value, to: Option<&str>) -> Result<Value, String> {
        let mut line = json!({"to": to, "object": object}).to_string();
        line.push('\n');
        self.input.write_all(line.as_bytes()).expect("it reads");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("it answers");
        let mut answer: Value = serde_json::from_str(&answer).expect("it answers JSON");
        match answer["error"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(answer["object"].take()),
        }
    }
}

impl Go {
    /// Returns the object as Go reads it.
    fn read(&mut self, object: &Value) -> Value {
        self.ask(object, None).unwrap_or_else(|e| panic!("Go reads {object}: {e}"))
    }
}

impl Drop for Go {
    fn drop(&mut self) {
        // The program only reads, so it can be killed.
        self.child.kill().and_then(|()| self.child.wait()).ok();
    }
}

/// The results of the comparison.
#[derive(Default)]
struct Tally {
    /// Objects that both sides convert to the same object.
    same: usize,
    /// Of these, objects that neither side converts.
    failed: usize,
    /// Objects that are valid in both versions.
    valid: usize,
    /// The places of differences, each with an example.
    different: BTreeMap<String, String>,
}

fn compare(versions: &Versions) {
    let mut go = match Go::start() {
        Ok(go) => go,
        Err(why) => {
            // Writes directly to standard error, because the test harness hides the output of `eprintln!` for tests
            // that pass.
            _ = writeln!(std::io::stderr(), "SKIPPED cluster-api's own conversions: {why}");
            return;
        }
    };
    let count = std::env::var("CRDGEN_OBJECTS").ok().and_then(|count| count.parse().ok()).unwrap_or(2000);
    let crd = versions.crd().expect("a definition");
    let kind = CompiledKind::new(crd.clone()).expect("it is sound");
    let mut tally = Tally::default();
    for (from, to) in [("v1beta1", "v1beta2"), ("v1beta2", "v1beta1")] {
        let random = objects(&crd, from, count, &kind);
        assert!(random.len() >= count, "only {} objects of {from}", random.len());
        for object in random {
            one(&mut tally, &mut go, versions, &kind, &object, from, to);
        }
    }
    let name = versions.kind();
    eprintln!(
        "{name}: {} conversions agree with Go; {} of them fail on both sides, and {} are valid",
        tally.same, tally.failed, tally.valid
    );
    let skipped: BTreeMap<&str, &str> = SKIP
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once(" -- ").unwrap_or_else(|| panic!("`{line}` has no reason")))
        .filter(|(place, _)| place.starts_with(&format!("{name} ")))
        .collect();
    let is_known = |skip: &str, place: &str| match skip.strip_suffix('*') {
        Some(start) => place.starts_with(start),
        None => place == skip,
    };
    let stale: Vec<&&str> =
        skipped.keys().filter(|skip| !tally.different.keys().any(|place| is_known(skip, place))).collect();
    assert!(stale.is_empty(), "these agree now; remove them from go.skip: {stale:?}");
    let new: Vec<String> = tally
        .different
        .iter()
        .filter(|(place, _)| !skipped.keys().any(|skip| is_known(skip, place)))
        .map(|(place, example)| format!("{place}\n{example}"))
        .collect();
    assert!(new.is_empty(), "{} differences:\n{}", new.len(), new.join("\n"));
}

fn one(
    tally: &mut Tally,
    go: &mut Go,
    versions: &Versions,
    kind: &CompiledKind,
    object: &Value,
    from: &str,
    to: &str,
) {
    let label = |what: &str| format!("{} {from} to {to}: {what}", versions.kind());
    let theirs = go.ask(object, Some(to));
    let ours = convert(versions, object, to);
    let (theirs, ours) = match (theirs, ours) {
        (Ok(theirs), Ok(ours)) => (theirs, ours),
        (Err(_), Err(_)) => {
            (tally.same, tally.failed) = (tally.same + 1, tally.failed + 1);
            return;
        }
        (theirs, ours) => {
            let text = format!("  {object}\n  Go: {theirs:?}\n  ours: {ours:?}");
            tally.different.entry(label("error")).or_insert(text);
            return;
        }
    };
    let mut is_same = same(tally, &label, &go.read(&ours), &theirs, object);
    match (kind.validate(&theirs), kind.validate(&ours)) {
        (Ok(()), Err(invalid)) => {
            let text = format!("  {object}\n  ours: {ours}\n  {invalid}");
            tally.different.entry(label("valid")).or_insert(text);
        }
        // If a struct has to be left out, Go must leave it out too.
        (Ok(()), Ok(())) if !is_same && has_hollow(&theirs) => {
            tally.different.entry(label("a valid empty struct")).or_insert(format!("  {object}\n  {theirs}"));
        }
        (_, Ok(())) => tally.valid += 1,
        (Err(_), Err(_)) => {}
    }
    // Converts back, with each side's own annotation. crdgen loses nothing, and Go keeps what the older version cannot
    // express.
    let back = convert(versions, &ours, from).expect("what was converted converts back");
    let (back, read) = (go.read(&back), go.read(object));
    is_same &= same(tally, &|place: &str| label(&format!("lost: {place}")), &back, &read, object);
    if from == "v1beta2" {
        let theirs = go.ask(&theirs, Some(from)).expect("what Go converted converts back");
        is_same &= same(tally, &|place: &str| label(&format!("back: {place}")), &back, &theirs, object);
    }
    tally.same += usize::from(is_same);
}

fn convert(versions: &Versions, object: &Value, to: &str) -> Result<Value, String> {
    let converted = versions.convert(object, &format!("{GROUP}/{to}")).map_err(|e| e.to_string())?;
    Ok(serde_json::to_value(&converted).expect("it is JSON"))
}

fn same(
    tally: &mut Tally,
    label: &dyn Fn(&str) -> String,
    ours: &Value,
    theirs: &Value,
    object: &Value,
) -> bool {
    let (ours, theirs) = (without_annotations(ours), without_annotations(theirs));
    let mut places = BTreeSet::new();
    differences(&ours, &theirs, String::new(), &mut places);
    for place in &places {
        let text = || format!("  {object}\n  Go:   {theirs}\n  ours: {ours}");
        tally.different.entry(label(place)).or_insert_with(text);
    }
    places.is_empty()
}

/// Collects all places at which two values differ, without the indexes of items.
fn differences(a: &Value, b: &Value, place: String, out: &mut BTreeSet<String>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for name in names {
                let place = format!("{place}.{name}");
                match (a.get(name), b.get(name)) {
                    (Some(a), Some(b)) => differences(a, b, place, out),
                    (Some(only), None) | (None, Some(only)) if is_hollow(only) => {
                        out.insert(HOLLOW.to_owned());
                    }
                    _ => _ = out.insert(place),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|(a, b)| differences(a, b, format!("{place}[]"), out));
        }
        (a, b) if a != b => _ = out.insert(place),
        _ => {}
    }
}

/// The difference if one side has an empty struct and the other side has none.
const HOLLOW: &str = "an empty struct";

fn is_hollow(value: &Value) -> bool {
    value.as_object().is_some_and(|members| members.values().all(is_hollow))
}

/// Whether an empty struct is in the newer version's spec, where each struct must have a field. Selectors may be empty,
/// and the value of a variable is any JSON.
fn has_hollow(object: &Value) -> bool {
    fn within(value: &Value) -> bool {
        match value {
            Value::Object(members) => members.iter().any(|(name, it)| {
                !matches!(name.as_str(), "selector" | "value") && (is_hollow(it) || within(it))
            }),
            Value::Array(items) => items.iter().any(within),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        }
    }
    object["apiVersion"] == "cluster.x-k8s.io/v1beta2" && within(&object["spec"])
}

fn without_annotations(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        if let Some(annotations) = metadata.get_mut("annotations").and_then(Value::as_object_mut) {
            annotations.retain(|name, _| !ANNOTATIONS.contains(&name.as_str()));
        }
        metadata.retain(|name, value| name != "annotations" || value != &json!({}));
        // Go writes null for a missing time.
        metadata.retain(|_, value| !value.is_null());
    }
    object
}

/// Returns random valid objects of a version.
fn objects(crd: &Crd, version: &str, count: usize, kind: &CompiledKind) -> Vec<Value> {
    let number = crd.spec.versions.iter().position(|it| it.name == version).expect("a version");
    let example = Samples::new(crd).and_then(|samples| samples.object(version, Extent::Full));
    let schema = crd.spec.schema_of(number).expect("a schema");
    let mut out = Vec::new();
    for seed in 0..8 * count as u64 {
        let mut random = Random::new(seed);
        let Some(object) = value(schema, example.as_ref(), &mut random) else { continue };
        let mut object = serde_json::to_value(&object).expect("it is JSON");
        vary(&mut object, &mut random);
        object["apiVersion"] = format!("{GROUP}/{version}").into();
        object["kind"] = crd.spec.names.kind.as_str().into();
        object["metadata"] = json!({"name": "x", "namespace": "y", "labels": {"a": "b"}});
        if kind.validate(&object).is_ok() {
            out.push(object);
        }
        if out.len() == count {
            break;
        }
    }
    out
}

/// Replaces random texts that would be invalid or always equivalent because the schema has a pattern.
fn vary(value: &mut Value, random: &mut Random) {
    const DURATIONS: [&str; 8] = ["0s", "5s", "90s", "10m", "1.5h", "999ms", "2562047h", "700000h"];
    const API_VERSIONS: [&str; 6] =
        ["v1", "apps/v1", "infrastructure.cluster.x-k8s.io/v1beta1", "", "a/b/c", "/v1"];
    const GROUPS: [&str; 2] = ["infrastructure.cluster.x-k8s.io", "apps"];
    match value {
        Value::Object(members) => {
            // Go's pointers and values differ for empty structs.
            if random.below(12) == 0 {
                members.retain(|_, value| !value.is_object() && !value.is_array());
            }
            for (name, value) in members {
                match (name.as_str(), &value) {
                    (name, Value::String(_)) if name.to_lowercase().ends_with("timeout") => {
                        *value = DURATIONS[random.below(DURATIONS.len())].into();
                    }
                    ("apiVersion", Value::String(_)) => {
                        *value = API_VERSIONS[random.below(API_VERSIONS.len())].into();
                    }
                    ("apiGroup", _) => *value = GROUPS[random.below(GROUPS.len())].into(),
                    _ => vary(value, random),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| vary(item, random)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
