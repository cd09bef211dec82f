//! The views of the CRDs and objects.

use crdgen_build::docs::{self, PageFormat};
use crdgen_build::import::Import;
use crdgen_core::check::validations;
use crdgen_core::ir::Crd;
use crdgen_core::object::table::printed;
use crdgen_core::path::Path;
use crdgen_core::rules::{Environments, RULE_LIMIT};
use crdgen_core::server::Server;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;

use crate::definitions::Definitions;
use crate::objects::Objects;
use crate::request::{Request, View};

pub(crate) fn show(request: &Request, definitions: &Definitions, objects: &Objects) -> Value {
    match request.view {
        View::Nothing => Value::Null,
        View::Yaml => text(&yaml_of(&definitions.crds)),
        View::Rust => text(&rust(definitions)),
        View::Docs => text(&html(definitions)),
        View::Rules => Value::List(definitions.crds.iter().flat_map(|crd| rules(crd, request)).collect()),
        View::Stored => text(&stored(objects)),
        View::Table => Value::List(tables(request, definitions, objects)),
    }
}

fn text(text: &str) -> Value {
    Value::from(text)
}

fn yaml_of(crds: &[Crd]) -> String {
    crds.iter().map(crdgen_kinds::to_yaml).collect::<Vec<_>>().join("---\n")
}

/// Returns types for the CRDs, as `crdgen import` writes them.
fn rust(definitions: &Definitions) -> String {
    let crds: Vec<Crd> = definitions.kinds.iter().map(|kind| kind.crd().clone()).collect();
    if crds.is_empty() {
        return String::new();
    }
    let mut import = Import::default();
    import.crds = crds;
    import.run().file()
}

/// Returns the page of the first CRD, as `crdgen docs` writes it.
fn html(definitions: &Definitions) -> String {
    let crds: Vec<Crd> = definitions.kinds.iter().take(1).map(|kind| kind.crd().clone()).collect();
    docs::documents(&crds, PageFormat::Html).pop().map(|page| page.text).unwrap_or_default()
}

/// Returns the rules of a CRD, with the highest cost of each.
fn rules(crd: &Crd, request: &Request) -> Vec<Value> {
    let environments = Environments::of_server(Server::of(request.kube));
    let versions = crd.spec.versions.iter().enumerate();
    let of_version = |(index, version): (usize, &crdgen_core::ir::Version)| {
        let reports = crd.spec.schema_of(index).map(|schema| {
            let (reports, ..) = validations::check(schema, &Path::ROOT, &environments);
            reports
        });
        let rule = |report: validations::Report| {
            let Some(Ok(_)) = &report.compiled.rule else { return None };
            let share = report.cost as f64 * 100.0 / RULE_LIMIT as f64;
            let share = if share < 0.1 { "< 0.1 %".to_owned() } else { format!("{share:.1} %") };
            let cost = if report.cost == u64::MAX { "unbounded".to_owned() } else { report.cost.to_string() };
            Some(Value::Map(Map::from_iter([
                ("kind", text(&crd.spec.names.kind)),
                ("version", text(&version.name)),
                ("field", text(if report.path.is_empty() { "(root)" } else { &report.path })),
                ("rule", text(&report.rule.rule)),
                ("cost", text(&cost)),
                ("share", text(&share)),
            ])))
        };
        reports.into_iter().flatten().filter_map(rule).collect::<Vec<_>>()
    };
    versions.flat_map(of_version).collect()
}

/// Returns the accepted objects as clients get them back.
fn stored(objects: &Objects) -> String {
    objects.stored.iter().map(|object| yaml::write_object(&object.result)).collect::<Vec<_>>().join("---\n")
}

/// Returns a table for each kind and version, as `kubectl get` prints it.
fn tables(request: &Request, definitions: &Definitions, objects: &Objects) -> Vec<Value> {
    let mut groups: Vec<(&str, &str, Vec<Value>)> = Vec::new();
    for object in &objects.stored {
        let (api_version, kind) = (object.sent.text("apiVersion"), object.sent.text("kind"));
        match groups.iter_mut().find(|(a, k, _)| *a == api_version && *k == kind) {
            Some((.., all)) => all.push(object.result.clone()),
            None => groups.push((api_version, kind, vec![object.result.clone()])),
        }
    }
    let table = |(api_version, name, objects): (&str, &str, Vec<Value>)| {
        let (group, version) = api_version.split_once('/')?;
        let served = definitions.kind(group, name)?.served()?;
        let table = served.table(objects, served.version(version).ok()?, request.now).ok()?;
        let is_shown = |column: &Value| column.get("priority") == Some(&Value::Int(0));
        let shown: Vec<bool> = table.columns.iter().map(is_shown).collect();
        let kept = |cells: Vec<Value>| {
            Value::List(
                cells.into_iter().zip(&shown).filter(|(_, shown)| **shown).map(|(cell, _)| cell).collect(),
            )
        };
        let header = |column: &Value| column.get("name").cloned().unwrap_or_default();
        let rows = table.rows.iter().map(|row| kept(row.iter().map(|cell| text(&printed(cell))).collect()));
        Some(Value::Map(Map::from_iter([
            ("kind", text(name)),
            ("columns", kept(table.columns.iter().map(header).collect())),
            ("rows", Value::List(rows.collect())),
        ])))
    };
    groups.into_iter().filter_map(table).collect()
}
