//! Findings as one JSON document.

use crdgen_core::inert;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};

use crate::ready::Ready;
use crate::{Counts, Findings};

/// What comes before the findings of a document.
pub(super) const START: &str = "{\"findings\":[";

/// What comes after them.
pub(super) fn end(counts: &Counts, more: Map<Value>) -> String {
    let summary = Map::from_iter([
        ("errors", number(counts.errors)),
        ("warnings", number(counts.warnings)),
        ("notes", number(counts.notes)),
        ("objects", number(counts.objects)),
        ("files", number(counts.sources)),
    ]);
    let more: String =
        more.iter().map(|(name, value)| format!(",\"{name}\":{}", json::to_string(value))).collect();
    inert::json(&format!("],\"summary\":{}{more}}}\n", json::to_string(&summary.into()))).into_owned()
}

/// Findings with commas between them.
pub(super) fn items(source: &Findings) -> Ready<'static> {
    listed(source.findings.iter().map(|f| f.to_value(&source.source.name)))
}

/// Values with commas between them.
pub(super) fn listed(values: impl Iterator<Item = Value>) -> Ready<'static> {
    let texts: Vec<String> = values.map(|value| json::to_string(&value)).collect();
    Ready::inert(inert::json(&texts.join(",")).into_owned())
}

/// The findings for tools, one after the other, to be printed in a larger document.
pub fn findings(all: &[Findings]) -> Value {
    Value::List(all.iter().flat_map(|s| s.findings.iter().map(|f| f.to_value(&s.source.name))).collect())
}

fn number(n: usize) -> Value {
    Value::Int(n.try_into().unwrap_or(i64::MAX))
}
