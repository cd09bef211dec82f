//! Counts how many objects of each kind are valid, invalid, or were not checked.

use std::collections::BTreeMap;
use std::fmt;

use crdgen_core::inert::InertLine;
use crdgen_core::value::{Map, Value};

use super::checker::{CheckedObject, Validity};

/// Counts by kind.
#[derive(Default)]
pub struct Tally {
    kinds: BTreeMap<String, BTreeMap<Validity, usize>>,
    /// The objects that were not checked, for programs.
    not_checked: Vec<Value>,
    /// Documents that cannot be read.
    pub unreadable: usize,
}

impl Tally {
    /// Adds an object of a file.
    pub fn add(&mut self, file: &str, object: &CheckedObject) {
        if let Validity::NotChecked(why) = object.result {
            let line = object.place.map(|place| ("line", Value::Int(i64::from(place.start.line))));
            let texts = [("file", file), ("kind", &object.kind), ("object", &object.name), ("reason", why)];
            let texts = texts.map(|(key, text)| (key, Value::from(text)));
            self.not_checked.push(Value::Map(texts.into_iter().chain(line).collect()));
        }
        let results = self.kinds.entry(object.kind.clone()).or_default();
        *results.entry(object.result.clone()).or_default() += 1;
    }

    /// The counts, for programs.
    pub fn json(&self) -> Value {
        let kind = |(kind, results): (&String, &BTreeMap<Validity, usize>)| {
            let mut out = Map::from_iter([("kind", Value::from(kind.as_str()))]);
            for name in ["valid", "structureOnly", "ownVersionOnly", "allowed", "invalid", "notChecked"] {
                let of_name = results.iter().filter(|(result, _)| key(result) == name);
                let count: usize = of_name.map(|(_, count)| count).sum();
                out.insert(name, Value::Int(i64::try_from(count).unwrap_or(i64::MAX)));
            }
            Value::Map(out)
        };
        Value::List(self.kinds.iter().map(kind).collect())
    }

    /// The objects that were not checked, for programs.
    pub fn not_checked(&self) -> Value {
        Value::List(self.not_checked.clone())
    }
}

fn key(result: &Validity) -> &'static str {
    match result {
        Validity::Valid | Validity::BeforeAdmission => "valid",
        Validity::StructureOnly => "structureOnly",
        Validity::OwnVersionOnly => "ownVersionOnly",
        Validity::Allowed => "allowed",
        Validity::Invalid => "invalid",
        Validity::NotChecked(_) => "notChecked",
    }
}

/// A line for each kind.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.kinds.keys().map(|kind| kind.chars().count()).max().unwrap_or_default().min(60);
        let mut first = true;
        for (kind, results) in &self.kinds {
            let kind = if kind.is_empty() { "(no kind)" } else { kind };
            let end = if std::mem::take(&mut first) { "" } else { "\n" };
            write!(f, "{end}  {:width$}  ", InertLine(kind).to_string())?;
            for (i, (result, count)) in results.iter().enumerate() {
                let comma = if i == 0 { "" } else { ", " };
                match result {
                    Validity::Valid => write!(f, "{comma}{count} valid")?,
                    Validity::BeforeAdmission => write!(f, "{comma}{count} valid (before admission)")?,
                    Validity::StructureOnly => write!(f, "{comma}{count} valid (structure only)")?,
                    Validity::OwnVersionOnly => {
                        write!(f, "{comma}{count} valid (in their own version only)")?
                    }
                    Validity::Allowed => write!(f, "{comma}{count} allowed")?,
                    Validity::Invalid => write!(f, "{comma}{count} invalid")?,
                    Validity::NotChecked(why) => write!(f, "{comma}{count} not checked ({why})")?,
                }
            }
        }
        if self.unreadable > 0 {
            let plural = if self.unreadable == 1 { "" } else { "s" };
            let end = if self.kinds.is_empty() { "" } else { "\n" };
            write!(f, "{end}  {} unreadable document{plural}", self.unreadable)?;
        }
        Ok(())
    }
}
