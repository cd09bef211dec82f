//! Files of suites.

use super::case::{Case, What};
use super::patch::Patch;
use super::text;
use crate::{Error, input};
use crdgen_core::diag::Diag;
use crdgen_core::path::Step;
use crdgen_core::span::Locate;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use std::path::Path;

/// What a file says.
#[derive(Clone, Debug)]
pub(super) struct Suite {
    pub(super) name: String,
    pub(super) crd_name: String,
    /// The file of the CRD, or a Rust package, beside the suite.
    pub(super) crd: String,
    pub(super) version: String,
    pub(super) feature_gates: Vec<String>,
    pub(super) cases: Vec<Case>,
}

/// Reads a case.
type Read = fn(&Map<Value>) -> What;

/// The lists of cases that a suite may have.
const LISTS: &[(&str, Read)] = &[
    ("onCreate", on_create),
    ("onUpdate", on_update),
    ("onStatusUpdate", on_status_update),
    ("onScale", on_scale),
    ("onConvert", on_convert),
];

/// The suite in a file; none if it is something else.
pub(super) fn suite(file: &Path) -> Result<Option<Suite>, Error> {
    let bytes = input::read(file).map_err(Error::file(file))?;
    if !String::from_utf8_lossy(&bytes).contains("tests:") {
        return Ok(None);
    }
    let mut document = yaml::read_one(&bytes).map_err(|problem| {
        let diag: Diag = (*problem).into();
        Error::Document { name: file.display().to_string(), diag: Box::new(diag) }
    })?;
    let Value::Map(suite) = std::mem::take(&mut document.value) else { return Ok(None) };
    let Some(Value::Map(tests)) = suite.get("tests") else { return Ok(None) };
    let mut cases = Vec::new();
    for (name, list) in tests.iter() {
        let Some((_, read)) = LISTS.iter().find(|(known, _)| known == &name) else {
            let known: Vec<&str> = LISTS.iter().map(|(name, _)| *name).collect();
            let why = format!("tests.{name} is not a list of cases. Use {}", known.join(", "));
            return Err(Error::Argument(format!("{}: {why}", file.display())));
        };
        let list = list.as_list().unwrap_or_default();
        for (i, case) in list.iter().enumerate() {
            let Some(case) = case.as_map() else { continue };
            let key = |name: &str| Step::Key(name.to_owned());
            let place = document.locate(&[key("tests"), key(name), Step::Index(i), key("name")]);
            let own = text(case, "name");
            let line = place.map(|place| place.start.line);
            let at = Some((name.to_owned(), i));
            cases.push(Case { name: format!("{name}: {own}"), line, at, what: read(case) });
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

/// A list of texts; none if it is not there.
fn texts(case: &Map<Value>, name: &str) -> Option<Vec<String>> {
    let list = case.get(name)?.as_list()?;
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

fn on_create(case: &Map<Value>) -> What {
    What::Create {
        initial: text(case, "initial"),
        expected: text(case, "expected"),
        expected_error: text(case, "expectedError"),
        warnings: texts(case, "expectedWarnings"),
        pruned: texts(case, "expectedPruned"),
    }
}

fn on_update(case: &Map<Value>) -> What {
    let patches = case.get("initialCRDPatches").and_then(Value::as_list).unwrap_or_default();
    What::Update {
        patches: patches.iter().filter_map(Value::as_map).map(Patch::read).collect(),
        initial: text(case, "initial"),
        updated: text(case, "updated"),
        expected: text(case, "expected"),
        expected_error: text(case, "expectedError"),
        expected_status_error: text(case, "expectedStatusError"),
        warnings: texts(case, "expectedWarnings"),
    }
}

fn on_status_update(case: &Map<Value>) -> What {
    What::StatusUpdate {
        initial: text(case, "initial"),
        updated: text(case, "updated"),
        expected: text(case, "expected"),
        expected_error: text(case, "expectedError"),
    }
}

fn on_scale(case: &Map<Value>) -> What {
    What::Scale {
        initial: text(case, "initial"),
        replicas: case.get("replicas").and_then(Value::as_int).unwrap_or_default(),
        expected: text(case, "expected"),
        expected_error: text(case, "expectedError"),
    }
}

fn on_convert(case: &Map<Value>) -> What {
    What::Convert {
        initial: text(case, "initial"),
        version: text(case, "version"),
        expected: text(case, "expected"),
    }
}
