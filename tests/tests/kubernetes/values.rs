//! Rust types can read what the schemas accept, and the schemas accept what the types write.

use crdgen_core::ir::{Crd, Items, Schema, Type};
use crdgen_core::json::to_string;
use crdgen_core::object::validate::Validator;
use crdgen_core::path::Path;
use crdgen_core::value::Value;
use crdgen_tests::json::parse;
use crdgen_tests::rng::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{from_source, kinds};

const TIME: &str = "2024-01-02T03:04:05Z";

/// Returns a value of a schema. `chance` is the percentage of optional fields that are present.
fn value(schema: &Schema, chance: usize, rng: &mut Rng) -> Value {
    let limits = &schema.limits;
    if !limits.enumeration.is_empty() {
        return rng.pick(&limits.enumeration).clone();
    }
    match &schema.ty {
        Some(Type::Object) => {
            if let Some(of) = schema.value() {
                return Value::Map([("key", value(of, chance, rng))].into_iter().collect());
            }
            let is_kind =
                ["apiVersion", "kind", "metadata"].iter().all(|n| schema.properties.contains_key(n));
            let mut out = Vec::new();
            for (name, property) in schema.properties.iter() {
                // Whole resources know their own `apiVersion` and `kind`.
                let implied = is_kind && matches!(name, "apiVersion" | "kind");
                let required = limits.required.iter().any(|r| r == name);
                if !implied && (required || rng.chance(chance)) {
                    out.push((name.to_owned(), value(property, chance, rng)));
                }
            }
            if schema.preserves_unknown_fields() {
                out.push(("anything".to_owned(), Value::Int(1)));
            }
            Value::Map(out.into_iter().collect())
        }
        Some(Type::Array) => {
            let Some(Items::One(item)) = &schema.items else { return Value::List(Vec::new()) };
            Value::List(vec![value(item, chance, rng)])
        }
        Some(Type::String) => Value::from(match limits.format.as_str() {
            "date-time" => TIME,
            "byte" => "aGVsbG8=",
            _ => "text",
        }),
        Some(Type::Integer) => Value::Int(limits.minimum.map_or(7, |min| min as i64)),
        Some(Type::Number) => Value::Float(1.5),
        Some(Type::Boolean) => Value::Bool(true),
        None if schema.ext.int_or_string => match (rng.chance(50), limits.pattern.is_empty()) {
            (true, true) => Value::Int(*rng.pick(&[
                80,
                limits.minimum.map_or(i64::MIN, |min| min as i64),
                limits.maximum.map_or(i64::MAX, |max| max as i64),
            ])),
            (true, false) => Value::Int(80),
            (false, true) => Value::from("http"),
            (false, false) => Value::from("500m"),
        },
        None | Some(Type::Other(_)) => Value::from("anything"),
    }
}

/// Collects what is lost or changed. Rust fields without `Option` are written with their default, and whole resources
/// with their `apiVersion` and `kind`.
fn lost(sent: &Value, back: &Value, path: &str, out: &mut Vec<String>) {
    match (sent, back) {
        (Value::Map(a), Value::Map(b)) => {
            for (name, value) in a.iter() {
                match b.get(name) {
                    Some(back) => lost(value, back, &format!("{path}.{name}"), out),
                    None => out.push(format!("{path}.{name}: lost {}", to_string(value))),
                }
            }
            for (name, value) in b.iter().filter(|(name, _)| !a.contains_key(name)) {
                let text = to_string(value);
                let default = matches!(text.as_str(), "\"\"" | "[]" | "{}" | "0" | "false");
                if !default && !matches!(name, "apiVersion" | "kind") {
                    out.push(format!("{path}.{name}: new {text}"));
                }
            }
        }
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                lost(a, b, &format!("{path}[{i}]"), out);
            }
        }
        // A quantity becomes text when it is read, and a time may get microseconds.
        (Value::Int(a), Value::Str(b)) if *b == a.to_string() => {}
        (Value::Str(a), Value::Str(b)) if a == TIME && b.replace(".000000", "") == TIME => {}
        (a, b) if a == b => {}
        (a, b) => out.push(format!("{path}: {} became {}", to_string(a), to_string(b))),
    }
}

fn both_ways<T: DeserializeOwned + Serialize>(crd: &Crd, least: usize) {
    let schema = crd.spec.schema_of(0).and_then(|s| s.properties.get("spec"));
    let schema = schema.unwrap_or_else(|| panic!("no spec"));
    assert!(schema.properties.len() >= least);
    let validator = Validator::of_structural(schema, crdgen_core::server::Server::NEWEST);
    for (case, chance) in [100, 100, 0, 30, 50, 50, 50, 70, 70, 90].into_iter().enumerate() {
        let mut rng = Rng::of_case(1, case as u64);
        let sent = value(schema, chance, &mut rng);
        let complain = |what: &str, wrong: &[String]| {
            assert!(wrong.is_empty(), "case {case}: {what}:\n{}", wrong.join("\n"));
        };
        let errors = |value: &Value| -> Vec<String> {
            validator
                .validate(value, &Path::ROOT)
                .iter()
                .map(|d| format!("{}: {}", d.field, d.text()))
                .collect()
        };
        complain("the example is none", &errors(&sent));
        let read: T = serde_json::from_str(&to_string(&sent)).unwrap_or_else(|e| panic!("case {case}: {e}"));
        let written = serde_json::to_string(&read).unwrap_or_else(|e| panic!("{e}"));
        let back = parse(&written).unwrap_or_else(|e| panic!("{e}"));
        let mut wrong = Vec::new();
        lost(&sent, &back, "", &mut wrong);
        complain("not the same afterwards", &wrong);
        complain("what is written is refused", &errors(&back));
    }
}

#[test]
fn values_go_through_the_types_and_back() {
    let crds = from_source("kinds.rs");
    both_ways::<kinds::EverythingSpec>(&crds[0], 120);
    both_ways::<kinds::HeldSpec>(&crds[1], 10);
}
