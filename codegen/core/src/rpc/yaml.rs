//! The answer to the operation `yaml`, which compares crdgen's reader with the server's.

use crate::go;
use crate::json::write_str;
use crate::value::{Map, Value};
use crate::yaml::{Documents, ProblemKind, Unreadable, read_one};
use std::sync::Arc;

/// Returns what the server (`value`, `valueError`, `strict`) and kubectl (`stream`, `streamError`) read from a text.
/// Values are JSON text with an `f` in front of floats, because 1 and 1.0 differ.
pub fn report(bytes: &[u8]) -> Map<Value> {
    let mut out = Map::new();
    let mut strict = Vec::new();
    match read_one(bytes) {
        Ok(document) => {
            strict = document.strict_errors();
            out.insert("value", Value::Str(dump(&document.value)));
        }
        Err(problem) => {
            out.insert("valueError", Value::Str(problem.text));
        }
    }
    out.insert("strict", Value::from(strict));
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    for read in Documents::new(&Arc::new(bytes.to_vec())) {
        match read {
            Ok(document) => documents.push(document),
            Err(unreadable) => problems.push(unreadable),
        }
    }
    // kubectl stops at the first error.
    let start = |problem: &Unreadable| problem.problem.range.as_ref().map_or(0, |range| range.start);
    let first = problems.iter().min_by_key(|problem| start(problem));
    let stop = first.map_or(usize::MAX, start);
    // If a separator is wrong, kubectl does not read the document before it either.
    let end = stop.saturating_sub(usize::from(
        first.is_some_and(|problem| problem.problem.kind == ProblemKind::Separator),
    ));
    let good: Vec<Value> = documents
        .iter()
        .filter(|d| d.range().start < stop && d.range().end <= end)
        .map(|d| Value::Str(dump(&d.value)))
        .collect();
    out.insert("stream", Value::List(good));
    if let Some(problem) = first {
        out.insert("streamError", Value::from(problem.problem.text.as_str()));
    }
    out
}

fn dump(value: &Value) -> String {
    let mut out = String::new();
    dump_to(value, &mut out);
    out
}

fn dump_to(value: &Value, out: &mut String) {
    match value {
        Value::Float(f) => {
            let text = go::number::shortest_e(*f);
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let sign = if exponent.starts_with('-') { '-' } else { '+' };
            out.push_str(&format!("f{digits}e{sign}{:0>2}", exponent.trim_start_matches('-')));
        }
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                dump_to(item, out);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push('{');
            for (i, (key, item)) in map.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_str(key, out);
                out.push(':');
                dump_to(item, out);
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Str(_) => crate::json::write(value, out),
    }
}
