//! Changes of what values are allowed.

use crdgen_core::value::{Map, Value};
use crdgen_tests::rng::Rng;

use super::{Edit, integer, is, json, number};

type Node = Map<Value>;

/// Sets a keyword of schemas of a type that do not have it.
fn add(node: &mut Node, ty: &str, key: &str, values: &[&str], rng: &mut Rng) -> bool {
    let can = is(node, ty) && !node.contains_key(key) && !node.contains_key("enum");
    if can {
        node.insert(key, json(some(rng, values)));
    }
    can
}

fn some<'t>(rng: &mut Rng, texts: &[&'t str]) -> &'t str {
    texts[rng.below(texts.len())]
}

/// Changes a count by a step, if it is set.
fn count(node: &mut Node, key: &str, by: i64) -> bool {
    let Some(now) = integer(node, key) else { return false };
    let next = if by.abs() > 1 { now * 2 + by } else { now + by };
    if next < 0 || next == now {
        return false;
    }
    node.insert(key, Value::Int(next));
    true
}

fn halve(node: &mut Node, key: &str) -> bool {
    let Some(now) = integer(node, key).filter(|now| *now > 1) else { return false };
    node.insert(key, Value::Int(now / 2));
    true
}

fn bound(node: &mut Node, key: &str, by: f64) -> bool {
    let Some(now) = number(node, key) else { return false };
    node.insert(
        key,
        if is(node, "integer") { Value::Int((now + by) as i64) } else { Value::Float(now + by) },
    );
    true
}

fn drop(node: &mut Node, key: &str) -> bool {
    node.remove(key).is_some()
}

fn set(node: &mut Node, key: &str, from: &str, to: &str) -> bool {
    let is_from = node.get(key).and_then(Value::as_str) == Some(from);
    if is_from {
        node.insert(key, Value::from(to));
    }
    is_from
}

fn values(node: &mut Node) -> Option<&mut Vec<Value>> {
    match node.get_mut("enum") {
        Some(Value::List(values)) => Some(values),
        _ => None,
    }
}

const PATTERNS: &[&str] = &[r#""^[a-z]+$""#, r#""^[a-zA-Z0-9._/-]*$""#, r#""^.{0,20}$""#, r#""-""#];
const FORMATS: &[&str] =
    &[r#""date-time""#, r#""email""#, r#""uuid""#, r#""ipv4""#, r#""duration""#, r#""uri""#];

pub(super) const EDITS: &[Edit] = &[
    Edit { name: "minLength added", run: |n, r| add(n, "string", "minLength", &["1", "3"], r) },
    Edit { name: "minLength raised", run: |n, _| count(n, "minLength", 1) },
    Edit { name: "minLength lowered", run: |n, _| count(n, "minLength", -1) },
    Edit { name: "minLength removed", run: |n, _| drop(n, "minLength") },
    Edit {
        name: "maxLength added",
        run: |n, r| add(n, "string", "maxLength", &["2", "10", "63", "1024"], r),
    },
    Edit { name: "maxLength raised", run: |n, _| count(n, "maxLength", 10) },
    Edit { name: "maxLength lowered", run: |n, _| halve(n, "maxLength") },
    Edit { name: "maxLength removed", run: |n, _| drop(n, "maxLength") },
    Edit { name: "pattern added", run: |n, r| add(n, "string", "pattern", PATTERNS, r) },
    Edit {
        name: "pattern changed",
        run: |n, r| n.contains_key("pattern") && n.insert("pattern", json(some(r, PATTERNS))).is_some(),
    },
    Edit {
        name: "pattern in other words",
        run: |n, _| {
            let Some(text) = n.get("pattern").and_then(Value::as_str).map(str::to_owned) else {
                return false;
            };
            n.insert("pattern", Value::from(format!("(?:{text})"))).is_some()
        },
    },
    Edit {
        name: "pattern or another",
        run: |n, _| {
            let Some(text) = n.get("pattern").and_then(Value::as_str).map(str::to_owned) else {
                return false;
            };
            n.insert("pattern", Value::from(format!("(?:{text})|^x+$"))).is_some()
        },
    },
    Edit { name: "pattern removed", run: |n, _| drop(n, "pattern") },
    Edit { name: "format added", run: |n, r| add(n, "string", "format", FORMATS, r) },
    Edit { name: "unknown format added", run: |n, r| add(n, "string", "format", &[r#""mine""#], r) },
    Edit {
        name: "format changed",
        run: |n, r| {
            is(n, "string")
                && n.contains_key("format")
                && n.insert("format", json(some(r, FORMATS))).is_some()
        },
    },
    Edit { name: "format removed", run: |n, _| is(n, "string") && drop(n, "format") },
    Edit { name: "int32 to int64", run: |n, _| set(n, "format", "int32", "int64") },
    Edit { name: "int64 to int32", run: |n, _| set(n, "format", "int64", "int32") },
    Edit {
        name: "enum introduced",
        run: |n, r| add(n, "string", "enum", &[r#"["a","b"]"#, r#"["example","1","a"]"#], r),
    },
    Edit {
        name: "enum value removed",
        run: |n, r| {
            let Some(values) = values(n).filter(|values| values.len() > 1) else { return false };
            let at = r.below(values.len());
            values.remove(at);
            true
        },
    },
    Edit {
        name: "enum value added",
        run: |n, _| {
            let is_text = is(n, "string");
            let Some(values) = values(n).filter(|_| is_text) else { return false };
            values.push(Value::from("one-more"));
            true
        },
    },
    Edit { name: "enum removed", run: |n, _| drop(n, "enum") },
    Edit {
        name: "enum to pattern",
        run: |n, r| is(n, "string") && drop(n, "enum") && add(n, "string", "pattern", PATTERNS, r),
    },
    Edit { name: "minimum added", run: |n, r| add(n, "integer", "minimum", &["0", "1", "100"], r) },
    Edit { name: "minimum raised", run: |n, _| bound(n, "minimum", 1.0) },
    Edit { name: "minimum lowered", run: |n, _| bound(n, "minimum", -1.0) },
    Edit { name: "minimum removed", run: |n, _| !n.contains_key("exclusiveMinimum") && drop(n, "minimum") },
    Edit {
        name: "minimum exclusive",
        run: |n, _| n.contains_key("minimum") && n.insert("exclusiveMinimum", Value::Bool(true)).is_none(),
    },
    Edit { name: "maximum added", run: |n, r| add(n, "integer", "maximum", &["0", "10", "65535"], r) },
    Edit { name: "maximum raised", run: |n, _| bound(n, "maximum", 1.0) },
    Edit { name: "maximum lowered", run: |n, _| bound(n, "maximum", -1.0) },
    Edit { name: "maximum removed", run: |n, _| !n.contains_key("exclusiveMaximum") && drop(n, "maximum") },
    Edit {
        name: "maximum exclusive",
        run: |n, _| n.contains_key("maximum") && n.insert("exclusiveMaximum", Value::Bool(true)).is_none(),
    },
    Edit { name: "multipleOf added", run: |n, r| add(n, "integer", "multipleOf", &["2", "5"], r) },
    Edit {
        name: "integer to number",
        run: |n, _| !n.contains_key("x-kubernetes-validations") && set(n, "type", "integer", "number"),
    },
    Edit { name: "number to integer", run: |n, _| set(n, "type", "number", "integer") },
    Edit { name: "string to integer", run: |n, _| set(n, "type", "string", "integer") },
    Edit { name: "boolean to string", run: |n, _| set(n, "type", "boolean", "string") },
    Edit {
        name: "integer to integer or string",
        run: |n, _| {
            let is_plain = is(n, "integer") && !n.contains_key("enum") && !n.contains_key("default");
            is_plain && drop(n, "type") && n.insert("x-kubernetes-int-or-string", Value::Bool(true)).is_none()
        },
    },
    Edit {
        name: "integer or string to string",
        run: |n, _| {
            let is_any = n.remove("x-kubernetes-int-or-string").is_some();
            if is_any {
                n.remove("anyOf");
                n.insert("type", Value::from("string"));
            }
            is_any
        },
    },
    Edit {
        name: "nullable added",
        run: |n, _| n.contains_key("type") && n.insert("nullable", Value::Bool(true)).is_none(),
    },
    Edit { name: "nullable removed", run: |n, _| drop(n, "nullable") },
    Edit { name: "minItems added", run: |n, r| add(n, "array", "minItems", &["1", "2"], r) },
    Edit { name: "minItems removed", run: |n, _| drop(n, "minItems") },
    Edit { name: "maxItems added", run: |n, r| add(n, "array", "maxItems", &["1", "2", "16"], r) },
    Edit { name: "maxItems raised", run: |n, _| count(n, "maxItems", 4) },
    Edit { name: "maxItems lowered", run: |n, _| halve(n, "maxItems") },
    Edit { name: "maxItems removed", run: |n, _| drop(n, "maxItems") },
    Edit { name: "minProperties added", run: |n, r| add(n, "object", "minProperties", &["1", "2"], r) },
    Edit { name: "maxProperties added", run: |n, r| add(n, "object", "maxProperties", &["1", "2", "10"], r) },
    Edit { name: "maxProperties removed", run: |n, _| drop(n, "maxProperties") },
    Edit {
        name: "description changed",
        run: |n, _| n.insert("description", Value::from("another")).is_some(),
    },
];
