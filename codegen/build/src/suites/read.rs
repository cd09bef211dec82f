//! Reads files of suites.

use super::case::{Case, What};
use super::columns::Columns;
use super::failure::Failure;
use super::text;
use crate::Error;
use crdgen_core::diag::Diag;
use crdgen_core::json_patch::Patch;
use crdgen_core::nearest;
use crdgen_core::path::Step;
use crdgen_core::server::{BadVersion, Server};
use crdgen_core::span::Locate;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use crdgen_files::input::Shown;
use std::path::Path;

/// The content of a file.
#[derive(Clone, Debug)]
pub(super) struct Suite {
    pub(super) name: String,
    pub(super) crd_name: String,
    /// The file of the CRD, or a Rust package, next to the suite.
    pub(super) crd: String,
    pub(super) version: String,
    pub(super) feature_gates: Vec<String>,
    pub(super) cases: Vec<Case>,
}

/// A list of cases that a suite may have.
struct List {
    name: &'static str,
    /// The keys of its cases, apart from `name`.
    keys: &'static [&'static str],
    read: fn(&Map<Value>) -> Result<What, Failure>,
}

const LISTS: &[List] = &[
    List {
        name: "onCreate",
        keys: &[
            "initial",
            "expected",
            "expectedError",
            "expectedWarnings",
            "expectedPruned",
            "expectedColumns",
            "now",
        ],
        read: on_create,
    },
    List {
        name: "onUpdate",
        keys: &[
            "initialCRDPatches",
            "initial",
            "updated",
            "expected",
            "expectedError",
            "expectedStatusError",
            "expectedWarnings",
            "expectedColumns",
            "now",
        ],
        read: on_update,
    },
    List {
        name: "onStatusUpdate",
        keys: &["initial", "updated", "expected", "expectedError", "expectedColumns", "now"],
        read: on_status_update,
    },
    List { name: "onScale", keys: &["initial", "replicas", "expected", "expectedError"], read: on_scale },
    List { name: "onConvert", keys: &["initial", "version", "expected"], read: on_convert },
];

impl List {
    /// Reads what a case does. A misspelt expectation would never fail, so a case with unknown keys cannot run.
    fn case(&self, case: &Map<Value>) -> What {
        let known = || self.keys.iter().copied().chain(["name", OLDEST]);
        let unknown = case.iter().map(|(key, _)| key).filter(|key| known().all(|known| known != *key));
        let line = |key: &str| {
            let help = nearest::did_you_mean(key, known())
                .unwrap_or_else(|| format!("the keys are {}", known().collect::<Vec<_>>().join(", ")));
            format!("unknown key {key} in a case of {}; {help}", self.name)
        };
        let unknown: Vec<String> = unknown.map(line).collect();
        if !unknown.is_empty() {
            return What::Broken(unknown.join("\n"));
        }
        (self.read)(case).unwrap_or_else(|failure| What::Broken(failure.why))
    }
}

/// The keys of a suite. crdgen ignores those for the API and the names of tests, which openshift/api has.
const KEYS: [&str; 9] =
    ["apiVersion", "name", "crdName", "crd", "version", "featureGate", "featureGates", OLDEST, "tests"];

/// The oldest server that a suite or a case is for.
const OLDEST: &str = "minKube";

fn oldest(map: &Map<Value>) -> Result<Option<Server>, Failure> {
    let Some(value) = map.get(OLDEST) else { return Ok(None) };
    let bad = |why: String| Failure::from(format!("{OLDEST}: {why}"));
    // Without quotes, 1.30 is the number 1.3.
    let text =
        value.as_str().ok_or_else(|| bad("write the version in quotes, such as \"1.30\"".to_owned()))?;
    text.parse().map(Some).map_err(|why: BadVersion| bad(why.to_string()))
}

/// Reads the suite in a file with these bytes. Returns `None` if the file is something else.
pub(super) fn suite(file: &Path, bytes: &[u8]) -> Result<Option<Suite>, Error> {
    if !String::from_utf8_lossy(bytes).contains("tests:") {
        return Ok(None);
    }
    let mut document = yaml::read_one(bytes).map_err(|problem| {
        let unreadable = problem.in_text(bytes);
        let at = unreadable.place.start;
        let diag: Diag = unreadable.problem.into();
        Error::Document { name: format!("{}:{}:{}", file.shown(), at.line, at.column), diag: Box::new(diag) }
    })?;
    let Value::Map(suite) = std::mem::take(&mut document.value) else { return Ok(None) };
    let Some(Value::Map(tests)) = suite.get("tests") else { return Ok(None) };
    let key = |name: &str| Step::Key(name.to_owned());
    // Parts of a suite that have no effect become failing tests, so that the other tests still run.
    let unknown = |steps: &[Step], name: &str, why: String| {
        let line = document.locate_key(steps).map(|place| place.start.line);
        Case { line, ..Case::broken(name, why) }
    };
    let mut cases = Vec::new();
    for name in suite.iter().map(|(name, _)| name).filter(|name| !KEYS.contains(name)) {
        let help =
            nearest::did_you_mean(name, KEYS).unwrap_or_else(|| format!("the keys are {}", KEYS.join(", ")));
        cases.push(unknown(&[key(name)], name, format!("unknown key {name} in a suite; {help}")));
    }
    let of_suite = oldest(&suite).unwrap_or_else(|failure| {
        cases.push(unknown(&[key(OLDEST)], OLDEST, failure.why));
        None
    });
    for (name, list) in tests.iter() {
        let Some(cases_of) = LISTS.iter().find(|known| known.name == name) else {
            let known: Vec<&str> = LISTS.iter().map(|list| list.name).collect();
            let help = nearest::did_you_mean(name, known.iter().copied())
                .unwrap_or_else(|| format!("use {}", known.join(", ")));
            let why = format!("unknown list tests.{name}; {help}");
            cases.push(unknown(&[key("tests"), key(name)], name, why));
            continue;
        };
        let list = list.as_list().unwrap_or_default();
        for (i, case) in list.iter().enumerate() {
            let Some(case) = case.as_map() else { continue };
            let place = document.locate(&[key("tests"), key(name), Step::Index(i), key("name")]);
            let own = text(case, "name");
            let line = place.map(|place| place.start.line);
            let at = Some((name.to_owned(), i));
            let own = format!("{name}: {own}");
            cases.push(match oldest(case) {
                Ok(of_case) => {
                    Case { line, at, oldest: of_case.max(of_suite), ..Case::new(own, cases_of.case(case)) }
                }
                Err(failure) => Case { line, at, ..Case::broken(&own, failure.why) },
            });
        }
    }
    let gates = suite.get("featureGates").and_then(Value::as_list).unwrap_or_default();
    Ok(Some(Suite {
        name: text(&suite, "name"),
        crd_name: text(&suite, "crdName"),
        crd: text(&suite, "crd"),
        version: text(&suite, "version"),
        feature_gates: gates.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        cases,
    }))
}

/// Returns a list of texts, or `None` if it is missing.
fn texts(case: &Map<Value>, name: &str) -> Option<Vec<String>> {
    let list = case.get(name)?.as_list()?;
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// Returns the text of an object that a case needs.
fn object(case: &Map<Value>, name: &str) -> Result<String, Failure> {
    match case.get(name) {
        Some(Value::Str(text)) => Ok(text.clone()),
        Some(_) => Err(format!("`{name}` must be a text: write `{name}: |`, and the object below it").into()),
        None => Err(format!("`{name}` is missing: write `{name}: |`, and the object below it").into()),
    }
}

fn on_create(case: &Map<Value>) -> Result<What, Failure> {
    Ok(What::Create {
        initial: object(case, "initial")?,
        expected: text(case, "expected"),
        expected_error: text(case, "expectedError"),
        warnings: texts(case, "expectedWarnings"),
        pruned: texts(case, "expectedPruned"),
        columns: Columns::read(case)?,
    })
}

fn on_update(case: &Map<Value>) -> Result<What, Failure> {
    let patches = case.get("initialCRDPatches").and_then(Value::as_list).unwrap_or_default();
    Ok(What::Update {
        patches: patches.iter().filter_map(Value::as_map).map(Patch::read).collect(),
        initial: object(case, "initial")?,
        updated: object(case, "updated")?,
        expected: text(case, "expected"),
        expected_error: text(case, "expectedError"),
        expected_status_error: text(case, "expectedStatusError"),
        warnings: texts(case, "expectedWarnings"),
        columns: Columns::read(case)?,
    })
}

fn on_status_update(case: &Map<Value>) -> Result<What, Failure> {
    Ok(What::StatusUpdate {
        initial: object(case, "initial")?,
        updated: object(case, "updated")?,
        expected: text(case, "expected"),
        expected_error: text(case, "expectedError"),
        columns: Columns::read(case)?,
    })
}

fn on_scale(case: &Map<Value>) -> Result<What, Failure> {
    let replicas = case.get("replicas").and_then(Value::as_int);
    Ok(What::Scale {
        initial: object(case, "initial")?,
        replicas: replicas.ok_or_else(|| Failure::from("replicas must be an integer".to_owned()))?,
        expected: text(case, "expected"),
        expected_error: text(case, "expectedError"),
    })
}

fn on_convert(case: &Map<Value>) -> Result<What, Failure> {
    let version = text(case, "version");
    if version.is_empty() {
        return Err("`version` is missing: write the version to convert to, such as `version: v1`"
            .to_owned()
            .into());
    }
    Ok(What::Convert { initial: object(case, "initial")?, version, expected: object(case, "expected")? })
}
