//! Merges several documents into one, as the server's aggregated endpoint does.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::json;
use crate::value::Value;

/// A document that is merged from several documents. It is kept as JSON text, because values would need many times as
/// much memory.
#[derive(Debug)]
pub struct Merged {
    /// The maps to merge, by their keys: paths, schemas and parameters.
    parts: BTreeMap<&'static str, BTreeMap<String, String>>,
    /// What is the same in all documents.
    others: BTreeMap<String, String>,
    bytes: usize,
}

/// The longest document that is made. No reader, including crdgen, reads longer ones.
const MAX_BYTES: usize = 128 << 20;

/// The error that the merged document is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the merged document is larger than {} MiB: merge fewer CRDs, or write a document for each",
            MAX_BYTES >> 20
        )
    }
}

impl std::error::Error for TooLarge {}

impl Merged {
    /// Creates an empty document: of OpenAPI v2 if `v2` is `true`, otherwise of v3.
    pub fn new(v2: bool) -> Merged {
        let parts: &[&str] =
            if v2 { &["paths", "definitions", "parameters"] } else { &["paths", "components"] };
        let parts = parts.iter().map(|part| (*part, BTreeMap::new())).collect();
        Merged { parts, others: BTreeMap::new(), bytes: 0 }
    }

    /// Adds a document of the same OpenAPI version. If several documents contain the same entry, it must be equal in
    /// all of them.
    pub fn add(&mut self, document: Value) {
        let Value::Map(document) = document else { return };
        for (key, value) in document {
            match (key.as_str(), value) {
                ("paths", Value::Map(entries)) => self.extend("paths", entries),
                ("definitions", Value::Map(entries)) => self.extend("definitions", entries),
                ("parameters", Value::Map(entries)) => self.extend("parameters", entries),
                ("components", Value::Map(entries)) => {
                    for (key, value) in entries {
                        match (key.as_str(), value) {
                            ("schemas", Value::Map(schemas)) => self.extend("components", schemas),
                            (_, value) => self.extend("components", [(key, value)]),
                        }
                    }
                }
                (_, value) => {
                    self.others.insert(key, json::to_string(&value));
                }
            }
        }
    }

    /// Checks the length of the document so far.
    ///
    /// # Errors
    /// Fails if the document is too long.
    pub fn check(&self) -> Result<(), TooLarge> {
        if self.bytes > MAX_BYTES { Err(TooLarge) } else { Ok(()) }
    }

    fn extend(&mut self, part: &'static str, entries: impl IntoIterator<Item = (String, Value)>) {
        let entries_there = self.parts.entry(part).or_default();
        for (key, value) in entries {
            let text = json::to_string(&value);
            let name = key.len();
            self.bytes += text.len();
            match entries_there.insert(key, text) {
                Some(old) => self.bytes -= old.len(),
                None => self.bytes += name,
            }
        }
    }

    /// Returns the document as compact JSON.
    pub fn text(self) -> String {
        let Merged { mut parts, mut others, bytes } = self;
        let names = parts.keys().map(|part| (*part).to_owned()).chain(others.keys().cloned());
        let names: BTreeSet<String> = names.collect();
        // A document may be large, so each part goes once it is written.
        let mut out = String::with_capacity(bytes.min(MAX_BYTES));
        for name in names {
            out.push(if out.is_empty() { '{' } else { ',' });
            out.push_str(&json::to_string(&Value::from(name.as_str())));
            out.push(':');
            let Some(entries) = parts.remove(name.as_str()) else {
                out.push_str(&others.remove(&name).unwrap_or_default());
                continue;
            };
            let is_wrapped = name == "components";
            out.push_str(if is_wrapped { r#"{"schemas":"# } else { "" });
            json::write_members(entries.iter().map(|(key, text)| (key.as_str(), text.as_str())), &mut out);
            out.push_str(if is_wrapped { "}" } else { "" });
        }
        out.push('}');
        out
    }
}
