//! Findings as one JSON document.

use crdgen_core::diag::BadValue;
use crdgen_core::inert;
use crdgen_core::json;
use crdgen_core::span::Pos;
use crdgen_core::value::{Map, Value};

use super::super::terminal::Ready;
use super::{Counts, Finding, Findings, level_name};

/// What stands before the findings of a document.
pub(super) const START: &str = "{\"findings\":[";

/// What stands behind them.
pub(super) fn end(counts: &Counts, more: Map<Value>) -> String {
    let summary = Map::from_iter([
        ("errors", number(counts.errors)),
        ("warnings", number(counts.warnings)),
        ("objects", number(counts.objects)),
        ("files", number(counts.sources)),
    ]);
    let more: String =
        more.iter().map(|(name, value)| format!(",\"{name}\":{}", json::to_string(value))).collect();
    inert::json(&format!("],\"summary\":{}{more}}}\n", json::to_string(&summary.into()))).into_owned()
}

/// Findings with commas between them.
pub(super) fn items(source: &Findings) -> Ready<'static> {
    listed(source.findings.iter().map(|f| finding(&source.source.name, f)))
}

/// Values with commas between them.
pub(super) fn listed(values: impl Iterator<Item = Value>) -> Ready<'static> {
    let texts: Vec<String> = values.map(|value| json::to_string(&value)).collect();
    Ready::inert(inert::json(&texts.join(",")).into_owned())
}

/// All findings, one after the other.
pub(super) fn findings(all: &[Findings]) -> Value {
    Value::List(all.iter().flat_map(|s| s.findings.iter().map(|f| finding(&s.source.name, f))).collect())
}

fn finding(file: &str, finding: &Finding) -> Value {
    let diag = &finding.diag;
    let mut out: Map<Value> = Map::from_iter([
        ("file", Value::from(file)),
        ("object", finding.object.as_str().into()),
        ("code", diag.code.id.into()),
        ("level", level_name(diag.level).into()),
        ("field", diag.field.as_str().into()),
        ("badValue", diag.bad.as_ref().map(BadValue::to_value).unwrap_or_default()),
        ("detail", diag.detail.as_str().into()),
        ("text", diag.text().into()),
    ]);
    if let Some(kind) = diag.kind {
        out.insert("type", kind.reason().into());
    }
    if let Some(place) = finding.place {
        out.insert("start", position(place.start));
        out.insert("end", position(place.end));
    }
    if let Some(help) = &diag.help {
        out.insert("help", help.as_str().into());
    }
    out.into()
}

fn position(pos: Pos) -> Value {
    Map::from_iter([
        ("line", Value::Int(pos.line.into())),
        ("column", Value::Int(pos.column.into())),
        ("offset", number(pos.offset)),
    ])
    .into()
}

fn number(n: usize) -> Value {
    Value::Int(n.try_into().unwrap_or(i64::MAX))
}
