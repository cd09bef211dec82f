//! Conversions that are read from the sources and compiled conversions give the same JSON, with the same annotation.

#![allow(deprecated, reason = "the variants of some enums have different types")]

mod common;

#[path = "../../derive/tests/convert.rs"]
mod types;

use crdgen::convert::Versions;
use crdgen::diag::Diag;
use crdgen::value::{Map, Value};
use crdgen_build::declared;
use crdgen_source::declared::Declared;
use crdgen_source::{Cfgs, CrateSource, Program, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files below a folder.
struct Files(PathBuf);

impl Sources for Files {
    fn read(&mut self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.0.join(path)).ok()
    }

    fn extern_crate(&mut self, _: &CrateSource, _: &str) -> Option<CrateSource> {
        None
    }
}

fn declared(root: &str) -> Declared {
    let name = || "types".to_owned();
    let krate = CrateSource {
        name: name(),
        id: name(),
        root: root.to_owned(),
        cfgs: Cfgs::default(),
        environment: Vec::new(),
        dependency: None,
    };
    let mut files = Files(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    let program = Program::new(&mut files, krate);
    let declared = program.declared_with_schemas();
    assert!(!program.has_errors(), "{:?}", program.found());
    declared
}

/// The results for many objects.
#[derive(Default)]
struct Tally {
    same: usize,
    /// Objects that neither route converts.
    refused: usize,
    /// The functions that are not simple moves.
    functions: BTreeSet<String>,
}

impl Tally {
    /// Converts an object on both routes. Returns the object that the compiled types return.
    fn one(&mut self, declared: &Declared, versions: &Versions, object: &Value, to: &str) -> Option<Value> {
        let api_version = format!("{}/{to}", versions.group());
        let compiled = versions.convert(object, &api_version);
        let Value::Map(members) = object else { panic!("{object:?}") };
        let from = members.get("apiVersion").and_then(Value::as_str).and_then(|it| it.rsplit('/').next());
        let declared =
            declared::Versions::of(declared, versions.group(), versions.kind()).expect("it is declared");
        match declared.convert(Map::clone(members), from.expect("a version"), to) {
            Err(declared::Error::Code { code, .. }) => {
                assert!(code.at.is_some(), "{code:?}");
                self.functions.insert(code.text);
            }
            Ok(value) => {
                assert_eq!(Ok(&value), compiled.as_ref(), "to {to}: {object:?}");
                self.same += 1;
            }
            Err(error) => {
                assert!(compiled.is_err(), "{error} to {to}: {object:?} {compiled:?}");
                self.refused += 1;
            }
        }
        compiled.ok()
    }

    /// Converts random objects of every version to each other version and back.
    fn all(declared: &Declared, versions: &Versions, names: &[&str], count: usize) -> Tally {
        let mut tally = Tally::default();
        for (from, object) in common::objects(versions, count) {
            for to in names {
                if let Some(there) = tally.one(declared, versions, &object, to) {
                    tally.one(declared, versions, &there, &from);
                }
            }
        }
        tally
    }
}

#[test]
fn moves_without_functions() {
    let declared = declared("tests/convert/tests/common/plain.rs");
    let tally = Tally::all(&declared, &plain::versions(), &["v1alpha1", "v1beta1", "v1"], 400);
    assert_eq!(tally.functions, BTreeSet::new());
    assert!(tally.same > 500 && tally.refused < tally.same, "{} {}", tally.same, tally.refused);
    eprintln!("{} same, {} refused by both", tally.same, tally.refused);
}

#[path = "common/plain.rs"]
mod plain;

#[path = "pairs/mod.rs"]
mod pairs;

/// How many random objects to make of each version.
const COUNT: usize = 1000;

/// With every kind of move, no object is lost. Apart from functions, which the sources do not show, both routes give
/// the same objects.
#[test]
fn twelve_pairs() {
    let declared = declared("tests/convert/tests/pairs/mod.rs");
    for (versions, functions) in pairs::all() {
        let kind = versions.kind();
        let tally = Tally::all(&declared, &versions, &["v1beta1", "v1"], COUNT);
        let called: Vec<&str> = tally.functions.iter().map(String::as_str).collect();
        assert_eq!(called, functions, "{kind}");
        assert!(tally.same > 500 && tally.refused == 0, "{kind}: {} {}", tally.same, tally.refused);
        eprintln!("{kind}: {} the same", tally.same);
    }
}

/// The report lists all places for which something is kept. It lists others only where a function may return the same
/// value.
#[test]
fn reports_name_what_is_kept() {
    let declared = declared("tests/convert/tests/pairs/mod.rs");
    let verdicts = declared::verdicts(&declared);
    for (versions, _) in pairs::all() {
        let kind = versions.kind();
        let verdict = verdicts.iter().find(|verdict| verdict.pair.kind == kind).expect("it is declared");
        let reported: BTreeSet<&str> = verdict
            .places
            .iter()
            .filter(|place| place.fate == declared::Fate::Kept)
            .map(|place| &*place.path)
            .collect();
        let mut kept = BTreeSet::new();
        for (from, object) in common::objects(&versions, COUNT) {
            let to = if from == "v1" { "v1beta1" } else { "v1" };
            let converted = versions.convert(&object, &format!("example.com/{to}")).expect("it converts");
            let annotations = converted.get("metadata").and_then(|it| it.get("annotations"));
            let Some(text) = annotations.and_then(|it| it.get("example.com/conversion")?.as_str()) else {
                continue;
            };
            let stash: serde_json::Value = serde_json::from_str(text).expect("JSON");
            places(&stash["versions"][&*from], String::new(), &mut kept);
        }
        let unknown: Vec<&String> = kept.iter().filter(|path| !reported.contains(&***path)).collect();
        assert!(unknown.is_empty(), "{kind} keeps {unknown:?}, and the report has {reported:?}");
        let calls = |path: &str| {
            verdict.places.iter().any(|place| place.path == path && place.what.ends_with("convert it"))
        };
        let never: Vec<&&str> =
            reported.iter().filter(|path| !kept.contains(**path) && !calls(path)).collect();
        assert!(never.is_empty(), "{kind} never keeps {never:?}");
        assert!(verdict.places.iter().all(|place| place.at.is_some() || place.path == "status"));
    }
}

/// Collects the places for which something is kept, in the form of reports.
fn places(kept: &serde_json::Value, path: String, out: &mut BTreeSet<String>) {
    if kept.get("value").is_some() {
        out.insert(path.clone());
    }
    for (name, inside) in kept["fields"].as_object().into_iter().flatten() {
        // The keys of random maps are numbers from 1. Positions in tuples begin with 0.
        let below = match name.parse::<u32>().is_ok_and(|key| key > 0) {
            true => format!("{path}[*]"),
            false if path.is_empty() => name.clone(),
            false => format!("{path}.{name}"),
        };
        places(inside, below, out);
    }
    for item in kept["items"].as_array().into_iter().flatten() {
        places(item, format!("{path}[]"), out);
    }
}

#[path = "common/limits.rs"]
mod limits;

/// If the schema of the other version rejects an object, the report has a limit for this. It lists no other limits.
#[test]
fn reports_name_limits() {
    let declared = declared("tests/convert/tests/common/limits.rs");
    let verdicts = declared::verdicts(&declared);
    let [verdict] = verdicts.as_slice() else { panic!("{verdicts:?}") };
    let limits = |tight: &str| -> BTreeSet<String> {
        let is_limit =
            |place: &&declared::Place| place.fate == declared::Fate::Limited && place.what.starts_with(tight);
        verdict.places.iter().filter(is_limit).map(|place| place.path.clone()).collect()
    };
    let versions = limits::versions();
    let crd = versions.crd().expect("a definition");
    let kind = crdgen::objects::CompiledKind::new(crd).expect("it is sound");
    let mut rejected: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (from, object) in common::objects(&versions, 3000) {
        let to = if from == "v1" { "v1beta1" } else { "v1" };
        let converted = versions.convert(&object, &format!("example.com/{to}")).expect("it converts");
        let Err(invalid) = kind.validate(&converted) else { continue };
        // An error without a field only means that rules were not checked because of other errors.
        let errors = invalid.errors.iter().filter(|diag| diag.field != "<nil>");
        rejected.entry(to).or_default().extend(errors.map(reported_as));
    }
    for (tight, expected) in &rejected {
        assert_eq!(&limits(&format!("{tight} ")), expected, "{verdict:#?}");
    }
    assert_eq!(rejected.len(), 2);
}

/// Returns the place of an error with the names of the newer version, in the form of reports.
fn reported_as(diag: &Diag) -> String {
    let mut out = String::new();
    let mut is_inside = false;
    for c in diag.field.chars() {
        is_inside = c == '[' || is_inside && c != ']';
        if !is_inside || c == '[' {
            out.push(c);
        }
    }
    // The limit belongs to the list.
    if diag.kind == Some(crdgen::diag::Kind::Duplicate) {
        out.truncate(out.len() - "[]".len());
    }
    out.replace("spec.title", "spec.heading").replace("spec.flat", "spec.more.flat")
}

#[test]
fn moves_with_functions_name_them() {
    let declared = declared("tests/derive/tests/convert.rs");
    let tally = Tally::all(&declared, &types::versions(), &["v1beta1", "v1"], 100);
    assert!(tally.functions.contains("split") || tally.functions.contains("one"), "{:?}", tally.functions);
}

#[test]
fn sites_without_functions_in_the_way() {
    for root in ["examples/versions/src/lib.rs", "examples/versions/src/history.rs"] {
        let declared = declared(root);
        let versions = crdgen_convert_tests::versions();
        let tally = Tally::all(&declared, &versions, &["v1alpha1", "v1beta1", "v1"], 50);
        let functions: Vec<&str> = tally.functions.iter().map(String::as_str).collect();
        assert!(functions.contains(&"one_host"), "{functions:?}");
    }
}
