//! Findings as SARIF 2.1.0, the format of code scanning services.

use std::collections::BTreeMap;

use crdgen_core::diag::Code;
use crdgen_core::json;
use crdgen_core::span::Place;
use crdgen_core::value::{Map, Value};

use crate::findings::text;
use crate::json::listed;
use crate::ready::Ready;
use crate::{Finding, Findings, page, uri};

/// What comes before the results of a document, all of whose keys are sorted.
pub(super) const START: &str =
    r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{"results":["#;

/// What comes after them.
pub(super) fn end(codes: &BTreeMap<&'static str, &'static Code>) -> String {
    let rules: Vec<Value> = codes.values().map(|code| rule(code)).collect();
    let driver = object([
        ("name", "crdgen".into()),
        ("informationUri", env!("CARGO_PKG_REPOSITORY").into()),
        ("version", env!("CARGO_PKG_VERSION").into()),
        ("rules", Value::List(rules)),
    ]);
    let tool = json::to_string(&object([("driver", driver)]));
    // Columns count characters.
    format!("],\"columnKind\":\"unicodeCodePoints\",\"tool\":{tool}}}],\"version\":\"2.1.0\"}}\n")
}

/// Results with commas between them.
pub(super) fn items(source: &Findings) -> Ready<'static> {
    listed(source.findings.iter().map(|f| result(&source.source.name, f)))
}

fn rule(code: &Code) -> Value {
    object([
        ("id", code.id.into()),
        ("shortDescription", object([("text", code.title.into())])),
        ("fullDescription", object([("text", code.explain.into())])),
        ("helpUri", page(code).into()),
    ])
}

fn result(file: &str, finding: &Finding) -> Value {
    let diag = &finding.diag;
    let mut result = vec![
        ("ruleId", diag.code.id.into()),
        ("level", diag.level.name().into()),
        ("message", object([("text", text(finding).into())])),
        ("partialFingerprints", object([("crdgen/v1", finding.fingerprint(file).into())])),
        ("locations", Value::List(vec![location(file, finding.place)])),
    ];
    if !finding.copies.is_empty() {
        let copies = finding.copies.iter().map(|(file, place)| location(file, *place)).collect();
        result.push(("relatedLocations", Value::List(copies)));
    }
    if let Some(change) = &finding.change {
        result.push(("properties", object([("change", change.to_value())])));
    }
    Value::Map(result.into_iter().collect())
}

fn location(file: &str, place: Option<Place>) -> Value {
    let mut physical: Map<Value> = Map::new();
    physical.insert("artifactLocation", object([("uri", uri::reference(file).into())]));
    if let Some(place) = place {
        let number = |n: u32| Value::Int(n.into());
        let region = object([
            ("startLine", number(place.start.line)),
            ("startColumn", number(place.start.column)),
            ("endLine", number(place.end.line)),
            ("endColumn", number(place.end.column)),
        ]);
        physical.insert("region", region);
    }
    object([("physicalLocation", physical.into())])
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect())
}
