//! Documents of many kinds as one, as the aggregated endpoints give them. A server merges them into the
//! document of its own resources, whose definitions of the shared types list more groups.

use crate::value::{Map, Value};

/// Merges v2 documents; what is in several of them is the same in all.
pub fn merge_v2(documents: impl IntoIterator<Item = Value>) -> Value {
    merge(documents, &["paths", "definitions", "parameters"])
}

/// Merges v3 documents; what is in several of them is the same in all.
pub fn merge_v3(documents: impl IntoIterator<Item = Value>) -> Value {
    merge(documents, &["paths", "components"])
}

fn merge(documents: impl IntoIterator<Item = Value>, parts: &[&str]) -> Value {
    let mut out: Map<Value> = Map::new();
    let mut collected: Vec<Vec<(String, Value)>> = parts.iter().map(|_| Vec::new()).collect();
    for document in documents {
        let Value::Map(document) = document else { continue };
        for (key, value) in document {
            match (parts.iter().position(|p| *p == key), value) {
                (Some(part), Value::Map(entries)) => {
                    collected[part].extend(entries.into_iter().flat_map(unbox))
                }
                (_, value) => {
                    out.insert(key, value);
                }
            }
        }
    }
    for (part, entries) in parts.iter().zip(collected) {
        let entries: Map<Value> = entries.into_iter().collect();
        let entries =
            if *part == "components" { Map::from_iter([("schemas", Value::Map(entries))]) } else { entries };
        out.insert(*part, entries.into());
    }
    out.into()
}

/// The schemas inside v3's `components`; any other entry is itself.
fn unbox((key, value): (String, Value)) -> Vec<(String, Value)> {
    match (key.as_str(), value) {
        ("schemas", Value::Map(schemas)) => schemas.into_iter().collect(),
        (_, value) => vec![(key, value)],
    }
}
