//! Findings with their places and help, in the form of `-o json`.

use super::error::Error;
use super::request::Request;
use super::{Answer, fields};
use crate::check::lints::{self, Changes, Lints};
use crate::diag::{Code, Diags, Level, codes};
use crate::documents::{Definitions, Finding, Group, finding};
use crate::ir::Crd;
use crate::value::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Checks all CRDs in a text, as `crdgen check` does. A CRD that is also in `old` is an update.
pub(super) fn check(request: &Request, changes: Changes<'_>) -> Answer {
    let selected = selected(request)?;
    let old = read(&request.old);
    if let Some(finding) = old.rejected() {
        return Err(Error::In("old".to_owned(), Box::new(Error::Document(finding.diag.text()))));
    }
    let old: BTreeMap<String, Crd> = old.take().map(|(crd, ..)| (crd.metadata.name.clone(), crd)).collect();
    let mut read = read(&request.crd);
    let count = read.definitions.len();
    read.check(|crd| match old.get(&crd.metadata.name) {
        Some(old) => lints::on_update(crd, old, &selected, changes),
        None => lints::on_create(crd, &selected).into_iter().map(Finding::from).collect(),
    });
    let mut findings = read.findings;
    findings.sort_by_key(|finding| finding.place.map(|place| place.start.offset));
    Ok(fields([
        ("valid", (!findings.iter().any(|finding| finding.diag.level == Level::Error)).into()),
        ("definitions", Value::Int(i64::try_from(count).unwrap_or(i64::MAX))),
        ("findings", values("crd", &findings)),
    ]))
}

/// Lists all lints, and whether `check` with the same request runs them.
pub(super) fn lints(request: &Request) -> Answer {
    let selected = selected(request)?;
    let lint = |code: &&'static Code| {
        Value::Map(fields([
            ("id", code.id.into()),
            ("title", code.title.into()),
            ("explanation", code.explain.into()),
            ("on", selected.is_on(code).into()),
        ]))
    };
    Ok(fields([("lints", Value::List(codes::lint::ALL.iter().chain(codes::api::ALL).map(lint).collect()))]))
}

/// Adds the findings about an object to an answer.
pub(super) fn of_object(text: &str, diags: Diags, mut out: Map<Value>) -> Map<Value> {
    let parts = Group::of(&Arc::new(text.as_bytes().to_vec())).parts();
    let findings: Vec<Finding> = match parts.into_iter().next() {
        Some(Ok(part)) => {
            let object = part.objects.first().map(|(_, object)| object);
            let name = object.and_then(|object| object.get("metadata")).and_then(|it| it.get("name"));
            let name = name.and_then(Value::as_str).unwrap_or_default();
            diags.into_iter().map(|diag| finding(&part.document, &[], name.to_owned(), false, diag)).collect()
        }
        Some(Err(unreadable)) => vec![*unreadable],
        None => diags.into_iter().map(|diag| Finding::new(String::new(), None, diag)).collect(),
    };
    out.insert("findings", values("object", &findings));
    out
}

fn read(text: &str) -> Definitions {
    Group::of(&Arc::new(text.as_bytes().to_vec())).read()
}

fn values(file: &str, findings: &[Finding]) -> Value {
    Value::List(findings.iter().map(|finding| finding.to_value(file)).collect())
}

/// The lints that a request selects.
fn selected(request: &Request) -> Result<Lints, Error> {
    let mut out = Lints::default();
    out.kube = request.minor()?;
    let switches = request.lints.iter().map(|id| (id, true));
    for (id, on) in switches.chain(request.no_lints.iter().map(|id| (id, false))) {
        if !out.set(id, on) {
            return Err(Error::Unknown("lint", id.clone()));
        }
    }
    Ok(out)
}
